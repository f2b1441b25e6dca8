// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every message about a value of the config, word for word. The manual lists the same ones.
// Next: `TableDiagnosticTests.swift`, `AlarmDiagnosticTests.swift`.

import Configuration
import Testing

@Suite struct DiagnosticTests {
  /// The lines of a text, and every diagnostic about it.
  typealias Case = (text: String, complaints: [String])

  @Test("a value that cannot be is told, with what can", arguments: ringCases + agentCases)
  func values(text: String, expected: [String]) {
    #expect(complaints(about: text) == expected)
  }

  /// Each is a key of `[defaults]`.
  static let ringCases: [Case] = [
    ("sound = 3", ["2:9: error: sound must be a name, or a list of names, not 3"]),
    (
      "sound = \"\"",
      ["2:9: error: sound is empty\nhint: leave it out where there is nothing to say"]
    ),
    (#"sound = "a\u0000b""#, ["2:9: error: sound holds a NUL character"]),
    (
      "volume = 0",
      ["2:10: warning: volume is 0: this will not be heard\nhint: write 1 or more, up to 100"]
    ),
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
    (
      "lock_screen = \"none\"",
      ["2:15: error: lock_screen must be \"details\" or \"count\", not \"none\""]
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
