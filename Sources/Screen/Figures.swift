// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws the time in large digits, with block characters on a grid of three by five points.

public nonisolated enum Figures {
  public enum Size: Hashable, Sendable {
    /// A point is one column wide and half a row high, so a digit is 3 rows high.
    case half
    /// A point is 2 × `n` columns wide and `n` rows high, which is about a square. A digit is 5 ×
    /// `n` rows high.
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
    // The points in five rows, with a gap of one point between two digits.
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
