// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts a stand-in for the system bus. python-dbusmock simulates systemd's login manager and clock
// settings with their real interfaces, and a test decides what happens to the machine. Next:
// `Servers.swift`.

import Foundation

extension Lab {
  /// Starts a bus at the address where this Lab's programs look for the system bus, with a
  /// simulated login manager and clock settings.
  func startSystemBus() throws {
    try startEmptySystemBus()
    let login = Self.repository.appendingPathComponent("Tests/Lab/login-manager.py").path
    for template in [login, "timedated"] {
      _ = try start("/usr/bin/python3", arguments: ["-m", "dbusmock", "--template", template])
    }
    for name in ["login1", "timedate1"] {
      try Self.wait(for: name) { try owns("org.freedesktop.\(name)") }
    }
  }

  /// Kills the system bus, and starts another one with its services.
  public func restartSystemBus() throws {
    let bus = part(\.systemBus, ".system")
    bus.kill()
    try bus.waitForExit()
    try startSystemBus()
  }

  /// Starts a bus at that address, without any service on it.
  public func startEmptySystemBus() throws {
    let configuration = folder.appendingPathComponent("system-bus.conf")
    try Self.busConfiguration(listen: Self.systemBus(in: folder)).write(
      to: configuration, atomically: true, encoding: .utf8)
    let bus = try start(
      "dbus-daemon",
      arguments: ["--config-file=\(configuration.path)", "--nofork", "--print-address=1"])
    servers.update { $0.systemBus = bus }
    try bus.waitForOutput("\n")
  }

  /// Returns whether a program has the bus name `name` on the system bus.
  func owns(_ name: String) throws -> Bool {
    try system(
      "org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", name) == "(true,)"
  }

  static func systemBus(in folder: URL) -> String { "unix:path=\(folder.path)/run/system-bus" }

  /// Returns every lock that Belfry holds now with the login manager, such as `block sleep:idle`.
  public func locks() throws -> Set<String> {
    let answer = try login("org.freedesktop.login1.Manager.ListInhibitors")
    // The answer is GVariant text: [('sleep', 'Belfry', 'why', 'block', uint32 1000, 123456), …]
    let held = answer.matches(of: /\('([^']*)', 'Belfry', '[^']*', '([^']*)'/)
    return Set(held.map { "\($0.2) \($0.1)" })
  }

  /// Waits until `matches` accepts the locks that Belfry holds.
  public func waitForLocks(
    _ awaited: String, where matches: (Set<String>) -> Bool
  ) throws {
    try Self.wait(for: awaited, seen: "\(try locks())") { matches(try locks()) }
  }

  /// Makes the login manager report that a `sleep` or a `shutdown` begins or ends.
  public func announce(_ action: String, _ isBeginning: Bool) throws {
    _ = try login("org.freedesktop.DBus.Mock.Announce", action, "\(isBeginning)")
  }

  /// Makes the login manager report that the screen was locked or unlocked.
  public func lockScreen(_ isLocked: Bool) throws { try setSessionProperty("LockedHint", isLocked) }

  /// Makes the login manager report that the session is on the screen, or that another one is.
  public func showSession(_ isShown: Bool) throws { try setSessionProperty("Active", isShown) }

  private func setSessionProperty(_ property: String, _ value: Bool) throws {
    _ = try login("org.freedesktop.DBus.Mock.SetSessionProperty", property, "\(value)")
  }

  /// Makes the login manager replace the user's session by a new one, as if the user had logged
  /// out and in again.
  public func logInAgain() throws { _ = try login("org.freedesktop.DBus.Mock.LogIn") }

  public func closeLid() throws {
    _ = try login(
      "org.freedesktop.DBus.Mock.UpdateProperties", "org.freedesktop.login1.Manager",
      "{'LidClosed': <true>}")
  }

  /// Makes the simulated login manager write the brightness of backlights to files in `folder`, as
  /// a kernel would, and log each change like `backlight screen 20`. If `other` is given, the file
  /// gets that brightness instead, as if someone changed the brightness right afterwards.
  public func playBrightness(of folder: URL, log: URL, other: Int? = nil) throws {
    let value = other.map(String.init) ?? "args[2]"
    let code =
      #"print(\#(value), file=open("\#(folder.path)/%s/brightness" % args[1], "w")); "#
      + #"print(*args, file=open("\#(log.path)", "a"))"#
    _ = try system(
      "org.freedesktop.login1", "/org/freedesktop/login1/session/auto",
      "org.freedesktop.DBus.Mock.AddMethod", "org.freedesktop.login1.Session", "SetBrightness",
      "ssu", "", code)
  }

  private func login(_ method: String, _ arguments: String...) throws -> String {
    try system("org.freedesktop.login1", "/org/freedesktop/login1", method, arguments)
  }

  func system(
    _ name: String, _ path: String, _ method: String, _ arguments: String...
  ) throws -> String { try system(name, path, method, arguments) }

  /// Calls a method on the system bus, and returns the answer as gdbus(1) prints it.
  private func system(
    _ name: String, _ path: String, _ method: String, _ arguments: [String]
  ) throws -> String {
    let call = ["call", "--system", "--dest", name, "--object-path", path, "--method", method]
    let program = try start("gdbus", arguments: call + arguments)
    guard try program.waitForExit() == .status(0) else {
      throw LabError.failed(method, reason: program.errors)
    }
    return program.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
