// SPDX-License-Identifier: GPL-3.0-or-later
//
// The statement in which toml++ stopped reading, and the names that the statements before it set.
// toml++ judges whether a text is TOML, and gives the place where it stopped. `SyntaxScanner.swift`
// in Configuration looks at the statement and finds what is wrong with it.

public struct TOMLBreak: Sendable {
  /// A heading or a key that stands before the broken statement.
  public struct Name: Sendable {
    public enum Kind: Sendable { case table, list, key }

    /// From the root: a key's path begins with that of its heading.
    public let path: [String]
    public let kind: Kind
    fileprivate let place: Place

    /// A byte of the file, or a scalar of `text`.
    fileprivate enum Place {
      case byte(Int)
      case scalar(Int)
    }

    fileprivate init(_ path: [String], _ kind: Kind, _ place: Place) {
      (self.path, self.kind, self.place) = (path, kind, place)
    }

    /// One that `text` sets, at the scalar with this index.
    public init(path: [String], kind: Kind, index: Int) { self.init(path, kind, .scalar(index)) }
  }

  /// In the order of the text.
  public let names: [Name]
  /// The path of the heading above the broken statement; empty if there is no heading.
  public let heading: [String]
  /// The broken statement and what follows it. Each line ends with LF, also if the file has CRLF.
  public let text: [Unicode.Scalar]
  /// Whether the file goes on after `text`.
  public let isCut: Bool
  private let bytes: [UInt8]
  private let start: Int

  /// In bytes. What is wrong with a statement is near its beginning, unless it is a long list.
  private static let longest = 256 * 1024

  /// `stop` is the place that `TOMLError.syntax` has for `bytes`.
  public init(_ bytes: [UInt8], at stop: TOMLPosition) {
    let stop = Self.offset(of: stop, in: bytes)
    // toml++ found everything before `stop` in order, and its nesting within bounds.
    let (statements, rest) = TOMLLayout.wholeStatements(of: Array(bytes[..<stop]))
    let lineStart = bytes[..<stop].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    var start = rest?.start ?? max(lineStart ?? 0, TOMLDocument.start(of: bytes))
    var before = statements[...]
    // Reading may stop behind a statement that looks whole: `date = 2026-02-30`.
    if rest == nil, let last = statements.last?.range, last.upperBound > start {
      start = last.lowerBound
      before = before.dropLast()
    }
    (names, heading) = Self.names(of: before)
    let end = min(bytes.count, start + Self.longest)
    text = Self.scalars(bytes[start..<end])
    isCut = end < bytes.count
    (self.bytes, self.start) = (bytes, start)
  }

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\n", scalars.last == "\r" { scalars.removeLast() }
      scalars.append(scalar)
    }
    return scalars
  }

  private static func names(
    of statements: ArraySlice<TOMLLayout.Statement>
  ) -> (names: [Name], heading: [String]) {
    var heading: [String] = []
    let names = statements.map { statement in
      switch statement {
      case .header(let header):
        heading = header.path
        return Name(heading, header.isArray ? .list : .table, .byte(header.range.lowerBound))
      case .item(let item):
        return Name(heading + item.path, .key, .byte(item.key.lowerBound))
      }
    }
    return (names, heading)
  }

  // MARK: - Places

  /// Where the scalar of `text` with this index stands.
  public func position(of index: Int) -> TOMLPosition {
    let first = TOMLDocument.position(of: start, in: bytes)
    let before = text.prefix(index)
    guard let newline = before.lastIndex(of: "\n") else {
      return TOMLPosition(line: first.line, column: first.column + before.count)
    }
    return TOMLPosition(
      line: first.line + before.count { $0 == "\n" }, column: before.count - newline)
  }

  /// The line in which that name stands.
  public func line(of name: Name) -> Int {
    switch name.place {
    case .byte(let offset): TOMLDocument.position(of: offset, in: bytes).line
    case .scalar(let index): position(of: index).line
    }
  }

  /// The byte at a place; the end of the line if the line is shorter.
  private static func offset(of place: TOMLPosition, in bytes: [UInt8]) -> Int {
    var offset = TOMLDocument.start(of: bytes)
    for _ in 1..<max(1, place.line) {
      guard let newline = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) else { break }
      offset = newline + 1
    }
    for _ in 1..<max(1, place.column) {
      guard offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") else { break }
      offset += 1
      while offset < bytes.count, bytes[offset] & 0b1100_0000 == 0b1000_0000 { offset += 1 }
    }
    return offset
  }
}
