// SPDX-License-Identifier: GPL-3.0-or-later
//
// A diagnostic for a terminal: the line it is about, and a caret under the place. The line comes
// from a file that may hold anything, so nothing of it is passed on that a terminal would act on.

import Language
import TOML

/// A text by lines, to take excerpts from.
public struct SourceLines: Sendable {
  private let bytes: [UInt8]
  /// Where each line begins in `bytes`.
  private let starts: [Int]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts =
      [TOMLDocument.start(of: bytes)]
      + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// A line without its end, counted from 1; at most its first `limit` bytes.
  fileprivate func line(_ number: Int, limit: Int) -> [UInt8]? {
    guard starts.indices.contains(number - 1) else { return nil }
    let start = starts[number - 1]
    let end = number < starts.count ? starts[number] - 1 : bytes.count
    let line = bytes[start..<min(end, start + limit)]
    return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}

extension Diagnostic {
  /// Headline, the offending line, a caret under the column, and the hint; in English, or in the
  /// language that `translated` speaks.
  public func description(
    showing source: SourceLines, in translated: (Message) -> String = \.description
  ) -> String {
    [headline(translated), excerpt(from: source), hintLine(translated)].compactMap(\.self)
      .joined(separator: "\n")
  }

  /// Of a line wider than this many columns, a part around the caret is shown.
  private static let widest = 76
  /// A caret farther out than this helps nobody, and looking for it takes time.
  private static let farthest = 10_000

  private func excerpt(from source: SourceLines) -> String? {
    guard (1...Self.farthest).contains(column),
      let bytes = source.line(line, limit: 4 * (Self.farthest + Self.widest))
    else { return nil }
    // Code points, not characters: that is what the column counts.
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    guard !scalars.isEmpty else { return nil }
    let cells = scalars.map(Cell.init)
    let caret = min(column - 1, cells.count)
    let shown = Self.window(of: cells, around: caret)
    let left = shown.lowerBound > 0 ? "…" : ""
    let right = shown.upperBound < cells.count ? "…" : ""
    let text = left + cells[shown].map(\.text).joined() + right
    let before = left.count + cells[shown.lowerBound..<caret].reduce(0) { $0 + $1.width }
    return "    \(text)\n    \(String(repeating: " ", count: before))^"
  }

  /// The cells around `caret`, about as many before as behind, that fit into `widest` columns.
  private static func window(of cells: [Cell], around caret: Int) -> Range<Int> {
    var (low, high, width) = (caret, caret, 0)
    while true {
      let before = low > 0 ? cells[low - 1].width : nil
      let behind = high < cells.count ? cells[high].width : nil
      guard before != nil || behind != nil, width + (before ?? 0) + (behind ?? 0) <= widest else {
        return low..<high
      }
      if let before { (low, width) = (low - 1, width + before) }
      if let behind { (high, width) = (high + 1, width + behind) }
    }
  }
}

/// A code point as shown.
private struct Cell {
  let text: String
  let width: Int

  init(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\t": (text, width) = (" ", 1)
    case let other where TerminalText.acts(other): (text, width) = ("\u{FFFD}", 1)
    default: (text, width) = (String(Character(scalar)), TerminalText.width(of: scalar))
    }
  }
}
