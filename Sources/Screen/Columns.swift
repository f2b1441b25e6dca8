// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arranges the cells of a table in columns. Each column is as wide as its widest cell on a
// terminal, in any script.

public nonisolated enum Columns {
  /// A label is cut to this width in columns, so that the columns after it stay on the screen.
  public static let longestLabel = 60

  /// Returns the lines of a table, with two spaces between columns and none at the end of a line.
  public static func lines(_ rows: [[StyledText]]) -> [StyledText] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
    }
    return rows.map { row in
      let last = row.lastIndex { !$0.isEmpty } ?? 0
      return row.prefix(last + 1).enumerated().reduce(StyledText()) { line, cell in
        // Leave out a column that is empty in all rows.
        guard widths[cell.offset] > 0 else { return line }
        let room = cell.offset == last ? 0 : widths[cell.offset] - cell.element.width + 2
        return line + cell.element + .spaces(room)
      }
    }
  }
}
