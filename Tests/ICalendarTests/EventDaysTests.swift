// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares the days of calendars with those that Python's libraries compute; see
// `Tests/Reference/calendars.py`. Each calendar is of a kind that some program writes.

import ICalendar
import Scheduling
import TestData
import Testing

/// Knows UTC, and Korea as the only zone with a name.
private struct TwoZones: ZoneRules {
  func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    ZoneInterval(start: nil, end: nil, offset: zone == "Asia/Seoul" ? 9 * 3600 : 0)
  }
  func isKnown(_ zone: String) -> Bool { ["UTC", "Asia/Seoul"].contains(zone) }
  func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun { .staysDown }
}

struct EventDaysTests {
  private static let folder = "../ProgramTests/Calendars"

  /// Returns the days of the events of a calendar from 2027 to 2029, in UTC, and the problems.
  private func days(_ text: String) throws -> (days: [String], problems: [EventProblem]) {
    var reader = EventReader(try CalendarComponent.read(Array(text.utf8)), TwoZones())
    var days: Set<CivilDate> = []
    let first = CivilDate(daysSinceEpoch: 20_819)
    let last = CivilDate(daysSinceEpoch: 20_819 + 3 * 365)
    for item in reader.items where !item.isCancelled {
      try reader.forEachStart(of: item, from: first, until: last) { start in
        if start.isExcepted { return }
        let begin = start.seconds ?? start.local.localSeconds
        var day = CivilDateTime(localSeconds: begin).date
        while day <= CivilDateTime(localSeconds: begin + start.length - 1).date {
          if first <= day, day <= last { days.insert(day) }
          day = day.adding(days: 1)
        }
      }
    }
    return (days.sorted().map(\.description), reader.problems)
  }

  @Test func `each kind of calendar has the days that Python's libraries compute`() throws {
    let lines = table("days.txt").split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.count == 9)
    for line in lines {
      let text = table("\(Self.folder)/\(line[0]).ics")
      let found = try days(text)
      #expect(found.days == line.dropFirst().map(String.init), "\(line[0])")
      #expect(found.problems.isEmpty, "\(line[0]): \(found.problems)")
    }
  }

  /// The properties of events that decide on which days they are.
  private static let ofDays = [
    "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "EXDATE", "RDATE", "RECURRENCE-ID",
    "SEQUENCE",
  ]

  @Test func `a part of an event that cannot be read is reported with its line`() throws {
    for line in table("days.txt").split(separator: "\n") {
      let name = line.prefix { $0 != " " }
      let lines = table("\(Self.folder)/\(name).ics").split(separator: "\n")
      let begin = lines.firstIndex { $0.hasPrefix("BEGIN:VEVENT") } ?? 0
      for place in lines.indices where place > begin {
        let kind = lines[place].prefix { !":;".contains($0) }
        guard Self.ofDays.contains(String(kind)), lines[place].last != ":" else { continue }
        // Old revisions are not read.
        if name == "kind-revisions", kind != "SEQUENCE" { continue }
        var damaged = lines
        damaged[place] = kind + ":?"
        let problems = try days(damaged.joined(separator: "\n")).problems
        #expect(problems.contains { $0.line == place + 1 }, "\(name): \(lines[place])")
      }
    }
  }

  private func calendar(_ lines: String...) -> String {
    (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\n")
  }

  @Test func `a cancelling message takes away the event that it names`() throws {
    let event = "BEGIN:VEVENT\nUID:a\nDTSTART:20270301T090000\nEND:VEVENT"
    let text = calendar(event) + calendar("METHOD:CANCEL", event)
    #expect(try days(text).days == [])
  }

  @Test func `an unknown zone is reported, and the days are those that are written`() throws {
    let event = "BEGIN:VEVENT\nSUMMARY:x\nDTSTART;TZID=Nowhere:20270301T233000\nEND:VEVENT"
    let found = try days(calendar(event))
    #expect(found.days == ["2027-03-01"])
    #expect(found.problems.map(\.line) == [4])
  }

  @Test func `a rule with a number at the end of its range does not crash the reader`() throws {
    for number in [Int.min, .min + 1, .max, -(1 << 31), 1 << 31, 0] {
      for part in ["INTERVAL", "COUNT", "BYMONTHDAY", "BYSETPOS", "BYHOUR"] {
        let rule = "DTSTART:20270101T000000\nRRULE:FREQ=DAILY;COUNT=2;\(part)=\(number)"
        let event = "BEGIN:VEVENT\nSUMMARY:x\n\(rule)\nSEQUENCE:\(number)\nEND:VEVENT"
        _ = try days(calendar(event))
      }
    }
  }

  @Test func `rules that never match end after a number of steps`() throws {
    let rule = "DTSTART:20270101T000000\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=2"
    let event = "BEGIN:VEVENT\n\(rule)\nEND:VEVENT"
    let text = calendar(String(repeating: event + "\n", count: 2000))
    #expect(throws: TooSlow.self) { try days(text) }
  }
}
