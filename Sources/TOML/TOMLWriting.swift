// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes values as TOML text: single values in one line, and whole tables. `TOMLDocument` reads the
// text back as the same values. All TOML that Belfry writes comes from here.

import Language
import Scheduling
import Values

extension TOMLValue.Kind {
  public var text: String {
    switch self {
    case .string(let text): TerminalText.literal(text)
    case .integer(let number): String(number)
    case .float(let number): String(number)
    case .boolean(let flag): String(flag)
    case .date(let date): date.description
    // TOML before 1.1 requires seconds in a time. Only a time without a date is written without
    // zero seconds, as people write it in the config.
    case .time(let time, 0): time.description
    case .time(let time, let nanosecond): time.inFull(nanosecond)
    case .dateTime(let local, let nanosecond): "\(local.date)T\(local.time.inFull(nanosecond))"
    case .offsetDateTime(let local, let nanosecond, let minutesEast):
      "\(local.date)T\(local.time.inFull(nanosecond))\(TOMLText.offset(minutesEast))"
    case .array(let values): "[\(values.map(\.kind.text).joined(separator: ", "))]"
    case .table(let table): "{\(table.entries.map(\.text).joined(separator: ", "))}"
    }
  }
}

extension TOMLTable {
  /// The table as the text of a whole document. Plain values come first, then tables and arrays of
  /// tables under headers. An empty array in this table is left out, because it counts as an array
  /// of tables, and that is written only by its tables.
  public var text: String {
    var (lines, blocks) = ([String](), [String]())
    for entry in entries {
      let key = TOMLText.key(entry.key)
      if case .table(let table) = entry.value.kind {
        blocks.append("\n[\(key)]\n" + table.lines)
      } else if let tables = entry.value.tables {
        blocks += tables.map { "\n[[\(key)]]\n" + $0.lines }
      } else {
        lines.append(entry.text + "\n")
      }
    }
    return (lines + blocks).joined()
  }

  private var lines: String { entries.map { $0.text + "\n" }.joined() }
}

extension TOMLValue {
  /// The tables in an array that contains only tables; nil for any other value.
  fileprivate var tables: [TOMLTable]? {
    guard let values = kind.array else { return nil }
    let tables = values.compactMap(\.kind.table)
    return tables.count == values.count ? tables : nil
  }
}

extension TOMLTable.Entry {
  fileprivate var text: String { "\(TOMLText.key(key)) = \(value.kind.text)" }
}

public enum TOMLText {
  /// Returns the key as TOML text, in quotes if necessary.
  public static func key(_ key: String) -> String {
    let isBare = key.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isBare && !key.isEmpty ? key : TerminalText.literal(key)
  }

  fileprivate static func offset(_ minutesEast: Int16) -> String {
    guard minutesEast != 0 else { return "Z" }
    let minutes = abs(Int(minutesEast))
    return "\(minutesEast < 0 ? "-" : "+")\(padded(minutes / 60)):"
      + padded(minutes % 60)
  }
}
