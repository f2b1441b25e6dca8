// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts the rings in the history: how many were late, not heard or snoozed, and how long timers
// ran. `HistoryText.swift` reads the lines, and `HistoryCommand.swift` in belfry shows the totals.

import Scheduling
import Values

public struct HistoryTotals: Hashable, Sendable {
  /// How lines are grouped: each label, day or week has its own total. A week begins on Monday.
  public enum Grouping: String, CaseIterable, Sendable { case label, day, week }

  /// A ring is late if it was first heard this long after it was due, or later.
  private static let lateness: Duration = .seconds(1)

  /// The label, the day or the week's Monday, such as `2026-11-23`; empty in a total of all lines.
  public var group: String
  /// How many rings began. An alarm that was missed without a sound does not count.
  public var rings = 0
  public var late = 0
  /// How many of the rings no one could hear.
  public var unheard = 0
  /// How often alarms were snoozed, by the user or by themselves.
  public var snoozed = 0
  /// How many timers ran to their end, and for how long altogether.
  public var timers = 0
  public var length: Duration = .zero

  public init(of lines: [HistoryLine], group: String = "") {
    self.group = group
    for line in lines {
      if line.rang != nil { rings += 1 }
      if let late = line.late, late >= Self.lateness { self.late += 1 }
      if line.unheard != nil { unheard += 1 }
      if line.kind == .alarm, case .snoozed = line.answer { snoozed += 1 }
      guard line.endsTimer else { continue }
      timers += 1
      length += line.length ?? .zero
    }
  }

  /// Returns a total for each group of lines, sorted by the group. The day of a ring is the day on
  /// which it was due, in the machine's time zone.
  public static func of(
    _ lines: [HistoryLine], by grouping: Grouping, in zones: some ZoneRules
  ) -> [HistoryTotals] {
    Dictionary(grouping: lines) { $0.group(by: grouping, in: zones) }
      .sorted { $0.key < $1.key }.map { HistoryTotals(of: $0.value, group: $0.key) }
  }

  public func json(_ grouping: Grouping?) -> Value {
    .table([
      grouping?.rawValue ?? "": grouping.map { _ in .string(group) },
      "ring_count": .integer(Int64(rings)), "late_count": .integer(Int64(late)),
      "not_heard_count": .integer(Int64(unheard)),
      "snooze_count": .integer(Int64(snoozed)), "timer_count": .integer(Int64(timers)),
      "timer_length": .integer(length.wholeSeconds),
    ])
  }
}

extension HistoryLine {
  /// Whether this ring counts as the end of a timer. A snoozed ring does not, because the timer
  /// rings again. Nor does a ring during which the timer was given more time; such a line has no
  /// length.
  fileprivate var endsTimer: Bool {
    switch answer {
    case .snoozed: false
    case .restarted: length != nil
    case .stopped, .missed, .removed: kind == .timer
    }
  }

  fileprivate func group(by grouping: HistoryTotals.Grouping, in zones: some ZoneRules) -> String {
    let day = zones.civil(at: due, in: nil).date
    return switch grouping {
    case .label: label ?? (kind == .timer ? kind.rawValue : id)
    case .day: day.description
    case .week: day.adding(days: 1 - day.weekday.rawValue).description
    }
  }
}
