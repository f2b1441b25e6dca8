// SPDX-License-Identifier: GPL-3.0-or-later
//
// An alarm that rings for trial: at once, as it will, and with no trace in what is remembered. It
// gives way to whatever rings in earnest. What is heard and seen of it is in `Schedule.swift` like
// all else.

extension Schedule {
  struct Rehearsal: Sendable, Equatable {
    var alarm: Alarm
    var ring: Ring
    /// When it ends by itself, by the boot clock.
    var end: Duration

    var openRing: OpenRing {
      OpenRing(
        kind: .alarm, id: alarm.id, label: alarm.label, settings: alarm.ring, ring: ring,
        isRehearsal: true)
    }
  }

  /// How long a rehearsal of `alarm` takes: through its fade-in and for a while after it, but no
  /// longer than it will ring.
  public static func rehearsalLength(of alarm: Alarm) -> Duration {
    let length = alarm.ring.fadeIn + .seconds(20)
    return alarm.ring.ringFor.map { min($0, length) } ?? length
  }

  mutating func rehearse(_ alarm: Alarm, at now: Now) {
    guard !isRingingInEarnest, openRing(alarm.id) == nil else { return }
    endRehearsal(at: now.wall)
    rehearsal = Rehearsal(
      alarm: alarm, ring: Ring(due: now.wall, since: now.wall),
      end: now.boot + Self.rehearsalLength(of: alarm))
  }

  /// Ends it where `alarms`, those of the config, have the alarm no more, or it was switched off.
  mutating func endRehearsal(unlessIn alarms: [Alarm], at now: Instant) {
    guard let rehearsed = rehearsal?.alarm else { return }
    let alarm = alarms.first { $0.id == rehearsed.id }
    if alarm == nil || rehearsed.enabled && alarm?.enabled == false { endRehearsal(at: now) }
  }

  mutating func endRehearsal(at now: Instant) {
    if let ring = rehearsal?.openRing { end(ring, .stopped, at: now) }
    rehearsal = nil
  }

  /// Ends it where its time is over, or something rings in earnest.
  mutating func advanceRehearsal(to now: Now) {
    guard let rehearsal, rehearsal.end <= now.boot || isRingingInEarnest else { return }
    endRehearsal(at: now.wall)
  }

  /// Whether anything rings, heard or hushed, that is no rehearsal.
  var isRingingInEarnest: Bool {
    entries.underway.contains { entries[$0].ring != nil } || timers.contains { $0.ring != nil }
  }
}
