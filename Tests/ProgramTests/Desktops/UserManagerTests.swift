// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the installed Belfry with a real systemd user manager, which also starts the session bus.
// The manager starts the agent at login, after a crash, and when a program calls it on the bus, but
// never starts it twice.

import Foundation
import Lab
import Testing

/// A login session with a systemd user manager, which starts the target of a desktop as a real
/// desktop does.
private struct Session {
  let home: Installation
  /// Installs Belfry for a user who is not logged in, and then logs in. `dropIn` is a file of
  /// `desktop/session` that changes settings of the agent's unit.
  init(dropIn: String? = nil) throws {
    home = try Installation()
    try home.install()
    let units = home.lab.home.appendingPathComponent(".config/systemd/user")
    try FileManager.default.createDirectory(at: units, withIntermediateDirectories: true)
    try """
    [Unit]
    BindsTo=graphical-session.target
    Wants=xdg-desktop-autostart.target
    """.write(
      to: units.appendingPathComponent("desktop.target"), atomically: true, encoding: .utf8)
    let dropIns = units.appendingPathComponent("belfryd.service.d")
    try FileManager.default.createDirectory(at: dropIns, withIntermediateDirectories: true)
    // The Lab has no journal, so the agent's log goes to a file.
    try "[Service]\nStandardError=append:\(home.lab.home.path)/log\n".write(
      to: dropIns.appendingPathComponent("log.conf"), atomically: true, encoding: .utf8)
    if let dropIn {
      try FileManager.default.copyItem(
        at: Lab.repository.appendingPathComponent("desktop/session/\(dropIn)"),
        to: dropIns.appendingPathComponent(dropIn))
    }
    try home.lab.startUserSession()
    try systemctl("start", "desktop.target")
  }

  @discardableResult
  func systemctl(_ arguments: String...) throws -> (status: Int32, output: String) {
    let program = try home.lab.start("systemctl", arguments: ["--user"] + arguments)
    guard case .status(let status) = try program.waitForExit() else { return (-1, "") }
    return (status, program.output.trimmingCharacters(in: .newlines))
  }

  /// Returns the id of the process of the unit `belfryd.service`; 0 if it has none.
  func unit() throws -> Int32 {
    Int32(try systemctl("show", "--value", "--property=MainPID", "belfryd.service").output) ?? 0
  }

  /// Waits until the process of `belfryd.service` has the agent's bus name, and returns the id of
  /// this process.
  func waitForUnit(otherThan old: Int32? = nil) throws -> Int32 {
    var unit: Int32 = 0
    do {
      _ = try home.waitForAgent("the unit's agent") {
        unit = (try? self.unit()) ?? 0
        return $0 == unit && unit != 0 && unit != old
      }
    } catch {
      let units = try systemctl(
        "status", "--all", "--lines=0", "belfryd.service", "app-*.service", "dbus.service",
        "*.target")
      throw LabError.failed(
        "the unit", reason: "\(error)\n\(units.output)\n\(try home.text("log"))")
    }
    return unit
  }
}

@Suite(
  .realServers, .enabled(if: Lab.canRunUserManager, "systemd cannot run as a user manager here"))
struct UserManagerTests {
  @Test func `systemd starts the agent at login, and again after a crash`() throws {
    let session = try Session()
    let first = try session.waitForUnit()
    kill(first, SIGKILL)
    let second = try session.waitForUnit(otherThan: first)

    // systemd does not restart an agent that was asked to quit. A program that calls the agent on
    // the bus starts it again.
    kill(second, SIGTERM)
    _ = try session.home.waitForAgent("no agent") { $0 == nil }
    #expect(try session.home.lab.run("belfry", "status").status == 0)
    let third = try session.waitForUnit(otherThan: second)

    // An agent that is started by hand exits, because one is running. With `--replace`, it ends the
    // agent of the unit, and systemd does not count that as a failure.
    let another = try session.home.lab.start("belfryd")
    #expect(try another.waitForExit() == .status(0))
    #expect(try session.unit() == third)
    let byHand = try session.home.lab.start("belfryd", arguments: ["--replace"])
    _ = try session.home.waitForAgent("the one by hand") { $0 == byHand.pid }
    try Lab.wait(for: "the unit's end") { try session.unit() == 0 }
    #expect(try session.systemctl("is-active", "belfryd.service").output == "inactive")
  }

  @Test func `the agent ends when the desktop session ends`() throws {
    let session = try Session()
    _ = try session.waitForUnit()
    try session.systemctl("stop", "desktop.target")
    _ = try session.home.waitForAgent("no agent") { $0 == nil }
    #expect(try session.systemctl("is-active", "belfryd.service").output == "inactive")
  }

  @Test func `the agent also runs with the hardened settings of its unit`() throws {
    let session = try Session(dropIn: "belfryd-hardened.conf")
    _ = try session.waitForUnit()
    #expect(try session.home.lab.run("belfry", "status").status == 0)
  }

  /// The agent was started from a text console, and the desktop's autostart entry comes later.
  @Test(arguments: [Lab.Part.userManager, .bus])
  func `commands and editors get the display of a desktop that started after the agent`(
    part: Lab.Part
  ) throws {
    let desk = try Desk(Lab(part))
    let applications = desk.lab.folder.appendingPathComponent("share/applications")
    try FileManager.default.createDirectory(at: applications, withIntermediateDirectories: true)
    for (name, text) in [
      (
        "a.desktop",
        """
        [Desktop Entry]
        Type=Application
        Name=a
        MimeType=text/plain;
        Exec=sh -c "env >\(desk.lab.home.path)/edited"

        """
      ), ("mimeinfo.cache", "[Default Applications]\ntext/plain=a.desktop\n"),
    ] {
      try text.write(
        to: applications.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    try desk.save(
      Desk.alarm("work", at: .ahead(3600), #"on_ring = ["sh", "-c", "env >rung"]"#))
    try desk.startAgent()
    let display = "WAYLAND_DISPLAY=wayland-7"
    #expect(
      try desk.lab.run("belfryd", "--start", environment: ["WAYLAND_DISPLAY": "wayland-7"]).status
        == 0)
    try desk.belfry("rehearse work")
    try desk.belfry("activate edit-alarms")
    for file in ["rung", "edited"] {
      try desk.wait("the display in \(file)") { desk.lines(file).contains(display) }
    }
    #expect(desk.lines("rung").contains("BELFRY_ID=work"))
  }

  private static func environment(of home: String) -> [String: String] {
    ["HOME": home, "XDG_DATA_HOME": home + "/.local/share", "XDG_CONFIG_HOME": home + "/.config"]
  }

  /// Runs systemd-analyze(1) on the agent's unit, which also checks that the unit's program exists.
  /// Units that are enabled on the machine are left out: they may contradict each other.
  @Test(arguments: [".", "a home"])
  func `systemd accepts the agent's unit without a warning`(folder: String) throws {
    let home = try Installation()
    let folder = home.lab.home.appendingPathComponent(folder).standardizedFileURL.path
    try home.install(environment: Self.environment(of: folder))
    let unit = folder + "/.local/share/systemd/user/belfryd.service"
    let verified = try home.lab.run(
      "systemd-analyze", "--user", "--man=no", "verify", unit,
      environment: ["SYSTEMD_UNIT_PATH": "/usr/lib/systemd/user"])
    #expect(verified.status == 0)
    #expect(verified.output + verified.errors == "")
  }

  @Test func `Belfry can be installed in a home folder with a space in its path`() throws {
    let home = try Installation()
    let environment = Self.environment(of: home.lab.home.path + "/a home")
    try home.install(environment: environment)
    let data = "a home/.local/share"
    let launcher = "\(data)/applications/org.belfry.Belfry.desktop"
    for (path, program) in [
      (launcher, "belfry"), ("a home/.config/autostart/org.belfry.Belfry.desktop", "belfryd"),
      ("\(data)/dbus-1/services/org.belfry.Belfry.service", "belfryd"),
    ] {
      #expect(
        try home.command(path, "Exec").contains(
          "\(home.lab.home.path)/a home/.local/bin/\(program)"))
    }
    #expect(try home.lab.run("desktop-file-validate", launcher).status == 0)
    try home.install("--uninstall", environment: environment)
    #expect(try home.files() == ["a home/.config/belfry/config.toml"])
  }
}
