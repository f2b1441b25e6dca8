// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the entries of a list stand in the text: as `[[alarm]]` blocks with what belongs to each, or
// as inline tables of one array. Next: `BlockEdits.swift`, `ListEdits.swift`.

/// How a list of tables is written; TOML allows no mixture.
enum ListLocation {
  case missing
  /// `alarm = [{...}, ...]`
  case array(TOMLLayout.List)
  case blocks([Block])
}

/// `[[alarm]]` with its keys, and the tables below it.
struct Block {
  let header: TOMLLayout.Header
  /// The keys right under the header.
  var items: [TOMLLayout.Item] = []
  /// What belongs to it, as ranges of statements: the first begins with the header, others are
  /// tables of it that stand behind headers of other things.
  var runs: [Range<Int>]
  /// The tables below it: the name of each, and its statements.
  var tables: [(key: String, statements: Range<Int>)] = []
}

extension TOMLSource {
  func location(of list: String) -> ListLocation {
    var blocks: [Block] = []
    // Whether what is read belongs to the last block, and to which table of it.
    var (isOurs, isBelow, isRoot) = (false, false, true)
    for (index, statement) in statements.enumerated() {
      switch statement {
      case .item(let item):
        if isRoot, item.path == [list], let array = item.list { return .array(array) }
        guard isOurs else { continue }
        if !isBelow { blocks[blocks.count - 1].items.append(item) }
      case .header(let header):
        isRoot = false
        isOurs =
          header.path.first == list && (header.path.count > 1 ? !blocks.isEmpty : header.isArray)
        isBelow = header.path.count > 1
        guard isOurs else { continue }
        if isBelow {
          blocks[blocks.count - 1].tables.append((header.path[1], index..<index))
        } else {
          blocks.append(Block(header: header, runs: [index..<index]))
        }
      }
      blocks[blocks.count - 1].extend(to: index, isBelow: isBelow)
    }
    return blocks.isEmpty ? .missing : .blocks(blocks)
  }
}

extension Block {
  fileprivate mutating func extend(to index: Int, isBelow: Bool) {
    if runs[runs.count - 1].upperBound == index {
      runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<index + 1
    } else {
      runs.append(index..<index + 1)
    }
    guard isBelow, let last = tables.indices.last else { return }
    tables[last].statements = tables[last].statements.lowerBound..<index + 1
  }
}

// MARK: - What belongs to statements

extension TOMLSource {
  /// The lines of the statements and the comments that are theirs, without the last line end.
  func extent(of run: Range<Int>) -> Range<Int> {
    let (first, last) = (statements[run.lowerBound], statements[run.upperBound - 1])
    let before =
      run.lowerBound == 0 ? start : nextLine(statements[run.lowerBound - 1].range.upperBound)
    let lead = commentsAbove(first.range.lowerBound, notBefore: before)
    let behind =
      run.upperBound == statements.count ? nil : statements[run.upperBound].range.lowerBound
    return lead..<commentsBelow(last.range.upperBound, next: behind)
  }

  /// Where the comments right above the line with `offset` begin; those at the very beginning of the
  /// text are about all of it.
  private func commentsAbove(_ offset: Int, notBefore limit: Int) -> Int {
    let own = lineStart(offset)
    var lead = own
    while lead > limit {
      let above = lineStart(lead - 1)
      guard above >= limit, line(above) == .comment else { return lead }
      lead = above
    }
    return lead == start ? own : lead
  }

  /// Where the line with `offset` ends or, if comments are right below it that are not right above
  /// the statement `next`, the last of them.
  private func commentsBelow(_ offset: Int, next: Int?) -> Int {
    let own = lineEnd(offset)
    var (end, below) = (own, nextLine(offset))
    while below < (next.map(lineStart) ?? bytes.count), line(below) == .comment {
      (end, below) = (lineEnd(below), nextLine(below))
    }
    let touches = next.map { lineStart($0) == below } ?? false
    return touches ? own : end
  }

  /// How many blank lines are right above and right below the lines of `extent`.
  func blankLines(around extent: Range<Int>) -> (above: Int, below: Int) {
    var (above, below) = (0, 0)
    var edge = extent.lowerBound
    while edge > start, line(lineStart(edge - 1)) == .blank {
      edge = lineStart(edge - 1)
      above += 1
    }
    edge = nextLine(extent.upperBound)
    while edge < bytes.count, line(edge) == .blank {
      edge = nextLine(edge)
      below += 1
    }
    return (above, below)
  }
}
