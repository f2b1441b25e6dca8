// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings of the table `[agent]` in the config. They apply to all alarms and timers.

public struct AgentSettings: Hashable, Sendable {
  public var clock = Clock.automatic
  public var onClose = OnClose.automatic
  /// The names of ALSA devices, in the order in which the agent tries them. The list is never
  /// empty.
  public var devices = ["default"]
  public var mixer = Mixer.raise
  /// The lowest volume of the output while an alarm is ringing, in percent (0...100). With
  /// `Mixer.raise`, a lower volume is raised to this percentage.
  public var mixerFloor = 50
  public var pauseMedia = true
  public var countdown = true
  public var tray = true
  public var lockScreen = LockScreen.details
  /// A suspended machine is woken this long before a ring.
  public var wakeAhead: Duration = .seconds(20)

  public init() {}

  public enum Clock: String, CaseIterable, Hashable, Sendable {
    /// Use the form that the desktop or the locale uses.
    case automatic = "auto"
    case twelveHours = "12h"
    case twentyFourHours = "24h"
  }

  /// The action of the agent if the user closes the notification of a ring.
  public enum OnClose: String, CaseIterable, Hashable, Sendable {
    /// Stop the ring if the notification has a close button. On desktops where an ordinary click
    /// closes the notification, silence the ring for a minute and show the notification again.
    case automatic = "auto"
    case stop, snooze
    /// Show the notification again and continue ringing.
    case ring
  }

  public enum LockScreen: String, CaseIterable, Hashable, Sendable {
    /// The lock screen shows the titles and texts of the notifications.
    case details
    /// The lock screen shows only Belfry's name and the number of its notifications.
    case count
  }

  public enum Mixer: String, CaseIterable, Hashable, Sendable { case raise, leave }
}
