// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads mutated, enormous and deeply nested configs, and configs full of errors. None of them may
// crash the reader or keep it busy for long.

import Configuration
import Language
import TOML
import TestData
import Testing

@Suite struct HostileTextTests {
  @Test func `a label that is too long is cut between characters, and the alarm rings`() {
    let long = "x" + String(repeating: "각", count: 400)
    let reading = Configuration.read(
      Array("[[alarm]]\ntime = 07:30\nlabel = \"\(long)\"\n".utf8), file: "config.toml", in: context
    )
    #expect(reading.configuration.alarms.map(\.label) == [String(long.prefix(334))])
    #expect(reading.diagnostics.map(\.severity) == [.warning])
  }

  @Test func `a long line that is not TOML is refused at once`() {
    for part in [";", "[", "a,", "\"", "{", "-", "a."] {
      let reading = read(Array("x = 1 \(String(repeating: part, count: 300_000))".utf8))
      #expect(!reading.isTOML && reading.diagnostics.count == 1, "\(part)")
      _ = read(Array("x = a \(String(repeating: part, count: 300))".utf8))
    }
  }

  @Test func `no mutation of the complete file crashes the reader`() {
    let seed = Chance.firstSeed
    print("mutations with seed \(seed)")
    var random = Chance(seed: seed)
    let sample = Array(completeFile.utf8)
    for _ in 0..<2000 {
      let bytes = mutated(sample, &random)
      let reading = read(bytes)
      #expect(reading.isTOML || reading.diagnostics.count == 1)
      let source = SourceLines(bytes)
      for diagnostic in reading.diagnostics {
        #expect(diagnostic.line >= 1 && diagnostic.column >= 1)
        let shown = diagnostic.description(showing: source).unicodeScalars
        #expect(!shown.contains { $0 != "\n" && TerminalText.acts($0) })
      }
    }
  }

  private static let snippets = [
    "[", "]", "{", "}", "\"", "'", "=", ".", ",", "\n", "\r", "\0", "\\u0000", "[[alarm]]\n", "-1",
    "99999999999999999999", "nan", "가", "\u{301}", "07:30", "2026-02-30", "\"\"\"", "#", "0x",
    "[[alarm.days]]\n", "[defaults.volume]\n", "true", "\u{FEFF}", "id = \"\"\n", "{a.b.c=[1]}",
  ].map { Array($0.utf8) }

  private func mutated(_ sample: [UInt8], _ random: inout Chance) -> [UInt8] {
    var bytes = sample
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
      let piece: [UInt8] =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: []
        case 1: [UInt8.random(in: 0...255, using: &random)]
        case 2: Self.snippets.randomElement(using: &random) ?? []
        default: Array(sample[start % sample.count..<min(sample.count, start % sample.count + 40)])
        }
      bytes.replaceSubrange(start..<end, with: piece)
    }
    return bytes
  }

  @Test(.timeLimit(.minutes(5))) func `a hundred thousand alarms are read`() {
    let text = (0..<100_000).map { number in
      """
      [[alarm]]
      time = \(number / 60 % 24 < 10 ? "0" : "")\(number / 60 % 24):15
      days = ["mon", "tue", "wed"]
      label = "Alarm \(number)"
      volume = \(number % 100 + 1)


      """
    }.joined()
    let reading = read(text)
    #expect(reading.diagnostics == [])
    #expect(reading.configuration.alarms.count == 100_000)
    #expect(reading.configuration.alarms.last?.id == "alarm-99999")
    #expect(reading.configuration.alarms.last?.ring.volume == 100)
  }

  @Test(.timeLimit(.minutes(5))) func `of very many errors, the first thousand are reported`() {
    let text = String(repeating: "[[alarm]]\ntime = \"soon\"\ndays = [\"mondy\"]\n", count: 20_000)
    let reading = read(text)
    #expect(reading.diagnostics.count == 1001)
    #expect(
      reading.diagnostics.last?.description
        == "config.toml:1500:9: error: and 39000 more, not shown")
    #expect(reading.configuration.alarms.isEmpty && reading.hasNamelessAlarms)
  }

  @Test func `a reading has errors even if none of them is among those that are shown`() {
    let unknown = (0..<1000).map { "k\($0) = 1\n" }.joined()
    let reading = read("[defaults]\n" + unknown + "[[alarm]]\n")
    #expect(reading.hasErrors)
    #expect(reading.diagnostics.last?.message.description == "and 1 more, not shown")
  }

  @Test(arguments: [(999, "error"), (1000, "warning")])
  func `what is left out is an error only if one of the errors is`(shown: Int, severity: String) {
    // The unknown key is found last, after all alarms and after the last timer.
    let alarms = String(repeating: "[[alarm]]\ntime = \"soon\"\n", count: shown)
    let reading = read("x = 1\n\(alarms)\(shown < 1000 ? "[[timer]]\n" : "")")
    #expect(reading.diagnostics.count == 1001)
    #expect(reading.diagnostics.last?.severity.rawValue == severity)
  }

  @Test(
    "a config nested as deeply as allowed, or deeper, does not overflow the stack",
    arguments: [15, 16], ["", "="])
  func depth(braces: Int, tail: String) {
    let dotted = Array(repeating: "a", count: 31).joined(separator: ".")
    let text =
      "[\(dotted)]\n\(dotted) = " + String(repeating: "{\n\(dotted) = ", count: braces) + "1"
      + String(repeating: "\n}", count: braces) + "\n" + tail
    #expect(read(text).isTOML == (braces < 16 && tail.isEmpty))
  }

  @Test func `a value of any kind under any key causes no crash`() {
    let keys = [
      "sound", "volume", "fade_in", "snooze", "ring_for", "unanswered", "auto_snoozes", "late",
      "upcoming", "wake", "on_ring", "on_stop", "id", "time", "days", "date", "label", "except",
      "timezone", "enabled", "name", "duration", "city", "clock", "on_close", "device", "mixer",
      "mixer_floor", "pause_media", "countdown", "tray", "wake_ahead",
      "lock_screen",
    ]
    let values = [
      "\"\"", "\"x\"", "\"\\u0000\"", "-1", "9223372036854775807", "-9223372036854775808", "1e400",
      "-inf", "true", "0000-01-01", "9999-12-31", "00:00", "23:59:59.999999999",
      "1979-05-27T07:32:00-23:59", "[]", "[[]]", "[[[]]]", "{}", "[{}]", "[1, \"a\", []]",
    ]
    for table in ["[defaults]", "[agent]", "[[alarm]]", "[[pause]]", "[[timer]]", "[[clock]]"] {
      for key in keys {
        for value in values {
          #expect(read("\(table)\n\(key) = \(value)").isTOML || value == "1e400")
        }
      }
    }
  }
}
