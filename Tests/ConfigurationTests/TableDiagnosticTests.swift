// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every message about whole tables of the config, word for word, and about what does not go
// together in one. Those about an alarm's are in `AlarmDiagnosticTests.swift`.

import Configuration
import Testing

extension DiagnosticTests {
  @Test("tables of another shape are told", arguments: tableCases)
  func tables(text: String, expected: [String]) {
    #expect(complaints(about: text) == expected)
  }

  /// A timer of 25 minutes with `keys`, and another of those in `rest`.
  private static func timers(_ keys: String, _ rest: String? = nil) -> String {
    "[[timer]]\nname = \"focus\"\nduration = \"25m\"\n\(keys)"
      + (rest.map { "\n[[timer]]\n\($0)" } ?? "")
  }

  static let tableCases: [Case] = [
    ("[[pause]]", ["1:1: error: this pause has no first day\nhint: write from = 2026-12-24"]),
    (
      "[[pause]]\nfrom = 2027-01-03\nuntil = 2026-12-24",
      ["3:9: error: until is before from: the last day is 2026-12-24, the first 2027-01-03"]
    ),
    (
      "[[alarm]]\ntime = 07:30\ngroup = \"work\"\n[[pause]]\nfrom = 2026-12-24\ngroup = \"wrok\"",
      [
        "6:9: warning: no alarm is in the group \"wrok\"\nhint: did you mean \"work\"?"
      ]
    ),
    (
      "[[alarm]]\ntime = 07:30\ngroup = \"work\"\nvolume = 101\n"
        + "[[pause]]\nfrom = 2026-12-24\ngroup = \"work\"",
      ["4:10: error: volume must be a whole number from 0 to 100, not 101"]
    ),
    (
      "[pause]\nfrom = 2026-12-24",
      ["1:1: error: pause must be a list of tables, not a table\nhint: begin each with [[pause]]"]
    ),
    ("[[alarm]]", ["1:1: error: this alarm has no time\nhint: write time = 07:30"]),
    (
      "[alarm]\ntime = 07:30",
      ["1:1: error: alarm must be a list of tables, not a table\nhint: begin each with [[alarm]]"]
    ),
    (
      "[alarm.work]\ntime = 07:30",
      ["1:1: error: alarm must be a list of tables, not a table\nhint: begin each with [[alarm]]"]
    ),
    (
      "alarm = [1, {time = 07:30}]",
      ["1:10: error: alarm must be a list of tables, not 1\nhint: begin each with [[alarm]]"]
    ),
    ("alarm = []", []),
    (
      "\n[[timer]]",
      [
        "2:1: error: this timer has no name\nhint: write name = \"tea\"",
        "2:1: error: this timer has no duration\nhint: write duration = \"4m\"",
      ]
    ),
    (
      "[[pause]]\nfrom = 2026-12-24\ngroup = \"\"",
      ["3:9: error: group is empty\nhint: leave it out for a pause of all alarms"]
    ),
    (
      "timer = [{name = \"long\", duration = \"367d\"}]",
      ["1:37: error: duration must be at most \"366d\", not \"367d\""]
    ),
    (
      "timer = [{name = \"4m\", duration = \"0s\"}]",
      [
        "1:18: error: a timer cannot be called \"4m\", which is a duration",
        "1:35: error: duration must be at least \"1s\", not \"0s\"",
      ]
    ),
    (
      "[[timer]]\nname = \"tea\"\nduration = \"4m\"\n[[timer]]\nname = \"tea\"\nduration = \"5m\"",
      ["5:8: error: the name \"tea\" is taken by the timer in line 2"]
    ),
    (
      timers("then = \"rets\"", "name = \"rest\"\nduration = \"5m\""),
      ["4:8: error: no timer is called \"rets\"\nhint: did you mean \"rest\"?"]
    ),
    (
      timers("then = \"break\""),
      [
        "4:8: error: no timer is called \"break\"\n"
          + "hint: then takes the name of another [[timer]]"
      ]
    ),
    (
      timers("then = \"nope\"\nrepeat = 0"),
      [
        "4:8: error: no timer is called \"nope\"\nhint: then takes the name of another [[timer]]",
        "5:10: error: repeat must be a whole number from 1 to 1000000, or \"forever\", not 0",
      ]
    ),
    (
      "timer = [{name = \"3\", duration = \"5m\"}]",
      ["1:18: error: a timer cannot be called \"3\", which is a duration"]
    ),
    // One that is there with an error is no second mistake.
    (
      timers("then = \"rest\"", "name = \"rest\""),
      ["5:1: error: this timer has no duration\nhint: write duration = \"4m\""]
    ),
    (
      timers("then = \"rest\"", "name = \"rest\"\nduration = \"5m\"\nthen = \"focus\""),
      [
        "8:8: warning: these timers lead back to \"focus\", and end there\n"
          + "hint: write repeat = 4, or repeat = \"forever\", at \"focus\""
      ]
    ),
    (
      timers(
        "then = \"rest\"\nrepeat = 2", "name = \"rest\"\nduration = \"5m\"\nthen = \"focus\""), []
    ),
    (timers("repeat = \"forever\"\nwarn = \"1m\"\nflow = true"), []),
    (
      timers("repeat = 0\nwarn = 1\nflow = \"yes\"\nthen = 1"),
      [
        "4:10: error: repeat must be a whole number from 1 to 1000000, or \"forever\", not 0",
        "5:8: error: warn is 1: a duration needs a unit\n"
          + "hint: write \"1m\" for minutes, \"1s\" for seconds",
        "6:8: error: flow must be true or false, not \"yes\"\nhint: write true, without quotes",
        "7:8: error: then must be text in quotes, not 1",
      ]
    ),
    (
      timers("warn = \"25m\""),
      [
        "4:8: error: warn is 25m, and the timer only 25m\n"
          + "hint: write how long before the end, such as warn = \"30s\""
      ]
    ),
    ("[[chime]]", ["1:1: error: this chime does not say how often\nhint: write every = \"1h\""]),
    (
      "[[chime]]\nevery = \"25m\"\nbetween = \"9-18\"\ndays = \"weekday\"\nvolum = 3",
      [
        "2:9: error: every must be a part of an hour, or up to 24 whole hours, not \"25m\"\n"
          + "hint: write it like \"15m\", \"20m\", \"30m\" or \"1h\"",
        "3:11: error: between must be a list of two times of day, not \"9-18\"\n"
          + "hint: write it like [09:00, 18:00]",
        "4:8: error: no weekday is called \"weekday\"\nhint: did you mean \"weekdays\"?",
        "5:1: warning: unknown key \"volum\"",
      ]
    ),
    (
      "[[chime]]\nevery = \"90m\"\nbetween = [09:00, 9]\nsound = 3",
      [
        "2:9: error: every must be a part of an hour, or up to 24 whole hours, not \"90m\"\n"
          + "hint: write it like \"15m\", \"20m\", \"30m\" or \"1h\"",
        "3:19: error: between must be a time of day, not 9\n"
          + "hint: write it like 07:30 or \"7:30 pm\"",
        "4:9: error: sound must be a name, or a list of names, not 3",
      ]
    ),
    (
      "[[chime]]\nevery = \"3h\"\nbetween = [10:00, 11:00]",
      [
        "3:11: error: none of its times, counted from midnight, is between these\n"
          + "hint: write longer hours, or a smaller every"
      ]
    ),
    (
      "[[chime]]\nevery = \"20m\"\nbetween = [09:00, \"6 pm\"]\ndays = [\"mon\"]\nsound = \"Harp\"\n"
        + "[[chime]]\nevery = \"2h\"", []
    ),
    (
      "[[clock]]",
      ["1:1: error: this clock has neither a city nor a timezone\nhint: write city = \"Seoul\""]
    ),
    (
      "[[clock]]\ntimezone = \"UTC\"\ncity = \"Seoul\"",
      ["3:1: error: a clock has either a city or a timezone, not both"]
    ),
    (
      "defaults = 3",
      ["1:12: error: defaults must be a table, not 3\nhint: begin it with [defaults]"]
    ),
    ("[[agent]]", ["1:1: error: agent must be a table, not a list\nhint: begin it with [agent]"]),
    ("[[alarms]]", ["1:3: warning: unknown table \"alarms\"\nhint: did you mean \"alarm\"?"]),
    ("[theme]", ["1:2: warning: unknown table \"theme\""]),
    (
      "volume = 3",
      ["1:1: warning: unknown key \"volume\"\nhint: \"volume\" belongs under [defaults]"]
    ),
    (
      "time = 07:30",
      ["1:1: warning: unknown key \"time\"\nhint: \"time\" belongs under [[alarm]]"]
    ),
    (
      #""\u001B[2J" = 3"#,
      ["1:1: warning: unknown key \"\\u001B[2J\""]
    ),
  ]
}
