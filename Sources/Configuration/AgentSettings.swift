// SPDX-License-Identifier: GPL-3.0-or-later
//
// `[agent]`: how the agent behaves whatever it is that rings.

public struct AgentSettings: Hashable, Sendable {
  public var clock = Clock.automatic
  public var onClose = OnClose.automatic
  /// ALSA PCM names, tried in order; never empty.
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
    /// As the desktop and the locale say.
    case automatic = "auto"
    case twelveHours = "12h"
    case twentyFourHours = "24h"
  }

  /// What closing the notification by hand does.
  public enum OnClose: String, CaseIterable, Hashable, Sendable {
    /// Stop where there is an x for it. Where an ordinary click closes, as a click on it does:
    /// quiet for a while, and back.
    case automatic = "auto"
    case stop, snooze
    /// Post it again, and ring on.
    case ring
  }

  /// What a locked screen shows of notifications.
  public enum LockScreen: String, CaseIterable, Hashable, Sendable {
    /// Title and text.
    case details
    /// The name of the program, and how many there are.
    case count
  }

  /// What is done to the output's volume while an alarm rings.
  public enum Mixer: String, CaseIterable, Hashable, Sendable { case raise, leave }
}
