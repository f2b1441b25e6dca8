// SPDX-License-Identifier: GPL-3.0-or-later
//
// A config that is read by what is known of the one before says what a reading of the whole would
// say, whatever was changed.

import Configuration
import TOML
import Testing

@Suite struct KnownTextTests {
  private static let text = """
    [defaults] # for all
    volume = 70

    # the first
    [[alarm]]
    id = "work"
    time = 07:30
    days = "weekdays"

    [[clock]]
    timezone = "Asia/Seoul"

      [[alarm]]
      time = 05:15
      label = "Train" # made of this
      date = 2026-12-24
    [[alarm]]
    time = 05:15
    label = "Train"
    [[timer]]
    name = "tea"
    duration = "4m"
    [[alarm]]
    time = 15:00
    snooze = [
      "5m",
      "10m",
    ]

    """

  private func known(_ text: String) throws -> KnownText {
    let (reading, known) = Configuration.read(
      Array(text.utf8), file: "config.toml", in: context, knowing: nil, leastBytes: 0)
    try #require(reading.diagnostics.isEmpty)
    return try #require(known)
  }

  /// Reads `after` by what is known of `before`; whether nothing but an alarm was read.
  @discardableResult
  private func readAnew(_ before: String, _ after: String) throws -> Bool {
    let known = try known(before)
    let (reading, next) = Configuration.read(
      Array(after.utf8), file: "config.toml", in: context, knowing: known, leastBytes: 0)
    #expect(reading == read(after), "\(after)")
    // And once more by what is known then, which is of this text or the one before.
    let again = Configuration.read(
      Array(before.utf8), file: "config.toml", in: context, knowing: next, leastBytes: 0)
    #expect(again.reading == read(before), "\(after)")
    return next.map { $0.bytes == Array(after.utf8) && $0.reading == reading } ?? false
  }

  @Test(arguments: [
    ("07:30", "08:30"), ("\"weekdays\"", "\"daily\""), ("date = 2026-12-24", "date = 2026-12-25"),
    ("time = 07:30", "time = 07:30\nlabel = \"[[alarm]]\""), ("# made of this", "# [[alarm]]"),
    ("  \"5m\",\n", ""), ("\"10m\",\n]", "\"10m\",\n]\nenabled = false"),
    ("id = \"work\"", "id='work'"),
    ("days = \"weekdays\"", "label = '''\n[[alarm]]\n'''"), ("15:00", "\"3 pm\""),
  ])
  func `a change inside of an alarm is what it says`(old: String, new: String) throws {
    let after = Self.text.replacing(old, with: new, maxReplacements: 1)
    #expect(after != Self.text)
    #expect(try readAnew(Self.text, after))
    let crlf = { (text: String) in "\u{FEFF}" + text.replacing("\n", with: "\r\n") }
    try readAnew(crlf(Self.text), crlf(after))
  }

  @Test(arguments: [
    // Names of other alarms, too.
    ("id = \"work\"", "id = \"train\""), ("id = \"work\"\n", ""), ("\"Train\" #", "\"Car\" #"),
    ("label = \"Train\"\n[[timer]]", "id = \"train\"\n[[timer]]"),
    ("id = \"work\"", "id = \"train-2\""),
    // Mistakes.
    ("07:30", "25:30"), ("07:30", "07:30\nvolum = 3"), ("[[alarm]]", "[[alarms]]"), ("07:30", "'"),
    ("07:30", "07:30\nlabel = '''"), ("days = \"weekdays\"", "days = \"weekdays"), ("15:00", ""),
    // More or fewer alarms, other tables.
    ("days = \"weekdays\"", "[[alarm]]\ntime = 09:00"), ("[[alarm]]\nid", "id"), ("[[alarm]]", ""),
    ("days = \"weekdays\"", "[agent]\nclock = \"24h\""), ("volume = 70", "volume = 71"),
    ("\"4m\"", "\"5m\""), ("Asia/Seoul", "UTC"), ("[[timer]]", "# [[timer]]"),
    ("[defaults]", "[agent]"),
    ("days = \"weekdays\"", "[alarm.x]\ny = 1"), ("# the first\n", "\u{0}"),
  ])
  func `any other change is read as a whole`(old: String, new: String) throws {
    let after = Self.text.replacing(old, with: new, maxReplacements: 1)
    #expect(after != Self.text)
    try readAnew(Self.text, after)
    try readAnew(Self.text, after + after)
  }

  @Test func `whatever bytes are changed, it is what a reading of the whole gives`() throws {
    let seed = UInt64.random(in: 0...999_999)
    var random = Repeatable(state: seed)
    let known = try known(Self.text)
    let pieces = [
      "[[alarm]]\n", "\"", "\n", "'''", "x = 1\n", "0", "]", "", "", "time = 08:00\n", "#",
    ]
    for _ in 0..<3000 {
      var bytes = Array(Self.text.utf8)
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 0...9, using: &random))
      bytes.replaceSubrange(start..<end, with: Array(pieces.randomElement(using: &random)!.utf8))
      let (reading, _) = Configuration.read(
        bytes, file: "config.toml", in: context, knowing: known, leastBytes: 0)
      #expect(reading == read(bytes), "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}

private struct Repeatable: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 31)
  }
}
