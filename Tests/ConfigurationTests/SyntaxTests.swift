// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests messages about texts that are not TOML. If Belfry recognises what a line means, the message
// proposes how to write the line.

import Configuration
import Foundation
import TestData
import Testing

@Suite struct SyntaxTests {
  private static let cases = Complaints.cases("syntax") + unseen

  /// Cases with invisible characters, which would be hard to recognise in a text file.
  private static let unseen: [Complaints.Case] = [
    ("time = 07:30 # ok\nlabel\u{3000}= \"Work\"", corrected("2:6", #"label = "Work""#)),
    ("days = [\u{A0}\"mon\",\n \"fri\" ]", ["1:9: error: \(invalid)\n\(example)"]),
    ("label = \"Work\"\u{3000}", corrected("1:15", #"label = "Work""#)),
    ("label = \"a\u{1}b\"", corrected("1:11", #"label = "a b""#)),
    ("# a\u{1}b", corrected("1:4", "# a b")),
    ("time = 07:30\r", corrected("1:13", "time = 07:30")),
    (
      "days = [\"mon\", # first\n\n[[alarm]]\ntime = 07:30",
      [
        "3:3: error: \(invalid)\nhint: the value that begins in line 1 has an error, or no end"
      ]
    ),
  ]

  /// Returns a line of this length that needs a correction.
  private static func line(bytes: Int) -> String {
    "label = “" + String(repeating: "x", count: bytes - 14) + "”"
  }

  private static let invalid = "this line is not valid TOML"
  private static let example =
    "hint: write one setting in a line, such as label = \"Work\"; # begins a comment"

  private static func corrected(_ place: String, _ line: String) -> [String] {
    ["\(place): error: \(invalid)\nhint: write \(line)"]
  }

  @Test("a syntax error is explained", arguments: cases)
  func explained(text: String, expected: [String]) {
    #expect(complaints(about: text) == expected)
    #expect(!read(text).isTOML)
  }

  @Test("a second byte order mark is an error like any other invisible character")
  func secondMark() {
    #expect(
      complaints(about: "\u{FEFF}\u{FEFF}time = 07:30") == Self.corrected("1:1", "time = 07:30"))
  }

  @Test("the message is the same with Windows line ends, a byte order mark, or lines above")
  func explainedAnywhere() {
    for (text, complaints) in Self.cases {
      // Split the diagnostic into its position, such as `1:8`, and its message.
      let parts = complaints[0].prefix { $0 != "\n" }.components(separatedBy: ": error: ")
      let windows = text.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: "\r\n")
      let found = read("\u{FEFF}\(windows)").diagnostics.first
      #expect(found.map { ["\($0.line):\($0.column)", "\($0.message)"] } == parts, "\(text)")
      let below = read("# 가 = [\n\n#\"\n\(text)").diagnostics.first
      #expect(below.map { "\($0.line - 3):\($0.column)" } == parts[0], "\(text)")
    }
  }

  @Test func `a slip of a key in the sample config is one error with a place in the file`() throws {
    let seed = Chance.firstSeed
    print("mutations of the sample with seed \(seed)")
    var random = Chance(seed: seed)
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../desktop/samples/example.toml")
    let sample = Array(try String(contentsOf: url, encoding: .utf8).unicodeScalars)
    var unexplained = 0
    let count = Chance.asked("BELFRY_MUTATIONS") ?? 300
    for _ in 0..<count {
      let text = Self.mutated(sample, &random)
      let reading = read(text)
      guard !reading.isTOML else { continue }
      let error = try #require(reading.diagnostics.first)
      #expect(reading.diagnostics.count == 1)
      let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      #expect((1...lines.count).contains(error.line), "\(error)")
      let line = lines[min(error.line, lines.count) - 1]
      #expect((1...line.count + 1).contains(error.column), "\(error)")
      // The messages of toml++, which Belfry replaces by its own, begin with these words.
      #expect(!"\(error)".contains("Error while parsing"))
      guard error.message.key == "this line is not valid TOML" else { continue }
      unexplained += 1
      if count > 1000 { print("\(error): \(String(line))") }
    }
    print("\(unexplained) of \(count) are not explained")
  }

  private static func mutated(_ sample: [Unicode.Scalar], _ random: inout Chance) -> String {
    let typed = Array("abz019 \t\n\r\"'[]{}=:,.#\\-_+%;/“”　가\u{0}\u{1B}".unicodeScalars)
    var text = sample
    let index = random.number(0...(text.count - 1))
    switch random.number(0...3) {
    case 0: text.remove(at: index)
    case 1: text.insert(random.pick(typed), at: index)
    case 2: text[index] = random.pick(typed)
    default: text.swapAt(index, max(0, index - 1))
    }
    var string = String.UnicodeScalarView()
    string.append(contentsOf: text)
    return String(string)
  }
}
