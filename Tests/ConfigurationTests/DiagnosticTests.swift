// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every message of the config, word for word. The manual lists the same ones.
// Next: AlarmDiagnosticTests.swift.

import Configuration
import Testing

@Suite struct DiagnosticTests {
  /// The lines of a text, and every diagnostic about it.
  typealias Case = (text: String, complaints: [String])

  @Test("a value that cannot be is told, with what can", arguments: ringCases + agentCases)
  func values(text: String, expected: [String]) {
    #expect(complaints(about: text) == expected)
  }

  /// A timer of 25 minutes with `keys`, and another of those in `rest`.
  private static func timers(_ keys: String, _ rest: String? = nil) -> String {
    "[[timer]]\nname = \"focus\"\nduration = \"25m\"\n\(keys)"
      + (rest.map { "\n[[timer]]\n\($0)" } ?? "")
  }

  /// Each is a key of `[defaults]`.
  static let ringCases: [Case] = [
    ("sound = 3", ["2:9: error: sound must be a name, or a list of names, not 3"]),
    (
      "sound = \"\"",
      ["2:9: error: sound is empty\nhint: leave it out where there is nothing to say"]
    ),
    (#"sound = "a\u0000b""#, ["2:9: error: sound holds a NUL character"]),
    ("volume = 101", ["2:10: error: volume must be a whole number from 0 to 100, not 101"]),
    ("volume = -1", ["2:10: error: volume must be a whole number from 0 to 100, not -1"]),
    ("volume = 1.5", ["2:10: error: volume must be a whole number from 0 to 100, not 1.5"]),
    ("volume = nan", ["2:10: error: volume must be a whole number from 0 to 100, not nan"]),
    (
      "volume = \"80%\"",
      [
        "2:10: error: volume must be a whole number from 0 to 100, not \"80%\"\n"
          + "hint: write 80, without quotes"
      ]
    ),
    (
      "volume = 80.0",
      ["2:10: error: volume must be a whole number from 0 to 100, not 80.0\nhint: write 80"]
    ),
    ("volume = \"900\"", ["2:10: error: volume must be a whole number from 0 to 100, not \"900\""]),
    (
      "fade_in = 30",
      [
        "2:11: error: fade_in is 30: a duration needs a unit\n"
          + "hint: write \"30m\" for minutes, \"30s\" for seconds"
      ]
    ),
    (
      "fade_in = \" 30 \"",
      [
        "2:11: error: fade_in is \" 30 \": a duration needs a unit\n"
          + "hint: write \"30m\" for minutes, \"30s\" for seconds"
      ]
    ),
    (
      "fade_in = \"-30s\"",
      [
        "2:11: error: fade_in must be a duration, not \"-30s\"\n"
          + "hint: write it like \"90s\", \"10m\" or \"1h30m\""
      ]
    ),
    (
      "fade_in = 00:30",
      [
        "2:11: error: fade_in must be a duration, not 00:30\n"
          + "hint: write it like \"90s\", \"10m\" or \"1h30m\""
      ]
    ),
    (
      "fade_in = -5",
      [
        "2:11: error: fade_in must be a duration, not -5\n"
          + "hint: write it like \"90s\", \"10m\" or \"1h30m\""
      ]
    ),
    ("late = \"36501d\"", ["2:8: error: late must be at most \"36500d\", not \"36501d\""]),
    ("snooze = \"0s\"", ["2:10: error: snooze must be at least \"1s\", not \"0s\""]),
    ("snooze = []", []),
    ("check = \"0s\"", []),
    (
      "check = 5",
      [
        "2:9: error: check is 5: a duration needs a unit\n"
          + "hint: write \"5m\" for minutes, \"5s\" for seconds"
      ]
    ),
    ("snoozes = -1", ["2:11: error: snoozes must be a whole number, 0 or more, not -1"]),
    (
      #"snoozes = "3""#,
      [
        "2:11: error: snoozes must be a whole number, 0 or more, not \"3\"\n"
          + "hint: write 3, without quotes"
      ]
    ),
    (
      #"snooze = ["1m", "2m", "3m", "4m"]"#,
      ["2:10: error: snooze has 4 durations: it takes up to three"]
    ),
    (
      #"snooze = [5, "0s", true]"#,
      [
        "2:11: error: snooze is 5: a duration needs a unit\n"
          + "hint: write \"5m\" for minutes, \"5s\" for seconds",
        "2:14: error: snooze must be at least \"1s\", not \"0s\"",
        "2:20: error: snooze must be a duration, not true\n"
          + "hint: write it like \"90s\", \"10m\" or \"1h30m\"",
      ]
    ),
    ("ring_for = \"0m\"", ["2:12: error: ring_for must be at least \"1s\", not \"0m\""]),
    (
      "ring_for = \"ever\"",
      [
        "2:12: error: ring_for must be a duration or \"forever\", not \"ever\"\n"
          + "hint: write it like \"90s\", \"10m\" or \"1h30m\""
      ]
    ),
    (
      "unanswered = \"mis\"",
      [
        "2:14: error: unanswered must be \"snooze\" or \"miss\", not \"mis\"\n"
          + "hint: did you mean \"miss\"?"
      ]
    ),
    (
      "unanswered = true",
      ["2:14: error: unanswered must be \"snooze\" or \"miss\", not true"]
    ),
    (
      "auto_snoozes = -1",
      ["2:16: error: auto_snoozes must be a whole number, 0 or more, not -1"]
    ),
    (
      "wake = \"yes\"",
      ["2:8: error: wake must be true or false, not \"yes\"\nhint: write true, without quotes"]
    ),
    (
      "wake = \"off\"",
      ["2:8: error: wake must be true or false, not \"off\"\nhint: write false, without quotes"]
    ),
    ("wake = 1", ["2:8: error: wake must be true or false, not 1"]),
    (
      "on_ring = \"lamp on\"",
      [
        "2:11: error: on_ring must be a list of words, not \"lamp on\"\nhint: write [\"lamp\", \"on\"]"
      ]
    ),
    (
      #"on_ring = [["a"], "b"]"#,
      [
        "2:19: error: on_ring must be one list of words, or a list of such lists, not \"b\"\n"
          + "hint: write [\"b\"]"
      ]
    ),
    (#"on_ring = ["a", 5]"#, ["2:17: error: on_ring must be text in quotes, not 5"]),
    (
      "on_stop = [[]]",
      [
        "2:12: error: on_stop has a command without a program\nhint: write [\"program\", \"argument\"]"
      ]
    ),
    (
      "on_stop = [\"\"]",
      [
        "2:11: error: on_stop has a command without a program\nhint: write [\"program\", \"argument\"]"
      ]
    ),
    (#"on_stop = ["a", "\u0000"]"#, ["2:17: error: on_stop holds a NUL character"]),
    ("volme = 3", ["2:1: warning: unknown key \"volme\"\nhint: did you mean \"volume\"?"]),
    (
      "mixer = \"raise\"",
      ["2:1: warning: unknown key \"mixer\"\nhint: \"mixer\" belongs under [agent]"]
    ),
    ("colour = 3", ["2:1: warning: unknown key \"colour\""]),
    (#"a.b = 3"#, ["2:1: warning: unknown table \"a\""]),
  ].map { ("[defaults]\n" + $0.0, $0.1) }

  /// Each is a key of `[agent]`.
  static let agentCases: [Case] = [
    (
      "clock = \"24\"",
      [
        "2:9: error: clock must be \"auto\", \"12h\" or \"24h\", not \"24\"\nhint: did you mean \"24h\"?"
      ]
    ),
    (
      "on_close = 3",
      ["2:12: error: on_close must be \"auto\", \"stop\", \"snooze\" or \"ring\", not 3"]
    ),
    ("device = []", ["2:10: error: device is an empty list\nhint: leave it out, or name one"]),
    ("device = 3", ["2:10: error: device must be a name, or a list of names, not 3"]),
    (
      #"device = ["a", 3]"#,
      ["2:16: error: device must be text in quotes, not 3"]
    ),
    ("mixer = \"up\"", ["2:9: error: mixer must be \"raise\" or \"leave\", not \"up\""]),
    (
      "mixer_floor = 101",
      ["2:15: error: mixer_floor must be a whole number from 0 to 100, not 101"]
    ),
    (
      "volume = 3",
      ["2:1: warning: unknown key \"volume\"\nhint: \"volume\" belongs under [defaults]"]
    ),
  ].map { ("[agent]\n" + $0.0, $0.1) }

  @Test("tables of another shape are told", arguments: tableCases)
  func tables(text: String, expected: [String]) {
    #expect(complaints(about: text) == expected)
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
      #""\u001B[2J" = 3"#,
      ["1:1: warning: unknown key \"\\u001B[2J\""]
    ),
  ]

  @Test func `all mistakes are told at once, in the order of the text`() {
    #expect(
      complaints(
        about: """
          volume = 3
          [[alarm]]
          days = "mondy"
          [agent]
          clock = 3
          [defaults]
          late = 5
          """) == [
          "1:1: warning: unknown key \"volume\"\nhint: \"volume\" belongs under [defaults]",
          "2:1: error: this alarm has no time\nhint: write time = 07:30",
          "3:8: error: no weekday is called \"mondy\"\nhint: did you mean \"monday\"?",
          "5:9: error: clock must be \"auto\", \"12h\" or \"24h\", not 3",
          "7:8: error: late is 5: a duration needs a unit\n"
            + "hint: write \"5m\" for minutes, \"5s\" for seconds",
        ])
  }

  @Test func `a wrong setting keeps its default, and the rest of its table holds`() {
    let reading = read(
      "[defaults]\nvolume = 101\nlate = \"1m\"\n[agent]\nclock = 1\nmixer = \"leave\"")
    #expect(reading.configuration.defaults.volume == 80)
    #expect(reading.configuration.defaults.late == .minutes(1))
    #expect(reading.configuration.agent.clock == .automatic)
    #expect(reading.configuration.agent.mixer == .leave)
    #expect(reading.hasErrors)
  }

  @Test func `warnings cost nothing`() {
    let reading = read("[[alarm]]\ntime = 07:30\ncolour = \"red\"")
    #expect(reading.configuration.alarms.count == 1)
    #expect(!reading.hasErrors && reading.diagnostics.count == 1)
  }
}
