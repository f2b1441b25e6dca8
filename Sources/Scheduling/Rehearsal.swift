// SPDX-License-Identifier: GPL-3.0-or-later
//
// A rehearsal: the alarm rings at once, just as it will when it is due, and the agent remembers
// nothing of the rehearsal. The rehearsal ends as soon as something really rings. `Schedule.swift`
// computes what the user hears and sees of a rehearsal.

extension Schedule {
  struct Rehearsal: Sendable, Equatable {
    var alarm: Alarm
    var ring: Ring
    /// When the rehearsal ends by itself, on the boot clock.
    var end: Duration

    var openRing: OpenRing {
      OpenRing(
        kind: .alarm, id: alarm.id, label: alarm.label, settings: alarm.ring, ring: ring,
        isRehearsal: true)
    }
  }

  /// How long a rehearsal of `alarm` takes: the fade-in and 20 s more, but no longer than
  /// `ringFor`.
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

  /// Ends the rehearsal if its alarm was switched off, or is no longer among `alarms`, the alarms
  /// of the config.
  mutating func endRehearsal(unlessIn alarms: [Alarm], at now: Instant) {
    guard let rehearsed = rehearsal?.alarm else { return }
    let alarm = alarms.first { $0.id == rehearsed.id }
    if alarm == nil || rehearsed.enabled && alarm?.enabled == false { endRehearsal(at: now) }
  }

  mutating func endRehearsal(at now: Instant) {
    if let ring = rehearsal?.openRing { end(ring, .stopped, at: now) }
    rehearsal = nil
  }

  mutating func advanceRehearsal(to now: Now) {
    guard let rehearsal, rehearsal.end <= now.boot || isRingingInEarnest else { return }
    endRehearsal(at: now.wall)
  }

  /// Whether an alarm or a timer is ringing, silenced or not. A rehearsal does not count.
  var isRingingInEarnest: Bool {
    entries.contains { $0.ring != nil } || timers.contains { $0.ring != nil }
  }
}
