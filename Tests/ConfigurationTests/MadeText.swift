// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes random configs from the most unusual pieces that TOML allows, and random edits of these
// configs, for `ConfigEditChanceTests.swift`.

import TOML
import TestData

/// A config in pieces, each with the entry to which it belongs.
struct MadeText {
  enum Owner: Equatable {
    case entry(Int)
    /// A blank line. It may be removed together with an entry next to it.
    case blank
    case other
  }

  var pieces: [(text: String, owner: Owner)] = []
  var count = 0
  /// The indices of the entries with dotted keys or sub-tables, which cannot be edited.
  var odd: Set<Int> = []

  var text: String { pieces.map(\.text).joined() }

  /// Returns the stretches of text that must stay, in order, when the entry at `index` is edited.
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

  /// Whether only blank lines are between the piece `number` and the entry at `index`.
  private func isBeside(_ number: Int, _ index: Int) -> Bool {
    let before = pieces[..<number].last { $0.owner != .blank }
    let behind = pieces[number...].first { $0.owner != .blank }
    return before?.owner == .entry(index) || behind?.owner == .entry(index)
  }
}

struct TextMaker {
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
    // Some files have no line end after their last line.
    if let last = made.pieces.indices.last, oneIn(3), made.pieces[last].text.hasSuffix(lineBreak) {
      made.pieces[last].text.removeLast()
    }
    return made
  }

  private mutating func add(_ line: String, _ owner: MadeText.Owner) {
    // Some files mix LF and CRLF.
    let end = oneIn(12) ? "\n" : lineBreak
    made.pieces.append((line.replacing("\n", with: lineBreak) + end, owner))
  }

  private mutating func space() {
    for _ in 0..<Int.random(in: 0...2, using: &random) { add(pick(["", "", "  ", "\t"]), .blank) }
    guard oneIn(3) else { return }
    add(pick(["# a comment", "  # [[alarm]]", "#", "# 가 \"\"\" '''"]), .other)
    // Add a blank line. Without it, the comment would belong to the entry above or below it.
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
      // Add a blank line. Without it, the comment would belong to the next entry.
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
