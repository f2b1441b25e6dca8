// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parses TOML text with toml++, through `CToml`. This code opens no file, and keeps no C memory
// after it returns. `TOMLValue.swift` has the values that it makes.

import CToml
import Scheduling

public enum TOMLError: Error, Hashable, Sendable {
  /// The position of the first byte that is not UTF-8.
  case notUTF8(at: TOMLPosition)
  /// The position at which toml++ stopped reading. `TOMLDocument.statement` returns the statement
  /// that contains this position.
  case syntax(at: TOMLPosition)
}

public struct TOMLDocument: Hashable, Sendable {
  public let bytes: [UInt8]
  public let root: TOMLTable

  /// The maximum depth of nested arrays and inline tables. It must equal `TOML_MAX_NESTED_VALUES`
  /// in `CToml.cpp`.
  public static let deepest = 16

  /// Reads TOML 1.1 in UTF-8, with or without a byte order mark. Lines end with LF or CRLF.
  ///
  /// Fails if arrays and inline tables are nested deeper than 16, or if a key has more than 30
  /// dots. This limits the depth of the result, so that code that walks the result cannot overflow
  /// the stack.
  public static func parse(_ bytes: [UInt8]) throws(TOMLError) -> TOMLDocument {
    do { _ = try UTF8Span(validating: bytes.span) } catch {
      throw .notUTF8(at: position(of: error.byteOffsets.lowerBound, in: bytes))
    }
    let parsed = unsafe ParsedText(bytes)
    defer { unsafe parsed.free() }
    return TOMLDocument(bytes: bytes, root: try unsafe parsed.root())
  }

  /// Returns the first line of the statement that extends to `line`, without its line end, and the
  /// number of that line, counted from 1. The text above that statement must be valid TOML.
  public static func statement(
    reaching line: Int, of bytes: [UInt8]
  ) -> (line: Int, text: String) {
    let first = unsafe bytes.withUnsafeBytes { buffer in
      unsafe ctoml_statement(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
        UInt32(clamping: line))
    }
    let lines = bytes[start(of: bytes)...].split(
      separator: UInt8(ascii: "\n"), maxSplits: Int(first), omittingEmptySubsequences: false)
    var content = lines[min(Int(first), lines.count) - 1]
    // The end of a line is \r\n or \n. A \r at the end of the file ends no line.
    if lines.count > Int(first), content.last == UInt8(ascii: "\r") { content.removeLast() }
    return (Int(first), String(decoding: content, as: UTF8.self))
  }

  public static func parse(_ text: String) throws(TOMLError) -> TOMLDocument {
    try parse(Array(text.utf8))
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the index at which the text begins. If there is a byte order mark, the text begins
  /// after it.
  public static func start(of bytes: [UInt8]) -> Int {
    bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
  }

  static func position(of offset: Int, in bytes: [UInt8]) -> TOMLPosition {
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let beginsCodePoint = { (byte: UInt8) in byte & 0b1100_0000 != 0b1000_0000 }
    let mark = lineStart == 0 && before.starts(with: byteOrderMark) ? 1 : 0
    return TOMLPosition(
      line: line, column: before[lineStart...].count(where: beginsCodePoint) - mark + 1)
  }
}

@unsafe private struct ParsedText {
  private let document: OpaquePointer

  init(_ bytes: [UInt8]) {
    let parsed = unsafe bytes.withUnsafeBytes { buffer in
      unsafe ctoml_parse(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    guard let parsed = unsafe parsed else { fatalError("ctoml_parse never returns NULL") }
    unsafe document = parsed
  }

  func free() { unsafe ctoml_free(document) }

  func root() throws(TOMLError) -> TOMLTable {
    guard let first = unsafe ctoml_nodes(document) else {
      throw .syntax(at: TOMLPosition(unsafe ctoml_error(document)))
    }
    var cursor = unsafe NodeCursor(next: first)
    guard case .table(let root) = unsafe cursor.value().kind else {
      fatalError("the first node is the root table")
    }
    return root
  }
}

/// Walks the nodes of the parsed text in preorder: each node is followed by all nodes inside it.
@unsafe private struct NodeCursor {
  var next: UnsafePointer<ctoml_node>

  mutating func value() -> TOMLValue {
    let node = unsafe next.pointee
    unsafe next += 1
    return unsafe TOMLValue(
      kind: kind(of: node), position: TOMLPosition(node.begin), end: TOMLPosition(node.end))
  }

  private mutating func kind(of node: ctoml_node) -> TOMLValue.Kind {
    let (value, moment) = unsafe (node.value, node.value.moment)
    switch unsafe node.kind {
    case CTOML_STRING: return unsafe .string(String(value.string))
    case CTOML_INTEGER: return unsafe .integer(value.integer)
    case CTOML_FLOAT: return unsafe .float(value.real)
    case CTOML_BOOLEAN: return unsafe .boolean(value.boolean)
    case CTOML_DATE: return .date(moment.civil.date)
    case CTOML_TIME: return .time(moment.civil.time, nanosecond: moment.nanosecond)
    case CTOML_DATE_TIME: return .dateTime(moment.civil, nanosecond: moment.nanosecond)
    case CTOML_OFFSET_DATE_TIME:
      return .offsetDateTime(
        moment.civil, nanosecond: moment.nanosecond, minutesEast: moment.offset_minutes)
    case CTOML_ARRAY: return unsafe .array((0..<node.children).map { _ in unsafe self.value() })
    default:
      return unsafe .table(TOMLTable(sorting: (0..<node.children).map { _ in unsafe entry() }))
    }
  }

  private mutating func entry() -> TOMLTable.Entry {
    let (key, keyBegin) = unsafe (next.pointee.key, next.pointee.key_begin)
    return unsafe TOMLTable.Entry(
      key: String(key), keyPosition: TOMLPosition(keyBegin), value: value())
  }
}

extension TOMLTable {
  /// Sorts the entries by their positions. toml++ sorts them by name, but people mean the order of
  /// the text.
  fileprivate init(sorting entries: [Entry]) {
    self.init(entries: entries.sorted { $0.keyPosition < $1.keyPosition })
  }
}

extension String {
  fileprivate init(_ text: ctoml_text) {
    let bytes = unsafe UnsafeRawBufferPointer(start: text.bytes, count: text.length)
    unsafe self.init(decoding: bytes, as: UTF8.self)
  }
}

extension TOMLPosition {
  fileprivate init(_ position: ctoml_position) {
    // toml++ reports line 0 for the root of an empty text.
    self.init(line: max(1, Int(position.line)), column: max(1, Int(position.column)))
  }
}

extension ctoml_moment {
  /// The date and time. Parts that the value does not have are 0001-01-01 and midnight. TOML has a
  /// year 0, which counts as 0001-01-01, because `CivilDate` does not have it.
  fileprivate var civil: CivilDateTime {
    let first = CivilDate(daysSinceEpoch: -719_162)
    return CivilDateTime(
      CivilDate(year: Int(year), month: Int(month), day: Int(day)) ?? first,
      CivilTime(hour: Int(hour), minute: Int(minute), second: Int(second)) ?? .midnight)
  }
}
