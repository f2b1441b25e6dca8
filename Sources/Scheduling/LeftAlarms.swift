// SPDX-License-Identifier: GPL-3.0-or-later
//
// Alarms that have left: they are gone from the config, or were switched off in it while they rang.
// Such an alarm is silent at once. Its state is kept under its id for ten minutes, because the
// config may lack the alarm by mistake. Next: `ConfiguredAlarms.swift`, which applies the alarms of
// a new config.

extension Schedule {
  /// How long the state of an alarm is kept after the alarm has left. If the alarm comes back in
  /// this time, and rings at the same times as before, it goes on where it was.
  public static let leftKept: Duration = .minutes(10)

  /// Notes that the alarms of `remembered` have left. An alarm that is switched off keeps only its
  /// moves and skips, unless it was ringing or snoozed in `before`, until now.
  mutating func noteLeft(_ before: [Entry], at now: Instant, _ zones: some ZoneRules) {
    let open = Set(before.filter { $0.openRing != nil }.map(\.alarm.id))
    for (id, state) in remembered where state.left == nil {
      if let rule = switchedOff[id], !open.contains(id) {
        remembered[id] = state.whileOff(rule, at: now, zones)
      } else {
        remembered[id]?.left = now
      }
    }
  }

  /// Forgets the alarms that left more than `leftKept` ago. An alarm that is switched off keeps its
  /// moves and skips.
  mutating func forgetLeft(at now: Instant, _ zones: some ZoneRules) {
    for (id, state) in remembered {
      guard let left = state.left, left + Self.leftKept <= now else { continue }
      var state = state
      state.left = nil
      remembered[id] = switchedOff[id].flatMap { state.whileOff($0, at: now, zones) }
    }
  }

  /// When the next alarm that has left is forgotten.
  var nextForgotten: Instant? {
    remembered.values.compactMap(\.left).min().map { $0 + Self.leftKept }
  }

  /// Returns the state from which `alarm` goes on if it was not in the config before; nil if there
  /// is none.
  func kept(_ alarm: Alarm, at now: Instant, _ zones: some ZoneRules) -> AlarmState? {
    guard var state = remembered[alarm.id], let left = state.left else {
      return remembered[alarm.id]
    }
    state.left = nil
    return left + Self.leftKept > now
      ? state : state.whileOff(alarm.recurrence, at: now, zones)
  }
}
