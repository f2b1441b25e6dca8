// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the sample scripts that an alarm can run: `brighten` and `flash` change the brightness of
// the screen, `speak` speaks. The login manager is simulated, and ordinary files stand in for the
// kernel's backlights; the speech is real. Next: `GnomeShellBellTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SampleHookTests {
  private let desk: Desk
  private var folder: URL { desk.lab.home.appendingPathComponent("backlights") }
  private var log: URL { desk.lab.home.appendingPathComponent("log") }

  init() throws { desk = try Desk(Lab(.bus, .sound, .system)) }

  /// The path of a sample script.
  static func script(_ name: String) -> String {
    Lab.repository.appendingPathComponent("desktop/samples/hooks/\(name)").path
  }

  private func makeBacklight(_ name: String, _ kind: String, _ brightness: Int, of most: Int) throws
  {
    for (file, text) in [
      ("type", kind), ("brightness", "\(brightness)"), ("max_brightness", "\(most)"),
    ] {
      try desk.lab.write(text + "\n", to: "backlights/\(name)/\(file)")
    }
  }

  /// Returns the brightness values that the script asked the login manager to set for the backlight
  /// `name`; -1 for each request for another backlight.
  private func set(_ name: String) -> [Int] {
    desk.lines("log").map { line in
      line.hasPrefix("backlight \(name) ") ? Int(line.split(separator: " ")[2]) ?? -1 : -1
    }
  }

  @Test func `the sample script brightens the screen step by step before the ring`() throws {
    try makeBacklight("acpi_video0", "firmware", 100, of: 1000)
    try makeBacklight("intel_backlight", "raw", 5, of: 96_000)
    try desk.lab.playBrightness(of: folder, log: log)
    let due = Second.ahead(12)
    let words = #"["\#(Self.script("brighten"))", "80", "\#(folder.path)"]"#
    try desk.save(Desk.alarm("work", at: due, #"before = "1h""#, "on_before = \(words)"))
    let agent = try desk.startAgent()
    try desk.wait("the screen to be bright") { set("acpi_video0").last == 800 }
    #expect(Lab.now < due.epoch)
    let values = set("acpi_video0")
    #expect(values.count >= 3 && values == Array(Set(values)).sorted() && values[0] > 100)
    try desk.wait("nothing to be left") { try desk.children(of: agent).isEmpty }
    try desk.wait("the ring") { try desk.belfry("stop").status == 0 }
    #expect(agent.errors.contains("on_before") == false)
  }
  private func brightness(_ name: String) -> String {
    desk.lab.text("backlights/\(name)/brightness").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `the sample script flashes the screen during a ring, then restores its brightness`()
    throws
  {
    try makeBacklight("screen", "raw", 417, of: 1000)
    try desk.lab.playBrightness(of: folder, log: log)
    let flash = #"on_ring = ["\#(Self.script("flash"))", "\#(folder.path)"]"#
    let agent = try desk.startAgent()
    // Two alarms ring at the same time, but only the first script may flash the screen.
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm("work", at: due, flash),
      Desk.alarm("nap", at: Second(epoch: due.epoch + 2), flash))
    try desk.wait("the screen to flash") { set("screen").count >= 4 }
    #expect(set("screen").prefix(4) == [1000, 101, 1000, 101])
    try desk.belfry("stop work")
    try desk.wait("the other script to flash the screen") {
      let values = set("screen")
      return (values.firstIndex(of: 417) ?? values.count) < values.count - 1
    }
    try desk.belfry("stop nap")
    try desk.wait("nothing to be left") { try desk.children(of: agent).isEmpty }
    #expect(brightness("screen") == "417")
    #expect(set("screen").filter { $0 == 417 }.count == 2)
    #expect(!agent.errors.contains("ended with"), "\(agent.errors)")
  }

  @Test func `a brightness that someone sets during a flash is the one that is restored`() throws {
    try makeBacklight("screen", "raw", 417, of: 1000)
    try desk.lab.playBrightness(of: folder, log: log, other: 600)
    let flash = try desk.lab.start("sh", arguments: [Self.script("flash"), folder.path])
    try desk.wait("the screen to flash") { set("screen").count >= 3 }
    flash.terminate()
    try flash.waitForExit()
    #expect(set("screen").last == 600)
  }

  // MARK: - Speech

  @Test func `the sample script speaks during a ring, and no longer`() throws {
    let agent = try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm(
        "work", at: due, "volume = 0", #"label = "Good morning, it is time to get up""#,
        #"on_ring = ["\#(Self.script("speak"))"]"#))
    let spoken = try desk.lab.recorder.waitForSound(after: due.epoch)
    desk.wait(until: spoken + 1)
    let stopped = Lab.now
    try desk.belfry("stop")
    try desk.wait("nothing to be left") { try desk.children(of: agent).isEmpty }
    let silence = try desk.lab.recorder.waitForSilence(after: stopped, lasting: 2) - stopped
    #expect(silence < 1.5)
    #expect(!agent.errors.contains("ended with"), "\(agent.errors)")
  }

  /// Writes a program that stands in for the program `name`, and returns a `PATH` with it.
  private func standIn(_ name: String, _ lines: String) throws -> String {
    let file = try desk.lab.write("#!/bin/sh\n\(lines)\n", to: "bin/\(name)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    return "\(desk.lab.home.path)/bin:\(desk.lab.environment["PATH"] ?? "")"
  }

  @Test func `the sample script speaks the time and the label in English or Korean`() throws {
    _ = try standIn("spd-say", #"printf '%s\n' "$*" espeak-ng"#)
    let path = try standIn("date", #"case $1 in +%H) echo $HOUR ;; *) echo $MINUTE ;; esac"#)
    for (locale, hour, minute, kind, label, spoken) in [
      ("en_US.UTF-8", "07", "05", "alarm", "Work", "en -- It is 7:05 AM. Work."),
      ("C", "12", "00", "alarm", #"-n $(id) "q" \n"#, #"en -- It is 12 PM. -n $(id) "q" \n."#),
      ("", "00", "30", "timer", "", "en -- Time is up. It is 12:30 AM."),
      ("ko_KR.UTF-8", "08", "09", "alarm", "출근", "ko -- 오전 8시 9분입니다. 출근."),
      ("ko_KR.UTF-8", "19", "00", "timer", "", "ko -- 시간이 다 됐습니다. 오후 7시입니다."),
    ] {
      let said = try desk.lab.run(
        Self.script("speak"), "1",
        environment: [
          "PATH": path, "LANG": locale, "HOUR": hour, "MINUTE": minute, "BELFRY_KIND": kind,
          "BELFRY_LABEL": label,
        ])
      #expect(said.output == "--wait --priority important --language \(spoken)\nespeak-ng\n")
      #expect(said.errors == "")
    }
  }

  @Test func `belfry doctor says which sample script cannot work on this machine`() throws {
    let (flash, speak) = (Self.script("flash"), Self.script("speak"))
    func hooks(_ first: String, _ path: String? = nil) throws -> Diagnosis.Check? {
      try desk.saveText(
        "[defaults]\non_ring = [[\(first)], ['\(speak)']]\non_stop = [['true', '--no']]\n"
          + DoctorTests.alarm)
      return try desk.diagnosis(environment: path.map { ["PATH": $0] } ?? [:])["hooks"]
    }
    try makeBacklight("screen", "raw", 417, of: 1000)
    let good = try hooks("'\(flash)', '\(folder.path)'")
    #expect(good?.state == "ok" && good?.message == "\(flash), \(speak), true", "\(good as Any)")

    // A speech-dispatcher without a synthesizer only plays an error message.
    let path = try standIn("spd-say", "printf 'OUTPUT MODULES\\ndummy\\n'")
    let bad = try hooks("'\(flash)', '/nonexistent'", path)
    #expect(bad?.state == "warning")
    #expect(
      bad?.message == "\(flash): the screen cannot be flashed: there is no backlight, and no "
        + "visual bell is switched on; \(speak): nothing is spoken: speech-dispatcher has no "
        + "synthesizer; install one, such as espeak-ng")
    // The doctor never runs a command that does not say that it can check itself.
    let missing = try hooks("'touch', 'ran'], ['nowhere'")
    #expect(missing?.message == "nowhere: there is no such program")
    #expect(!FileManager.default.fileExists(atPath: desk.lab.home.path + "/ran"))
  }
}
