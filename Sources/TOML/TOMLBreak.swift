// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the statement in which toml++ stopped reading, and whether the text above already defines
// the same name. toml++ decides whether a text is TOML and reports where it stopped.
// `SyntaxDiagnostic.swift` in Configuration explains the error.

public struct TOMLBreak: Sendable {
  /// The line in which the broken statement begins, counted from 1.
  public let line: Int
  /// That line, without its line end.
  public let text: String
  /// The name that the statement defines, and the line above in which it is already defined; nil if
  /// the name is new, or if the statement has no valid name.
  public let earlier: (name: [String], line: Int)?

  /// `stop` must be the position that `TOMLError.syntax` reports for `bytes`.
  public init(_ bytes: [UInt8], at stop: TOMLPosition) {
    line = TOMLDocument.statement(reaching: stop.line, of: bytes)
    var start = TOMLDocument.start(of: bytes)
    for _ in 1..<line {
      start = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
    }
    var scalars = bytes[start...].prefix { $0 != UInt8(ascii: "\n") }
    if scalars.last == UInt8(ascii: "\r") { scalars.removeLast() }
    text = String(decoding: scalars, as: UTF8.self)
    // Parsing cannot fail here, because toml++ found no error above the statement.
    let above = (try? TOMLDocument.parse(Array(bytes[..<start])).root) ?? TOMLTable()
    earlier = Self.earlier(text, above)
  }

  private static func earlier(_ text: String, _ above: TOMLTable) -> (name: [String], line: Int)? {
    let isHeading = text.drop { $0 == " " || $0 == "\t" }.hasPrefix("[")
    // Any error means that the statement has no valid name.
    let named = try? TOMLDocument.parse(isHeading ? text : text.prefix { $0 != "=" } + "= 0")
    guard let path = named?.root.path, !path.isEmpty else { return nil }
    // The heading `[a.b]` also defines `a`, at the same position. So if positions are equal, the
    // longer path is the heading.
    let last = above.headings.max { ($0.position, $0.path.count) < ($1.position, $1.path.count) }
    let heading = isHeading ? [] : last?.path ?? []
    guard let first = above.definition(of: heading + path) else { return nil }
    return (Array(path.prefix(max(1, first.length - heading.count))), first.line)
  }
}

extension TOMLTable {
  /// Returns the existing definition with which a new definition of `path` would clash; nil if
  /// nothing would clash. It defines the first `length` parts of `path`. For example, `a = 1`
  /// clashes with a new `a.b`, and `length` is 1.
  fileprivate func definition(of path: [String]) -> (length: Int, line: Int)? {
    var table = self
    for (index, key) in path.enumerated() {
      guard let entry = table.entries.first(where: { $0.key == key }) else { return nil }
      let isWhole = index + 1 == path.count
      guard !entry.isPlain, isWhole ? !entry.isDotted : true, let last = entry.tables.last else {
        return (index + 1, entry.keyPosition.line)
      }
      if isWhole { return (path.count, last.position.line) }
      table = last.table
    }
    return nil
  }

  /// The path of the first name that the table defines.
  fileprivate var path: [String] {
    entries.first.map { [$0.key] + ($0.tables.first?.table.path ?? []) } ?? []
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
