// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the values of iCalendar's times: dates, date-times and durations. Values that well-known
// programs write against RFC 5545, and that have only one sensible meaning, are read as well. Next:
// `EventZone.swift`, which turns a time into a moment.

import Scheduling

/// A date such as `20261224`, or a date-time such as `20261224T073000Z`.
public struct EventTime: Hashable, Sendable {
  public var date: CivilDate
  /// The time of day; nil for a date.
  public var time: CivilTime?
  public var isUTC: Bool

  /// Reads `text`; nil if it is no time. Google writes dates with a `Z`, as in `20270108Z`, and
  /// others write `2027-01-08T09:00:00`.
  public init?(_ text: some StringProtocol) {
    var bytes = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    isUTC = bytes.last == UInt8(ascii: "Z") || bytes.last == UInt8(ascii: "z")
    if isUTC { bytes.removeLast() }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].reduce(0) { sum, byte in
        guard let sum, (0x30...0x39).contains(byte) else { return nil }
        return sum * 10 + Int(byte - 0x30)
      }
    }
    guard bytes.count == 8 || bytes.count == 15 || bytes.count == 13,
      let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let date = CivilDate(year: year, month: month, day: day), (2...9000).contains(year)
    else { return nil }
    self.date = date
    if bytes.count == 8 {
      isUTC = false
      return
    }
    guard bytes[8] == UInt8(ascii: "T") || bytes[8] == UInt8(ascii: "t"),
      let hour = number(9..<11), let minute = number(11..<13),
      let second = bytes.count == 15 ? number(13..<15) : 0,
      // RFC 5545 allows the leap second 60.
      let time = CivilTime(hour: hour, minute: minute, second: min(second, 59)), second <= 60
    else { return nil }
    self.time = time
  }

  public var local: CivilDateTime { CivilDateTime(date, time ?? .midnight) }
}

/// A duration such as `-P1DT15M`. Days and seconds are kept apart, because a day can be 23 or 25
/// hours long.
public struct EventSpan: Hashable, Sendable {
  public var days = 0
  public var seconds: Int64 = 0

  public init(days: Int = 0, seconds: Int64 = 0) { (self.days, self.seconds) = (days, seconds) }

  /// Reads `text`; nil if it is no duration, or longer than ten years. Synology writes `PT1W`.
  public init?(_ text: String) {
    var rest = Array(text.uppercased().utf8)[...]
    let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      if rest.first == UInt8(ascii: "T") { rest.removeFirst() }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      guard (1...8).contains(digits.count), let unit = rest.popFirst() else { return nil }
      let number = sign * digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      switch unit {
      case UInt8(ascii: "W"): days += 7 * number
      case UInt8(ascii: "D"): days += number
      case UInt8(ascii: "H"): seconds += 3600 * Int64(number)
      case UInt8(ascii: "M"): seconds += 60 * Int64(number)
      case UInt8(ascii: "S"): seconds += Int64(number)
      default: return nil
      }
      if abs(days) > 3660 || abs(seconds) > 3660 * 86_400 { return nil }
    }
  }

  var total: Int64 { Int64(days) * 86_400 + seconds }
}
