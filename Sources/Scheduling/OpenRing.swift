// SPDX-License-Identifier: GPL-3.0-or-later
//
// What rings or is snoozed, be it an alarm or a timer, for whoever follows or answers it and need
// not care which. Alarms and timers never share an id.

/// What it is that rings.
public enum RingKind: String, Hashable, Sendable { case alarm, timer }

/// A ring that waits for its answer.
public struct OpenRing: Hashable, Sendable {
  public var kind: RingKind
  public var id: String
  public var label: String?
  /// How it rings.
  public var settings: RingSettings
  public var ring: Ring
  /// Nil while it rings.
  public var snoozedUntil: Instant? { ring.snoozedUntil }
  /// It rings for trial, and nothing is remembered of it.
  public var isRehearsal = false

  /// Tells one ring, from its begin to its answer, from others. Rung again after a snooze it is
  /// another. `since` is no part of it, nor when a timer was over: these move with a clock that is
  /// set.
  public struct Key: Hashable, Sendable {
    public var id: String
    var due: Instant?
    var snoozes: Int
    var checks: Int
  }

  public var key: Key {
    Key(id: id, due: kind == .alarm ? ring.due : nil, snoozes: ring.snoozes, checks: ring.checks)
  }

  /// How long it is snoozed where nobody says how long.
  public var ownSnooze: Duration { settings.snooze.first ?? RingSettings().snooze[0] }

  /// Whether the user may snooze it, or once more.
  public var canSnooze: Bool { !isRehearsal && ring.canSnooze(settings) }

  /// Whether the user may silence it for a while.
  public var canSilence: Bool { !ring.isSilenceSpent }
}

extension Schedule {
  /// All that ring or are snoozed: alarms in the order of the config, then timers as started.
  public var openRings: [OpenRing] {
    entries.underway.compactMap { entries[$0].openRing } + timers.compactMap { openRing(of: $0) }
      + (rehearsal.map { [$0.openRing] } ?? [])
  }

  /// All that ring, the longest ringing first.
  public var ringing: [OpenRing] {
    openRings.filter { $0.snoozedUntil == nil }.enumerated()
      .sorted { ($0.1.ring.since, $0.0) < ($1.1.ring.since, $1.0) }.map(\.1)
  }

  /// The alarm for which the output is turned up.
  public var raising: OpenRing? {
    ringing.first { $0.kind == .alarm && $0.ring.hushedUntil == nil }
  }

  /// What is told of all that rings, is snoozed or runs, the most urgent first: countdowns to the
  /// second, and also where they are not shown.
  public func notices(at now: Now) -> [Notice] {
    let open = shown.notices.filter { [.ringing, .check, .snoozed].contains($0.key.kind) }
    let running = timers.filter(\.isCountingDown)
      .map { Notice.timer(notice(of: $0, at: now, step: .seconds(1))) }
    return (open.values + running).sorted { $0.key < $1.key }
  }

  public func openRing(_ id: String) -> OpenRing? {
    alarmRing(id) ?? timer(id).flatMap { openRing(of: $0) }
  }

  /// That of an alarm, in earnest or for trial.
  func alarmRing(_ id: String) -> OpenRing? {
    rehearsal?.alarm.id == id ? rehearsal?.openRing : entry(id)?.openRing
  }

  func openRing(of timer: Timer) -> OpenRing? {
    guard case .open(let ring) = timer.phase else { return nil }
    return OpenRing(
      kind: .timer, id: timer.id, label: timer.label ?? timer.preset, settings: settings(of: timer),
      ring: ring)
  }
}

extension Schedule.Entry {
  var openRing: OpenRing? { state.openRing(alarm.id, alarm.label, alarm.ring) }
}

extension AlarmState {
  /// What it stands for of an alarm of that id.
  func openRing(
    _ id: String, _ label: String? = nil, _ settings: RingSettings = RingSettings()
  ) -> OpenRing? {
    guard case .open(let ring) = phase else { return nil }
    return OpenRing(kind: .alarm, id: id, label: label, settings: settings, ring: ring)
  }
}
