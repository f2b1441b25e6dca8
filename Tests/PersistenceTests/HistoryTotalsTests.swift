// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what the totals of the history count, and how they are grouped.

import Persistence
import Scheduling
import Testing
import Values

struct HistoryTotalsTests {
  /// 2026-11-22 23:30 in Seoul, a Sunday.
  private static let sunday = Instant(seconds: 1_795_357_800)

  private static func line(
    _ kind: RingKind = .alarm, _ answer: Outcome.Ending = .stopped, hours: Int64 = 0,
    late: Duration? = .zero, unheard: Unheard? = nil, label: String? = nil,
    length: Duration? = nil
  ) -> HistoryLine {
    let due = sunday + .hours(hours)
    var line = HistoryLine(id: "x", due: due, answer: answer, answered: due + .minutes(1))
    (line.kind, line.label, line.length) = (kind, label, length)
    (line.rang, line.unheard) = (late.map { due + $0 }, unheard)
    return line
  }

  private static let snoozed = Outcome.Ending.snoozed(until: sunday, byItself: false)
  private static let ownSnooze = Outcome.Ending.snoozed(until: sunday, byItself: true)

  /// The numbers of each total are rings, late rings, rings that were not heard, snoozes, timers
  /// and their seconds.
  @Test(arguments: [
    ([], [0, 0, 0, 0, 0, 0]),
    ([line(.alarm, .missed(.off), late: nil)], [0, 0, 0, 0, 0, 0]),
    ([line(late: .milliseconds(999)), line(late: .seconds(1))], [2, 1, 0, 0, 0, 0]),
    ([line(), line(late: .seconds(1), unheard: .muted)], [2, 0, 1, 0, 0, 0]),
    (
      [line(.alarm, snoozed), line(.alarm, ownSnooze), line(), line(.timer, snoozed)],
      [4, 0, 0, 2, 0, 0]
    ),
    ([line(.timer, .missed(.asleep), late: nil, length: .seconds(90))], [0, 0, 0, 0, 1, 90]),
    ([line(.timer)], [1, 0, 0, 0, 1, 0]),
    (
      [line(.timer, snoozed, length: .seconds(60)), line(.timer, length: .seconds(60))],
      [2, 0, 0, 0, 1, 60]
    ),
    ([line(.timer, .restarted), line(.timer, length: .seconds(80))], [2, 0, 0, 0, 1, 80]),
    (
      [line(.timer, .restarted, length: .seconds(60)), line(.timer, length: .seconds(60))],
      [2, 0, 0, 0, 2, 120]
    ),
  ])
  func `a total counts rings, late and unheard rings, snoozes of alarms and ended timers`(
    lines: [HistoryLine], expected: [Int]
  ) {
    let totals = HistoryTotals(of: lines)
    let numbers = [
      totals.rings, totals.late, totals.unheard, totals.snoozed, totals.timers,
    ]
    #expect(numbers + [Int(totals.length.wholeSeconds)] == expected)
  }

  @Test(arguments: [
    (HistoryTotals.Grouping.label, ["Tea 2", "timer 1", "x 1"]),
    (.day, ["2026-11-22 1", "2026-11-23 2", "2026-11-30 1"]),
    (.week, ["2026-11-16 1", "2026-11-23 2", "2026-11-30 1"]),
  ])
  func `totals are grouped by label, or by day or week in the machine's time zone`(
    grouping: HistoryTotals.Grouping, expected: [String]
  ) {
    let lines = [
      Self.line(label: "Tea"), Self.line(.timer, hours: 1, label: "Tea"), Self.line(hours: 24),
      Self.line(.timer, hours: 8 * 24),
    ]
    let totals = HistoryTotals.of(lines, by: grouping, in: Seoul())
    #expect(totals.map { "\($0.group) \($0.rings)" } == expected)
    #expect(HistoryTotals.of([], by: grouping, in: Seoul()).isEmpty)
  }

  @Test func `a total as JSON has the key of its group, or none`() {
    let line = Self.line(.timer, label: "Tea", length: .seconds(90))
    let numbers =
      #""ring_count":1,"late_count":0,"not_heard_count":0,"snooze_count":0,"timer_count":1,"#
      + #""timer_length":90}"#
    #expect(HistoryTotals(of: [line]).json(nil).json == "{" + numbers)
    let weeks = HistoryTotals.of([line], by: .week, in: Seoul())
    #expect(weeks.map { $0.json(.week).json } == [#"{"week":"2026-11-16","# + numbers])
  }
}
