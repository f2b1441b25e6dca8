// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where things stand in a text, byte by byte: headers, keys, values, and what lists hold. toml++
// tells where a value begins; who changes a text in place must know where each thing ends. It reads
// text that is TOML, and judges nothing.

enum TOMLLayout {
  /// The text is not what it was said to be; nothing is known of it from this byte on.
  struct Failure: Error, Hashable, Sendable {
    var offset: Int
  }

  enum Statement: Sendable {
    case header(Header)
    case item(Item)

    /// Without what stands around it: white space, a comment.
    var range: Range<Int> {
      switch self {
      case .header(let header): header.range
      case .item(let item): item.range
      }
    }
  }

  /// `[a.b]`, or `[[a.b]]`.
  struct Header: Sendable {
    var path: [String]
    var isArray: Bool
    var range: Range<Int>
  }

  /// `key = value`; or an element of an array, which has no key.
  struct Item: Sendable {
    /// More than one part where the key is dotted; none for an element.
    var path: [String]
    /// The key as it is written, with its dots and quotes; empty for an element.
    var key: Range<Int>
    var value: Range<Int>
    /// What an array or an inline table holds.
    var list: List?
    /// Where the comma behind it is.
    var comma: Int?

    var range: Range<Int> { key.lowerBound..<value.upperBound }
  }

  struct List: Sendable {
    var isTable: Bool
    /// What is between the brackets.
    var inside: Range<Int>
    var items: [Item]
  }

  /// In the order of the text. `bytes` are TOML: without that, what is returned means nothing.
  static func statements(of bytes: [UInt8]) throws(Failure) -> [Statement] {
    let (statements, rest) = wholeStatements(of: bytes)
    if let rest { throw Failure(offset: rest.failure) }
    return statements
  }

  /// As `statements`, up to the first that is not whole: where it begins, and what is in its way.
  static func wholeStatements(
    of bytes: [UInt8]
  ) -> (statements: [Statement], rest: (start: Int, failure: Int)?) {
    var scanner = Scanner(bytes: bytes, next: TOMLDocument.start(of: bytes))
    var statements: [Statement] = []
    while let start = scanner.nextStatement() {
      do throws(Failure) { statements.append(try scanner.statement()) } catch {
        return (statements, (start, error.offset))
      }
    }
    return (statements, nil)
  }
}

private struct Scanner {
  let bytes: [UInt8]
  var next: Int
  /// How many lists and inline tables are open.
  private var depth = 0

  init(bytes: [UInt8], next: Int) { (self.bytes, self.next) = (bytes, next) }

  /// Where the next statement begins; nil at the end of the text.
  mutating func nextStatement() -> Int? {
    skipBetween()
    return next < bytes.count ? next : nil
  }

  mutating func statement() throws(TOMLLayout.Failure) -> TOMLLayout.Statement {
    at("[") ? .header(try header()) : .item(try assignment())
  }

  private mutating func header() throws(TOMLLayout.Failure) -> TOMLLayout.Header {
    let start = next
    let isArray = bytes[start...].starts(with: "[[".utf8)
    next += isArray ? 2 : 1
    let path = try path()
    skipSpaces()
    for _ in 0..<(isArray ? 2 : 1) { try take("]") }
    return TOMLLayout.Header(path: path, isArray: isArray, range: start..<next)
  }

  private mutating func assignment() throws(TOMLLayout.Failure) -> TOMLLayout.Item {
    let start = next
    let path = try path()
    let end = next
    // TOML 1.1 keeps a key and its value in one line.
    skipSpaces()
    try take("=")
    skipSpaces()
    return try value(path: path, key: start..<end)
  }

  private mutating func path() throws(TOMLLayout.Failure) -> [String] {
    var parts: [String] = []
    var end = next
    repeat {
      skipSpaces()
      parts.append(try keyPart())
      end = next
      skipSpaces()
    } while skip(".")
    next = end
    return parts
  }

  private mutating func keyPart() throws(TOMLLayout.Failure) -> String {
    let start = next
    if at("\"") || at("'") {
      try skipString()
      // A key of its own text, so that one parser knows what an escape means.
      let text = String(decoding: bytes[start..<next], as: UTF8.self)
      guard let key = try? TOMLDocument.parse("\(text)=0").root.entries.first?.key else {
        throw TOMLLayout.Failure(offset: start)
      }
      return key
    }
    while let byte = peek, !" \t\r\n.=]#".utf8.contains(byte) { next += 1 }
    guard next > start else { throw TOMLLayout.Failure(offset: start) }
    return String(decoding: bytes[start..<next], as: UTF8.self)
  }

  private mutating func value(
    path: [String] = [], key: Range<Int>? = nil
  ) throws(TOMLLayout.Failure) -> TOMLLayout.Item {
    let start = next
    var list: TOMLLayout.List?
    if at("[") || at("{") {
      list = try self.list()
    } else if at("\"") || at("'") {
      try skipString()
    } else {
      try skipBare()
    }
    return TOMLLayout.Item(
      path: path, key: key ?? start..<start, value: start..<next, list: list)
  }

  private mutating func list() throws(TOMLLayout.Failure) -> TOMLLayout.List {
    let isTable = at("{")
    // No TOML that was read is deeper. Text that was not may be, and would overflow the stack.
    guard depth < TOMLDocument.deepest else { throw TOMLLayout.Failure(offset: next) }
    depth += 1
    defer { depth -= 1 }
    next += 1
    let start = next
    var items: [TOMLLayout.Item] = []
    while true {
      skipBetween()
      if at(isTable ? "}" : "]") {
        next += 1
        return TOMLLayout.List(isTable: isTable, inside: start..<next - 1, items: items)
      }
      if at(","), let last = items.indices.last, items[last].comma == nil {
        items[last].comma = next
        next += 1
      } else {
        items.append(isTable ? try assignment() : try value())
      }
    }
  }

  /// A number, a date, a word; a date may have its time behind a space.
  private mutating func skipBare() throws(TOMLLayout.Failure) {
    let start = next
    let ends = ",]}# \t\r\n".utf8
    while let byte = peek, !ends.contains(byte) { next += 1 }
    let isDate = next - start == 10 && bytes[start + 4] == UInt8(ascii: "-")
    if isDate, at(" "), next + 1 < bytes.count, isDigit(bytes[next + 1]) {
      next += 1
      while let byte = peek, !ends.contains(byte) { next += 1 }
    }
    guard next > start else { throw TOMLLayout.Failure(offset: start) }
  }

  private mutating func skipString() throws(TOMLLayout.Failure) {
    let (start, quote) = (next, bytes[next])
    let isLong = bytes[start...].starts(with: [quote, quote, quote])
    next += isLong ? 3 : 1
    while let byte = peek {
      next += 1
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        next += 1
      } else if byte == quote, !isLong {
        return
      } else if byte == quote, bytes[next...].starts(with: [quote, quote]) {
        next += 2
        // Up to two quotes more belong to the text.
        for _ in 0..<2 where peek == quote { next += 1 }
        return
      }
    }
    throw TOMLLayout.Failure(offset: start)
  }

  // MARK: - Bytes

  private var peek: UInt8? { next < bytes.count ? bytes[next] : nil }

  private func at(_ character: Unicode.Scalar) -> Bool { peek == UInt8(ascii: character) }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard at(character) else { return false }
    next += 1
    return true
  }

  private mutating func take(_ character: Unicode.Scalar) throws(TOMLLayout.Failure) {
    if !skip(character) { throw TOMLLayout.Failure(offset: next) }
  }

  private mutating func skipSpaces() { while at(" ") || at("\t") { next += 1 } }

  /// White space, line ends and comments.
  private mutating func skipBetween() {
    while let byte = peek {
      if byte == UInt8(ascii: "#") {
        while let byte = peek, byte != UInt8(ascii: "\n") { next += 1 }
      } else if " \t\r\n".utf8.contains(byte) {
        next += 1
      } else {
        return
      }
    }
  }

  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
}
