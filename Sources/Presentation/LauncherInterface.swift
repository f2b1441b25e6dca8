// SPDX-License-Identifier: GPL-3.0-or-later
//
// `org.freedesktop.Application` as the agent has it: what a desktop's launcher calls, and the
// actions of its menu (`desktop/session/org.belfry.Belfry.desktop`). What they do is
// `LauncherService.swift`'s in Agent.

import Bus

public enum LauncherInterface {
  public nonisolated static let name = "org.freedesktop.Application"
  public static var peer: Bus.Peer { Bus.Peer(BusInterface.name, interface: name) }

  /// The actions that the launcher's menu has.
  public nonisolated enum Action: String, CaseIterable, Sendable {
    case fiveMinutes = "timer-5m"
    case tenMinutes = "timer-10m"
    case editAlarms = "edit-alarms"
    /// So named for GNOME Shell, which has an entry of its own for opening a window otherwise.
    case nextAlarm = "new-window"
  }
}
