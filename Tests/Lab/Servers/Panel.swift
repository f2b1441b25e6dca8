// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts Xfce's panel with its tray, for tests of Belfry's symbol in the panel. The panel is a real
// watcher of tray items on the bus, and has real menus. Next: `OtherNotificationServers.swift`, for
// more of Xfce.

import Foundation
import TestData

extension Lab {
  private static let watcher = "org.kde.StatusNotifierWatcher"

  /// Starts the panel at the top of the display. This Lab must have a display.
  @discardableResult
  public func startPanel() throws -> Program {
    // This file describes one panel over the whole width of the screen, with the tray at its right
    // end.
    try write(
      table("../desktops/xfce4-panel.xml"),
      to: ".config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml")
    // If xfconfd is already running, this second one ends by itself, because the first one has the
    // bus name.
    _ = try start(Self.path(of: "xfce4/xfconf/xfconfd") ?? "xfconfd")
    try busWatch.waitForName("org.xfce.Xfconf", owned: true, since: 0)
    let before = Self.now
    // Since Xfce 4.20, the panel's tray ends if it does not find Xfce's files in /usr/share, which
    // the Lab hides from other programs.
    let panel = try start(
      "xfce4-panel", arguments: ["--disable-wm-check"],
      environment: ["XDG_DATA_DIRS": "/usr/share"])
    try busWatch.waitForName(Self.watcher, owned: true, since: before)
    return panel
  }

  public func stopPanel(_ panel: Program) throws {
    let before = Self.now
    panel.terminate()
    // The tray is a process of its own. Wait for the end of both processes, in whatever order they
    // end: a new panel ends at once if the old one still has its bus name.
    for name in [Self.watcher, "org.xfce.Panel"] {
      try busWatch.waitForName(name, owned: false, since: before)
    }
  }
}
