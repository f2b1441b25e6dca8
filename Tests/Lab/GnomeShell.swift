// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the real GNOME Shell in a Lab, without a screen but with a pointer and a keyboard.
// `desktops/gnome-shell.js` runs inside it. Next: `GnomeShellPerson.swift`, and `DebianTree.swift`
// for a newer version.

import Foundation

/// A text or a button on GNOME Shell's screen.
public struct ShellWidget: Decodable, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Decodable, Sendable { case button, text, close }

  public let kind: Kind
  public let text: String
  public let x: Double, y: Double, width: Double, height: Double
  /// Whether the widget's text ends in an ellipsis because there is no room.
  public let isCut: Bool

  public var description: String { kind == .text ? "“\(text)”" : "[\(text)]" }
}

/// A notification that GNOME Shell keeps, whether or not it is on the screen.
public struct ShellNotification: Decodable, Sendable, CustomStringConvertible {
  public let title: String
  public let body: String
  /// The urgency of the notification: 0 is low, 1 is normal, 3 is critical.
  public let urgency: Int
  public let buttons: [String]

  public var description: String { "“\(title)” \(body) \(buttons) urgency \(urgency)" }
}

/// The GNOME Shell of a Lab, with the actions of a person in front of it.
public final class GnomeShell: Sendable {
  let lab: Lab
  private let program: Guarded<Program?>

  private static let name = "org.gnome.Shell"
  private static let path = "/org/gnome/Shell"
  private static let folder = Lab.repository.appendingPathComponent("Tests/Lab/desktops")
  /// The services that the tests need and that the bus of a GNOME session starts on demand.
  private static let services = [
    "org.gnome.Shell.Notifications", "org.gnome.Shell.CalendarServer", "org.gnome.ScreenSaver",
  ]

  init(in lab: Lab) throws {
    self.lab = lab
    program = Guarded(nil)
    try prepare()
    try start()
  }

  // MARK: - The session

  private func prepare() throws {
    try lab.startDisplayManager()
    for service in Self.services { try makeActivatable(service) }
    try installBelfry()
    let extensions = lab.home.appendingPathComponent(
      ".local/share/gnome-shell/extensions/lab@belfry")
    try FileManager.default.createDirectory(at: extensions, withIntermediateDirectories: true)
    let major = try majorVersion()
    let about = #"{"uuid": "lab@belfry", "name": "Lab", "description": "For tests", "#
    try (about + #""shell-version": ["\#(major)"]}"#)
      .write(
        to: extensions.appendingPathComponent("metadata.json"), atomically: true, encoding: .utf8)
    try FileManager.default.copyItem(
      at: Self.folder.appendingPathComponent("extension-\(major < 45 ? 43 : 45).js"),
      to: extensions.appendingPathComponent("extension.js"))
    try enable(["lab@belfry"])
    try set("org.gnome.shell", "welcome-dialog-last-shown-version", "'99'")
    // Never blank the screen because no one uses it: only a test may blank it.
    try set("org.gnome.desktop.session", "idle-delay", "uint32 0")
  }

  /// Returns the major version of GNOME Shell, such as 43.
  public func majorVersion() throws -> Int {
    let version = try lab.run("gnome-shell", "--version").output.split(separator: " ").last ?? ""
    return Int(version.prefix { $0 != "." }) ?? 0
  }

  /// Installs the files by which the shell knows Belfry: launcher, search provider, icons and bus
  /// service.
  private func installBelfry() throws {
    let (data, files) = (lab.systemData, FileManager.default)
    let desktop = Lab.repository.appendingPathComponent("desktop/session")
    let id = "org.belfry.Belfry"
    for (name, folder) in [
      ("\(id).desktop", "applications"), ("\(id).service", "dbus-1/services"),
      ("search/\(id).search-provider.ini", "gnome-shell/search-providers"),
      ("icons/\(id).svg", "icons/hicolor/scalable/apps"),
      ("icons/\(id)-symbolic.svg", "icons/hicolor/symbolic/apps"),
    ] {
      let folder = data.appendingPathComponent(folder)
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      let source = desktop.appendingPathComponent(name)
      try String(contentsOf: source, encoding: .utf8)
        .replacingOccurrences(of: "@bindir@", with: Lab.programs.path)
        .replacing(/(?m)^SystemdService=.*\n/, with: "").write(
          to: folder.appendingPathComponent(source.lastPathComponent), atomically: true,
          encoding: .utf8)
    }
  }

  /// Installs a bus service of the system in the Lab. Leaves out the service's use of systemd,
  /// which does not run in a Lab.
  private func makeActivatable(_ service: String) throws {
    let name = "\(service).service"
    let installed = lab.systemRoot.appendingPathComponent("usr/share/dbus-1/services/\(name)")
    let text = try String(contentsOf: installed, encoding: .utf8)
    try text.split(separator: "\n").filter { !$0.hasPrefix("SystemdService") }
      .joined(separator: "\n").write(
        to: lab.activationFolder.appendingPathComponent(name), atomically: true, encoding: .utf8)
  }

  /// Changes a setting of GNOME by gsettings(1).
  public func set(_ schema: String, _ key: String, _ value: String) throws {
    let (status, _, errors) = try lab.run("gsettings", "set", schema, key, value)
    guard status == 0 else { throw LabError.failed("gsettings set \(key)", reason: errors) }
  }

  private func enable(_ extensions: [String]) throws {
    let list = extensions.map { "'\($0)'" }.joined(separator: ", ")
    try set("org.gnome.shell", "enabled-extensions", "[\(list)]")
  }

  /// Switches the extension AppIndicator on or off. With it, the panel shows the icons of programs.
  public func setTray(_ isOn: Bool) throws {
    let before = Lab.now
    let extensions = isOn ? ["ubuntu-appindicators@ubuntu.com"] : []
    try enable(["lab@belfry"] + extensions)
    try lab.busWatch.waitForName("org.kde.StatusNotifierWatcher", owned: isOn, since: before)
  }

  /// Starts the shell. It can be started again after it has ended.
  public func start() throws {
    let shell = try lab.start(
      "gnome-shell",
      arguments: [
        "--headless", "--virtual-monitor", "1280x800", "--no-x11",
        "--wayland-display=\(Lab.waylandDisplay)",
      ] + (try majorVersion() < 50 ? ["--wayland"] : []))
    program.update { $0 = shell }
    let begun = Lab.now
    try Lab.wait(for: "gnome-shell", seen: shell.errors) {
      guard shell.isRunning else { throw LabError.failed("gnome-shell", reason: shell.errors) }
      if Lab.now > begun + 5 { try freeFromChild(shell) }
      return (try? evaluate("Main.layoutManager._startingUp ? 0 : 1")) == "1"
    }
    _ = try evaluate(
      String(contentsOf: Self.folder.appendingPathComponent("gnome-shell.js"), encoding: .utf8))
    try act("global.lab.clear()")
  }

  /// Ends a child of the shell that hangs. GNOME Shell forks to run JavaScript in a child, and
  /// waits for the child. Sometimes the child waits forever for a lock that only its parent could
  /// release.
  private func freeFromChild(_ shell: Program) throws {
    let file = "/proc/\(shell.pid)/task/\(shell.pid)/children"
    // The shell and its child may have ended by now, so that their files are gone.
    let children = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    for child in children.split(separator: " ").compactMap({ Int32($0) }) {
      let name = try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)
      if name?.hasPrefix("gnome-shell") == true { kill(child, SIGKILL) }
    }
  }

  /// Kills the shell, as a crash would.
  public func crash() throws {
    guard let shell = program.read({ $0 }) else { return }
    shell.kill()
    try shell.waitForExit()
  }

  // MARK: - The contents of the screen

  /// Returns the texts and buttons of the banner once it has stopped moving; an empty array if
  /// there is no banner.
  public func banner() throws -> [ShellWidget] { try ask("global.lab.banner()") }

  /// Returns the texts and buttons of the banner, even while it is moving; an empty array if there
  /// is no banner on the screen.
  public func bannerNow() throws -> [ShellWidget] { try ask("global.lab.bannerNow()") }

  /// Returns the state of the message tray, as text, which explains why there is no banner.
  public func bannerState() throws -> String { try evaluate("global.lab.bannerState()") }

  /// Returns whether there is a banner, whether or not it is moving.
  public func hasBanner() throws -> Bool {
    try evaluate("Main.messageTray._notificationState") != "0"
  }

  /// Returns the texts and buttons in the list of notifications, if the list is open.
  public func list() throws -> [ShellWidget] { try ask("global.lab.list()") }

  /// Returns the texts in the panel.
  public func panel() throws -> [ShellWidget] { try ask("global.lab.panel()") }

  /// Returns how many icons of programs the panel shows.
  public func symbols() throws -> Int { try ask("global.lab.symbols()") }

  /// Returns the texts on the lock screen.
  public func lockScreen() throws -> [ShellWidget] { try ask("global.lab.locked()") }

  /// Returns all notifications that the shell keeps.
  public func kept() throws -> [ShellNotification] { try ask("global.lab.kept()") }

  /// Waits for a banner whose texts and buttons contain all of `words`.
  @discardableResult
  public func waitForBanner(
    _ words: String..., within seconds: Double = patience
  ) throws -> [ShellWidget] {
    try Lab.ask(for: "a banner with \(words)", within: seconds, seen: "\(try banner())") {
      let banner = try banner()
      return words.allSatisfy { word in banner.contains { $0.text.contains(word) } }
        ? banner : nil
    }
  }

  /// Waits until a banner whose title begins with `title` has been shown, whether or not the banner
  /// is still there.
  public func waitForPastBanner(_ title: String) throws {
    func seen() throws -> String {
      let posted = lab.busWatch.notifications().map { "\($0.title) \($0.hints["urgency"] as Any)" }
      return "kept \(try kept()), posted \(posted), \(try bannerState())"
    }
    try Lab.wait(for: "a banner of \(title)", seen: try seen()) {
      try (ask("global.lab.bannersShown()") as [String]).contains { $0.hasPrefix(title) }
    }
  }

  // MARK: - Scripts inside the shell

  func act(_ script: String) throws { _ = try evaluate("\(script); 0") }

  func ask<Answer: Decodable>(_ script: String) throws -> Answer {
    try JSONDecoder().decode(Answer.self, from: Data(try evaluate(script).utf8))
  }

  /// Runs a script inside the shell, and returns its result as JSON.
  @discardableResult
  public func evaluate(_ script: String) throws -> String {
    let answer: String
    do {
      answer = try lab.send(
        "\(Self.name).Eval", ["string:\(script)"], to: Self.name, at: Self.path)
    } catch {
      // If the shell has crashed, only its exit status and its own messages say why.
      guard let shell = program.read({ $0 }), !shell.isRunning else { throw error }
      throw LabError.failed(
        "gnome-shell", reason: "\(try shell.waitForExit()): \(shell.errors)")
    }
    let success = "boolean true"
    guard answer.hasPrefix(success) else {
      throw LabError.failed(script, reason: String(answer))
    }
    return answer.dropFirst(success.count).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension Lab {
  static let waylandDisplay = "lab-wayland"

  /// The environment of programs in a GNOME session.
  static let gnomeVariables = [
    "XDG_CURRENT_DESKTOP": "GNOME", "XDG_SESSION_DESKTOP": "gnome", "DESKTOP_SESSION": "gnome",
    "XDG_SESSION_TYPE": "wayland", "XDG_SESSION_CLASS": "user", "XDG_SESSION_ID": "c1",
    "XDG_SEAT": "seat0",
    "WAYLAND_DISPLAY": waylandDisplay, "GDK_BACKEND": "wayland",
    "LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe", "LP_NUM_THREADS": "1",
    // GNOME's settings are in a file instead of a service. Programs see no difference.
    "GSETTINGS_BACKEND": "keyfile", "GTK_A11Y": "none",
  ]

  /// The GNOME Shell of this Lab, which must have been made with `.gnomeShell`.
  public var shell: GnomeShell { part(\.shell, ".gnomeShell") }

  /// Starts stand-ins for the services that GNOME Shell needs to lock its screen: a display
  /// manager, a login session and the power supply.
  func startDisplayManager() throws {
    let (name, path) = ("org.gnome.DisplayManager", "/org/gnome/DisplayManager/Manager")
    let mock = "org.freedesktop.DBus.Mock"
    _ = try start(
      "/usr/bin/python3", arguments: ["-m", "dbusmock", "--template", "upower"])
    _ = try start(
      "/usr/bin/python3", arguments: ["-m", "dbusmock", "--system", name, path, "\(name).Manager"])
    try Self.wait(for: name) { try owns(name) }
    try Self.wait(for: "upower") { try owns("org.freedesktop.UPower") }
    _ = try system(name, path, "\(mock).AddProperty", "\(name).Manager", "Version", "<'43.0'>")
    _ = try system(
      name, path, "\(mock).AddMethod", "\(name).Manager", "RegisterSession", "a{sv}", "", "")
    _ = try system(
      "org.freedesktop.login1", "/org/freedesktop/login1", "\(mock).AddSession", "c1", "seat0",
      "0", "root", "true")
  }
}
