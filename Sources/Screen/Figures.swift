// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws the time in large digits, counters such as `3:12`, and progress bars. `DateWording.swift`
// has durations in words.

import Scheduling

public enum Figures {
  public enum Size: Hashable, Sendable {
    /// Each point of a digit is one column wide and half a row high. A digit is five points high,
    /// so it takes 3 rows.
    case half
    /// Each point of a digit is 2 × `n` columns wide and `n` rows high, which is about a square. A
    /// digit is five points high, so it takes 5 × `n` rows.
    case full(Int)

    public var rows: Int {
      switch self {
      case .half: 3
      case .full(let n): 5 * n
      }
    }

    fileprivate var columnsAPoint: Int {
      switch self {
      case .half: 1
      case .full(let n): 2 * n
      }
    }
  }

  public static func width(of text: String, _ size: Size) -> Int {
    let points = text.compactMap { grids[$0]?[0].count }
    return (points.reduce(0, +) + max(0, points.count - 1)) * size.columnsAPoint
  }

  public static func lines(_ text: String, _ size: Size, _ style: Style) -> [StyledText] {
    let glyphs = text.compactMap { grids[$0] }
    // The points of all digits in five rows, with an empty point between two digits.
    let points = (0..<5).map { row in
      Array(glyphs.map { $0[row] }.joined(separator: " "))
    }
    switch size {
    case .half: return halfLines(points, style)
    case .full(let n):
      return points.flatMap { row in
        let line = row.map { String(repeating: $0 == "#" ? "█" : " ", count: 2 * n) }.joined()
        return Array(repeating: StyledText(line, style), count: n)
      }
    }
  }

  private static func halfLines(_ points: [[Character]], _ style: Style) -> [StyledText] {
    stride(from: 0, to: 5, by: 2).map { row in
      let line = points[row].indices.map { column in
        let upper = points[row][column] == "#"
        let lower = row + 1 < 5 && points[row + 1][column] == "#"
        return switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return StyledText(line.joined(), style)
    }
  }

  private static let grids: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"],
    "1": [" # ", "## ", " # ", " # ", "###"],
    "2": ["###", "  #", "###", "#  ", "###"],
    "3": ["###", "  #", "###", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"],
    "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"],
    "7": ["###", "  #", "  #", "  #", "  #"],
    "8": ["###", "# #", "###", "# #", "###"],
    "9": ["###", "# #", "###", "  #", "###"],
    ":": [" ", "#", " ", "#", " "],
    ".": [" ", " ", " ", " ", "#"],
  ]
}

public enum Count {
  /// Formats the time left, such as `3:12` or `1:02:33`. Rounds up, so that a countdown shows 0:00
  /// only when it has ended.
  public static func down(_ left: Duration) -> String {
    let whole = left.wholeSeconds
    return text(seconds: left > .seconds(whole) ? whole + 1 : whole)
  }

  /// Formats elapsed time, rounded down, such as `3:12`. `digits` is the number of decimals, at
  /// most six: `3:12.4` has one.
  public static func up(_ elapsed: Duration, digits: Int = 0) -> String {
    let micros = max(0, elapsed.wholeMicroseconds)
    let text = text(seconds: micros / 1_000_000)
    guard digits > 0 else { return text }
    let fraction = String(micros % 1_000_000 + 1_000_000).dropFirst().prefix(digits)
    return "\(text).\(fraction)"
  }

  private static func text(seconds: Int64) -> String {
    let seconds = max(0, seconds)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let rest = twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Draws a progress bar of `columns` columns. The share `part` (0...1) of its length, from the
  /// left, is a thicker line, which can be seen without colours.
  public static func bar(_ part: Double, _ columns: Int, _ style: Style) -> StyledText {
    let part = part.isNaN ? 0 : max(0, min(1, part))
    let halves = Int((part * Double(2 * columns)).rounded(.down))
    let (full, half) = (halves / 2, halves % 2)
    let rest = columns - full - half
    return StyledText(
      String(repeating: "━", count: full) + String(repeating: "╾", count: half), style)
      + StyledText(String(repeating: "─", count: max(0, rest)), .dim)
  }
}
