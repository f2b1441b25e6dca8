// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact text of the history's lines, how these lines are read, and lines that cannot be
// read.

import Persistence
import Scheduling
import Testing

/// A time zone nine hours east of UTC.
struct Seoul: ZoneRules {
  func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    ZoneInterval(start: nil, end: nil, offset: 9 * 3600)
  }
  func isKnown(_ zone: String) -> Bool { true }
  func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun { .staysDown }
}

struct HistoryTextTests {
  private static let due = Instant(seconds: 1_795_386_600)

  private static func line(
    _ answer: Outcome.Ending, _ adjust: (inout HistoryLine) -> Void = { _ in }
  ) -> HistoryLine {
    var line = HistoryLine(
      id: "work", due: due, answer: answer, answered: due + .milliseconds(12_500))
    adjust(&line)
    return line
  }

  private static let full = line(.snoozed(until: due + .minutes(10), byItself: true)) {
    $0.label = "Work \"now\"\u{1B}"
    $0.rang = due + .milliseconds(12)
    ($0.device, $0.sound, $0.snoozeCount) = ("default", "/sounds/Harp.flac", 2)
    ($0.kind, $0.length) = (.timer, .minutes(5))
  }

  @Test func `a line of the history has everything that is known about a ring`() {
    #expect(
      Self.full.json(in: Seoul())
        == #"{"id":"work","label":"Work \"now\"\u001B","kind":"timer","#
        + #""due":"2026-11-23T07:30:00+09:00","due_epoch":1795386600.0,"#
        + #""rang":"2026-11-23T07:30:00+09:00","rang_epoch":1795386600.012,"late":0.012,"#
        + #""device":"default","sound":"/sounds/Harp.flac","snoozes":2,"length":300,"#
        + #""answer":"snoozed","by_itself":true,"#
        + #""until":"2026-11-23T07:40:00+09:00","until_epoch":1795387200.0,"#
        + #""answered":"2026-11-23T07:30:12+09:00","answered_epoch":1795386612.5}"#)
  }

  @Test func `the line of an alarm that did not ring has no fields about a ring`() {
    #expect(
      Self.line(.missed(.asleep)).json(in: Seoul())
        == #"{"id":"work","label":"","kind":"alarm","#
        + #""due":"2026-11-23T07:30:00+09:00","due_epoch":1795386600.0,"snoozes":0,"#
        + #""answer":"missed","reason":"asleep","#
        + #""answered":"2026-11-23T07:30:12+09:00","answered_epoch":1795386612.5}"#)
  }

  @Test func `the line of a ring that was not heard has the reason, and no delay`() {
    let line = Self.line(.stopped) { ($0.rang, $0.unheard) = (Self.due, .noOutput) }
    #expect(
      line.json(in: Seoul())
        == #"{"id":"work","label":"","kind":"alarm","#
        + #""due":"2026-11-23T07:30:00+09:00","due_epoch":1795386600.0,"#
        + #""rang":"2026-11-23T07:30:00+09:00","rang_epoch":1795386600.0,"#
        + #""not_heard":"no-output","snoozes":0,"answer":"stopped","#
        + #""answered":"2026-11-23T07:30:12+09:00","answered_epoch":1795386612.5}"#)
  }

  /// Lines of the history, one for each way in which a ring can end, and for each reason why it was
  /// not heard.
  static let lines =
    [
      full, line(.stopped), line(.restarted), line(.removed), line(.missed(.clockSet)),
      line(.snoozed(until: due, byItself: false)), line(.stopped) { $0.checks = 1 },
    ]
    + Unheard.allCases.map { reason in
      line(.stopped) { ($0.rang, $0.unheard) = (due, reason) }
    }

  @Test(arguments: lines)
  func `a line is read as it was written`(line: HistoryLine) {
    let (lines, unread) = HistoryText.parse(Array((line.json(in: Seoul()) + "\n").utf8))
    #expect(lines == [line] && unread == 0)
  }

  @Test func `a line without a number of snoozes is of a ring that was not snoozed`() {
    let line = #"{"id":"work","due_epoch":0,"answer":"stopped","answered_epoch":1}"#
    #expect(HistoryText.parse(Array(line.utf8)).lines.map(\.snoozeCount) == [0])
  }

  /// The manual page names the same size.
  @Test func `the history may have four mebibytes`() {
    #expect(HistoryText.limit == 4_194_304)
  }

  @Test func `a moment that is many thousand years away is not accepted`() {
    for (seconds, isRead) in [
      (1 << 40, false), ((1 << 40) - 1, true), (1 - (1 << 40), true), (-1 << 40, false),
    ] {
      let text = #"{"id":"a","due_epoch":0,"answer":"stopped","answered_epoch":\#(seconds)}"#
      let (lines, unread) = HistoryText.parse(Array((text + "\n").utf8))
      #expect(lines.map(\.answered.seconds) == (isRead ? [Int64(seconds)] : []))
      #expect(unread == (isRead ? 0 : 1))
    }
  }

  @Test func `lines that are cut short, foreign or not text do not affect other lines`() {
    let good = Self.full.json(in: Seoul())
    let text = Array((good + "\n" + good.dropLast(9) + "\n{}\n[]\nhello\n\n" + good).utf8)
    let (lines, unread) = HistoryText.parse(text + [10, 0xFF, 0xFE, 10, 0, 10])
    #expect(lines == [Self.full, Self.full])
    #expect(unread == 6)
  }
}
