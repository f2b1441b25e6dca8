// SPDX-License-Identifier: GPL-3.0-or-later
//
// Alarms and pauses as the user sets them in the config, and how alarms and timers ring. The state
// of an alarm is in `State.swift`. Presets of timers are in `Timers/TimerPreset.swift`, and timers
// that were started in `Timers/Timer.swift`.

/// How an alarm or a timer rings. The config sets these values in `[defaults]`; each alarm and each
/// timer may set its own.
public struct RingSettings: Hashable, Sendable {
  public enum Unanswered: String, CaseIterable, Hashable, Sendable { case snooze, miss }

  /// Names or paths of sounds. Each ring plays one of these sounds, which is looked up shortly
  /// before. If the list is empty, the ring plays the default ringtone.
  public var sounds: [String] = []
  /// ALSA PCM names, tried before the devices that `[agent]` lists.
  public var devices: [String] = []
  /// The volume in percent, 0...100.
  public var volume = 80
  public var fadeIn: Duration = .seconds(30)
  /// Up to three snooze lengths, each shown as a button. If there are none, the ring cannot be
  /// snoozed and does not snooze by itself.
  public var snooze: [Duration] = [.minutes(10)]
  /// How often the user can snooze one ring; zero: without limit.
  public var snoozeLimit = 0
  /// The time from when the user stops the alarm to the check whether the user is up; zero: no
  /// check. For alarms only.
  public var check: Duration = .zero
  /// How long a ring lasts before it counts as unanswered; nil: until the user answers.
  public var ringFor: Duration? = .minutes(10)
  public var unanswered: Unanswered = .snooze
  /// How many times an unanswered ring snoozes by itself before it counts as missed.
  public var autoSnoozeLimit = 3
  /// A ring that is found at most this long after its due time still sounds; a later ring counts as
  /// missed.
  public var late: Duration = .minutes(10)
  /// How long before the next ring a quiet notice announces it; zero: no notice.
  public var upcoming: Duration = .minutes(30)
  public var wake = true
  /// Commands as argument lists. The commands of `onRing` run when a ring begins, also after a
  /// snooze. The commands of `onStop` run when a ring ends or is snoozed.
  public var onRing: [[String]] = []
  public var onStop: [[String]] = []
  /// How long before a ring the commands of `onBefore` run; zero: they do not run. For alarms only.
  public var before: Duration = .zero
  public var onBefore: [[String]] = []
  /// How long before a ring a notice says that it is time to sleep; zero: no notice. For alarms
  /// only.
  public var bedtime: Duration = .zero

  public init() {}

  /// Whether a ring with these settings can be snoozed at all.
  public var allowsSnooze: Bool { !snooze.isEmpty }
}

public struct Alarm: Hashable, Sendable {
  /// The name that the command line uses for the alarm; unique in the config.
  public var id: String
  /// Any text that the user can type. Code that displays the label must escape it first.
  public var label: String?
  /// A name that several alarms share, so that one command can address them all.
  public var group: String?
  public var recurrence: Recurrence
  public var enabled: Bool
  public var ring: RingSettings

  public init(
    id: String, label: String? = nil, group: String? = nil, recurrence: Recurrence,
    enabled: Bool = true, ring: RingSettings = RingSettings()
  ) {
    (self.id, self.label, self.group) = (id, label, group)
    (self.recurrence, self.enabled, self.ring) = (recurrence, enabled, ring)
  }
}

/// `[[pause]]` of the config: days on which no alarm rings or, with `group`, no alarm of that
/// group.
public struct Pause: Hashable, Sendable {
  public var from: CivilDate
  /// The last paused day; nil: the pause lasts until the user removes it.
  public var until: CivilDate?
  public var group: String?
  public var label: String?

  public init(
    from: CivilDate, until: CivilDate? = nil, group: String? = nil, label: String? = nil
  ) {
    (self.from, self.until, self.group, self.label) = (from, until, group, label)
  }

  public func isMeant(for alarm: Alarm) -> Bool { group == nil || group == alarm.group }

  public func covers(_ date: CivilDate) -> Bool { days.contains(date) }

  var days: ClosedRange<CivilDate> { from...max(from, until ?? .latest) }
}

extension Alarm {
  /// Sets the alarm's paused days to the days of those pauses that apply to this alarm.
  public mutating func apply(_ pauses: [Pause]) {
    recurrence.paused = ExceptedDays(pauses.filter { $0.isMeant(for: self) }.map(\.days))
  }

  public var unpaused: Alarm {
    var alarm = self
    alarm.apply([])
    return alarm
  }
}
