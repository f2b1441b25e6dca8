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
    public let position: TOMLPosition

    public init(path: [String], kind: Kind, position: TOMLPosition) {
      (self.path, self.kind, self.position) = (path, kind, position)
    }
  }

  /// In the order of the text.
  public let names: [Name]
  /// The path of the heading above the broken statement; empty if there is no heading.
  public let heading: [String]
  /// The broken statement and what follows it. Each line ends with LF, also if the file has CRLF.
  public let text: [Unicode.Scalar]
  /// Whether the file goes on after `text`.
  public let isCut: Bool
  private let first: TOMLPosition

  /// In bytes. What is wrong with a statement is near its beginning, unless it is a long list.
  private static let longest = 256 * 1024

  /// `stop` is the place that `TOMLError.syntax` has for `bytes`.
  public init(_ bytes: [UInt8], at stop: TOMLPosition) {
    let line = TOMLDocument.statement(reaching: stop.line, of: bytes)
    var start = TOMLDocument.start(of: bytes)
    for _ in 1..<line {
      start = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
    }
    // No error: toml++ found everything before the statement in order.
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

  /// Where the scalar of `text` with this index stands.
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
  /// The headings and keys of this table, which is called `path`, in the order of the text.
  fileprivate func names(below path: [String]) -> [TOMLBreak.Name] {
    entries.flatMap { entry in
      let path = path + [entry.key]
      if entry.isPlain {
        return [TOMLBreak.Name(path: path, kind: .key, position: entry.keyPosition)]
      }
      switch entry.value.kind {
      case .table(let table):
        let names = table.names(below: path)
        // `[a.b]` and `a.b = 1` make a table `a` that may have a heading of its own yet.
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
