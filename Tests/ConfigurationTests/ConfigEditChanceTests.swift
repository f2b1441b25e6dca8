// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes random edits of random configs, which consist of the most unusual pieces that TOML allows.
// Every byte outside the edited entry and all other values must stay the same. A failure prints its
// seed, and `BELFRY_SEED=17` repeats the failure with seed 17.

import Configuration
import TOML
import TestData
import Testing

@Suite struct ConfigEditChanceTests {
  /// Returns the alarms of `text`, each as one text, and the values of everything else.
  private func values(_ text: String) throws -> (entries: [String], rest: String) {
    var root = try TOMLDocument.parse(text).root
    var entries: [String] = []
    if case .array(let values)? = root["alarm"]?.kind { entries = values.map(\.kind.text) }
    root.entries.removeAll { $0.key == "alarm" }
    return (entries, TOMLValue.Kind.table(root).text)
  }

  /// Whether `text` begins with the first and ends with the last of `stretches`, and has the others
  /// between them in the same order.
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

  private func run(_ check: (inout TextMaker, MadeText, String) throws -> Void) throws {
    for round in 0..<400 {
      let seed = Chance.firstSeed + UInt64(round)
      var maker = TextMaker(seed: seed)
      let made = maker.text()
      let place = "seed \(seed)\n\(made.text)"
      do { try check(&maker, made, place) } catch { Issue.record("\(error), \(place)") }
    }
  }

  private func expectRefusal(_ made: MadeText, _ edit: TOMLEdit) {
    #expect {
      try edited(made.text, edit)
    } throws: {
      if case .notPlain? = $0 as? TOMLEdit.Failure { true } else { false }
    }
  }

  @Test func `a change of an entry leaves all other entries as they are, byte for byte`() throws {
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
      // Making the same edit again must change nothing, unless the edit appends elements.
      if case .append = setting.change { return }
      #expect(try edited(after, change) == after, "\(place)")
    }
  }

  @Test func `removing an entry leaves all other text, except for a blank line next to it`() throws
  {
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
        // The text had no line end after its last line, so the new last line must not have one
        // either.
        let last = rest.lastIndex { $0 != "" } ?? 0
        rest[last] = String(rest[last].trimmingSuffix(while: \.isNewline))
      }
      #expect(isMade(after, of: rest), "removed \(index), \(place)\nbecame\n\(after)")
      let lines = { (text: String) in
        text.split(separator: /\r?\n/, omittingEmptySubsequences: false)
      }
      let own = made.pieces.filter { $0.owner == .entry(index) }.map(\.text).joined()
      // No more than one blank line may be removed with each piece of the entry.
      #expect(lines(made.text).count - lines(after).count <= lines(own).count + 1, "\(place)")
    }
  }

  @Test func `adding an entry changes nothing else`() throws {
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
      // Remove the new entry only if the last entry ended the text. Otherwise the new entry may use
      // a blank line that was there before, and its removal would also remove that line.
      if made.pieces.last?.owner == .entry(made.count - 1) {
        let back = try edited(after, .remove(from: "alarm", [made.count]))
        #expect(back == made.text, "\(place)\nvia\n\(after)")
      }
    }
  }

  @Test func `moving an entry moves no part of another entry`() throws {
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
