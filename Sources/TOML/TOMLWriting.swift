// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values as TOML text, in one line: what `TOMLDocument` reads back as the same value.

import Language
import Scheduling

extension TOMLValue.Kind {
  public var text: String {
    switch self {
    case .string(let text): TerminalText.literal(text)
    case .integer(let number): String(number)
    case .float(let number): TOMLText.float(number)
    case .boolean(let flag): String(flag)
    case .date(let date): date.description
    case .time(let time): time.exactly
    case .dateTime(let date, let time): "\(date)T\(time.exactly)"
    case .offsetDateTime(let date, let time, let minutesEast):
      "\(date)T\(time.exactly)\(TOMLText.offset(minutesEast))"
    case .array(let values): "[\(values.map(\.kind.text).joined(separator: ", "))]"
    case .table(let table): "{\(table.entries.map(\.text).joined(separator: ", "))}"
    }
  }
}

extension TOMLTable.Entry {
  fileprivate var text: String { "\(TOMLText.key(key)) = \(value.kind.text)" }
}

extension TOMLTime {
  /// With all that there is of a second.
  fileprivate var exactly: String {
    guard nanosecond > 0 else { return description }
    return (second == 0 ? "\(self):00" : "\(self)") + "." + padded(Int(nanosecond), 9)
  }
}

public enum TOMLText {
  /// A key, in quotes where it needs them.
  public static func key(_ key: String) -> String {
    let isBare =
      !key.isEmpty
      && key.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
    return isBare ? key : TerminalText.literal(key)
  }

  fileprivate static func float(_ number: Double) -> String {
    if number.isNaN { return "nan" }
    if number.isInfinite { return number < 0 ? "-inf" : "inf" }
    return String(number)
  }

  fileprivate static func offset(_ minutesEast: Int16) -> String {
    guard minutesEast != 0 else { return "Z" }
    let minutes = abs(Int(minutesEast))
    return "\(minutesEast < 0 ? "-" : "+")\(padded(minutes / 60)):"
      + padded(minutes % 60)
  }
}
