// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text that is not TOML: the errors that people make are explained in our words, with the place of
// the error and what to write instead.

import Configuration
import Foundation
import Lab
import Testing

@Suite struct SyntaxTests {
  @Test("an error of the syntax is explained", arguments: cases)
  func explained(text: String, place: String, message: String, hint: String?) {
    let expected = "\(place): error: \(message)" + (hint.map { "\nhint: \($0)" } ?? "")
    #expect(complaints(about: text) == [expected])
    #expect(!read(text).isTOML)
  }

  @Test("it is the same in a file from Windows, with a byte order mark, and below other lines")
  func explainedAnywhere() {
    for (text, place, message, _) in Self.cases {
      let windows = text.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: "\r\n")
      let found = read("\u{FEFF}\(windows)\r\n").diagnostics.first
      #expect(found.map { "\($0.line):\($0.column) \($0.message)" } == "\(place) \(message)")
      let below = read("# 가 = [\n\n#\"\n\(text)").diagnostics.first
      #expect(below.map { "\($0.line - 3):\($0.column)" } == place, "\(text)")
    }
  }

  @Test func `a slip of a key in the sample config is one error with a place in the file`() throws {
    let seed = Chance.firstSeed
    print("mutations of the sample with seed \(seed)")
    var random = Chance(seed: seed)
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../desktop/example.toml")
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
      // toml++ words all its errors like this.
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
