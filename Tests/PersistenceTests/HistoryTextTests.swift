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
      Self.full.json(in: Seoul()).text
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
      Self.line(.missed(.asleep)).json(in: Seoul()).text
        == #"{"id":"work","label":"","kind":"alarm","#
        + #""due":"2026-11-23T07:30:00+09:00","due_epoch":1795386600.0,"snoozes":0,"#
        + #""answer":"missed","reason":"asleep","#
        + #""answered":"2026-11-23T07:30:12+09:00","answered_epoch":1795386612.5}"#)
  }

  /// Lines of the history, one for each way in which a ring can end.
  static let lines = [
    full, line(.stopped), line(.restarted), line(.removed), line(.missed(.clockSet)),
    line(.snoozed(until: due, byItself: false)), line(.stopped) { $0.checks = 1 },
  ]

  @Test(arguments: lines)
  func `a line is read as it was written`(line: HistoryLine) {
    let (lines, unread) = HistoryText.parse(Array((line.json(in: Seoul()).text + "\n").utf8))
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
    let good = Self.full.json(in: Seoul()).text
    let text = Array((good + "\n" + good.dropLast(9) + "\n{}\n[]\nhello\n\n" + good).utf8)
    let (lines, unread) = HistoryText.parse(text + [10, 0xFF, 0xFE, 10, 0, 10])
    #expect(lines == [Self.full, Self.full])
    #expect(unread == 6)
  }
}

struct JSONReaderTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-5", "9223372036854775807", "0.5", "\"일어나 ⏰\"",
    #""a\"b\\c\n\t""#, #"[1,"x",[],{}]"#, #"{"a":1,"b":{"c":[null]}}"#, "1795386600.012",
  ])
  func `JSON that is written is read back`(text: String) {
    #expect(JSON(text)?.text == text)
    #expect(JSON(" \n\t\(text) \r\n")?.text == text)
  }

  @Test func `spaces are allowed around every part of JSON`() {
    let text = #"{ "a" : [ 1 , true , [ ] ] , "b" : { } , "c" : "x" }"#
    #expect(JSON(text)?.text == #"{"a":[1,true,[]],"b":{},"c":"x"}"#)
    #expect(JSON(text.replacing(" ", with: "\r\n\t "))?.text == JSON(text)?.text)
  }

  @Test(arguments: [
    (#""\u0041\u00e9\ud83d\ude00\/\b\f\r""#, "Aé😀/\u{8}\u{C}\r"), (#""\u001b""#, "\u{1B}"),
  ])
  func `escape sequences are read`(text: String, value: String) {
    #expect(JSON(text) == .string(value))
  }

  @Test(arguments: [
    "", " ", "nul", "truee", "-", "1e", "1e+", "--1", "0x1", "NaN", "1 2", "1e999",
    "\"", "\"\n\"", #""\x""#, #""\u12""#, #""\ud83d""#, #""\ud83dx""#, #""\udc00""#, "[", "[1",
    "[1,]", "[,1]", "]", "{", "{}}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", "{1:1}",
  ])
  func `a text that is not JSON is refused`(text: String) {
    #expect(JSON(text) == nil)
  }

  @Test func `numbers are read as whole numbers if possible`() {
    #expect(JSON("9223372036854775808") == .number(9_223_372_036_854_775_808))
    #expect(JSON("-1.5E+2") == .number(-150) && JSON("0") == .integer(0))
    #expect(JSON("-0")?.number == 0 && JSON("10")?.integer == 10)
  }

  @Test func `depth brings nothing down`() {
    for (begin, end) in [("[", "]"), (#"{"":"#, "}"), (#"[{"":"#, "}]")] {
      #expect(JSON(String(repeating: begin, count: 1_000_000)) == nil)
      for depth in [31, 32] {
        let count = begin.hasPrefix("[{") ? depth / 2 : depth
        let head = String(repeating: begin, count: count)
        let text = head + "1" + String(repeating: end, count: count)
        #expect((JSON(text) == nil) == (depth == 32), "\(text)")
      }
    }
  }
}
