// SPDX-License-Identifier: GPL-3.0-or-later
//
// Xfce's panel with its tray, for tests of Belfry's symbol in the panel. The panel is a real
// watcher of tray items on the bus, and has real menus. Next: `OtherNotificationServers.swift`, for
// more of Xfce.

import Foundation

extension Lab {
  private static let watcher = "org.kde.StatusNotifierWatcher"

  /// Starts the panel at the top of the display. This Lab must have a display.
  @discardableResult
  public func startPanel() throws -> Program {
    let folder = home.appendingPathComponent(".config/xfce4/xfconf/xfce-perchannel-xml")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.panelConfiguration.write(
      to: folder.appendingPathComponent("xfce4-panel.xml"), atomically: true, encoding: .utf8)
    // If xfconfd is already running, the second one ends, since the first has the bus name.
    _ = try start(Self.path(of: "xfce4/xfconf/xfconfd") ?? "xfconfd")
    try busWatch.waitForName("org.xfce.Xfconf", owned: true, since: 0)
    let before = Self.now
    // Since Xfce 4.20, the tray ends if the data of its desktop is missing.
    let panel = try start(
      "xfce4-panel", arguments: ["--disable-wm-check"],
      environment: ["XDG_DATA_DIRS": "/usr/share"])
    try busWatch.waitForName(Self.watcher, owned: true, since: before)
    return panel
  }

  public func stopPanel(_ panel: Program) throws {
    let before = Self.now
    panel.terminate()
    try busWatch.waitForName(Self.watcher, owned: false, since: before)
  }

  /// Configures one panel over the whole width of the screen, with symbols at its right end.
  private static let panelConfiguration = """
    <?xml version="1.0" encoding="UTF-8"?>
    <channel name="xfce4-panel" version="1.0">
      <property name="configver" type="int" value="2"/>
      <property name="panels" type="array">
        <value type="int" value="1"/>
        <property name="panel-1" type="empty">
          <property name="position" type="string" value="p=6;x=0;y=0"/>
          <property name="length" type="uint" value="100"/>
          <property name="size" type="uint" value="32"/>
          <property name="plugin-ids" type="array">
            <value type="int" value="1"/>
            <value type="int" value="2"/>
          </property>
        </property>
      </property>
      <property name="plugins" type="empty">
        <property name="plugin-1" type="string" value="separator">
          <property name="expand" type="bool" value="true"/>
        </property>
        <property name="plugin-2" type="string" value="systray"/>
      </property>
    </channel>

    """
}
