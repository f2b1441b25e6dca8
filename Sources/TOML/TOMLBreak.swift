// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the statement in which toml++ stopped reading, and the names that the text above the
// statement defines. toml++ decides whether a text is TOML and reports where it stopped.
// `SyntaxScanner.swift` in Configuration finds the error in the statement.

public struct TOMLBreak: Sendable {
  /// The values in the text above the broken statement.
  public let above: TOMLTable
  /// The path of the last heading above the broken statement; empty if there is no heading.
  public let heading: [String]
  /// The broken statement and the text after it. Each line ends with LF, even if the file has CRLF.
  public let text: [Unicode.Scalar]
  private let first: TOMLPosition

  /// The maximum length of `text` in bytes. The error is near the beginning of the statement,
  /// unless the statement is a long list.
  private static let longest = 256 * 1024

  /// `stop` must be the position that `TOMLError.syntax` reports for `bytes`.
  public init(_ bytes: [UInt8], at stop: TOMLPosition) {
    let line = TOMLDocument.statement(reaching: stop.line, of: bytes)
    var start = TOMLDocument.start(of: bytes)
    for _ in 1..<line {
      start = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
    }
    // Parsing cannot fail here, because toml++ found no error above the statement.
    above = (try? TOMLDocument.parse(Array(bytes[..<start])).root) ?? TOMLTable()
    // The heading `[a.b]` also defines `a`, at the same position. So if positions are equal, the
    // longer path is the heading.
    let last = above.headings.max {
      ($0.position, $0.path.count) < ($1.position, $1.path.count)
    }
    heading = last?.path ?? []
    let indentation = bytes[start...].prefix(while: TextLine.isSpace)
    first = TOMLPosition(line: line, column: 1 + indentation.count)
    text = Self.scalars(bytes[indentation.endIndex...].prefix(Self.longest))
  }

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\n", scalars.last == "\r" { scalars.removeLast() }
      scalars.append(scalar)
    }
    return scalars
  }

  /// Returns the position in the file of the scalar at `index` in `text`.
  public func position(of index: Int) -> TOMLPosition {
    let before = text.prefix(index)
    guard let newline = before.lastIndex(of: "\n") else {
      return TOMLPosition(line: first.line, column: first.column + before.count)
    }
    return TOMLPosition(
      line: first.line + before.count { $0 == "\n" }, column: before.count - newline)
  }
}

extension TOMLTable {
  /// How a name is defined: as a key, by a heading `[name]`, or by headings `[[name]]`.
  public enum Definition: Sendable { case key, table, list }

  /// Returns the existing definition with which a new definition of `path` would clash. The
  /// existing definition has the whole path, or it is a key that consists of only the first
  /// `length` parts of the path. Returns nil if nothing would clash.
  public func definition(
    of path: [String]
  ) -> (kind: Definition, length: Int, line: Int)? {
    var table = self
    for (index, key) in path.enumerated() {
      guard let entry = table.entries.first(where: { $0.key == key }) else { return nil }
      let isWhole = index + 1 == path.count
      guard !entry.isPlain, isWhole ? !entry.isDotted : true, let last = entry.tables.last else {
        return (.key, index + 1, entry.keyPosition.line)
      }
      if isWhole {
        if case .array = entry.value.kind { return (.list, path.count, last.position.line) }
        return (.table, path.count, last.position.line)
      }
      table = last.table
    }
    return nil
  }

  fileprivate var headings: [(path: [String], position: TOMLPosition)] {
    entries.filter { !$0.isPlain && !$0.isDotted }.flatMap { entry in
      entry.tables.flatMap { table in
        [([entry.key], table.position)]
          + table.table.headings.map { ([entry.key] + $0.path, $0.position) }
      }
    }
  }
}

extension TOMLTable.Entry {
  /// Whether the entry is a table that exists because of a dotted key such as `a.b = 1`. The
  /// position of such a table is the position of its key.
  fileprivate var isDotted: Bool { keyPosition == value.position }

  /// All tables of an entry that has one or more headings.
  fileprivate var tables: [TOMLValue] {
    if case .array(let tables) = value.kind { tables } else { [value] }
  }
}
