// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts notification servers other than dunst: mako on a Wayland compositor, the servers of
// desktops, and a server that misbehaves as a test wants. Next: `Bubbles.swift`, for clicks on the
// notifications of desktops.

import Foundation

extension Lab {
  public enum NotificationServerKind: String, CaseIterable, Sendable {
    case dunst, mako, xfce, mate, lxqt, plasma

    var needsX: Bool { self != .mako }

    /// Whether the server is available on this machine; see `desktop/packaging/packages`.
    public var isInstalled: Bool { Lab.path(of: program) != nil }

    /// The server's program: its name, or its path below a library folder of the system.
    var program: String {
      switch self {
      case .dunst, .mako: rawValue
      case .xfce: "xfce4/notifyd/xfce4-notifyd"
      case .mate: "mate-notification-daemon/mate-notification-daemon"
      case .lxqt: "lxqt-notificationd"
      case .plasma: "plasmashell"
      }
    }

    /// Whether the server needs data from the other packages of its desktop.
    var isPartOfDesktop: Bool { [.mate, .lxqt, .plasma].contains(self) }

    /// The variables that programs on the server's desktop have in their environment.
    var variables: [String: String] {
      switch self {
      case .dunst, .mako, .xfce: [:]
      case .mate: ["XDG_CURRENT_DESKTOP": "MATE"]
      case .lxqt: ["XDG_CURRENT_DESKTOP": "LXQt"]
      case .plasma: Lab.plasmaVariables
      }
    }
  }

  public var notificationServerKind: NotificationServerKind {
    servers.read { $0.notificationServerKind }
  }

  func startProgram(_ kind: NotificationServerKind) throws -> Program {
    guard let program = Self.path(of: kind.program) else {
      throw LabError.failed(kind.program, reason: "it is not installed")
    }
    switch kind {
    case .dunst: return try startDunst()
    case .mako, .xfce, .mate, .lxqt: return try start(program)
    case .plasma: return try startPlasma(program)
    }
  }

  /// Returns the path of a program that is installed or that `desktop/packaging/packages` has
  /// unpacked. Debian keeps programs that users do not run by name in `/usr/lib`, or in the
  /// architecture's folder below it.
  static func path(of program: String) -> String? {
    let roots = [servers.appendingPathComponent("xfce4-notifyd/usr/lib").path, "/usr/lib"]
    let libraries = roots.flatMap { root in
      ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).map { "\(root)/\($0)" }
    }
    let folders = ["\(servers.path)/bin", "/usr/bin"] + roots + libraries
    return folders.map { "\($0)/\(program)" }.first(
      where: FileManager.default.isExecutableFile(atPath:))
  }

  // MARK: - Plasma

  /// The major version of Plasma, 5 or 6, which is part of the names of its programs.
  static let plasmaVersion = path(of: "kded6") == nil ? "5" : "6"
  private static let plasmaVariables = [
    "XDG_CURRENT_DESKTOP": "KDE", "XDG_SESSION_DESKTOP": "KDE", "DESKTOP_SESSION": "plasma",
    "XDG_SESSION_TYPE": "x11", "KDE_FULL_SESSION": "true", "KDE_SESSION_VERSION": plasmaVersion,
    "QT_QPA_PLATFORM": "xcb", "LIBGL_ALWAYS_SOFTWARE": "1", "QT_QUICK_BACKEND": "software",
  ]
  /// Settings that give Plasma the same font on every machine, and no animations.
  private static let plasmaSettings = [
    "kdeglobals": """
    [General]
    ColorScheme=BreezeLight
    font=DejaVu Sans,10,-1,5,50,0,0,0,0,0
    [KDE]
    AnimationDurationFactor=0
    [Icons]
    Theme=breeze
    """,
    "kwinrc": "[Compositing]\nEnabled=false\n",
    "baloofilerc": "[Basic Settings]\nIndexing-Enabled=false\n",
  ]

  /// Starts the Plasma desktop, which contains the notification server, and its window manager.
  private func startPlasma(_ shell: String) throws -> Program {
    let settings = home.appendingPathComponent(".config")
    if !FileManager.default.fileExists(atPath: settings.appendingPathComponent("kwinrc").path) {
      try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
      for (name, text) in Self.plasmaSettings {
        try text.write(
          to: settings.appendingPathComponent(name), atomically: true, encoding: .utf8)
      }
      for service in ["ActivityManager", "kded\(Self.plasmaVersion)"] {
        try activateInstalled("org.kde.\(service)")
      }
      try run("kbuildsycoca\(Self.plasmaVersion)", "--noincremental")
      // In Plasma 6, the session starts the program that listens to keys. In Plasma 5, the bus
      // starts it.
      if let keys = Self.path(of: "libexec/kglobalacceld") {
        _ = try start(keys)
      } else {
        try activateInstalled("org.kde.kglobalaccel")
      }
      let before = Self.now
      _ = try start("kwin_x11")
      // A window manager that starts late moves the windows that are already there.
      try busWatch.waitForName("org.kde.KWin", owned: true, since: before)
    }
    return try start(shell, arguments: ["--no-respawn"])
  }

  /// Allows the Lab's bus to start a service that is installed on this machine.
  private func activateInstalled(_ name: String) throws {
    let file = name + ".service"
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: "/usr/share/dbus-1/services/\(file)"),
      to: activationFolder.appendingPathComponent(file))
    try reloadServices()
  }

  // MARK: - mako

  @discardableResult
  func makoctl(_ arguments: String...) throws -> String {
    let program = try start("makoctl", arguments: arguments)
    guard try program.waitForExit() == .status(0) else {
      throw LabError.failed("makoctl \(arguments)", reason: program.errors)
    }
    return program.output
  }

  // MARK: - The server that misbehaves

  /// The path of the misbehaving server's script, for tests in which the bus starts the server.
  public static let unrulyServer =
    repository.appendingPathComponent("Tests/Lab/notification-server.py").path

  /// Starts the misbehaving server, and stops the other server if one is running. The script of the
  /// misbehaving server describes the options.
  public func startUnrulyServer(_ options: [String]) throws -> Program {
    if let server = servers.read({ $0.notificationServer }), server.isRunning {
      try stopNotificationServer()
    }
    let server = try start("/usr/bin/python3", arguments: [Self.unrulyServer] + options)
    try server.waitForOutput("ready")
    return server
  }

  /// Returns how many notifications of the misbehaving server a person would see.
  public func visibleOnUnrulyServer() throws -> Int {
    // The answer is like `array [ uint32 1 uint32 2 ]`, spread over several lines.
    try send(
      "org.belfry.Test.Visible", to: Self.serverName, at: "/org/freedesktop/Notifications"
    ).split(whereSeparator: \.isWhitespace).filter { $0 == "uint32" }.count
  }

  /// Makes the misbehaving server act as if a person did something: `Press` with a notification's
  /// title and the key of a button, `Click` or `Cross` with its title, or `Quit`.
  public func tellUnrulyServer(_ member: String, _ arguments: String...) throws {
    try send(
      "org.belfry.Test.\(member)", arguments, to: Self.serverName,
      at: "/org/freedesktop/Notifications")
  }
}
