// SPDX-License-Identifier: GPL-3.0-or-later
//
// Large figures for the time, drawn on a grid of three by five points with block characters.

public nonisolated enum Figures {
  /// How large a point is.
  public enum Size: Hashable, Sendable {
    /// One column wide and half a row high: 3 rows in all.
    case half
    /// 2 × `n` columns wide and `n` rows high, which is about a square: 5 × `n` rows in all.
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

  /// Columns that `text` takes.
  public static func width(of text: String, _ size: Size) -> Int {
    let points = text.compactMap { grids[$0]?[0].count }
    return (points.reduce(0, +) + max(0, points.count - 1)) * size.columnsAPoint
  }

  /// `text`, of digits, colons, points and minus signs, as `size.rows` lines.
  public static func lines(_ text: String, _ size: Size, _ style: Style) -> [StyledText] {
    let glyphs = text.compactMap { grids[$0] }
    // The five rows of points, one point between two glyphs.
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

  /// Two rows of points in a line.
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
