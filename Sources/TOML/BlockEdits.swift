// SPDX-License-Identifier: GPL-3.0-or-later
//
// How `[[alarm]]` blocks are added, changed, removed and moved: line by line, in the style of
// the lines around. Which bytes may change is the promise of `TOMLEdit.swift`.

// MARK: - The four edits, in whichever form the list is written

extension TOMLSource {
  mutating func add(
    to list: String, _ entries: [[TOMLEdit.Setting]]
  ) throws(TOMLLayout.Failure) {
    guard let first = entries.first else { return }
    switch location(of: list) {
    case .missing: splice([appended(block(list, first, like: nil))])
    case .array(let array):
      splice(
        insertion(of: inlineTable(first, like: array), into: array, after: array.items.count - 1))
    case .blocks(let blocks):
      return splice(entries.map { appended(block(list, $0, like: blocks), behind: blocks) })
    }
    if entries.count > 1 {
      self = try TOMLSource(bytes)
      try add(to: list, Array(entries.dropFirst()))
    }
  }

  /// The text after one key of one entry was changed.
  func changed(
    _ list: String, _ index: Int, _ setting: TOMLEdit.Setting
  ) throws(TOMLLayout.Failure) -> [UInt8] {
    var text = self
    switch location(of: list) {
    case .blocks(let blocks) where blocks.indices.contains(index):
      text.splice(change(blocks[index], setting))
      if blocks[index].isSplit(setting) {
        // What was in the place of the value is gone; now there is room for it.
        return try TOMLSource(text.bytes).changed(list, index, setting)
      }
    case .array(let array) where array.items.indices.contains(index):
      guard let table = array.items[index].list, table.isTable else {
        throw TOMLLayout.Failure(offset: array.items[index].range.lowerBound)
      }
      text.splice(change(table, setting))
      if table.isSplit(setting) {
        return try TOMLSource(text.bytes).changed(list, index, setting)
      }
    default: throw TOMLLayout.Failure(offset: start)
    }
    return text.bytes
  }

  mutating func remove(from list: String, _ indices: Set<Int>) {
    switch location(of: list) {
    case .missing: break
    case .array(let array): splice(removal(of: indices, from: array))
    case .blocks(let blocks):
      splice(removal(of: indices.sorted().flatMap { blocks[$0].runs.map(extent) }))
    }
  }

  mutating func move(in list: String, _ from: Int, _ to: Int) {
    switch location(of: list) {
    case .missing: break
    case .array(let array): splice(movement(in: array, from, to))
    case .blocks(let blocks):
      splice(movement(of: blocks.map { extent(of: $0.runs[0]) }, from, to))
    }
  }
}

// MARK: - Blocks

extension Block {
  fileprivate func items(at key: String) -> [TOMLLayout.Item] {
    items.filter { $0.path[0] == key }
  }

  /// Whether what stands for a key that is to be set is not one `key = value`, but more than one
  /// line or a table: it is taken out first.
  fileprivate func isSplit(_ setting: TOMLEdit.Setting) -> Bool {
    let items = items(at: setting.key)
    return setting.value != nil
      && (items.contains { $0.path.count > 1 } || tables.contains { $0.key == setting.key })
  }
}

extension TOMLSource {
  private func change(_ block: Block, _ setting: TOMLEdit.Setting) -> [Splice] {
    let items = block.items(at: setting.key)
    if setting.value == nil || block.isSplit(setting) {
      let tables = block.tables.filter { $0.key == setting.key }.map { extent(of: $0.statements) }
      return removal(of: tables)
        + items.map { lines(lineStart($0.range.lowerBound)..<nextLine($0.range.upperBound)) }
    }
    if let item = items.first { return change(item, setting) }
    let anchor = block.items.anchor(for: setting.key)
    let line = anchor.map { block.items[$0].range } ?? block.header.range
    let model =
      anchor.map { block.items[$0].range.lowerBound }
      ?? block.items.first?.range.lowerBound ?? block.header.range.lowerBound
    let text = style(of: block.items).assignment(setting.key, setting.value?.text ?? "")
    return [
      Splice(
        at: lineEnd(line.upperBound), lineBreak(at: line.upperBound) + indentation(model) + text)
    ]
  }

  /// Of one `key = value`, wherever it is.
  func change(_ item: TOMLLayout.Item, _ setting: TOMLEdit.Setting) -> [Splice] {
    if case .append(let elements) = setting.change, let list = item.list, !list.isTable {
      let text = Array(elements.map(\.text).joined(separator: ", ").utf8)
      return insertion(of: text, into: list, after: list.items.count - 1)
    }
    return [Splice(item.value, (setting.value?.text ?? "").utf8)]
  }

  /// The lines of a new block, without the last line end, in the style of the last of `blocks`.
  private func block(
    _ list: String, _ settings: [TOMLEdit.Setting], like blocks: [Block]?
  ) -> [UInt8] {
    let settings = settings.inOrder
    let model = blocks?.last
    let header = model.map { Array(bytes[$0.header.range]) } ?? Array("[[\(list)]]".utf8)
    let items = model?.items ?? []
    let style = style(of: items)
    let longest = settings.map(\.key.utf8.count).max() ?? 0
    let lines = settings.map { setting in
      (items.first.map { indentation($0.range.lowerBound) } ?? [])
        + style.assignment(setting.key, setting.value?.text ?? "", longest: longest)
    }
    let lineBreak = lineBreak(at: model?.header.range.lowerBound ?? bytes.count)
    let indented = (model.map { indentation($0.header.range.lowerBound) } ?? []) + header
    return Array(([indented] + lines).joined(separator: lineBreak))
  }

  /// At the end of the text, a blank line before it.
  private func appended(_ block: [UInt8]) -> Splice {
    let lineBreak = lineBreak(at: bytes.count)
    let last = lineStart(bytes.count)
    if bytes.count == start { return Splice(at: bytes.count, block + lineBreak) }
    // Without a line end at the end there is none behind what is added either.
    if last < bytes.count { return Splice(at: bytes.count, lineBreak + lineBreak + block) }
    let isBlank = line(lineStart(last - 1)) == .blank
    return Splice(at: bytes.count, (isBlank ? [] : lineBreak) + block + lineBreak)
  }

  /// Behind the last of `blocks`, with a blank line between them unless these have none.
  private func appended(_ block: [UInt8], behind blocks: [Block]) -> Splice {
    let extents = blocks[blocks.count - 1].runs.map(extent)
    let end = extents[extents.count - 1].upperBound
    let lineBreak = lineBreak(at: end)
    // A comment that ends the last one must not come to stand right above the new one.
    let isDense =
      blocks.count > 1 && blankLines(around: extents[0]).above == 0
      && line(lineStart(end)) != .comment
    return Splice(at: end, lineBreak + (isDense ? [] : lineBreak) + block)
  }

  /// Takes out whole lines, those of each extent, and a blank line with them where one would be left
  /// over.
  private func removal(of extents: [Range<Int>]) -> [Splice] {
    var runs: [Range<Int>] = []
    for extent in extents.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let below = runs.last.map { blankEnd(below: $0) }
      if let last = runs.last, below == extent.lowerBound {
        runs[runs.count - 1] = last.lowerBound..<extent.upperBound
      } else {
        runs.append(extent)
      }
    }
    return runs.map { run in
      let (above, below) = blankLines(around: run)
      let end = nextLine(run.upperBound)
      if above > 0, below > 0 || end == bytes.count {
        return lines(lineStart(run.lowerBound - 1)..<end)
      }
      return lines(run.lowerBound..<(run.lowerBound == start && below > 0 ? nextLine(end) : end))
    }
  }

  /// Takes out these lines. Where the last line has no line end, the one that is last then has none.
  private func lines(_ range: Range<Int>) -> Splice {
    let isOpen = range.upperBound == bytes.count && lineStart(bytes.count) < bytes.count
    let open = isOpen ? lineBreakLength(before: range.lowerBound) : 0
    return Splice(range.lowerBound - open..<range.upperBound)
  }

  /// Where the blank lines below an extent end.
  private func blankEnd(below extent: Range<Int>) -> Int {
    var end = nextLine(extent.upperBound)
    while end < bytes.count, line(end) == .blank { end = nextLine(end) }
    return end
  }

  /// Hands the bytes of the places `extents` on, so that what was in `from` comes to `to`.
  func movement(of extents: [Range<Int>], _ from: Int, _ to: Int) -> [Splice] {
    var order = Array(extents.indices)
    order.insert(order.remove(at: from), at: to)
    return zip(extents, order).filter { $0 != extents[$1] }.map { Splice($0, bytes[extents[$1]]) }
  }
}

// MARK: - The order of keys

extension TOMLEdit.Setting {
  /// As the manual lists the keys, the settings of a ring last.
  fileprivate static let order = [
    "id", "name", "time", "duration", "days", "date", "every", "from", "until", "city",
    "label", "group", "except", "timezone", "enabled",
  ]

  fileprivate static func rank(_ key: String) -> Int { order.firstIndex(of: key) ?? order.count }
}

extension [TOMLEdit.Setting] {
  var inOrder: [TOMLEdit.Setting] {
    enumerated().sorted {
      (TOMLEdit.Setting.rank($0.element.key), $0.offset)
        < (TOMLEdit.Setting.rank($1.element.key), $1.offset)
    }.map(\.element)
  }
}

extension [TOMLLayout.Item] {
  /// The one that a new `key` is written behind: the last of those that come before it.
  func anchor(for key: String) -> Int? {
    let rank = TOMLEdit.Setting.rank(key)
    return lastIndex { TOMLEdit.Setting.rank($0.path[0]) <= rank }
  }
}
