// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the user set: an alarm, how it rings, and the other entries of the config as values. These
// are settings only; what becomes of an alarm is in `State.swift`.

/// How something rings; `[defaults]` of the config, each alarm and timer may say otherwise.
public struct RingSettings: Hashable, Sendable {
  public enum Unanswered: String, CaseIterable, Hashable, Sendable { case snooze, miss }

  /// Names or paths of sounds, looked up when they are needed, of which one rings; none: the
  /// default ringtone.
  public var sounds: [String] = []
  /// ALSA PCM names, tried before those of the agent.
  public var devices: [String] = []
  /// Percent, 0...100.
  public var volume = 80
  /// From silence to `volume`.
  public var fadeIn: Duration = .seconds(30)
  /// Up to three lengths, each a button; without any there is no snooze, and none by itself.
  public var snooze: [Duration] = [.minutes(10)]
  /// How often an occurrence can be snoozed by hand; zero: as often as one likes.
  public var snoozes = 0
  /// How long after a stop it is seen to that the user is up; zero: not at all. Of alarms alone.
  public var check: Duration = .zero
  /// How long it rings before it counts as unanswered; nil: for ever.
  public var ringFor: Duration? = .minutes(10)
  public var unanswered: Unanswered = .snooze
  /// How often it snoozes by itself before it is missed.
  public var autoSnoozes = 3
  /// Found due no longer ago than this, it still rings.
  public var late: Duration = .minutes(10)
  /// How long ahead the upcoming ring is announced; zero: not at all.
  public var upcoming: Duration = .minutes(30)
  /// Whether a suspended machine is woken for it.
  public var wake = true
  /// Commands, as argument lists, run when it starts to ring and when that ends.
  public var onRing: [[String]] = []
  public var onStop: [[String]] = []
  /// How long ahead of a ring the commands of `onBefore` are run; zero: not at all. Of alarms
  /// alone.
  public var before: Duration = .zero
  public var onBefore: [[String]] = []
  /// How long ahead of a ring it is time to sleep; zero: nobody says so. Of alarms alone.
  public var bedtime: Duration = .zero

  public init() {}
}

public struct Alarm: Hashable, Sendable {
  /// What the command line calls it; unique in the config.
  public var id: String
  /// May hold anything the user can type; whoever shows it makes it harmless first.
  public var label: String?
  /// What commands call it and others by together.
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

/// Days on which no alarm rings, `[[pause]]`, or none of a group.
public struct Pause: Hashable, Sendable {
  public var from: CivilDate
  /// The last of these days; nil: until it is taken away.
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
  /// Takes the pauses that are meant for it in place of those that it had.
  public mutating func take(_ pauses: [Pause]) {
    recurrence.paused = ExceptedDays(pauses.filter { $0.isMeant(for: self) }.map(\.days))
  }

  /// As it will be when no pause is left.
  public var unpaused: Alarm {
    var alarm = self
    alarm.take([])
    return alarm
  }
}

/// A timer that the config names, `[[timer]]`.
public struct TimerPreset: Hashable, Sendable {
  public var name: String
  public var duration: Duration
  public var label: String?
  public var ring: RingSettings
  /// The name of the one that starts when this is answered, or with `flow` as soon as it is over.
  public var then: String?
  public var flow = false
  /// How often that begins anew with this one; nil: for ever.
  public var rounds: Int? = 1
  /// A short sound and a notice so long before the end; zero: none.
  public var warn: Duration = .zero

  public init(name: String, duration: Duration, label: String? = nil, ring: RingSettings) {
    (self.name, self.duration, self.label, self.ring) = (name, duration, label, ring)
  }
}
