// SPDX-License-Identifier: GPL-3.0-or-later
//
// A ring that is ringing or snoozed, of an alarm or of a timer, for code that treats alarms and
// timers alike. An alarm and a timer never share an id. Next: `Ring.swift`.

public enum RingKind: String, Hashable, Sendable { case alarm, timer }

/// A ring that waits for the user's answer.
public struct OpenRing: Hashable, Sendable {
  public var kind: RingKind
  public var id: String
  public var label: String?
  public var settings: RingSettings
  public var ring: Ring
  public var snoozedUntil: Instant? { ring.snoozedUntil }
  /// Whether this ring is a rehearsal. The agent remembers nothing of a rehearsal.
  public var isRehearsal = false
  /// How long the timer ran until this ring, including time that was added; nil for an alarm.
  public var length: Duration?

  /// Identifies a ring from its beginning until the user stops it or it is snoozed. When the alarm
  /// or timer rings again after a snooze, it has another key. The key contains neither `since` nor
  /// the end of a timer, because both shift when the clock is set.
  public struct Key: Hashable, Sendable {
    public var id: String
    var due: Instant?
    var snoozeCount: Int
    var checks: Int
  }

  public var key: Key {
    Key(
      id: id, due: kind == .alarm ? ring.due : nil, snoozeCount: ring.snoozeCount,
      checks: ring.checks)
  }

  /// How long the ring is snoozed if the user does not say how long.
  public var ownSnooze: Duration { settings.snooze.first ?? RingSettings().snooze[0] }

  /// Whether the user may snooze the ring now, for the first time or once more.
  public var canSnooze: Bool { !isRehearsal && ring.canSnooze(settings) }

  public var canSilence: Bool { !ring.isSilenceSpent }
}

extension Schedule {
  /// All rings that are ringing or snoozed: alarms in the order of the config, timers in the order
  /// in which they were started, then a rehearsal.
  public var openRings: [OpenRing] {
    entries.compactMap(\.openRing) + timers.compactMap { openRing(of: $0) }
      + (rehearsal.map { [$0.openRing] } ?? [])
  }

  /// All rings that are ringing, the longest-ringing first.
  public var ringing: [OpenRing] {
    openRings.filter { $0.snoozedUntil == nil }.enumerated()
      .sorted { ($0.1.ring.since, $0.0) < ($1.1.ring.since, $1.0) }.map(\.1)
  }

  /// The alarm or rehearsal for which the output's volume is raised: the longest-ringing one that
  /// is not silenced. Nil if there is none; a timer does not raise the volume.
  public var raising: OpenRing? {
    ringing.first { $0.kind == .alarm && $0.ring.hushedUntil == nil }
  }

  /// The notices of everything that is ringing, being checked, snoozed or counting down, most
  /// urgent first. Countdowns are exact to the second, and are included even if they are not shown.
  public func notices(at now: Now) -> [Notice] {
    let open = shown.notices.filter { [.ringing, .check, .snoozed].contains($0.key.kind) }
    let running = timers.filter(\.isCountingDown)
      .map { Notice.timer(notice(of: $0, at: now, step: .seconds(1))) }
    return (open.values + running).sorted { $0.key < $1.key }
  }

  public func openRing(_ id: String) -> OpenRing? {
    alarmRing(id) ?? timer(id).flatMap { openRing(of: $0) }
  }

  /// The ring of the alarm `id` that is ringing or snoozed, or a rehearsal of the alarm; nil if
  /// there is neither.
  func alarmRing(_ id: String) -> OpenRing? {
    rehearsal?.alarm.id == id ? rehearsal?.openRing : entry(id)?.openRing
  }

  func openRing(of timer: Timer) -> OpenRing? {
    guard case .open(let ring) = timer.phase else { return nil }
    return OpenRing(
      kind: .timer, id: timer.id, label: timer.label ?? timer.preset, settings: settings(of: timer),
      ring: ring, length: timer.length)
  }
}

extension Schedule.Entry {
  var openRing: OpenRing? { state.openRing(alarm.id, alarm.label, alarm.ring) }
}

extension AlarmState {
  /// Returns the ring if the alarm is ringing or snoozed, with the id, label and settings of the
  /// alarm; otherwise nil.
  func openRing(
    _ id: String, _ label: String? = nil, _ settings: RingSettings = RingSettings()
  ) -> OpenRing? {
    guard case .open(let ring) = phase else { return nil }
    return OpenRing(kind: .alarm, id: id, label: label, settings: settings, ring: ring)
  }
}
