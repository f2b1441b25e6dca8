// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the doctor's checks, each with a good and a bad state. The tests use real devices and sound
// files, and copies of the kernel's and the session's files that a test can break.

import Foundation
import Lab
import Testing

@testable import Bus
@testable import Doctor
@testable import Notifications
@testable import Player
@testable import Sound
@testable import System

@Suite struct SoundPeakTests {
  let sounds: SoundFileTests

  init() throws { sounds = try SoundFileTests() }

  private func peak(_ path: String) throws -> Float {
    try loudest(of: path, patience: .seconds(20))
  }

  @Test func `the peak of a sound is measured to the end of the file`() throws {
    let path = try sounds.make(
      "swell.flac", ["-r8000", "-c2"],
      ["synth", "9", "sine", "440", "vol", "0.5", "fade", "t", "9"])
    #expect(abs(try peak(path) - 0.5) < 0.01)
    #expect(try loudest(of: path, patience: .zero) < 0.3)
  }

  @Test func `a sound file counts as silent if its first minute is silent`() throws {
    func still(_ seconds: Int) throws -> String {
      try sounds.make(
        "still.flac", ["-r8000", "-c1"], ["synth", "1", "sine", "440", "pad", "\(seconds)@0"])
    }
    #expect(try peak(still(50)) > 0.5)
    let path = try still(70)
    #expect(throws: SoundFileError.silent(path: path)) { try peak(path) }
    let short = try sounds.make("still.wav", ["-r8000", "-c1"], ["trim", "0", "0.2"])
    #expect(throws: SoundFileError.silent(path: short)) { try peak(short) }
    #expect(sounds.error(short) == .silent(path: short))
  }

  @Test func `damage after a valid header is found`() throws {
    let path = try sounds.make("cut.flac", ["-r8000", "-c1"], ["synth", "20", "noise"])
    var bytes = try DurableFile.read(path, limit: 1 << 20)
    for index in bytes.count / 2..<bytes.count { bytes[index] = 0x55 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    _ = try soundFile(path)
    #expect(throws: SoundFileError.self) { try peak(path) }
  }
}

@Suite struct MachineFilesTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Writes `files`, which maps paths to contents, below the folder `folder`, like files of the
  /// kernel in /sys. Returns the folder's path.
  private func make(_ folder: String, _ files: [String: String]) throws -> String {
    for (name, text) in files {
      let url = scratch.folder.appendingPathComponent("\(folder)/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((text + "\n").utf8).write(to: url)
    }
    return scratch[folder]
  }

  @Test func `only a battery of the machine itself counts, not the battery of a mouse`() throws {
    #expect(Battery(in: scratch["nothing"]) == nil)
    let mouse = [
      "hid/type": "Battery", "hid/scope": "Device", "hid/capacity": "3",
      "hid/status": "Discharging",
    ]
    #expect(Battery(in: try make("mouse", mouse)) == nil)
    let laptop = [
      "AC/type": "Mains", "AC/online": "0", "BAT0/type": "Battery", "BAT0/capacity": "12",
      "BAT0/status": "Discharging", "BAT1/type": "Battery", "BAT1/capacity": "40",
      "BAT1/status": "Not charging",
    ]
    let battery = try #require(
      Battery(in: try make("laptop", laptop.merging(mouse) { $1 })))
    #expect(battery.charge == 40 && battery.isDischarging)
    let odd = ["BAT0/type": "Battery", "BAT0/capacity": "much", "BAT0/status": "Unknown"]
    #expect(Battery(in: try make("odd", odd)) == nil)
  }

  @Test(arguments: [
    ("1", true), ("3", true), ("0", false), ("2", false), ("1 0", false), ("", false),
  ])
  func `a machine has a lid if one of its input devices has switch 0`(mask: String, isThere: Bool)
    throws
  {
    let folder = try make(
      "input-\(mask)", ["input0/capabilities/sw": "0", "input5/capabilities/sw": mask])
    #expect(Lid.isThere(in: folder) == isThere)
    #expect(!Lid.isThere(in: scratch["nothing"]))
  }

  @Test func `clocks that may, may not and cannot wake the machine are distinguished`()
    throws
  {
    let folder = try make(
      "rtc",
      [
        "rtc0/device/power/wakeup": "disabled", "rtc1/device/power/wakeup": "enabled",
        "rtc2/device/power/wakeup": "", "rtc3/name": "plain",
      ])
    let clocks = RealTimeClock.all(in: folder)
    #expect(clocks.map(\.name) == ["rtc0", "rtc1", "rtc2", "rtc3"])
    #expect(clocks.map(\.mayWake) == [false, true, false, false])
    #expect(clocks[0].setting == "\(folder)/rtc0/device/power/wakeup")
    #expect(clocks[2].setting == nil && clocks[3].setting == nil)
  }

  // MARK: - Starting with the session

  private func autostart(desktop: [String] = []) -> Autostart {
    let (config, data) = (scratch["config"], scratch["data"])
    let (system, shared) = ([scratch["etc"], scratch["lib"]], [scratch["xdg"]])
    return Disk.here { disk in
      Autostart(
        unit: "clockd.service", program: "clockd", config: config, data: data, system: system,
        shared: shared, desktop: desktop, on: disk)
    }
  }

  private func link(_ path: String, to target: String) throws {
    let url = scratch.folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: url.path, withDestinationPath: target)
  }

  @Test func `a unit starts with the session if a target wants it and it is not masked`() throws {
    #expect(autostart() == autostart() && autostart().targets == [] && autostart().unitFile == nil)
    let unit =
      try make("lib", ["systemd/user/clockd.service": "[Unit]"])
      + "/systemd/user/clockd.service"
    #expect(autostart().unitFile == unit && autostart().targets == [])
    try link("config/systemd/user/graphical-session.target.wants/clockd.service", to: unit)
    try link("etc/systemd/user/default.target.wants/other.service", to: unit)
    #expect(autostart().targets == ["graphical-session.target"])
    try link("config/systemd/user/clockd.service", to: "/dev/null")
    #expect(autostart().targets == [])
  }

  @Test(
    "a desktop file starts the program, unless the file says otherwise",
    arguments: [
      ("Exec=clockd", true), ("Exec = /usr/bin/clockd --quiet", true),
      (#"Exec="/opt/clockd" x"#, true), (#"Exec="/opt/a folder/clockd" x"#, true),
      ("Exec=clock", false), ("Exec=sh -c clockd", false), ("Name=clockd", false),
      ("Exec=clockd\nHidden=true", false), ("Exec=clockd\nX-GNOME-Autostart-enabled=false", false),
      ("Exec=clockd\nOnlyShowIn=GNOME;Unity;", true), ("Exec=clockd\nOnlyShowIn=KDE;", false),
      ("Exec=clockd\nNotShowIn=KDE;", true), ("Exec=clockd\nNotShowIn=GNOME;", false),
      ("Exec=other\n[Desktop Action x]\nExec=clockd", false),
    ])
  func desktopFile(lines: String, starts: Bool) throws {
    _ = try make(
      "xdg", ["autostart/clock.desktop": "[Desktop Entry]\n\(lines)", "autostart/x": "x"])
    let found = autostart(desktop: ["ubuntu", "GNOME"]).desktopFile
    #expect(found == (starts ? scratch["xdg/autostart/clock.desktop"] : nil))
  }

  @Test func `the user's desktop file replaces the system's`() throws {
    _ = try make("xdg", ["autostart/clock.desktop": "[Desktop Entry]\nExec=clockd"])
    _ = try make("config", ["autostart/clock.desktop": "[Desktop Entry]\nExec=clockd\nHidden=true"])
    #expect(autostart().desktopFile == nil)
  }
}

@Suite(.serialized, .realServers) struct DoNotDisturbTests {
  let lab: Lab
  let bus: Bus

  init() throws {
    lab = try Lab.shared()
    bus = try Bus()
  }

  private func answer(of server: String) throws -> DoNotDisturb.Finding? {
    var answers: [DoNotDisturb.Finding?] = []
    DoNotDisturb.ask(server, on: bus) { answers.append($0) }
    try #require(wait { !answers.isEmpty })
    return answers[0]
  }

  private func gdbus(_ words: String...) throws {
    let program = try lab.start("gdbus", arguments: ["call", "--session"] + words)
    try #require(try program.waitForExit() == .status(0), "\(program.errors)")
  }

  @Test(
    "each server is asked in its own way whether it shows notifications",
    arguments: [
      ("Xfce Notify Daemon", "org.xfce.Xfconf", "GetProperty", "ss", "v"),
      ("SwayNotificationCenter", "org.erikreider.swaync.cc", "GetDnd", "", "b"),
    ])
  func others(server: String, name: String, member: String, input: String, output: String) throws {
    #expect(try answer(of: server) == nil)
    let path = "/" + name.replacingOccurrences(of: ".", with: "/")
    let before = Lab.now
    let mock = try lab.start("/usr/bin/python3", arguments: ["-m", "dbusmock", name, path, name])
    defer { mock.terminate() }
    try lab.busWatch.waitForMessage("\(name)", since: before, within: 10) {
      $0.member == "NameOwnerChanged" && $0.body.first?.string == name
    }
    for isOn in [true, false] {
      try gdbus(
        "--dest", name, "--object-path", path, "--method", "org.freedesktop.DBus.Mock.AddMethod",
        name, member, input, output, "ret = \(isOn ? "True" : "False")")
      #expect(try answer(of: server)?.isOn == isOn)
    }
  }
}
