// SPDX-License-Identifier: GPL-3.0-or-later
//
// How what stands between brackets and commas is changed: elements of an array, keys of an inline
// table. In one line or with a line for each, it stays as it is written.

extension TOMLLayout.List {
  fileprivate func indices(at key: String) -> Set<Int> {
    Set(items.indices.filter { items[$0].path.first == key })
  }

  /// As for a block: the key is dotted.
  func isSplit(_ setting: TOMLEdit.Setting) -> Bool {
    setting.value != nil && indices(at: setting.key).contains { items[$0].path.count > 1 }
  }
}

extension TOMLSource {
  /// Changes one key of an inline table.
  func change(_ table: TOMLLayout.List, _ setting: TOMLEdit.Setting) -> [Splice] {
    let present = table.indices(at: setting.key)
    guard let value = setting.value, !table.isSplit(setting) else {
      return removal(of: present, from: table)
    }
    if let index = present.first { return change(table.items[index], setting) }
    let text = style(of: table.items).assignment(setting.key, value.text)
    return insertion(of: text, into: table, after: table.items.anchor(for: setting.key))
  }

  /// A new inline table in the style of the last one in `array`.
  func inlineTable(_ settings: [TOMLEdit.Setting], like array: TOMLLayout.List) -> [UInt8] {
    let model = array.items.last { $0.list?.isTable == true }?.list
    let style = style(of: model?.items ?? [])
    let items = settings.inOrder.map { style.assignment($0.key, $0.value?.text ?? "") }
    let separator = model.flatMap(separator) ?? Array(", ".utf8)
    let edge = model.map { bytes[$0.inside].prefix(while: Self.isSpace) } ?? []
    return [UInt8(ascii: "{")] + edge + items.joined(separator: separator) + edge
      + [UInt8(ascii: "}")]
  }

  // MARK: - Putting in

  /// Puts `text` behind item number `anchor`, or in front of the first.
  func insertion(
    of text: [UInt8], into list: TOMLLayout.List, after anchor: Int?
  ) -> [Splice] {
    let comma = [UInt8(ascii: ",")]
    guard let anchor, list.items.indices.contains(anchor) else {
      guard let first = list.items.first else { return [Splice(at: list.inside.lowerBound, text)] }
      let gap =
        hasOwnLines(list.items[0..<1], in: list)
        ? lineBreak(at: first.range.lowerBound) + indentation(first.range.lowerBound)
        : [UInt8(ascii: " ")]
      return [Splice(at: first.range.lowerBound, text + comma + gap)]
    }
    let item = list.items[anchor]
    if hasOwnLines(list.items[anchor...anchor], in: list) {
      let end = item.comma ?? item.range.upperBound
      let line =
        lineBreak(at: end) + indentation(item.range.lowerBound) + text
        + (item.comma == nil ? [] : comma)
      return (item.comma == nil ? [Splice(at: end, comma)] : []) + [Splice(at: lineEnd(end), line)]
    }
    return [Splice(at: item.range.upperBound, (separator(list) ?? Array(", ".utf8)) + text)]
  }

  /// A comma and the spaces behind it, as they are between two items of one line.
  private func separator(_ list: TOMLLayout.List) -> [UInt8]? {
    for (item, next) in zip(list.items, list.items.dropFirst()) {
      guard let comma = item.comma else { continue }
      let spaces = bytes[comma + 1..<next.range.lowerBound]
      if spaces.allSatisfy(Self.isSpace) { return [bytes[comma]] + spaces }
    }
    return nil
  }

  // MARK: - Taking out

  func removal(of indices: Set<Int>, from list: TOMLLayout.List) -> [Splice] {
    runs(of: indices).flatMap { removal(of: $0, from: list) }
  }

  private func runs(of indices: Set<Int>) -> [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    for index in indices.sorted() {
      if let last = runs.last, last.upperBound + 1 == index {
        runs[runs.count - 1] = last.lowerBound...index
      } else {
        runs.append(index...index)
      }
    }
    return runs
  }

  private func removal(of run: ClosedRange<Int>, from list: TOMLLayout.List) -> [Splice] {
    let items = list.items
    let (first, last) = (items[run.lowerBound], items[run.upperBound])
    let before = run.lowerBound > 0 ? items[run.lowerBound - 1] : nil
    let isLast = run.upperBound == items.count - 1
    if hasOwnLines(items[run], in: list) {
      let lines = Splice(
        leadStart(first, in: list)..<nextLine(last.comma ?? last.range.upperBound))
      // The one before it is the last now: it has a comma if the last one had.
      guard isLast, last.comma == nil, let comma = before?.comma else { return [lines] }
      return [Splice(comma..<comma + 1), lines]
    }
    let end = last.comma.map { $0 + 1 } ?? last.range.upperBound
    if !isLast {
      let next = items[run.upperBound + 1].range.lowerBound
      return [Splice(first.range.lowerBound..<(hasComment(end..<next) ? end : next))]
    }
    guard let before, let comma = before.comma else {
      return [Splice(first.range.lowerBound..<end)]
    }
    if hasComment(comma..<first.range.lowerBound) {
      return [Splice(comma..<comma + 1), Splice(first.range.lowerBound..<last.range.upperBound)]
    }
    return [Splice(before.range.upperBound..<last.range.upperBound)]
  }

  /// Of bytes between two items.
  private func hasComment(_ range: Range<Int>) -> Bool { bytes[range].contains(UInt8(ascii: "#")) }

  /// Whether these items share no line with another, or with a bracket.
  private func hasOwnLines(_ items: ArraySlice<TOMLLayout.Item>, in list: TOMLLayout.List) -> Bool {
    guard let first = items.first, let last = items.last else { return false }
    let end = last.comma.map { $0 + 1 } ?? last.range.upperBound
    let rest = bytes[end..<lineEnd(end)].first { !Self.isSpace($0) }
    return isFirstInLine(first.range.lowerBound) && (rest == nil || rest == UInt8(ascii: "#"))
      && nextLine(end) <= list.inside.upperBound
  }

  /// Where the line of `item` begins, or the comments right above it.
  private func leadStart(_ item: TOMLLayout.Item, in list: TOMLLayout.List) -> Int {
    let limit = nextLine(
      list.items.last { $0.range.upperBound <= item.range.lowerBound }?.range.upperBound
        ?? list.inside.lowerBound)
    var lead = lineStart(item.range.lowerBound)
    while lead > limit, line(lineStart(lead - 1)) == .comment { lead = lineStart(lead - 1) }
    return lead
  }

  // MARK: - Moving

  /// With a line for each, comments go along: those right above, and the one behind the comma.
  func movement(in list: TOMLLayout.List, _ from: Int, _ to: Int) -> [Splice] {
    let items = list.items
    guard items.indices.allSatisfy({ hasOwnLines(items[$0...$0], in: list) }) else {
      return movement(of: items.map(\.range), from, to)
    }
    let bodies = items.map { leadStart($0, in: list)..<$0.range.upperBound }
    let remarks = items.map { item in
      let end = item.comma.map { $0 + 1 } ?? item.range.upperBound
      return end..<lineEnd(end)
    }
    return movement(of: bodies, from, to) + movement(of: remarks, from, to)
  }
}
