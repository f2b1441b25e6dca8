// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry import` with iCalendar files: with files that KAlarm wrote, and with each kind of
// rule by which other programs repeat an event.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct CalendarImportTests {
  private static func calendar(_ items: [String]) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0"] + items + ["END:VCALENDAR", ""]).joined(separator: "\n")
      .replacingOccurrences(of: "\n", with: "\r\n")
  }

  private static func event(_ lines: String, trigger: String = "TRIGGER:-PT15M") -> String {
    """
    BEGIN:VEVENT
    UID:\(lines.hashValue)
    \(lines)
    BEGIN:VALARM
    ACTION:DISPLAY
    DESCRIPTION:Reminder
    \(trigger)
    END:VALARM
    END:VEVENT
    """
  }

  /// Returns the output of `belfry import` for a file with the contents `text`.
  private func imported(
    _ text: String, _ desk: Desk, zone: String = "Europe/Berlin", _ option: String = ""
  ) throws -> String {
    try Data(text.utf8).write(to: desk.lab.home.appendingPathComponent("a.ics"))
    let file = desk.lab.home.appendingPathComponent("a.ics").path
    let done = try desk.belfry("import \(file) \(option)", environment: ["TZ": zone])
    #expect(done.status == 0 && Desk.withoutBusWarning(done.errors) == "", "\(done)")
    return done.output
  }

  private static let remarks: Set = [
    "Payday: no setting of an alarm can express its rule: RRULE:FREQ=MONTHLY;BYMONTHDAY=31",
    "20961207T140000: its command: date +%F",
    "20961202T030000: its command: rsync -a /home/a /mnt/b",
    "Bell: its sound /root/bell.oga is missing",
    "Bins: its sound /root/bell.oga is missing",
    "Report: its e-mail",
    "Birthday of Mina: it has a date but no time",
    "Pills: no setting of an alarm can express its rule: "
      + "RRULE:FREQ=MINUTELY;COUNT=3;INTERVAL=10",
    "/root/bell.oga: its file",
    "properties for which an alarm has no setting: X-KDE-KALARM-FONTCOLOR (14)",
  ]

  @Test func `the alarms in a file of KAlarm are imported, and what cannot be imported is named`()
    throws
  {
    let desk = try Desk(Lab())
    try ImportTests.put("kalarm.ics", at: ".local/share/kalarm/calendar.ics", desk)
    let entries = try ImportTests.entries("kalarm.toml")
    let berlin = ["TZ": "Europe/Berlin"]
    let shown = try desk.belfry("import kalarm", environment: berlin)
    #expect(shown.status == 0 && shown.errors == "")
    #expect(shown.output.hasPrefix(entries + "\n# not imported: "), "\(shown.output)")
    let lines = shown.output.dropFirst(entries.count).split(separator: "\n")
    #expect(lines.last == "# nothing has been written yet: to write it, use --write")
    let remarks = lines.dropLast().map { String($0.dropFirst("# not imported: ".count)) }
    #expect(Set(remarks) == Self.remarks)
    #expect(!FileManager.default.fileExists(atPath: desk.config.path))

    let written = try desk.belfry("import kalarm --write", environment: berlin)
    #expect(written.output.hasSuffix("# wrote 13 entries\n"))
    #expect(try desk.text == entries)
    #expect(try desk.belfry("config check").errors == "")
    let again = try desk.belfry("import kalarm --write", environment: berlin).output
    #expect(again.hasSuffix("# nothing is new\n"))
    #expect(again.components(separatedBy: "# already in the config: ").count == 14)
    #expect(try desk.text == entries)
  }

  /// The repetition rules in `Calendars/rules.txt`: the lines of an iCalendar event, and the
  /// settings of the alarm that is imported from it, without label and time.
  private static let rules: [(String, [String])] =
    table("Calendars/rules.txt").split(separator: "\n\n").map { block in
      let lines = block.split(separator: "\n").filter { !$0.hasPrefix("#") }
      return (
        lines.filter { !$0.hasPrefix(" ") }.joined(separator: "\n"),
        lines.filter { $0.hasPrefix(" ") }.map { String($0.dropFirst(4)) }
      )
    }

  @Test func `a repeated event is imported as an alarm that rings on the same days`() throws {
    let desk = try Desk(Lab())
    #expect(Self.rules.count == 27)
    let items = Self.rules.enumerated().map { Self.event("SUMMARY:rule \($0)\n\($1.0)") }
    let output = try imported(Self.calendar(items), desk, "--write")
    let entries = output.components(separatedBy: "\n\n")
    try #require(entries.count == Self.rules.count + 1, "\(output)")
    for (index, (rule, settings)) in Self.rules.enumerated() {
      let lines = Set(entries[index].split(separator: "\n").map(String.init))
      // A day without a time begins at midnight.
      let time = rule.hasSuffix("0101Z") ? "time = 23:45" : "time = 08:45"
      #expect(
        lines == Set(settings + ["[[alarm]]", "label = \"rule \(index)\"", time]), "\(rule)")
    }
    #expect(try desk.belfry("config check").errors == "")
  }

  @Test
  func `an event or task is imported as an alarm at the time of its trigger, even on another day`()
    throws
  {
    let desk = try Desk(Lab())
    let weekly = "DTSTART:20960102T000500\nRRULE:FREQ=WEEKLY;BYDAY=MO,TU"
    let task = Self.event("SUMMARY:task\nDUE:20960103T100000", trigger: "TRIGGER;RELATED=END:-PT1H")
      .replacingOccurrences(of: "VEVENT", with: "VTODO")
    let items = [
      Self.event("SUMMARY:weekly\n\(weekly)"),
      Self.event("SUMMARY:day\nDTSTART;VALUE=DATE:20960102", trigger: "TRIGGER:-P1DT15H"),
      Self.event(
        "SUMMARY:fixed\nDTSTART:20960102T090000",
        trigger: "TRIGGER;VALUE=DATE-TIME:20960101T170000Z"),
      Self.event(
        "SUMMARY:end\nDTSTART:20960102T090000\nDURATION:PT90M",
        trigger: "TRIGGER;RELATED=END:PT0S"),
      // Summer time begins between this reminder and its event. The reminder still comes twelve
      // hours of elapsed time before the event.
      Self.event(
        "SUMMARY:spring\nDTSTART;TZID=Europe/Berlin:20960325T090000", trigger: "TRIGGER:-PT12H"),
      task,
    ]
    let entries = try imported(Self.calendar(items), desk).components(separatedBy: "\n\n")
    let expected = [
      ["time = 23:50", #"days = ["mon", "sun"]"#, "from = 2096-01-01", #"label = "weekly""#],
      ["time = 09:00", "date = 2095-12-31", #"label = "day""#],
      ["time = 18:00", "date = 2096-01-01", #"label = "fixed""#, #"timezone = "Europe/Berlin""#],
      ["time = 10:30", "date = 2096-01-02", #"label = "end""#],
      ["time = 20:00", "date = 2096-03-24", #"label = "spring""#, #"timezone = "Europe/Berlin""#],
      ["time = 09:00", "date = 2096-01-03", #"label = "task""#],
    ]
    #expect(
      Array(entries.prefix(expected.count))
        == expected.map { (["[[alarm]]"] + $0).joined(separator: "\n") }, "\(entries)")
  }

  @Test func `each event that cannot be imported is named with the reason`() throws {
    let desk = try Desk(Lab())
    let start = "DTSTART:20960102T090000"
    let rules = [
      "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU",
      "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15", "RRULE:FREQ=DAILY;BYHOUR=9,15",
      "RRULE:FREQ=WEEKLY RDATE:20960105T090000", "RRULE:FREQ=HOURLY",
    ]
    var items = rules.map {
      Self.event("SUMMARY:odd\n\(start)\n" + $0.replacingOccurrences(of: " ", with: "\n"))
    }
    items += [
      Self.event("SUMMARY:far\nDTSTART;TZID=Nowhere:20960102T090000"),
      Self.event("SUMMARY:wrong\n\(start)\nRRULE:FREQ=FORTNIGHTLY"),
      Self.event("SUMMARY:gone\nDTSTART:20200102T090000"),
      Self.event("SUMMARY:old\nDTSTART:20200102T090000\nRRULE:FREQ=DAILY;COUNT=5"),
      Self.event("SUMMARY:off\n\(start)\nSTATUS:CANCELLED"),
      Self.event("SUMMARY:done\nDUE:20960102T090000\nSTATUS:COMPLETED")
        .replacingOccurrences(of: "VEVENT", with: "VTODO"),
      "BEGIN:VEVENT\nSUMMARY:quiet\n\(start)\nEND:VEVENT",
      Self.event("SUMMARY:soon\n\(start)", trigger: "TRIGGER:soon"),
      Self.event("SUMMARY:bad\nDTSTART:soon"),
    ]
    let output = try imported(Self.calendar(items), desk, "--write")
    let same = "no setting of an alarm can express its rule: "
    let reasons =
      rules.map { "odd: \(same)\($0)" } + [
        "far: its time zone is unknown: Nowhere",
        "wrong: its rule cannot be read: FREQ=FORTNIGHTLY",
        "gone: it would never ring again", "old: it is over", "off: it is cancelled",
        "done: it is done", "quiet: it has no alarm", "soon: its time cannot be read: soon",
        "bad: its time cannot be read: soon",
        "properties for which an alarm has no setting: DESCRIPTION (1)",
      ]
    let lines = output.split(separator: "\n").map(String.init)
    #expect(Set(lines) == Set(reasons.map { "# not imported: \($0)" } + ["# nothing is new"]))
  }

  @Test func `a moved occurrence of a repeated event is imported with its new time`() throws {
    let desk = try Desk(Lab())
    let items = [
      Self.event("UID:1\nSUMMARY:run\nDTSTART:20960102T090000\nRRULE:FREQ=WEEKLY"),
      Self.event("UID:1\nSUMMARY:run\nRECURRENCE-ID:20960109T090000\nDTSTART:20960110T100000"),
    ].map { $0.replacing(/UID:-?\d{5,}\n/, with: "") }
    let output = try imported(Self.calendar(items), desk)
    #expect(output.contains("except = [2096-01-09]") && output.contains("date = 2096-01-10"))
  }

  @Test func `the import of a damaged calendar names the line of the damage and writes nothing`()
    throws
  {
    let desk = try Desk(Lab())
    try desk.saveText("# mine\n")
    let file = desk.lab.home.appendingPathComponent("a.ics")
    let whole = Self.calendar([Self.event("SUMMARY:a\nDTSTART:20960102T090000")])
    func expect(_ problem: String) throws {
      let done = try desk.belfry("import \(file.path) --write")
      #expect(done.status == 1 && done.output == "", "\(done)")
      #expect(done.errors.contains("a.ics\" \(problem)"), "\(done.errors)")
      #expect(try desk.text == "# mine\n")
    }
    let notWhole = "is not an iCalendar file, or is incomplete: see its line"
    for (text, line) in [
      ("", 1), ("no calendar\n", 1), (String(whole.dropLast(16)), 1),
      (String(whole.prefix(whole.count / 2)), 3), (whole + "END:VCALENDAR\r\n", 14),
      (whole + "a\u{0}", 14),
    ] {
      try Data(text.utf8).write(to: file)
      try expect("\(notWhole) \(line); export it again as iCalendar")
    }
    try FileManager.default.removeItem(at: file)
    try expect("cannot be read: No such file or directory")
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    let folder = try desk.belfry("import \(file.path)")
    #expect(folder.errors.contains("a.ics\" has no .ics file"), "\(folder.errors)")
  }
}
