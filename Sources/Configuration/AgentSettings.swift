// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings of `[agent]`, which hold for all alarms and timers.

public struct AgentSettings: Hashable, Sendable {
  public var clock = Clock.automatic
  public var onClose = OnClose.automatic
  /// Names of ALSA devices, in the order in which they are tried; never empty.
  public var devices = ["default"]
  public var mixer = Mixer.raise
  /// Percent, 0...100.
  public var mixerFloor = 50
  public var pauseMedia = true
  public var countdown = true
  public var tray = true
  public var lockScreen = LockScreen.details
  /// How long before a ring a suspended machine is woken.
  public var wakeAhead: Duration = .seconds(20)

  public init() {}

  /// How times of day are shown.
  public enum Clock: String, CaseIterable, Hashable, Sendable {
    /// Follow the desktop and the locale.
    case automatic = "auto"
    case twelveHours = "12h"
    case twentyFourHours = "24h"
  }

  /// The reaction if the user closes the notification.
  public enum OnClose: String, CaseIterable, Hashable, Sendable {
    /// Stop if the notification has an x. On desktops where an ordinary click closes it, silence
    /// the ring for a minute and show the notification again.
    case automatic = "auto"
    case stop, snooze
    /// Show the notification again and go on ringing.
    case ring
  }

  /// The part of notifications that the lock screen shows.
  public enum LockScreen: String, CaseIterable, Hashable, Sendable {
    /// Their titles and texts.
    case details
    /// Belfry's name and the number of notifications.
    case count
  }

  /// The change of the output's volume while an alarm rings.
  public enum Mixer: String, CaseIterable, Hashable, Sendable { case raise, leave }
}
