// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said of mistakes in an alarm, word for word.

import Configuration
import Testing

extension DiagnosticTests {
  @Test("mistakes in an alarm are told", arguments: alarmCases)
  func alarms(text: String, expected: [String]) {
    #expect(complaints(about: text) == expected)
  }

  /// Each is the rest of an `[[alarm]]` at 07:30.
  static let alarmCases: [Case] = [
    (#"before = "10m""# + "\n" + #"on_before = ["kettle", "on"]"#, []),
    (
      #"before = "10m""#,
      [
        "3:10: warning: before does nothing here: there is no on_before\n"
          + "hint: write on_before = [\"program\", \"argument\"] too"
      ]
    ),
    (
      #"on_before = ["kettle", "on"]"#,
      [
        "3:13: warning: on_before does nothing here: nothing says how long before the ring\n"
          + "hint: write before = \"10m\" too"
      ]
    ),
    (#"before = "0s""# + "\n" + #"on_before = ["kettle", "on"]"#, []),
    (#"bedtime = "8h""#, []), (#"bedtime = "24h""#, []), (#"bedtime = "0s""#, []),
    (
      #"bedtime = "25h""#,
      [
        "3:11: error: bedtime must be from \"1m\" to \"24h\", not \"25h\"\n"
          + "hint: write it like \"8h\"; \"0s\" is none"
      ]
    ),
    (
      #"bedtime = "59s""#,
      [
        "3:11: error: bedtime must be from \"1m\" to \"24h\", not \"59s\"\n"
          + "hint: write it like \"8h\"; \"0s\" is none"
      ]
    ),
    (
      "bedtime = 8",
      [
        "3:11: error: bedtime is 8: a duration needs a unit\n"
          + "hint: write \"8m\" for minutes, \"8s\" for seconds"
      ]
    ),
    (
      "days = \"mondy\"",
      ["3:8: error: no weekday is called \"mondy\"\nhint: did you mean \"monday\"?"]
    ),
    (
      #"days = ["mon", "tusday", "x"]"#,
      [
        "3:16: error: no weekday is called \"tusday\"\nhint: did you mean \"tuesday\"?",
        "3:26: error: no weekday is called \"x\"\n"
          + "hint: write [\"mon\", \"fri\"], or \"weekdays\", \"weekends\", \"daily\"",
      ]
    ),
    ("days = [\"월요\"]", ["3:9: error: no weekday is called \"월요\"\nhint: did you mean \"월요일\"?"]),
    (
      "days = 1",
      [
        "3:8: error: days must be names of weekdays, not 1\n"
          + "hint: write [\"mon\", \"fri\"], or \"weekdays\", \"weekends\", \"daily\""
      ]
    ),
    (
      "days = []",
      ["3:8: error: days is an empty list\nhint: leave it out for an alarm that rings once"]
    ),
    (
      "date = \"2026-12-24\"",
      [
        "3:8: error: date must be a date, not \"2026-12-24\"\nhint: write 2026-12-24, without quotes"
      ]
    ),
    (
      "date = \"24.12.2026\"",
      [
        "3:8: error: date must be a date, not \"24.12.2026\"\n"
          + "hint: write it like 2026-12-24, without quotes"
      ]
    ),
    (
      "date = 2026-12-24T07:30:00Z",
      ["3:8: error: date must be a date alone, not 2026-12-24T07:30\nhint: write 2026-12-24"]
    ),
    ("date = 0000-01-01", ["3:8: error: date must be a date from 0001-01-01 on, not 0000-01-01"]),
    (
      "every = \"2 weeks\"",
      [
        "3:9: error: every needs from, the day that it is counted from\n"
          + "hint: write from = 2026-11-23 too"
      ]
    ),
    (
      "every = \"3 days\"\nfrom = 2026-11-23\ndays = \"mon\"",
      [
        "5:8: error: every in days is counted from the day of from, and takes no days\n"
          + "hint: leave days out, or write every = \"2 weeks\""
      ]
    ),
    (
      "every = \"3 weeks\"\nfrom = 2026-11-23\ndays = [\"1st mon\"]",
      [
        "5:8: error: a day such as \"1st mon\" is of a month, and every is in weeks\n"
          + "hint: write every = \"2 months\", or weekdays alone"
      ]
    ),
    (
      "date = 2026-12-24\nevery = \"2 weeks\"\nfrom = 2026-11-23",
      ["4:1: error: an alarm has either a date or every, not both"]
    ),
    (
      "from = 2026-11-23\nuntil = 2026-11-22",
      ["4:9: error: until is before from: the last day is 2026-11-22, the first 2026-11-23"]
    ),
    (
      "every = \"0 weeks\"\nfrom = 2026-11-23",
      [
        "3:9: error: every must be from 1 to 1000 weeks, not \"0 weeks\"\n"
          + "hint: leave it out, or write \"1 weeks\""
      ]
    ),
    (
      "every = \"99999999999999999999 days\"\nfrom = 2026-11-23",
      ["3:9: error: every must be from 1 to 1000 days, not \"99999999999999999999 days\""]
    ),
    (
      "every = \"2 wekks\"\nfrom = 2026-11-23",
      [
        "3:9: error: every must be so many days, weeks, months or years, not \"2 wekks\"\n"
          + "hint: did you mean \"2 weeks\"?"
      ]
    ),
    (
      "every = 2\nfrom = 2026-11-23",
      [
        "3:9: error: every must be so many days, weeks, months or years, not 2\n"
          + "hint: write it like \"3 days\", \"2 weeks\", \"1 months\", \"1 years\""
      ]
    ),
    (
      "days = [\"6th mon\", \"1st mondy\", \"last weekdays\"]",
      [
        "3:9: error: no month has a day such as \"6th mon\"\n"
          + "hint: there are \"1st mon\" to \"5th mon\", and \"last mon\"",
        "3:20: error: no weekday is called \"mondy\"\nhint: did you mean \"1st monday\"?",
        "3:33: error: \"last weekdays\" is no day: an ordinal goes with one weekday\n"
          + "hint: write it like \"1st mon\"",
      ]
    ),
    (
      "days = \"mon\"\nfrom = 2026-11-24\nuntil = 2026-11-29",
      ["5:9: warning: this alarm never rings: no such day lies between from and until"]
    ),
    (
      "days = \"5th mon\"\nevery = \"2 years\"\nfrom = 2025-02-01",
      ["3:8: warning: this alarm never rings: there is no such day"]
    ),
    (
      "date = 2026-12-24\nuntil = 2026-12-23",
      ["3:8: warning: this alarm never rings: its only day does not lie between from and until"]
    ),
    (
      "days = \"daily\"\nexcept = [\"2027-01-02..2026-12-28\", \"2026-12-24..\", \"2026-12-24\"]",
      [
        "4:11: error: \"2027-01-02..2026-12-28\" ends before it begins\n"
          + "hint: write \"2026-12-28..2027-01-02\"",
        "4:37: error: except must be a range of dates, not \"2026-12-24..\"\n"
          + "hint: write it like \"2026-12-28..2027-01-02\"",
        "4:53: error: except must be a date, not \"2026-12-24\"\n"
          + "hint: write 2026-12-24, without quotes",
      ]
    ),
    (
      "days = \"daily\"\nexcept = \"2026-12-28..2027-01-02\"",
      [
        "4:10: error: except must be a list of dates, not \"2026-12-28..2027-01-02\"\n"
          + "hint: write [\"2026-12-28..2027-01-02\"]"
      ]
    ),
    (
      "days = \"mon\"\nuntil = 2026-12-28\nexcept = [\"0001-01-01..2026-12-28\"]",
      ["5:10: warning: this alarm never rings: all its days are in except"]
    ),
    (
      "date = 2026-12-24\ndays = \"daily\"",
      ["4:1: error: an alarm has either days or a date, not both"]
    ),
    (
      "days = \"daily\"\ndate = 2026-12-24",
      ["4:1: error: an alarm has either days or a date, not both"]
    ),
    (
      "except = 2026-12-24",
      ["3:10: error: except must be a list of dates, not 2026-12-24\nhint: write [2026-12-24]"]
    ),
    (
      "except = [\"x\"]",
      [
        "3:11: error: except must be a date, not \"x\"\n"
          + "hint: write it like 2026-12-24, without quotes"
      ]
    ),
    (
      "date = 2026-12-24\nexcept = [2026-12-24]",
      ["4:10: warning: this alarm never rings: its only day is in except"]
    ),
    (
      "timezone = \"Seoul\"",
      ["3:12: error: no time zone is called \"Seoul\"\nhint: did you mean \"Asia/Seoul\"?"]
    ),
    (
      "timezone = \"new york\"",
      ["3:12: error: no time zone is called \"new york\"\nhint: did you mean \"America/New_York\"?"]
    ),
    (
      "timezone = \"Asia/Soul\"",
      ["3:12: error: no time zone is called \"Asia/Soul\"\nhint: did you mean \"Asia/Seoul\"?"]
    ),
    (
      "timezone = \"nowhere\"",
      ["3:12: error: no time zone is called \"nowhere\"\nhint: write it like \"Asia/Seoul\""]
    ),
    (
      "id = \"a b\"",
      [
        "3:6: error: id must be one word of letters, digits, \"-\", \"_\" and \".\", not \"a b\"\n"
          + "hint: write \"a-b\""
      ]
    ),
    (
      "id = \"⏰\"",
      ["3:6: error: id must be one word of letters, digits, \"-\", \"_\" and \".\", not \"⏰\""]
    ),
    ("id = \"\"", ["3:6: error: id is empty\nhint: write a name such as \"work\""]),
    (
      "id = \"\(String(repeating: "x", count: 101))\"",
      ["3:6: error: id is longer than 100 characters"]
    ),
    (
      "id = \"x\(String(repeating: "\u{301}", count: 700))\"",
      ["3:6: error: id is longer than 100 characters"]
    ),
    (
      "label = \"\(String(repeating: "각", count: 334))\"",
      ["3:9: warning: label is longer than 1000 bytes, and is cut there"]
    ),
    ("label = 5", ["3:9: error: label must be text in quotes, not 5"]),
    (
      "enabled = \"true\"",
      ["3:11: error: enabled must be true or false, not \"true\"\nhint: write true, without quotes"]
    ),
    (
      "id = \"a\"\n[[alarm]]\ntime = 08:00\nid = \"a\"",
      ["6:6: error: the id \"a\" is taken by the alarm in line 3"]
    ),
    ("lable = \"x\"", ["3:1: warning: unknown key \"lable\"\nhint: did you mean \"label\"?"]),
    ("[alarm.sound]", ["3:1: error: sound must be a name, or a list of names, not a table"]),
    ("[alarm.repeat]", ["3:8: warning: unknown table \"repeat\""]),
    ("[[alarm.repeat]]", ["3:9: warning: unknown table \"repeat\""]),
  ].map { ("[[alarm]]\ntime = 07:30\n" + $0.0, $0.1) }

  @Test("a time of day that cannot be is told", arguments: timeCases)
  func times(value: String, expected: String) {
    #expect(complaints(about: "alarm = [{time = \(value)}]") == ["1:18: error: " + expected])
  }

  static let timeCases = [
    ("730", "time must be a time of day, not 730\nhint: write it like 07:30 or \"7:30 pm\""),
    (
      "\"25:00\"",
      "time must be a time of day, not \"25:00\"\nhint: write it like 07:30 or \"7:30 pm\""
    ),
    ("\"24:00\"", "time must be a time of day, not \"24:00\"\nhint: midnight is 00:00"),
    ("07:30:15.5", "time has a fraction of a second\nhint: write 07:30:15"),
    ("\"7:30:15.5 pm\"", "time has a fraction of a second\nhint: write whole seconds"),
    (
      "2026-12-24T05:15",
      "time must be a time of day, not 2026-12-24T05:15\n"
        + "hint: write time = 05:15 and date = 2026-12-24"
    ),
    ("[07:30]", "time must be a time of day, not a list\nhint: write it like 07:30 or \"7:30 pm\""),
  ]
}
