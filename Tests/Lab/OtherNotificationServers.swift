// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notification servers other than dunst: mako on a Wayland compositor, Xfce's, and one that behaves
// as badly as it is told to. How each is started, and how a person handles it. GNOME Shell and
// Plasma are whole desktops, too large for a Lab.

import Foundation

extension Lab {
  public enum NotificationServerKind: String, CaseIterable, Sendable {
    case dunst, mako, xfce

    var needsX: Bool { self != .mako }
  }

  public var notificationServerKind: NotificationServerKind {
    servers.read { $0.notificationServerKind }
  }

  func startProgram(_ kind: NotificationServerKind) throws -> Program {
    switch kind {
    case .dunst: return try startDunst()
    case .mako: return try start("mako")
    case .xfce: return try start(installed("xfce4/notifyd/xfce4-notifyd"))
    }
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

  // MARK: - Xfce's

  struct Bubble {
    var x = 0, y = 0, width = 0, height = 0
  }

  /// Where its bubbles are, from the top. Its other windows are a few pixels large.
  func bubbles() throws -> [Bubble] {
    let windows = try run("xdotool", "search", "--onlyvisible", "--class", "xfce4-notifyd").output
    return try windows.split(separator: "\n").compactMap { window in
      // `X=759` and so on; one that is gone by now says nothing.
      let lines = try run("xdotool", "getwindowgeometry", "--shell", "\(window)").output
        .split(separator: "\n").map { $0.split(separator: "=") }
      var bubble = Bubble()
      for line in lines where line.count == 2 {
        switch line[0] {
        case "X": bubble.x = Int(line[1]) ?? 0
        case "Y": bubble.y = Int(line[1]) ?? 0
        case "WIDTH": bubble.width = Int(line[1]) ?? 0
        case "HEIGHT": bubble.height = Int(line[1]) ?? 0
        default: break
        }
      }
      return bubble.width > 50 ? bubble : nil
    }.sorted { $0.y < $1.y }
  }

  private func lastBubble() throws -> Bubble {
    try Self.ask(for: "a bubble of Xfce's", seen: "none") { try bubbles().last }
  }

  /// Its buttons are in a row below the text, of one width: one alone at the right, four or more
  /// from side to side.
  func click(_ key: String, on notification: PostedNotification) throws {
    let bubble = try lastBubble()
    let index = notification.actions.firstIndex { $0.key == key } ?? 0
    let count = notification.actions.count
    let inset = 14
    let x =
      count == 1
      ? bubble.width - inset - 20
      : inset + (bubble.width - 2 * inset) * (2 * index + 1) / (2 * count)
    try click(x: bubble.x + x, y: bubble.y + bubble.height - inset - 15)
  }

  func clickBody() throws {
    let bubble = try lastBubble()
    try click(x: bubble.x + bubble.width / 2, y: bubble.y + 25)
  }

  private func click(x: Int, y: Int) throws {
    try run("xdotool", "mousemove", "\(x)", "\(y)", "sleep", "0.1", "click", "1")
  }

  // MARK: - The one that misbehaves

  /// Where it is, for a bus that is to start it.
  public static let unrulyServer =
    repository.appendingPathComponent("Tests/Lab/notification-server.py").path

  /// Starts it, in the place of any other that runs; see its own options.
  public func startUnrulyServer(_ options: [String]) throws -> Program {
    if let server = servers.read({ $0.notificationServer }), server.isRunning {
      try stopNotificationServer()
    }
    let server = try start("/usr/bin/python3", arguments: [Self.unrulyServer] + options)
    try server.waitForOutput("ready")
    return server
  }

  /// Plays a person's part on it: `Press` with a number and a key, `Close` with a number and a
  /// reason, `Quit`.
  public func tellUnrulyServer(_ member: String, _ arguments: String...) throws {
    try send(
      "org.belfry.Test.\(member)", arguments, to: Self.serverName,
      at: "/org/freedesktop/Notifications")
  }
}
