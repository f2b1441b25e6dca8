// SPDX-License-Identifier: GPL-3.0-or-later
//
// Presses the buttons of notifications, closes notifications, and starts and stops their server.
// This file starts dunst; `OtherNotificationServers.swift` starts the other servers. Next:
// `BusWatch.swift`, which sees the results.

import Foundation

extension Lab {
  static let serverName = "org.freedesktop.Notifications"
  /// The D-Bus interface that only dunst has, in addition to the standard one.
  private static let commands = "org.dunstproject.cmd0"
  /// The file with the line that dunst's menu program is to choose.
  private var choice: URL { folder.appendingPathComponent("choice") }

  /// The running notification server. A test may suspend, resume and kill it. This Lab must have
  /// been made with `.notifications`.
  public var notificationServer: Program { part(\.notificationServer, ".notifications") }

  public func startNotificationServer() throws {
    let before = Self.now
    let server = try startProgram(notificationServerKind)
    // Some notification servers are part of a whole desktop, which takes long to start.
    try busWatch.waitForName(Self.serverName, owned: true, since: before)
    servers.update { $0.notificationServer = server }
  }

  func startDunst() throws -> Program {
    let configuration = folder.appendingPathComponent("dunstrc")
    try """
    [global]
      dmenu = sed -n $r\(choice.path)
      notification_limit = 0
      width = 400
      height = 400
      offset = 24x24
      font = Sans 12
      frame_width = 2
      padding = 12
      horizontal_padding = 14
    """.write(to: configuration, atomically: true, encoding: .utf8)
    return try start("dunst", arguments: ["-config", configuration.path])
  }

  public func stopNotificationServer() throws {
    let before = Self.now
    notificationServer.resume()
    notificationServer.terminate()
    try notificationServer.waitForExit()
    try busWatch.waitForName(Self.serverName, owned: false, since: before)
  }

  public func restartNotificationServer() throws {
    try stopNotificationServer()
    try startNotificationServer()
  }

  /// Presses the button whose action is called `key`; if it is "default", clicks on the
  /// notification's body. Returns the signal by which the server informs the program.
  @discardableResult
  public func press(
    _ key: String, on notification: PostedNotification, within seconds: Double = patience
  ) throws -> BusMessage {
    let before = Self.now
    let id = notification.id ?? 0
    switch notificationServerKind {
    case .dunst: try choose(key, on: id)
    case .mako: try makoctl("invoke", "-n", "\(id)", key)
    case .xfce, .mate, .lxqt, .plasma: try click(key, on: notification)
    }
    return try busWatch.waitForMessage(
      "button \(key) of \(id)", since: before, within: seconds
    ) {
      $0.member == "ActionInvoked" && $0.body == [.integer(Int64(id)), .string(key)]
    }
  }

  /// Chooses a button from dunst's menu. dunst passes the buttons to a menu program as lines like
  /// `#Stop (Work) [7,stop]`, and that program prints the chosen line. This function writes the
  /// chosen line to a file, and the Lab's menu program prints what the file holds. dunst accepts
  /// the line only if the notification is shown and has that button.
  private func choose(_ key: String, on id: UInt32) throws {
    try "#[\(id),\(key)]\n".write(to: choice, atomically: true, encoding: .utf8)
    try waitUntilShown()
    try command("ContextMenuCall")
  }

  /// Closes a notification as a person does, which the server reports as reason 2. On dunst and
  /// Xfce, only the last notification can be closed: for any other, this function throws an error.
  @discardableResult
  public func closeByHand(_ notification: PostedNotification) throws -> BusMessage {
    let before = Self.now
    switch notificationServerKind {
    case .dunst:
      try waitUntilShown()
      try command("NotificationCloseLast")
    case .mako: try makoctl("dismiss", "-n", "\(notification.id ?? 0)")
    case .xfce, .mate, .lxqt, .plasma: try clickClose()
    }
    // MATE reports reason 1, as if the notification had expired.
    let reason: Int64 = notificationServerKind == .mate ? 1 : 2
    return try busWatch.waitForMessage("\(notification.id ?? 0) closed by hand", since: before) {
      $0.member == "NotificationClosed"
        && $0.body == [.integer(Int64(notification.id ?? 0)), .integer(reason)]
    }
  }

  /// Returns how many notifications are visible on the screen.
  public func shownNotifications() throws -> Int {
    switch notificationServerKind {
    case .dunst:
      // The answer is like `uint32 2`.
      try Int(ask("displayedLength").split(separator: " ").last ?? "") ?? 0
    // For each notification, mako prints `"app-name" : {`, or `App name: Belfry` since version 1.9.
    case .mako: try makoctl("list").matches(of: /"app-name"|\n  App name:/).count
    case .xfce, .mate, .lxqt, .plasma: try bubbles().count
    }
  }

  /// Switches dunst's "do not disturb" on or off. While it is on, dunst shows no new notifications,
  /// and does not report that.
  public func pauseDunst(_ isPaused: Bool) throws {
    try call(
      "org.freedesktop.DBus.Properties.Set", "string:\(Self.commands)", "string:paused",
      "variant:boolean:\(isPaused)")
  }

  /// Writes a picture of the screen to a PNG file.
  public func screenshot(to file: URL) throws {
    let command =
      notificationServerKind.needsX
      ? ["import", "-window", "root", file.path] : ["grim", file.path]
    let program = try start(command[0], arguments: Array(command.dropFirst()))
    guard try program.waitForExit() == .status(0) else {
      throw LabError.failed(command[0], reason: program.errors)
    }
  }

  /// Waits until dunst shows all notifications. dunst answers a program's call before it shows the
  /// notification, and buttons do not work before that. dunst sends no signal at that moment.
  private func waitUntilShown() throws {
    try Self.wait(for: "dunst to show all") { try ask("waitingLength").hasSuffix("uint32 0") }
  }

  private func ask(_ property: String) throws -> String {
    try call(
      "org.freedesktop.DBus.Properties.Get", "string:\(Self.commands)", "string:\(property)")
  }

  private func command(_ member: String) throws { try call("\(Self.commands).\(member)") }

  @discardableResult
  private func call(_ method: String, _ arguments: String...) throws -> String {
    try send(method, arguments, to: Self.serverName, at: "/org/freedesktop/Notifications")
  }
}
