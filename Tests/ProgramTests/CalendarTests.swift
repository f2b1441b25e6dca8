// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests iCalendar files that an alarm's setting `except` names. The alarm does not ring on the days
// of their events, and a changed file takes effect at once. If a file can no longer be read, the
// alarm still skips the days that the agent read from it before.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct CalendarTests {
  /// The tests use the next year, because all of its days are in the future.
  private static let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1

  private static func calendar(_ lines: String...) -> String {
    let frame = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Belfry//Tests//EN"]
    return ofNextYear((frame + lines + ["END:VCALENDAR", ""]).joined(separator: "\n"))
  }

  private static func ofNextYear(_ text: String) -> String {
    text.replacing("NEXT", with: "\(year)").replacing("\n", with: "\r\n")
  }

  private static func event(_ lines: String) -> String {
    "BEGIN:VEVENT\nDTSTAMP:20261101T000000Z\n\(lines)\nEND:VEVENT"
  }

  private static func holiday(_ day: String) -> String {
    calendar(event("UID:1@google.com\nDTSTART;VALUE=DATE:NEXT\(day)\nSUMMARY:Holiday"))
  }

  /// The files in the folder `Calendars`, as calendar programs export them: public holidays from
  /// Google, appointments from Thunderbird, appointments that are on the next day in Seoul, and
  /// yearly events from Nextcloud. Because of these events, a daily alarm in the time zone `zone`
  /// does not ring on the days `days` of March.
  private static let exports: [(name: String, zone: String, days: [Int])] = [
    ("google", "UTC", [1, 10, 11, 12]), ("thunderbird", "UTC", [5, 6, 19, 20, 26, 27]),
    ("seoul", "Asia/Seoul", [6, 11, 20]), ("nextcloud", "UTC", [17, 25, 26]),
  ]

  private static func config(_ calendar: String, zone: String = "UTC") -> String {
    """
    [[alarm]]
    id = "run"
    time = 06:00
    days = "daily"
    timezone = "\(zone)"
    except = ["\(calendar)"]

    """
  }

  /// Returns the days of March on which the daily alarm does not ring.
  private func leftOut(_ desk: Desk, _ zone: String = "UTC") throws -> [Int] {
    let said = try desk.belfry(
      "next --json --count 31 --from \(Self.year)-03-01T00:00:00Z --timezone \(zone)"
    ).output
    return (1...31).filter { !said.contains(String(format: "%d-03-%02dT06:00", Self.year, $0)) }
  }

  private func write(_ text: String, to file: URL) throws {
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  @Test func `an alarm does not ring on the days of the events in an exported calendar`() throws {
    let desk = try Desk(Lab())
    let file = desk.config.deletingLastPathComponent().appendingPathComponent("days.ics")
    for (name, zone, days) in Self.exports {
      try write(Self.ofNextYear(table("Calendars/\(name).ics")), to: file)
      try desk.saveText(Self.config("days.ics", zone: zone))
      // The list of rings begins on March 1 at midnight in UTC. In Seoul, it is already past 06:00
      // then, so the list has no ring on March 1.
      let first = zone == "UTC" ? [] : [1]
      #expect(try leftOut(desk, zone) == first + days, "\(name)")
      let check = try desk.belfry("config check")
      #expect(check.status == 0 && check.errors == "", "\(name): \(check)")
    }
  }

  @Test func `an error in a calendar is shown with its place, and the alarm still rings`() throws {
    let desk = try Desk(Lab())
    let file = desk.lab.home.appendingPathComponent("days.ics")
    try desk.saveText(Self.config("~/days.ics"))
    let head = "~/.config/belfry/config.toml:6:11: warning: \"~/days.ics\""
    func expect(_ problem: String) throws {
      let check = try desk.belfry("config check")
      let said = check.output + check.errors
      #expect(said.contains("\(problem)") && said.contains(":6:11: warning: "), "\(head): \(said)")
      #expect(
        said.contains(
          "hint: until the calendar can be read, the alarm also rings on the days in it"), "\(said)"
      )
      #expect(try leftOut(desk) == [])
    }
    try expect(#""~/days.ics" cannot be read: No such file or directory"#)
    let broken = [
      "", "no calendar", "BEGIN:VEVENT\r\nDTSTART:20270301\r\nEND:VEVENT\r\n",
      String(Self.holiday("0301").dropLast(20)),
      String(repeating: "BEGIN:VEVENT\r\n", count: 1_000_000),
    ]
    for text in broken {
      try write(text, to: file)
      try expect(#""~/days.ics" is not an iCalendar file, or is incomplete"#)
    }
    let days = (0..<20).map {
      Self.event("UID:\($0)\nDTSTART:NEXT0101T0\($0 % 10)0000Z\nRRULE:FREQ=DAILY")
    }
    try write(Self.calendar(days.joined(separator: "\n")), to: file)
    try expect(#""~/days.ics" has too many events: more than 5000 days and times"#)
  }

  @Test
  func `a changed calendar takes effect at once, and an unreadable one keeps its last known days`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let folder = desk.config.deletingLastPathComponent()
    let (file, other) = (
      folder.appendingPathComponent("days.ics"), folder.appendingPathComponent("other.ics")
    )
    try write(Self.holiday("0311"), to: other)
    try desk.saveText(Self.config("days.ics\", \"other.ics"))
    var agent = try desk.startAgent()
    func wait(_ awaited: String, for problem: String?) throws {
      try desk.waitForStatus(awaited) { status in
        guard let problem else { return status.agent.problems.isEmpty }
        return status.agent.problems.contains { $0.contains(problem) }
      }
    }
    try wait("the calendar to be missed", for: "No such file")
    try write(Self.holiday("0301"), to: file)
    try wait("the calendar to be read", for: nil)
    #expect(try leftOut(desk) == [1, 11])
    try write(Self.holiday("0302"), to: file)
    try desk.wait("the change to be seen") { try leftOut(desk) == [2, 11] }
    // `leftOut` does not show whether the agent has read the calendar file, because `belfry next`
    // reads that file itself. So wait for the agent.
    try desk.wait("the change to be in force") { desk.settings.contains("\(Self.year)-03-02") }

    try write("BEGIN:VCALENDAR\r\n", to: file)
    try wait("the damage to be seen", for: "is not an iCalendar file")
    #expect(try leftOut(desk) == [2, 11])
    agent.terminate()
    #expect(try agent.waitForExit() == .status(0))
    #expect(try leftOut(desk) == [2, 11])
    try FileManager.default.removeItem(at: file)
    agent = try desk.startAgent()
    try wait(
      "the calendar to be missed again",
      for: "the days that were read from it last time still count")
    #expect(try leftOut(desk) == [2, 11])
    // While one calendar file is missing, a change of the other file still takes effect.
    try write(Self.holiday("0312"), to: other)
    try desk.wait("the other to be read") { try leftOut(desk) == [2, 12] }
    #expect(try desk.belfry("skip run").status == 0)

    try write(Self.holiday("0303"), to: file)
    try wait("the calendar to be read again", for: nil)
    #expect(try leftOut(desk) == [3, 12])
    let list = try desk.belfry("list --json").output.filter { !$0.isWhitespace }
    #expect(list.contains(#""except":["days.ics","other.ics"]"#), "\(list)")
  }

  @Test func `what cannot be read in an event is named with its line, and other days count`()
    throws
  {
    let desk = try Desk(Lab())
    let file = desk.lab.home.appendingPathComponent("days.ics")
    try desk.saveText(Self.config("~/days.ics"))
    for (lines, problem, days) in [
      ("DTSTART;VALUE=DATE:NEXT1399", "its start cannot be read: NEXT1399", [1]),
      ("COMMENT:none", "it has no start", [1]),
      ("DTSTART;VALUE=DATE:NEXT0302\nDTEND:soon", "its end cannot be read: soon", [1, 2]),
      (
        "DTSTART;VALUE=DATE:NEXT0302\nRRULE:FREQ=OFTEN", "its rule cannot be read: FREQ=OFTEN",
        [1, 2]
      ),
      (
        "DTSTART:NEXT0302T000000Z\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "it repeats more than once a day, which is not followed: ", [1, 2]
      ),
      (
        "DTSTART;TZID=Nowhere:NEXT0302T090000",
        "its time zone is unknown: Nowhere; its days are those that are written", [1, 2]
      ),
    ] {
      let good = Self.event("UID:1\nDTSTART;VALUE=DATE:NEXT0301")
      try write(Self.calendar(good, Self.event("SUMMARY:Odd\n\(lines)")), to: file)
      let check = try desk.belfry("config check")
      let said = check.output + check.errors
      let wanted = Self.ofNextYear(problem)
      #expect(said.contains(#":6:11: warning: "~/days.ics", line "#), "\(said)")
      #expect(said.contains("\"Odd\": \(wanted)"), "\(said)")
      #expect(try leftOut(desk) == days, "\(lines)")
    }
  }

  @Test func `a calendar whose rules never end is read in time`() throws {
    let desk = try Desk(Lab())
    let file = desk.lab.home.appendingPathComponent("days.ics")
    try desk.saveText(Self.config("~/days.ics"))
    let zone = """
      BEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100
      TZOFFSETTO:+0100\nRRULE:FREQ=SECONDLY\nEND:STANDARD\nEND:VTIMEZONE
      """
    let rule = "DTSTART:20200101T100000\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=5"
    let rules = (0..<200).map { Self.event("UID:\($0)\n\(rule)") }.joined(separator: "\n")
    for (text, problem) in [
      (zone + "\n" + Self.event("SUMMARY:a\nDTSTART;TZID=Z:NEXT0301T100000"), "its time zone is"),
      (rules, "has rules that take too long to follow"),
    ] {
      try write(Self.calendar(text), to: file)
      let begin = ContinuousClock.now
      let check = try desk.belfry("config check")
      #expect(begin.duration(to: .now) < .seconds(3))
      #expect((check.output + check.errors).contains(problem), "\(check)")
    }
  }

  @Test func `a folder of calendars counts as one calendar, and an address is refused`() throws {
    let desk = try Desk(Lab(.bus))
    let folder = desk.lab.home.appendingPathComponent("days")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try write(Self.holiday("0301"), to: folder.appendingPathComponent("a.ics"))
    try write(
      Self.holiday("0302").replacing("UID:1", with: "UID:2"),
      to: folder.appendingPathComponent("b.ics"))
    try write("no calendar", to: folder.appendingPathComponent("c.ics"))
    try desk.saveText(Self.config("~/days/"))
    #expect(try leftOut(desk) == [1, 2])
    let check = try desk.belfry("config check")
    #expect((check.output + check.errors).contains(#"/days/c.ics" is not an iCalendar file"#))
    _ = try desk.startAgent()
    try desk.wait("the folder to be in force") { desk.settings.contains("\(Self.year)-03-02") }
    try write(
      Self.holiday("0304").replacing("UID:1", with: "UID:3"),
      to: folder.appendingPathComponent("d.ics"))
    try desk.wait("the new file to be in force") { desk.settings.contains("\(Self.year)-03-04") }

    // A file that becomes unreadable keeps its last days, while the others may lose theirs.
    try write("BEGIN:VCALENDAR", to: folder.appendingPathComponent("d.ics"))
    try desk.waitForStatus("the damage to be seen") { status in
      status.agent.problems.contains { $0.contains("d.ics") }
    }
    #expect(try leftOut(desk) == [1, 2, 4])
    try FileManager.default.removeItem(at: folder.appendingPathComponent("b.ics"))
    try desk.wait("the removal to be in force") { try leftOut(desk) == [1, 4] }
    try desk.wait("the removal to be stored") { !desk.settings.contains("\(Self.year)-03-02") }
    #expect(try leftOut(desk) == [1, 4])

    try desk.saveText(Self.config("webcal://example.org/days.ics"))
    let said = try desk.belfry("config check")
    #expect(
      (said.output + said.errors).contains("hint: save the file and name its path"), "\(said)")
  }

  @Test func `the option --except adds a calendar to an alarm, but not a second time`() throws {
    let desk = try Desk(Lab())
    let file = desk.config.deletingLastPathComponent().appendingPathComponent("days.ics")
    try write(Self.holiday("0301"), to: file)
    try desk.saveText("")
    let add = try desk.belfry("add 6:00 --days daily --id run --except days.ics,\(Self.year)-03-04")
    #expect(add.status == 0, "\(add)")
    #expect(try leftOut(desk) == [1, 4])
    #expect(try desk.belfry("edit run --except days.ics").status == 0)
    let text = try desk.text
    #expect(text.components(separatedBy: "days.ics").count == 2, "\(text)")
  }
}
