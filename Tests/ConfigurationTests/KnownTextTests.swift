// SPDX-License-Identifier: GPL-3.0-or-later
//
// A config that is read by what is known of the one before says what a reading of the whole would
// say, whatever was changed; and one that is edited so is, byte for byte, what an edit of the whole
// would make of it.

import Configuration
import Lab
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
    ("[[alarm]]\nid", "id"), ("[[alarm]]", ""),
    ("[[clock]]\ntimezone = \"Asia/Seoul\"", "[[alarm]]\ntime = 06:00"),
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

  private static let distinct = text.replacing("label = \"Train\" #", with: "label = \"Bus\" #")

  @Test(arguments: [
    // One more, at any place; with an id, and without.
    ("days = \"weekdays\"", "[[alarm]]\ntime = 09:00"),
    ("[[alarm]]\ntime = 15:00", "[[alarm]]\nid = \"x\"\ntime = 15:00\n[[alarm]]\ntime = 16:00"),
    ("\"10m\",\n]\n", "\"10m\",\n]\n\n# a new one\n[[alarm]]\ntime = 15:01\n"),
    ("\"10m\",\n]\n", "\"10m\",\n]\n[[alarm]]\ntime = 15:01\n[[alarm]]\ntime = 15:02\n"),
    // One less.
    ("[[alarm]]\ntime = 15:00\nsnooze = [\n  \"5m\",\n  \"10m\",\n]\n", ""),
    ("[[alarm]]\ntime = 05:15\nlabel = \"Train\"\n", ""),
    // Another name, of another alarm.
    ("id = \"work\"", "id = \"worked\""), ("id = \"work\"\n", ""), ("\"Bus\" #", "\"Car\" #"),
    // Two at once.
    ("# made of this\n  date = 2026-12-24\n[[alarm]]\ntime = 05:15", "\n[[alarm]]\ntime = 05:16"),
  ])
  func `more and fewer alarms are what they say`(old: String, new: String) throws {
    // A few others behind them, as there may be a hundred thousand.
    let others = (0..<3).map { "[[alarm]]\nid = \"other-\($0)\"\ntime = 09:30\n\n" }.joined()
    for rest in ["", others] {
      let (before, after) = (Self.distinct + rest, Self.distinct.replacing(old, with: new) + rest)
      #expect(after != before)
      #expect(try readAnew(before, after))
      #expect(try readAnew(after, before))
    }
  }

  @Test func `whatever alarms are put in and taken out, all are called what they were`() throws {
    let seed = Chance.firstSeed
    var random = Chance(seed: seed)
    var isKnown = 0
    for _ in 0..<400 {
      var alarms = (0..<Int.random(in: 2...9, using: &random)).map { _ in Self.alarm(&random) }
      let before = alarms.joined()
      let result = Configuration.read(
        Array(before.utf8), file: "config.toml", in: context, knowing: nil, leastBytes: 0)
      guard let known = result.known else { continue }
      let place = Int.random(in: 0..<alarms.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: alarms.insert(Self.alarm(&random), at: place)
      case 1: alarms.remove(at: place)
      default: alarms[place] = Self.alarm(&random)
      }
      let after = Array(alarms.joined().utf8)
      let (reading, new) = Configuration.read(
        after, file: "config.toml", in: context, knowing: known, leastBytes: 0)
      #expect(reading == read(after), "seed \(seed):\n\(before)\n---\n\(alarms.joined())")
      isKnown += new?.bytes == after ? 1 : 0
    }
    #expect(isKnown > 100, "seed \(seed)")
  }

  /// One of few names, so that they often meet.
  private static func alarm(_ random: inout Chance) -> String {
    let name = ["work", "work-2", "work-3", "car", "bus", "x"].randomElement(using: &random)!
    let key = ["id", "label", "label"].randomElement(using: &random)!
    let time = ["time = 07:30", "time = 08:00"].randomElement(using: &random)!
    let end = ["", "\n", "# about it\n", "\n# about the next\n"].randomElement(using: &random)!
    return ["[[alarm]]\n\(key) = \"\(name)\"\n\(time)\n\(end)", "[[alarm]]\n\(time)\n\(end)"]
      .randomElement(using: &random)!
  }

  @Test func `an edit by what is known is byte for byte the edit of the whole`() throws {
    let seed = Chance.firstSeed
    var random = Chance(seed: seed)
    let changes: [ConfigEdit.Setting] = [
      .init("enabled", .set(.boolean(false))), .init("enabled", .unset), .init("days", .unset),
      .init("label", .set(.string("a \"b\" [[alarm]]\n"))), .init("date", .unset),
      .init("snooze", .set(.array([TOMLValue(.string("7m"))]))), .init("id", .set(.string("new"))),
      .init("except", .append([.date(TOMLDate(year: 2027, month: 1, day: 2))])),
      .init("snooze", .append([.string("1m")])), .init("time", .set(.string("6 am"))),
    ]
    let styles: [(String) -> String] = [
      { $0 }, { $0.replacing("\n", with: "\r\n") }, { "\u{FEFF}" + $0 },
      { String($0.dropLast()) }, { $0.replacing("= ", with: "=") },
      {
        $0 + "[[alarm]]\nid = \"last\" # it is\ntime = 09:00\nexcept = [\n  2026-12-25, # none\n]"
      },
    ]
    for _ in 0..<600 {
      let text = styles.randomElement(using: &random)!(Self.distinct)
      let known = try known(text)
      let edits = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        ConfigEdit.change(
          of: "alarm", at: Int.random(in: 0..<4, using: &random),
          (0..<Int.random(in: 1...3, using: &random)).map { _ in
            changes.randomElement(using: &random)!
          })
      }
      let bytes = Array(text.utf8)
      let whole = Result { () throws(ConfigEdit.Failure) in try ConfigEdit.apply(edits, to: bytes) }
      let part = Result { () throws(ConfigEdit.Failure) in
        try ConfigEdit.apply(edits, to: bytes, knowing: known)
      }
      #expect(part == whole, "seed \(seed): \(edits)\n\(text)")
    }
  }

  @Test func `whatever bytes are changed, it is what a reading of the whole gives`() throws {
    let seed = Chance.firstSeed
    var random = Chance(seed: seed)
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
