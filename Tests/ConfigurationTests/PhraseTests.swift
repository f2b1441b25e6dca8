// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which texts in a desktop's search are requests to Belfry, and which are not. `Phrases.txt`
// has the texts and the commands that they mean.

import Configuration
import Foundation
import Scheduling
import TestData
import Testing

/// A Monday, which is the current day in these tests.
private let today = CivilDate(year: 2026, month: 11, day: 23)!
private let now = Instant(seconds: Int64(today.daysSinceEpoch) * 86_400 + 9 * 3600)

/// A time zone that is like UTC until 03:00 on the next day, when clocks go back by an hour.
struct Zone: ZoneRules {
  static let change = Instant(seconds: Int64(today.daysSinceEpoch) * 86_400 + 27 * 3600)

  func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    if zone == "Etc/GMT+1" { return ZoneInterval(start: nil, end: nil, offset: -3600) }
    return instant < Self.change
      ? ZoneInterval(start: nil, end: Self.change, offset: 0)
      : ZoneInterval(start: Self.change, end: nil, offset: -3600)
  }
  func isKnown(_ zone: String) -> Bool { true }
  func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun { .staysDown }
}

private let weekdays = WeekdayNames(
  localized: ["Montag", "Dienstag", "Mittwoch"].map { [$0, String($0.prefix(2))] })

private func phrase(_ text: String) -> Phrase? {
  Phrase(text, at: now, in: Zone(), weekdays: weekdays)
}

private func phrase(alarm text: String) -> Phrase? { Phrase(alarm: text, at: now, in: Zone()) }

struct PhraseTests {
  @Test func `a text that no person types is no request, and is read fast`() {
    let start = processorTime()
    for piece in [
      "1h ", "1 h ", "7시 ", "한 ", "mon ", "on ", "mon,", "1st ", "월 ", "a ", "e\u{301}", "다시 ",
      "\u{301}",
    ] {
      for count in [100, 300, 100_000] {
        let text = String(repeating: piece, count: count)
        for whole in [
          "timer \(text)", "\(text) timer", "alarm \(text)", "\(text)알람", "7:30 \(text)", text,
        ] {
          if whole.utf8.count > 1000 { #expect(phrase(whole) == nil) } else { _ = phrase(whole) }
        }
      }
    }
    for text in ["", " "] { #expect(phrase(text) == nil && phrase(alarm: text) == nil) }
    #expect(phrase(alarm: String(repeating: "7 ", count: 501)) == nil)
    // Reading these texts took half a minute when the time grew with the square of their length.
    #expect(processorTime() - start < .seconds(5))
  }

  /// A line of `Phrases.txt`: the place in which a text is typed, the text, and the command that it
  /// means.
  struct Row: Sendable, CustomTestStringConvertible {
    var place: Substring
    var text: String
    var command: String

    var testDescription: String { text }
  }

  static let rows: [Row] = {
    var place: Substring = ""
    return table("Phrases.txt").split(separator: "\n").compactMap { line in
      if line.hasPrefix("== ") { place = line.dropFirst(3) }
      let parts = line.components(separatedBy: " ->")
      guard parts.count == 2, !line.hasPrefix("#") else { return nil }
      return Row(
        place: place, text: parts[0], command: parts[1].trimmingCharacters(in: .whitespaces))
    }
  }()

  @Test(arguments: rows) func `a text is read as the command that it means`(row: Row) {
    let meant =
      switch row.place {
      case "in the search": phrase(row.text)
      case "where an alarm is asked for": phrase(alarm: row.text)
      default: Phrase(when: row.text, at: now, in: Zone(), weekdays: WeekdayNames())
      }
    #expect(Self.command(meant) == row.command)
  }

  private static func command(_ phrase: Phrase?) -> String {
    switch phrase {
    case nil: ""
    case .next: "next"
    case .time(let city): "time in \(city)"
    case .some(let phrase): phrase.command?.joined(separator: " ") ?? "no command"
    }
  }

  @Test(
    arguments: [
      ("7:30 sat sun --x", [#"time = 07:30"#, #"days = "weekends""#, #"label = "--x""#]),
      ("tomorrow 9:00", ["time = 09:00", "date = 2026-11-24"]), ("timer 5m", []), ("stop", []),
    ] as [(String, [String])])
  func `a request for an alarm has the settings of a config`(text: String, settings: [String]) {
    #expect(
      phrase(text)?.settings.map { "\($0.key) = \($0.value?.text ?? "")" } == settings)
  }
}
