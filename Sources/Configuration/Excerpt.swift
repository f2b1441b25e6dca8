// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shows a diagnostic on a terminal, with the line of the config that has the error, and a caret
// under the error. The file may contain anything, so characters that control a terminal are
// replaced.

import Language
import TOML

public struct SourceLines: Sendable {
  private let lines: [ArraySlice<UInt8>]

  public init(_ bytes: [UInt8]) {
    lines = bytes[TOMLDocument.start(of: bytes)...]
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// Returns the code points of line `number`, counted from 1. For a long line, returns at least
  /// the first `limit` code points and leaves out the rest.
  fileprivate func line(_ number: Int, limit: Int) -> [Unicode.Scalar] {
    guard lines.indices.contains(number - 1) else { return [] }
    var line = lines[number - 1].prefix(4 * limit)
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return Array(String(decoding: line, as: UTF8.self).unicodeScalars)
  }
}

extension Diagnostic {
  /// At most this many characters of a line are shown, around the caret.
  private static let widest = 76
  /// A diagnostic beyond this column gets no excerpt, because finding the column would take too
  /// long.
  private static let farthest = 10_000

  /// The line of the file that has the error, with a caret under the error.
  func excerpt(from source: SourceLines) -> String? {
    guard (1...Self.farthest).contains(column) else { return nil }
    let cells = source.line(line, limit: Self.farthest + Self.widest).map { scalar in
      scalar == "\t" ? " " : TerminalText.acts(scalar) ? "\u{FFFD}" : scalar
    }
    guard !cells.isEmpty else { return nil }
    let caret = min(column - 1, cells.count)
    let first = cells.count > Self.widest ? max(0, caret - Self.widest / 2) : 0
    let shown = first..<min(cells.count, first + Self.widest)
    let left = shown.lowerBound > 0 ? "…" : ""
    let right = shown.upperBound < cells.count ? "…" : ""
    let text = left + String(String.UnicodeScalarView(cells[shown])) + right
    let before =
      left.count + cells[shown.lowerBound..<caret].reduce(0) { $0 + TerminalText.width(of: $1) }
    return "    \(text)\n    \(String(repeating: " ", count: before))^"
  }
}
