// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changes the blocks of one list, such as `[[alarm]]` with a plain `key = value` in each line. New
// lines have the style of the lines around them. The editor removes, inserts and moves whole lines.
// toml++ reports in which lines a block begins and ends. `TOMLEdit.swift` checks that an edit
// changed nothing else.

/// One block of the text: the line with its header, such as `[[alarm]]`, and its keys. Lines are
/// counted from 0.
struct Block {
  struct Item {
    var key: String
    var keyPosition: TOMLPosition
    var value: TOMLValue

    var lines: Range<Int> { keyPosition.line - 1..<value.end.line }
  }

  var header: Int
  var items: [Item] = []
  /// The index of the line after the block.
  var end: Int

  /// `table` must begin with a header.
  init(_ table: TOMLValue) throws(TOMLEdit.Failure) {
    guard let content = table.kind.table else { throw .notPlain(line: table.position.line) }
    header = table.position.line - 1
    for entry in content.entries {
      guard entry.isPlain else { throw .notPlain(line: table.position.line) }
      items.append(Item(key: entry.key, keyPosition: entry.keyPosition, value: entry.value))
    }
    end = items.map(\.lines.upperBound).max() ?? header + 1
  }
}

extension TOMLTable.Entry {
  /// Whether the entry is written as `key = value`. If it is, its value begins after its key.
  /// Otherwise the value is a table, which begins at the key in `key.other = 1`, and at the bracket
  /// before the key in `[key]`.
  var isPlain: Bool { keyPosition < value.position }
}

struct BlockEditor {
  private var lines: [TextLine] = []
  private let byteOrderMark: ArraySlice<UInt8>
  /// Whether the last line of the text has no line end.
  private var isOpen = false
  private let list: String
  /// The order in which the keys of a block are written.
  private let order: [String]
  /// The blocks of the list. A failure means that this block cannot be edited, but other blocks
  /// can.
  private var blocks: [Result<Block, TOMLEdit.Failure>] = []
  /// The last block of the list; nil if the list has none.
  private let last: TOMLValue?

  init(_ document: TOMLDocument, list: String, order: [String]) throws(TOMLEdit.Failure) {
    var tables: [TOMLValue] = []
    if let entry = document.root.entries.first(where: { $0.key == list }) {
      guard case .array(let values) = entry.value.kind, !entry.isPlain else {
        throw .notPlain(line: entry.keyPosition.line)
      }
      tables = values
    }
    (self.list, self.order, last) = (list, order, tables.last)
    let start = TOMLDocument.start(of: document.bytes)
    byteOrderMark = document.bytes[..<start]
    lines = TextLine.lines(of: document.bytes[start...])
    if let last = lines.indices.last, lines[last].end.isEmpty {
      isOpen = true
      lines[last].isOpen = true
      lines[last].end = lines[max(0, last - 1)].end
      if lines[last].end.isEmpty { lines[last].end = [UInt8(ascii: "\n")] }
    }
    markInsides(of: document.root)
    for table in tables {
      blocks.append(Result { () throws(TOMLEdit.Failure) in try Block(table) })
    }
  }

  var bytes: [UInt8] {
    var lines = lines
    if isOpen, let last = lines.indices.last {
      // Before the edit, the last line had no line end, and this must stay so. If that line is no
      // longer the last one, give it the line end of the new last line.
      if let open = lines.firstIndex(where: \.isOpen) { lines[open].end = lines[last].end }
      lines[last].end = []
    }
    return lines.reduce(into: Array(byteOrderMark)) { $0 += $1.text + $1.end }
  }

  /// Marks the lines inside a value of several lines. Such a line is not a comment, even if it
  /// begins with `#`.
  private mutating func markInsides(of table: TOMLTable) {
    for entry in table.entries {
      if entry.isPlain {
        for line in entry.value.position.line..<entry.value.end.line { lines[line].isInside = true }
        continue
      }
      switch entry.value.kind {
      case .table(let table): markInsides(of: table)
      case .array(let tables):
        for table in tables.compactMap(\.kind.table) { markInsides(of: table) }
      default: break
      }
    }
  }

  // MARK: - Keys

  mutating func change(
    _ index: Int, _ settings: [TOMLEdit.Setting]
  ) throws(TOMLEdit.Failure) {
    let block = try blocks[index].get()
    var splices: [(lines: Range<Int>, new: [TextLine])] = []
    for setting in settings.inOrder(order) {
      let item = block.items.first { $0.key == setting.key }
      switch (item, setting.value(after: item?.value)) {
      case (let item?, let value?):
        splices.append((item.lines, [changed(item, setting.change, to: value)]))
      case (let item?, nil): splices.append((item.lines, []))
      case (nil, let value?):
        let rank = order.rank(setting.key)
        let anchor = block.items.last { order.rank($0.key) <= rank }
        let place = anchor?.lines.upperBound ?? block.header + 1
        let model = (anchor ?? block.items.first)?.lines.lowerBound ?? block.header
        let text = style(of: block.items).assignment(setting.key, value.text)
        splices.append(
          (place..<place, [TextLine(lines[model].indentation + text, lines[place - 1].end)]))
      case (nil, nil): break
      }
    }
    // Change the text from the bottom up, so that line numbers above stay valid.
    let fromBelow = splices.enumerated().sorted {
      ($0.element.lines.lowerBound, $0.offset) > ($1.element.lines.lowerBound, $1.offset)
    }
    for (_, splice) in fromBelow { lines.replaceSubrange(splice.lines, with: splice.new) }
  }

  /// Returns the lines of `item` with a changed value, joined to one `TextLine`, which may contain
  /// line ends.
  private func changed(
    _ item: Block.Item, _ change: TOMLEdit.Setting.Change, to value: TOMLValue.Kind
  ) -> TextLine {
    var (start, end, text) = (item.value.position, item.value.end, value.text)
    if case .append(let more) = change, case .array(let values) = item.value.kind {
      text = (values.isEmpty ? "" : ", ") + more.map(\.text).joined(separator: ", ")
      start.column += 1
      start = values.last?.end ?? start
      end = start
    }
    let (first, last) = (item.lines.lowerBound, item.lines.upperBound - 1)
    // Keep the text of these lines before and after the value.
    var before: ArraySlice<UInt8> = []
    for line in first..<start.line - 1 { before += lines[line].text + lines[line].end }
    before += lines[start.line - 1].text(upTo: start.column)
    var behind = lines[end.line - 1].text(from: end.column)
    for line in end.line..<max(end.line, last + 1) {
      behind += lines[line - 1].end + lines[line].text
    }
    return TextLine(before + text.utf8 + behind, lines[last].end)
  }

  private func style(of items: [Block.Item]) -> KeyStyle {
    KeyStyle(
      items.map { item in
        lines[item.keyPosition.line - 1].text(upTo: item.value.position.column)
          .dropFirst(lines[item.keyPosition.line - 1].text(upTo: item.keyPosition.column).count)
      })
  }

  // MARK: - Blocks

  /// Inserts new blocks after the last one, or at the end of the text. Each new block follows a
  /// blank line, unless the existing blocks have no blank lines between them.
  mutating func add(_ entries: [[TOMLEdit.Setting]]) {
    // `model` is nil if there is no block yet, or if the last block is not written in plain keys.
    // In both cases, there is no style to follow.
    let model = try? blocks.last?.get()
    var (place, isDense) = (lines.count, lines.last.map { $0.kind == .blank } ?? true)
    if let last {
      let extent = extent(last.position.line - 1, last.lastLine)
      place = extent.upperBound
      // If the last block ends with a comment, the comment would seem to belong to the next header.
      // So there must be a blank line between them.
      isDense =
        blocks.count > 1 && lines[extent.lowerBound - 1].kind != .blank
        && lines[place - 1].kind != .comment
    }
    let end = place > 0 ? lines[place - 1].end : [UInt8(ascii: "\n")]
    var new: [TextLine] = []
    for settings in entries {
      if !isDense { new.append(TextLine([], end)) }
      new += block(settings, like: model).map { TextLine($0, end) }
      if blocks.isEmpty { isDense = false }
    }
    lines.insert(contentsOf: new, at: place)
  }

  private func block(_ settings: [TOMLEdit.Setting], like model: Block?) -> [ArraySlice<UInt8>] {
    let style = style(of: model?.items ?? [])
    let outer = model.map { lines[$0.header].indentation } ?? []
    let inner = model?.items.first.map { lines[$0.lines.lowerBound].indentation } ?? []
    let longest = settings.map(\.key.utf8.count).max() ?? 0
    return [outer + "[[\(list)]]".utf8]
      + settings.inOrder(order).compactMap { setting in
        setting.value.map { inner + style.assignment(setting.key, $0.text, longest: longest) }
      }
  }

  mutating func remove(_ indices: Set<Int>) throws(TOMLEdit.Failure) {
    var runs: [Range<Int>] = []
    for index in indices.sorted() {
      let block = try blocks[index].get()
      let extent = extent(block.header, block.end)
      if let last = runs.last,
        lines[last.upperBound..<extent.lowerBound].allSatisfy({ $0.kind == .blank })
      {
        runs[runs.count - 1] = last.lowerBound..<extent.upperBound
      } else {
        runs.append(extent)
      }
    }
    for run in runs.reversed() { lines.removeSubrange(withBlankLine(run)) }
  }

  /// Returns the lines `run`, which are to be removed, and a blank line next to them if one blank
  /// line too many would be left without this.
  private func withBlankLine(_ run: Range<Int>) -> Range<Int> {
    let isAbove = run.lowerBound > 0 && lines[run.lowerBound - 1].kind == .blank
    let isLast = run.upperBound == lines.count
    let isBelow = !isLast && lines[run.upperBound].kind == .blank
    if isAbove, isBelow || isLast { return run.lowerBound - 1..<run.upperBound }
    if run.lowerBound == 0, isBelow { return run.lowerBound..<run.upperBound + 1 }
    return run
  }

  mutating func move(_ from: Int, to: Int) throws(TOMLEdit.Failure) {
    var extents: [Range<Int>] = []
    for block in blocks {
      let block = try block.get()
      extents.append(extent(block.header, block.end))
    }
    var order = extents.map { lines[$0] }
    order.insert(order.remove(at: from), at: to)
    for (extent, content) in zip(extents, order).reversed() {
      lines.replaceSubrange(extent, with: content)
    }
  }

  /// Returns the lines from `header` to `end` and the comments that belong to these lines: the
  /// comments directly above them, and the comments directly below them unless another block
  /// follows those comments directly. Comments at the very beginning of the text belong to the
  /// whole file.
  private func extent(_ header: Int, _ end: Int) -> Range<Int> {
    var (first, last) = (header, end)
    while first > 0, lines[first - 1].kind == .comment { first -= 1 }
    while last < lines.count, lines[last].kind == .comment { last += 1 }
    let isAboveAnother = last < lines.count && lines[last].kind == .other
    return (first == 0 ? header : first)..<(isAboveAnother ? end : last)
  }
}

extension TOMLValue {
  /// The last line, counted from 1, of everything in this value, including tables with headers of
  /// their own.
  fileprivate var lastLine: Int {
    let inside: [TOMLValue] =
      switch kind {
      case .table(let table): table.entries.map(\.value)
      case .array(let values): values
      default: []
      }
    return inside.reduce(end.line) { max($0, $1.lastLine) }
  }
}
