// SPDX-License-Identifier: GPL-3.0-or-later
//
// The statement in which toml++ stopped reading, and the names that the statements before it
// define. toml++ decides whether a text is TOML and reports where it stopped. `SyntaxScanner.swift`
// in Configuration finds out what is wrong with the statement.

public struct TOMLBreak: Sendable {
  /// The name of a table, list or key that is defined before the broken statement.
  public struct Name: Sendable {
    public enum Kind: Sendable { case table, list, key }

    /// The path from the root. The path of a key begins with that of the heading above it.
    public let path: [String]
    public let kind: Kind
    public let position: TOMLPosition

    public init(path: [String], kind: Kind, position: TOMLPosition) {
      (self.path, self.kind, self.position) = (path, kind, position)
    }
  }

  /// In the order of the text.
  public let names: [Name]
  /// The path of the heading above the broken statement; empty if there is no heading.
  public let heading: [String]
  /// The broken statement and the text after it. Each line ends with LF, even if the file has CRLF.
  public let text: [Unicode.Scalar]
  /// Whether the file goes on after `text`.
  public let isCut: Bool
  private let first: TOMLPosition

  /// The most bytes that `text` holds. What is wrong with a statement is near its beginning, unless
  /// the statement is a long list.
  private static let longest = 256 * 1024

  /// `stop` must be the position in `TOMLError.syntax` for these bytes.
  public init(_ bytes: [UInt8], at stop: TOMLPosition) {
    let line = TOMLDocument.statement(reaching: stop.line, of: bytes)
    var start = TOMLDocument.start(of: bytes)
    for _ in 1..<line {
      start = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
    }
    // This cannot fail, because toml++ found no error before the statement.
    names = (try? TOMLDocument.parse(Array(bytes[..<start])).root.names(below: [])) ?? []
    heading = names.last { $0.kind != .key }?.path ?? []
    let indentation = bytes[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    first = TOMLPosition(line: line, column: 1 + indentation.count)
    start = indentation.endIndex
    let end = min(bytes.count, start + Self.longest)
    text = Self.scalars(bytes[start..<end])
    isCut = end < bytes.count
  }

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\n", scalars.last == "\r" { scalars.removeLast() }
      scalars.append(scalar)
    }
    return scalars
  }

  /// The position in the file of the scalar at `index` in `text`.
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
  /// The headings and keys in this table, whose own path is `path`, in the order of the text.
  fileprivate func names(below path: [String]) -> [TOMLBreak.Name] {
    entries.flatMap { entry in
      let path = path + [entry.key]
      if entry.isPlain {
        return [TOMLBreak.Name(path: path, kind: .key, position: entry.keyPosition)]
      }
      switch entry.value.kind {
      case .table(let table):
        let names = table.names(below: path)
        // `[a.b]` and `a.b = 1` create a table `a` that may still get a heading of its own.
        let isImplied =
          entry.keyPosition == entry.value.position
          || names.contains { $0.kind != .key && $0.position == entry.value.position }
        if isImplied { return names }
        return [TOMLBreak.Name(path: path, kind: .table, position: entry.value.position)] + names
      case .array(let values):
        return values.flatMap { value -> [TOMLBreak.Name] in
          guard case .table(let table) = value.kind else { return [] }
          return [TOMLBreak.Name(path: path, kind: .list, position: value.position)]
            + table.names(below: path)
        }
      default: return []
      }
    }.sorted { $0.position < $1.position }
  }
}
