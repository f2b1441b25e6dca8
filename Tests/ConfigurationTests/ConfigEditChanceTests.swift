// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files put together at random from the oddest pieces that TOML allows, and edits at random: every
// byte outside of the entry that is meant stays, and every value but the one that is meant. A
// failure prints the seed, `BELFRY_SEED=17` repeats it.

import Configuration
import Lab
import TOML
import Testing

/// A text whose maker knows whose each piece is.
private struct MadeText {
  enum Owner: Equatable {
    case entry(Int)
    /// A blank line, which may go with an entry beside it.
    case blank
    case other
  }

  var pieces: [(text: String, owner: Owner)] = []
  var count = 0
  /// The entries that have dotted keys or sub-tables, which no edit changes.
  var odd: Set<Int> = []

  var text: String { pieces.map(\.text).joined() }

  /// What must stay when that entry is edited: stretches of text, in order.
  func rest(without index: Int, blanksToo: Bool) -> [String] {
    var rest = [""]
    for (number, piece) in pieces.enumerated() {
      if piece.owner == .entry(index) {
        rest.append("")
      } else if blanksToo, piece.owner == .blank, isBeside(number, index) {
        rest.append("")
      } else {
        rest[rest.count - 1] += piece.text
      }
    }
    return rest
  }

  /// Whether only blank lines are between this piece and one of the entry.
  private func isBeside(_ number: Int, _ index: Int) -> Bool {
    let before = pieces[..<number].last { $0.owner != .blank }
    let behind = pieces[number...].first { $0.owner != .blank }
    return before?.owner == .entry(index) || behind?.owner == .entry(index)
  }
}

/// Makes texts and edits.
private struct Maker {
  var random: Chance
  private var made = MadeText()
  private var lineBreak = "\n"
  private var used = 0

  init(seed: UInt64) { random = Chance(seed: seed) }

  private mutating func pick<T>(_ items: [T]) -> T { items.randomElement(using: &random)! }
  private mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 1...n, using: &random) == 1 }

  mutating func text() -> MadeText {
    (made, used) = (MadeText(), 0)
    lineBreak = oneIn(3) ? "\r\n" : "\n"
    if oneIn(4) { made.pieces.append(("\u{FEFF}", .other)) }
    for _ in 0..<Int.random(in: 0...3, using: &random) { space() }
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      if oneIn(3) { foreign() } else { block() }
      space()
    }
    // Sometimes there is no line end at the end.
    if let last = made.pieces.indices.last, oneIn(3), made.pieces[last].text.hasSuffix(lineBreak) {
      made.pieces[last].text.removeLast()
    }
    return made
  }

  private mutating func add(_ line: String, _ owner: MadeText.Owner) {
    // Mixed line ends, too.
    let end = oneIn(12) ? "\n" : lineBreak
    made.pieces.append((line.replacing("\n", with: lineBreak) + end, owner))
  }

  private mutating func space() {
    for _ in 0..<Int.random(in: 0...2, using: &random) { add(pick(["", "", "  ", "\t"]), .blank) }
    guard oneIn(3) else { return }
    add(pick(["# a comment", "  # [[alarm]]", "#", "# 가 \"\"\" '''"]), .other)
    // Otherwise it would belong to what stands right below it, or above.
    made.pieces.insert((lineBreak, .blank), at: made.pieces.count - 1)
    made.pieces.append((lineBreak, .blank))
  }

  private mutating func foreign() {
    used += 1
    let name = pick(["t", "'t x'", #""t\u0041""#, " t "]) + pick([".", " . "]) + "n\(used)"
    add("[\(name)]", .other)
    for _ in 0..<Int.random(in: 0...2, using: &random) { add(item(), .other) }
  }

  private mutating func block() {
    let owner = MadeText.Owner.entry(made.count)
    made.count += 1
    let indent = pick(["", "", "  ", "\t"])
    if oneIn(3), made.pieces.contains(where: { $0.owner != .blank && $0.text != "\u{FEFF}" }) {
      if case .other? = made.pieces.last?.owner { add("", .blank) }
      add("# about \(made.count)", owner)
    }
    add(
      indent + pick(["[[alarm]]", "[[ alarm ]]", "[['alarm']]", #"[["al\u0061rm"]]"#]) + remark(),
      owner)
    let keys = keys()
    if keys.contains(where: { $0.contains(".") }) { made.odd.insert(made.count - 1) }
    for key in keys { add(indent + pick(["", "  "]) + item(key) + remark(), owner) }
    if oneIn(5) {
      made.odd.insert(made.count - 1)
      add("[alarm.more\(oneIn(2) ? ".and" : "")]", owner)
      add(item(), owner)
    }
    if oneIn(8) {
      add("# \(made.count) ends", owner)
      // Otherwise it would be about what comes next.
      add("", .blank)
    }
  }

  private mutating func remark() -> String { oneIn(4) ? "  # \"not\" [[a]] key = 1" : "" }

  private mutating func keys() -> [String] {
    var all = ["id", "time", "enabled", "label", "sound", "'volume'", "except"]
    if oneIn(4) { all += ["odd.key", "odd . b"] }
    return all.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)).map { $0 }
  }

  private mutating func item(_ key: String? = nil) -> String {
    used += 1
    let key = key ?? "k\(used)"
    return key + pick([" = ", "=", "  =  ", "\t= "]) + value()
  }

  private mutating func value() -> String {
    pick([
      "true", "1", "07:30", "2026-12-24", "2026-12-24 07:30:00Z", "'C:\\'", "\"\\\"]}#\"",
      "\"\"\"\n[[alarm]]\n# no\\\n  comment \"\" \\\"\"\"\"", "'''\n]]'' '''", "[1, 2,]", "[]",
      "-inf",
      "[\n  'a', # one ]\n  [{x = '}'}],\n]", "{}", "{a = 1, b.c = [2]}", "\"가\\u0041🎉\"",
    ])
  }

  mutating func setting() -> TOMLEdit.Setting {
    let key = pick([
      "id", "time", "enabled", "label", "sound", "volume", "except", "odd", "more", "new",
    ])
    let values: [TOMLValue.Kind] = [
      .boolean(false), .string("a\"]}\n#\\"), .integer(-3), .array([TOMLValue(.string("]"))]),
    ]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return TOMLEdit.Setting(key, .unset)
    case 1: return TOMLEdit.Setting(key, .append([pick(values), pick(values)]))
    default: return TOMLEdit.Setting(key, .set(pick(values)))
    }
  }
}

@Suite struct ConfigEditChanceTests {
  /// The values of the list, each as one text, and those of everything else.
  private func values(_ text: String) throws -> (entries: [String], rest: String) {
    var root = try TOMLDocument.parse(text).root
    var entries: [String] = []
    if case .array(let values)? = root["alarm"]?.kind { entries = values.map(\.kind.text) }
    root.entries.removeAll { $0.key == "alarm" }
    return (entries, TOMLValue.Kind.table(root).text)
  }

  /// Whether `text` is the `stretches` in their order, with anything between them.
  private func isMade(_ text: String, of stretches: [String]) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = stretches.first, let last = stretches.last else { return true }
    guard bytes.starts(with: first.utf8), bytes.reversed().starts(with: last.utf8.reversed()) else {
      return false
    }
    var at = first.utf8.count
    for stretch in stretches.dropFirst().dropLast() where !stretch.isEmpty {
      let wanted = Array(stretch.utf8)
      guard let found = (at..<bytes.count).first(where: { bytes[$0...].starts(with: wanted) })
      else {
        return false
      }
      at = found + wanted.count
    }
    return at <= bytes.count - last.utf8.count
  }

  private func run(_ check: (inout Maker, MadeText, String) throws -> Void) throws {
    for round in 0..<400 {
      let seed = Chance.firstSeed + UInt64(round)
      var maker = Maker(seed: seed)
      let made = maker.text()
      let place = "seed \(seed)\n\(made.text)"
      do { try check(&maker, made, place) } catch { Issue.record("\(error), \(place)") }
    }
  }

  private func expectRefusal(_ made: MadeText, _ edit: TOMLEdit) {
    #expect {
      try edited(made.text, edit)
    } throws: {
      if case .notPlain("alarm", _)? = $0 as? TOMLEdit.Failure { true } else { false }
    }
  }

  @Test func `changing an entry leaves all others, byte for byte`() throws {
    try run { maker, made, place in
      let before = try values(made.text)
      #expect(before.entries.count == made.count, "\(place)")
      guard made.count > 0 else { return }
      let index = Int.random(in: 0..<made.count, using: &maker.random)
      let setting = maker.setting()
      let change = TOMLEdit.change(of: "alarm", at: index, [setting])
      if made.odd.contains(index) { return expectRefusal(made, change) }
      let after = try edited(made.text, change)
      let now = try values(after)
      #expect(now.rest == before.rest && now.entries.count == made.count, "\(setting) \(place)")
      for other in 0..<made.count where other != index {
        #expect(now.entries[other] == before.entries[other], "\(setting) \(place)")
      }
      let rest = made.rest(without: index, blanksToo: false)
      #expect(isMade(after, of: rest), "\(setting) \(place)\nbecame\n\(after)")
      // Nothing more to do: the same edit again changes nothing, unless it adds.
      if case .append = setting.change { return }
      #expect(try edited(after, change) == after, "\(place)")
    }
  }

  @Test func `removing an entry leaves all others, but for a blank line beside it`() throws {
    try run { maker, made, place in
      let before = try values(made.text)
      guard made.count > 0 else { return }
      let index = Int.random(in: 0..<made.count, using: &maker.random)
      let removal = TOMLEdit.remove(from: "alarm", [index])
      if made.odd.contains(index) { return expectRefusal(made, removal) }
      let after = try edited(made.text, removal)
      var expected = before
      expected.entries.remove(at: index)
      #expect(try values(after) == expected, "\(place)")
      var rest = made.rest(without: index, blanksToo: true)
      if !made.text.utf8.reversed().starts(with: "\n".utf8), rest.last == "" {
        // What is last then has no line end either.
        let last = rest.lastIndex { $0 != "" } ?? 0
        rest[last] = String(rest[last].trimmingSuffix(while: \.isNewline))
      }
      #expect(isMade(after, of: rest), "removed \(index), \(place)\nbecame\n\(after)")
      let lines = { (text: String) in
        text.split(separator: /\r?\n/, omittingEmptySubsequences: false)
      }
      let own = made.pieces.filter { $0.owner == .entry(index) }.map(\.text).joined()
      // At most one blank line goes with each piece of it.
      #expect(lines(made.text).count - lines(after).count <= lines(own).count + 1, "\(place)")
    }
  }

  @Test func `an entry that is added is put in, and nothing else`() throws {
    try run { maker, made, place in
      let before = try values(made.text)
      let settings = (0..<Int.random(in: 0...4, using: &maker.random)).map {
        TOMLEdit.Setting("key \($0)", .set(.string("value")))
      }
      let after = try edited(made.text, .add(to: "alarm", [settings]))
      let now = try values(after)
      #expect(now.rest == before.rest && now.entries.dropLast() == before.entries[...], "\(place)")
      let (old, new) = (Array(made.text.utf8), Array(after.utf8))
      let same = zip(old, new).prefix { $0 == $1 }.count
      #expect(
        new.suffix(old.count - same).elementsEqual(old[same...]), "\(place)\nbecame\n\(after)")
      // Elsewhere a blank line that was there may serve the new one, and go with it.
      if made.pieces.last?.owner == .entry(made.count - 1) {
        let back = try edited(after, .remove(from: "alarm", [made.count]))
        #expect(back == made.text, "\(place)\nvia\n\(after)")
      }
    }
  }

  @Test func `an entry that is moved takes nothing of the others along`() throws {
    try run { maker, made, place in
      guard made.count > 0 else { return }
      let before = try values(made.text)
      let from = Int.random(in: 0..<made.count, using: &maker.random)
      let to = Int.random(in: 0..<made.count, using: &maker.random)
      let move = TOMLEdit.move(in: "alarm", from: from, to: to)
      if !made.odd.isEmpty { return expectRefusal(made, move) }
      let after = try edited(made.text, move)
      var expected = before
      expected.entries.insert(expected.entries.remove(at: from), at: to)
      #expect(try values(after) == expected, "\(place)")
      #expect(made.text.utf8.sorted() == after.utf8.sorted(), "\(place)\nbecame\n\(after)")
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isEnd: (Character) -> Bool) -> Substring {
    var text = self[...]
    while let last = text.last, isEnd(last) { text.removeLast() }
    return text
  }
}
