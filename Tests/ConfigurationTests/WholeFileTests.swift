// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests configs with the line ends and byte order marks that editors write, and files that are not
// a config at all.

import Configuration
import Testing

@Suite struct WholeFileTests {
  @Test func `line endings, a byte order mark and a missing last newline change nothing`() {
    let plain = read(completeFile).configuration
    let windows = completeFile.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n")
    #expect(read(windows).configuration == plain)
    #expect(read([0xEF, 0xBB, 0xBF] + Array(completeFile.utf8)).configuration == plain)
    #expect(read(String(completeFile.dropLast())).configuration == plain)
    #expect(read([0xEF, 0xBB, 0xBF]).configuration == Configuration())
    #expect(read("# nothing\r\n").configuration == Configuration())
  }

  @Test func `dotted keys, inline tables and arrays of tables give the same config`() {
    let header = read("[[alarm]]\ntime = 07:30\nvolume = 5\n[defaults]\nlate = \"1m\"")
    for text in [
      "alarm = [{time = 07:30, volume = 5}]\ndefaults.late = \"1m\"",
      "alarm = [\n  {\n    time = 07:30,\n    volume = 5,\n  },\n]\ndefaults = {late = \"1m\"}",
      "\"alarm\" = [{'time' = \"7:30\", \"vol\\u0075me\" = 0x5}]\n[defaults]\n\"late\" = '60s'",
    ] {
      #expect(read(text).configuration == header.configuration)
    }
  }

  @Test(
    "columns in messages are counted in code points, from 1",
    arguments: [
      ("\u{FEFF}volme = 1", 1), ("\t\tvolme = 1", 3), ("a = \"가나다\"\r\n\t volme = 1", 3),
      ("defaults = {label = \"👨‍👩‍👧\", volme = 1}", 30),
      ("defaults = {label = \"가나\", volme = 1}", 27),
    ])
  func column(text: String, column: Int) {
    let found = read(text).diagnostics.first { $0.message.description == "unknown key \"volme\"" }
    #expect(found?.column == column)
  }

  @Test("a text that is not TOML is one error", arguments: syntaxCases)
  func syntax(text: String, expected: String) {
    let reading = read(completeFile + text)
    let first = completeFile.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(!reading.isTOML && reading.hasErrors)
    #expect(reading.configuration == Configuration())
    #expect(reading.diagnostics.map(\.description) == ["config.toml:\(first)\(expected)"])
  }

  private static let invalid =
    "this line is not valid TOML\n"
    + "hint: write one setting in a line, such as label = \"Work\"; # begins a comment"

  /// Invalid lines that the test appends to the complete config. `SyntaxTests.swift` has more
  /// invalid texts.
  static let syntaxCases = [
    ("time = 7:30", ":8: error: this line is not valid TOML\nhint: write time = 07:30"),
    ("names = \u{1B}[2J", ":9: error: \(invalid)"),
    ("\u{1B}", ":1: error: \(invalid)"),
    ("\0", ":1: error: \(invalid)"),
    (String(repeating: "a.", count: 300) + "a = 1", ":1: error: \(invalid)"),
  ]

  @Test(
    "a text that is not UTF-8 is one error, at its first wrong byte",
    arguments: [
      ([0xFF], 1, 1), (Array("a = 1\n# 가".utf8) + [0xC3, 0x28], 2, 4),
      (Array("가".utf8.dropLast()), 1, 1), ([0xEF, 0xBB, 0xBF, 0x80], 1, 1),
      (Array("# a\r\n\t".utf8) + [0xED, 0xA0, 0x80], 2, 2), ([0x23, 0xC0, 0x80], 1, 2),
    ] as [([UInt8], Int, Int)])
  func notUTF8(bytes: [UInt8], line: Int, column: Int) {
    #expect(
      complaints(about: bytes) == [
        "\(line):\(column): error: this is not UTF-8 text\n"
          + "hint: save the file in the encoding UTF-8"
      ])
    #expect(!read(bytes).isTOML)
  }

  @Test func `a file that cannot be read is one error`() {
    let diagnostic = Diagnostic(file: "a\u{1B}.toml", unreadable: "Permission denied")
    #expect(diagnostic.description == "a\\u001B.toml:1:1: error: cannot be read: Permission denied")
    #expect(Configuration.largestFile == 16_777_216)
  }
}
