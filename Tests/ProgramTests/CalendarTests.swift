// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests iCalendar files that an alarm's setting `except` names. The alarm does not ring on the days
// of their events, and a changed file takes effect at once. If a file can no longer be read, the
// alarm still skips the days that the agent read from it before.

import Foundation
import Lab
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
    for lines in [
      "DTSTART;VALUE=DATE:NEXT1399", "DTSTART:soon", "COMMENT:none",
      "DTSTART;VALUE=DATE:NEXT0301\nRRULE:FREQ=OFTEN",
      "DTSTART:NEXT0301T000000Z\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    ] {
      try write(Self.calendar(Self.event("SUMMARY:Odd\n\(lines)")), to: file)
      try expect(#""~/days.ics" has an event whose time cannot be read: "Odd""#)
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

  @Test func `if libical cannot be loaded, the check of the config names the package to install`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let file = desk.config.deletingLastPathComponent().appendingPathComponent("days.ics")
    try write(Self.holiday("0301"), to: file)
    try desk.saveText(Self.config("days.ics"))
    let agent = try desk.startAgent()
    #expect(try leftOut(desk) == [1])
    agent.terminate()
    #expect(try agent.waitForExit() == .status(0))
    let folder = try desk.lab.write("", to: "broken/libical.so.3").deletingLastPathComponent().path
    let check = try desk.belfry(
      "config check", environment: ["TZ": "UTC", "LD_LIBRARY_PATH": folder])
    let said = check.output + check.errors
    #expect(said.contains("libical.so.3: file too short"), "\(said)")
    #expect(said.contains("hint: install libical (in Debian, libical3)"), "\(said)")
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
