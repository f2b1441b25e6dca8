// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact text of every message about the values and tables of a config. Most cases are in
// the folder `Complaints`. `SyntaxTests.swift` tests text that is not TOML.

import Configuration
import Testing

@Suite struct DiagnosticTests {
  @Test(
    "a word is taken for a known word if at most a third of its letters are wrong",
    arguments: [
      ("omn", "mon"), ("mno", "mon"), ("mn", "mon"), ("moon", "mon"), ("mun", "mon"),
      ("nom", nil), ("mndoay", "Monday"), ("MOANDY", "Monday"), ("odnmay", nil), ("tuesday", nil),
      ("x", nil), ("", nil),
    ])
  func nearMatches(word: String, match: String?) {
    #expect(nearMatch(to: word, among: ["mon", "Monday", "y"]) == match)
  }

  @Test(
    "of several words the nearest is meant, and the first of those that are equally near",
    arguments: [
      ("mondya", ["mondayz", "monday"], "monday"), ("mondya", ["monday", "mondayz"], "monday"),
      ("mond", ["mend", "mono"], "mend"), ("ab", ["ba"], "ba"), ("ab", ["cd"], nil),
      ("a", ["b"], nil), ("abc", ["abd"], "abd"), ("abc", ["acd"], nil), ("abc", ["abcde"], nil),
      ("abcdef", ["abcdxy"], "abcdxy"), ("abcdef", ["abcxyz"], nil), ("abcdef", ["abcd"], "abcd"),
      ("abcdef", ["abc"], nil), ("abcd", ["abcdef"], "abcdef"), ("abc", ["abcdef"], nil),
      (long, [String(long.dropLast())], String(long.dropLast())), (long + "x", [long], nil),
    ] as [(String, [String], String?)])
  func nearest(word: String, candidates: [String], match: String?) {
    #expect(nearMatch(to: word, among: candidates) == match)
  }

  /// The longest word that is compared.
  private static let long = String(repeating: "x", count: 256)

  @Test(
    "what cannot be is told, with what can",
    arguments: ["values", "alarm", "tables"].flatMap(Complaints.cases) + unseen)
  func complaint(text: String, expected: [String]) {
    #expect(complaints(about: text) == expected)
  }

  /// Cases that a text file cannot show well: invisible characters, a very long label, and a blank
  /// line at the beginning.
  private static let unseen: [Complaints.Case] = [
    (
      "[[alarm]]\ntime = 07:30\nid = \"x\(String(repeating: "\u{301}", count: 700))\"",
      ["3:6: error: \"id\" is longer than 100 characters"]
    ),
    (
      "[[alarm]]\ntime = 07:30\nlabel = \"\(String(repeating: "각", count: 334))\"",
      ["3:9: warning: \"label\" is longer than 1000 bytes, and is cut there"]
    ),
    (
      "\n[[timer]]",
      [
        "2:1: error: this timer has no name\nhint: write name = \"tea\"",
        "2:1: error: this timer has no duration\nhint: write duration = \"4m\"",
      ]
    ),
  ]

  /// For each setting that is no plain number, written with `V` for its value, the ends of its
  /// range and what is outside.
  private static let ranges: [(text: String, inside: [String], outside: [String])] = [
    ("[defaults]\nlate = V", ["'0s'", "'36500d'"], ["'36500d1s'"]),
    (
      "[defaults]\nsnooze = V", ["'1s'", "[]", "['1m', '2m', '3m']"],
      ["'0s'", "['1m', '2m', '3m', '4m']"]
    ),
    ("[defaults]\nring_for = V", ["'1s'", "'forever'"], ["'0s'"]),
    ("[defaults]\nfade_in = V", ["'0s'"], ["'-1s'"]),
    ("[[alarm]]\ntime = 07:30\nbedtime = V", ["'0s'", "'1m'", "'24h'"], ["'59s'", "'24h1s'"]),
    (
      "[[alarm]]\ntime = 07:30\nfrom = 2026-11-23\nevery = V", ["'1 days'", "'1000 years'"],
      ["'0 days'", "'1001 days'"]
    ),
    ("[[timer]]\nname = 'a'\nduration = V", ["'1s'", "'366d'"], ["'0s'", "'366d1s'"]),
    (
      "[[timer]]\nname = 'a'\nduration = '9s'\nrepeat = V", ["1", "1000000", "'forever'"],
      ["0", "1000001"]
    ),
    ("[[timer]]\nname = 'a'\nduration = '9s'\nwarn = V", ["'8s'"], ["'9s'"]),
    (
      "[[chime]]\nevery = V", ["'1s'", "'30m'", "'1h'", "'24h'"],
      ["'0s'", "'7m'", "'90m'", "'25h'", "'86401s'"]
    ),
    ("[[alarm]]\ntime = 07:30\nlabel = V", ["'\(String(repeating: "x", count: 1000))'"], []),
    ("[[timer]]\nduration = '9s'\nname = V", ["'\(long.prefix(100))'"], ["'\(long.prefix(101))'"]),
  ]

  @Test("each end of a range is in it, and what is beyond is an error", arguments: ranges)
  func range(text: String, inside: [String], outside: [String]) {
    func severities(_ value: String) -> [Diagnostic.Severity] {
      read(text.replacing("V", with: value)).diagnostics.map(\.severity)
    }
    for value in inside { #expect(severities(value) == [], "\(value)") }
    for value in outside { #expect(severities(value) == [.error], "\(value)") }
  }

  @Test func `each end of the range of a number is in it, and what is beyond is an error`() {
    for table in Configuration.schema where ["defaults", "agent"].contains(table.name) {
      for case (let key, .wholeNumber(let range)) in table.keys.map({ ($0.name, $0.value) }) {
        func errors(_ value: Int) -> Int {
          read("[\(table.name)]\n\(key) = \(value)").diagnostics.count { $0.severity == .error }
        }
        let ends = [range.lowerBound, range.upperBound].filter { $0 != .max }
        for end in ends { #expect(errors(end) == 0, "\(key) = \(end)") }
        #expect(errors(range.lowerBound - 1) == 1, "\(key)")
        if range.upperBound != .max { #expect(errors(range.upperBound + 1) == 1, "\(key)") }
      }
    }
  }

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
          "5:9: error: \"clock\" must be \"auto\", \"12h\" or \"24h\", not 3",
          "7:8: error: \"late\" is 5: a duration needs a unit\n"
            + "hint: write \"5m\" for minutes, \"5s\" for seconds",
        ])
  }

  @Test func `a wrong setting keeps its default, and the rest of its table is valid`() {
    let reading = read(
      "[defaults]\nvolume = 101\nlate = \"1m\"\n[agent]\nclock = 1\nmixer = \"leave\"")
    #expect(reading.configuration.defaults.volume == 80)
    #expect(reading.configuration.defaults.late == .minutes(1))
    #expect(reading.configuration.agent.clock == .automatic)
    #expect(reading.configuration.agent.mixer == .leave)
    #expect(reading.hasErrors)
  }

  @Test func `a warning does not make a setting invalid`() {
    let reading = read("[[alarm]]\ntime = 07:30\ncolour = \"red\"")
    #expect(reading.configuration.alarms.count == 1)
    #expect(!reading.hasErrors && reading.diagnostics.count == 1)
  }
}
