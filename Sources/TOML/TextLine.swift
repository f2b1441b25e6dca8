// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines of a text, and the style in which the lines of a block write their keys.
// `BlockEditor.swift` uses them to change texts.

/// A line and its line end: LF, CRLF or nothing.
struct TextLine {
  var text: ArraySlice<UInt8>
  var end: ArraySlice<UInt8>
  /// Whether the line continues a value that began in a line above.
  var isInside = false
  /// Whether the line had no line end because it was the last line of the text.
  var isOpen = false

  init(_ text: ArraySlice<UInt8>, _ end: ArraySlice<UInt8>) { (self.text, self.end) = (text, end) }

  static func lines(of bytes: ArraySlice<UInt8>) -> [TextLine] {
    let texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return texts.compactMap { text in
      if text.endIndex == bytes.endIndex { return text.isEmpty ? nil : TextLine(text, []) }
      let end = text.last == UInt8(ascii: "\r") ? text.endIndex - 1 : text.endIndex
      return TextLine(text[..<end], bytes[end...text.endIndex])
    }
  }

  enum Kind { case blank, comment, other }

  var kind: Kind {
    if isInside { return .other }
    let first = text.first { !Self.isSpace($0) }
    return first.map { $0 == UInt8(ascii: "#") ? .comment : .other } ?? .blank
  }

  var indentation: ArraySlice<UInt8> { text.prefix(while: Self.isSpace) }

  /// Returns the part of the line before `column`. Columns are code points, counted from 1.
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

/// How the keys of a block are spaced. The style is learnt from the existing lines of the block.
struct KeyStyle {
  private var before: ArraySlice<UInt8> = [UInt8(ascii: " ")]
  private var after: ArraySlice<UInt8> = [UInt8(ascii: " ")]
  /// The number of bytes from the beginning of a key to its `=`; nil unless all keys are padded to
  /// the same width.
  private var width: Int?

  /// `heads` are the parts of lines before their values, such as `key  = `.
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

  /// Returns the line `key = value` in this style. `longest` is the length of the longest key that
  /// is written together with this key.
  func assignment(_ key: String, _ value: String, longest: Int = 0) -> ArraySlice<UInt8> {
    let key = ArraySlice(TOMLText.key(key).utf8)
    let padding = width.map { max(1, max($0, longest + 1) - key.count) }
    let spaces = padding.map { ArraySlice(repeating: UInt8(ascii: " "), count: $0) } ?? before
    return key + spaces + [UInt8(ascii: "=")] + after + value.utf8
  }
}

// MARK: - The order of keys

extension [TOMLEdit.Setting] {
  /// Returns the settings in the order of `order`, with unknown keys at the end. If a key occurs
  /// several times, only its last setting is kept.
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
