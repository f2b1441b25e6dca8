// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts pauses into words, and finds the pauses that silence the next ring of an alarm. The rules
// are in `PausedRing.swift` of the core.

import Configuration
import Language
import Scheduling
import System

extension Overview {
  /// The pauses that silence the next ring of some alarm. The number of a pause is its place in the
  /// config, counted from 1.
  public var pausesInForce: [(number: Int, pause: Pause)] {
    if configuration.pauses.isEmpty { return [] }
    let taken = schedule.pausedRings(at: now.wall, in: zones)
    return numberedPauses.filter { _, pause in
      taken.contains { pause.isMeant(for: $0.alarm) && pause.covers($0.ring.date) }
    }
  }

  public var numberedPauses: [(number: Int, pause: Pause)] {
    configuration.pauses.enumerated().map { ($0 + 1, $1) }
  }

  /// Returns a command that ends `pauses`; nil if there are none. `belfry resume` ends only pauses
  /// that include today. So if a pause does not include today, returns the command that removes
  /// this pause; if there are several of this kind, the first of them.
  public func undoing(_ pauses: [(number: Int, pause: Pause)]) -> String? {
    if pauses.allSatisfy({ $0.pause.covers(today) }) {
      return pauses.isEmpty ? nil : "belfry resume"
    }
    return pauses.first { !$0.pause.covers(today) }.map { "belfry pause remove \($0.number)" }
  }
}

extension Wording {
  /// Returns a line for each pause that silences the next ring of some alarm.
  public func pauses(_ overview: Overview) -> [String] {
    overview.pausesInForce.map { line($0.pause, seenFrom: overview.today) }
  }

  public func line(_ pause: Pause, seenFrom today: CivilDate) -> String {
    tr("paused: \(Self.alarms(of: pause)), \(days(of: pause, seenFrom: today))")
  }

  /// Returns `paused until Sun 3 Jan`, or `paused until resumed` if there is no last day.
  public func paused(until last: CivilDate?, seenFrom today: CivilDate) -> String {
    last.map { tr("paused until \(date($0, seenFrom: today))") } ?? tr("paused until resumed")
  }

  /// Returns the alarms that a pause silences: `group work` or `all alarms`.
  public static func alarms(of pause: Pause) -> String {
    pause.group.map { tr("group \($0)", context: "pause") } ?? tr("all alarms")
  }

  /// Returns the days of a pause and its label: `until Sun 3 Jan, Christmas`.
  public func days(of pause: Pause, seenFrom today: CivilDate) -> String {
    Self.list([range(of: pause, seenFrom: today), pause.label].compactMap(\.self))
  }

  private func range(of pause: Pause, seenFrom today: CivilDate) -> String {
    let first = date(pause.from, seenFrom: today)
    guard let until = pause.until else {
      return pause.from > today
        ? tr("from \(first) until resumed") : tr("until resumed", context: "pause")
    }
    let last = date(until, seenFrom: today)
    if pause.from == until { return until == today ? tr("today") : first }
    return pause.from > today
      ? tr("\(first) to \(last)", context: "days of a pause")
      : tr("until \(last)", context: "pause")
  }
}
