// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables: cells under one another, each column as wide as its widest cell is on a terminal,
// whatever script it is written in.

public nonisolated enum Columns {
  /// A label that is longer would push what follows out of every row.
  public static let longestLabel = 60

  /// `rows` in lines, two spaces between columns and none at the end of a line.
  public static func lines(_ rows: [[StyledText]]) -> [StyledText] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
    }
    return rows.map { row in
      // What follows the last cell that says something would be spaces.
      let last = row.lastIndex { !$0.isEmpty } ?? 0
      return row.prefix(last + 1).enumerated().reduce(StyledText()) { line, cell in
        // A column that nothing is in takes no place.
        guard widths[cell.offset] > 0 else { return line }
        let room = cell.offset == last ? 0 : widths[cell.offset] - cell.element.width + 2
        return line + cell.element + .spaces(room)
      }
    }
  }
}
