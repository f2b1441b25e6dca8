// SPDX-License-Identifier: GPL-3.0-or-later
//
// A text as lines, and how the lines of a block write their keys: what `BlockEditor.swift` puts
// together.

/// One line and its line end, which is none, LF or CRLF.
struct TextLine {
  var text: ArraySlice<UInt8>
  var end: ArraySlice<UInt8>
  /// Whether it goes on with a value that began in a line above.
  var isInside = false

  init(_ text: ArraySlice<UInt8>, _ end: ArraySlice<UInt8>) { (self.text, self.end) = (text, end) }

  static func lines(of bytes: ArraySlice<UInt8>) -> [TextLine] {
    var lines: [TextLine] = []
    var rest = bytes
    while !rest.isEmpty {
      let next = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      var end = next
      if rest[next - 1] == UInt8(ascii: "\n") { end -= 1 }
      if end < next, end > rest.startIndex, rest[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      lines.append(TextLine(rest[..<end], rest[end..<next]))
      rest = rest[next...]
    }
    return lines
  }

  enum Kind { case blank, comment, other }

  var kind: Kind {
    if isInside { return .other }
    let first = text.first { !Self.isSpace($0) }
    return first.map { $0 == UInt8(ascii: "#") ? .comment : .other } ?? .blank
  }

  var indentation: ArraySlice<UInt8> { text.prefix(while: Self.isSpace) }

  /// What stands before a column, which counts code points from 1.
  func text(upTo column: Int) -> ArraySlice<UInt8> { text[..<index(of: column)] }

  func text(from column: Int) -> ArraySlice<UInt8> { text[index(of: column)...] }

  private func index(of column: Int) -> Int {
    var (index, left) = (text.startIndex, column - 1)
    while left > 0, index < text.endIndex {
      index += 1
      while index < text.endIndex, text[index] & 0b1100_0000 == 0b1000_0000 { index += 1 }
      left -= 1
    }
    return index
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}

/// How the keys of a block are written, learnt from those that are there.
struct KeyStyle {
  private var before: ArraySlice<UInt8> = [UInt8(ascii: " ")]
  private var after: ArraySlice<UInt8> = [UInt8(ascii: " ")]
  /// Where the `=` stands behind the beginning of the key, if all keys are padded to the same
  /// place.
  private var width: Int?

  /// From what each line has in front of its value: `key  = `.
  init(_ heads: [ArraySlice<UInt8>]) {
    let keys = heads.map { head in
      let equals = head.lastIndex(of: UInt8(ascii: "=")) ?? head.endIndex - 1
      let spaces = head[..<equals].reversed().prefix(while: TextLine.isSpace)
      return (
        before: ArraySlice(spaces.reversed()), after: head[(equals + 1)...],
        width: equals - head.startIndex
      )
    }
    guard let last = keys.last else { return }
    (before, after) = (last.before, last.after)
    let isEven = keys.allSatisfy { $0.width == last.width }
    let isPadded = keys.contains { key in
      key.before.count > 1 && !key.before.contains(UInt8(ascii: "\t"))
    }
    width = isEven && isPadded ? last.width : nil
  }

  /// `key = value`, where `longest` other key is written with it.
  func assignment(_ key: String, _ value: String, longest: Int = 0) -> ArraySlice<UInt8> {
    let key = ArraySlice(TOMLText.key(key).utf8)
    let padding = width.map { max(1, max($0, longest + 1) - key.count) }
    let spaces = padding.map { ArraySlice(repeating: UInt8(ascii: " "), count: $0) } ?? before
    return key + spaces + [UInt8(ascii: "=")] + after + value.utf8
  }
}

// MARK: - The order of keys

extension [TOMLEdit.Setting] {
  /// As `order` has their keys, and others behind; of several for one key, the last.
  func inOrder(_ order: [String]) -> [TOMLEdit.Setting] {
    enumerated().filter { place, setting in !self[(place + 1)...].contains { $0.key == setting.key }
    }
    .sorted {
      (order.rank($0.element.key), $0.offset) < (order.rank($1.element.key), $1.offset)
    }.map(\.element)
  }
}

extension [String] {
  func rank(_ key: String) -> Int { firstIndex(of: key) ?? count }
}
