// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text to values, by way of toml++ behind `CToml`. It judges TOML and nothing else, opens no file,
// and keeps nothing of C once it returns.

import CToml

public enum TOMLError: Error, Hashable, Sendable {
  /// The first byte that is not UTF-8.
  case notUTF8(at: TOMLPosition)
  /// Where toml++ stopped reading. `TOMLBreak.swift` finds the statement that it stopped in.
  case syntax(at: TOMLPosition)
}

public struct TOMLDocument: Hashable, Sendable {
  public let bytes: [UInt8]
  public let root: TOMLTable

  /// How deep arrays and inline tables may be in one another: `TOML_MAX_NESTED_VALUES` of
  /// `CToml.cpp`.
  public static let deepest = 16
  /// How many dots a key may have: `dots_in_a_key` of `CToml.cpp`.
  public static let dotsInAKey = 250

  /// Reads TOML 1.1 in UTF-8, with or without a byte order mark; lines end with LF or CRLF.
  ///
  /// Deeper than 16 arrays and inline tables in one another, or more than 250 dots in a key, is an
  /// error: the depth of what is returned is bounded, so that walking it cannot overflow the stack.
  public static func parse(_ bytes: [UInt8]) throws(TOMLError) -> TOMLDocument {
    do { _ = try UTF8Span(validating: bytes.span) } catch {
      throw .notUTF8(at: position(of: error.byteOffsets.lowerBound, in: bytes))
    }
    let parsed = unsafe ParsedText(bytes)
    defer { unsafe parsed.free() }
    return TOMLDocument(bytes: bytes, root: try unsafe parsed.root())
  }

  /// The line, from 1, in which the statement begins that reaches into `line`; what stands above
  /// that statement must be TOML.
  static func statement(reaching line: Int, of bytes: [UInt8]) -> Int {
    let first = unsafe bytes.withUnsafeBytes { buffer in
      unsafe ctoml_statement(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
        UInt32(clamping: line))
    }
    return Int(first)
  }

  public static func parse(_ text: String) throws(TOMLError) -> TOMLDocument {
    try parse(Array(text.utf8))
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Where the text of `bytes` begins: behind a byte order mark.
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

/// `ctoml_parse` and the nodes it gave.
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

/// Walks nodes in preorder: each is followed by all that is in it.
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
    case CTOML_DATE: return .date(TOMLDate(moment))
    case CTOML_TIME: return .time(TOMLTime(moment))
    case CTOML_DATE_TIME: return .dateTime(TOMLDate(moment), TOMLTime(moment))
    case CTOML_OFFSET_DATE_TIME:
      return .offsetDateTime(
        TOMLDate(moment), TOMLTime(moment), minutesEast: moment.offset_minutes)
    case CTOML_ARRAY: return unsafe .array((0..<node.children).map { _ in unsafe self.value() })
    default:
      return unsafe .table(TOMLTable(entries: (0..<node.children).map { _ in unsafe entry() }))
    }
  }

  private mutating func entry() -> TOMLTable.Entry {
    let (key, keyBegin) = unsafe (next.pointee.key, next.pointee.key_begin)
    return unsafe TOMLTable.Entry(
      key: String(key), keyPosition: TOMLPosition(keyBegin), value: value())
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
    // The root of an empty text is nowhere to toml++.
    self.init(line: max(1, Int(position.line)), column: max(1, Int(position.column)))
  }
}

extension TOMLDate {
  fileprivate init(_ moment: ctoml_moment) {
    (year, month, day) = (Int16(moment.year), moment.month, moment.day)
  }
}

extension TOMLTime {
  fileprivate init(_ moment: ctoml_moment) {
    (hour, minute, second) = (moment.hour, moment.minute, moment.second)
    nanosecond = moment.nanosecond
  }
}
