// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person does to notifications, and what happens to their server: buttons pressed, bubbles
// closed, dunst stopped, started and hung. Next: `BusWatch.swift`, which sees the results.

import Foundation

extension Lab {
  private static let serverName = "org.freedesktop.Notifications"
  /// The line of dunst's menu that is to be chosen.
  private var choice: URL { folder.appendingPathComponent("choice") }

  /// dunst as it runs now: suspend it, resume it, kill it. This Lab must have `.notifications`.
  public var notificationServer: Program { part(\.notificationServer, ".notifications") }

  public func startNotificationServer() throws {
    let menu = folder.appendingPathComponent("menu")
    // dunst writes the menu to its input and takes the line that it prints.
    try "#!/bin/sh\nexec grep -F -f '\(choice.path)'\n".write(
      to: menu, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: menu.path)
    let configuration = folder.appendingPathComponent("dunstrc")
    try """
    [global]
      dmenu = \(menu.path)
      notification_limit = 0
      width = 400
      height = 400
      offset = 24x24
      font = Sans 12
      frame_width = 2
      padding = 12
      horizontal_padding = 14
    """.write(to: configuration, atomically: true, encoding: .utf8)
    let before = Self.now
    let dunst = try start("dunst", arguments: ["-config", configuration.path])
    try busWatch.waitForName(Self.serverName, owned: true, since: before, within: 10)
    servers.update { $0.notificationServer = dunst }
  }

  public func stopNotificationServer() throws {
    let before = Self.now
    notificationServer.resume()
    notificationServer.terminate()
    try notificationServer.waitForExit()
    try busWatch.waitForName(Self.serverName, owned: false, since: before, within: 5)
  }

  public func restartNotificationServer() throws {
    try stopNotificationServer()
    try startNotificationServer()
  }

  /// Presses the button of a notification whose action is called `key`; "default" is a click on
  /// its body. Returns when the server has told the program.
  ///
  /// dunst shows buttons in a menu, made of lines like `#Stop (Work) [7,stop]`, and leaves it to a
  /// program of the user's choice to pick one. Ours picks the line that ends so.
  @discardableResult
  public func press(_ key: String, on notification: PostedNotification) throws -> BusMessage {
    let before = Self.now
    let id = notification.id ?? 0
    try "[\(id),\(key)]\n".write(to: choice, atomically: true, encoding: .utf8)
    try command("ContextMenuCall")
    return try busWatch.waitForMessage("button \(key) of \(id)", since: before) {
      $0.member == "ActionInvoked" && $0.body == [.integer(Int64(id)), .string(key)]
    }
  }

  /// Closes a notification as a person does, which is reason 2. dunst closes the topmost one only:
  /// anything else is an error here.
  @discardableResult
  public func closeByHand(_ notification: PostedNotification) throws -> BusMessage {
    let before = Self.now
    try command("NotificationCloseLast")
    return try busWatch.waitForMessage("\(notification.id ?? 0) closed by hand", since: before) {
      $0.member == "NotificationClosed"
        && $0.body == [.integer(Int64(notification.id ?? 0)), .integer(2)]
    }
  }

  /// Writes the screen as a PNG file.
  public func screenshot(to file: URL) throws {
    let result = try run("import", "-window", "root", file.path)
    guard result.status == 0 else { throw LabError.notStarted("import", reason: result.errors) }
  }

  private func command(_ member: String) throws {
    let result = try run(
      "dbus-send", "--session", "--print-reply", "--dest=\(Self.serverName)",
      "/org/freedesktop/Notifications", "org.dunstproject.cmd0.\(member)")
    guard result.status == 0 else { throw LabError.notStarted(member, reason: result.errors) }
  }
}
