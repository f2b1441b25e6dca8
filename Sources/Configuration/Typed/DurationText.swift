// SPDX-License-Identifier: GPL-3.0-or-later
//
// Durations as people write them: `90s`, `10m`, `1h30m`, `2d4h`. For the config, the command line,
// and what is shown; a day is 24 hours here.

import Scheduling

public enum DurationText {
  public enum Fault: Error, Hashable, Sendable {
    /// A bare number.
    case noUnit
    case malformed
    /// Longer than `longest`.
    case tooLong
  }

  /// A hundred years, so that sums with an instant stay far from the ends of the time line.
  public static let longest: Duration = .seconds(36_500 * 86_400)

  private static let units: [(letter: Character, seconds: Int64)] = [
    ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
  ]

  /// Numbers with a unit each, the largest unit first and none twice; spaces may stand around the
  /// parts. Whole numbers only.
  public static func parse(_ text: String) throws(Fault) -> Duration {
    var rest = text[...]
    var unitsLeft = units[...]
    var total: Int64 = 0
    repeat {
      let number = takeNumber(from: &rest)
      guard !number.isEmpty else { throw .malformed }
      guard let letter = rest.popFirst() else {
        throw unitsLeft.count == units.count ? .noUnit : .malformed
      }
      guard let unit = unitsLeft.firstIndex(where: { $0.letter == letter }) else {
        throw .malformed
      }
      guard let part = seconds(number, times: units[unit].seconds) else { throw .tooLong }
      total += part
      unitsLeft = units[(unit + 1)...]
      rest = rest.drop { $0 == " " }
    } while !rest.isEmpty
    guard total <= longest.wholeSeconds else { throw .tooLong }
    return .seconds(total)
  }

  /// Whether `name` is a duration, or a number that only lacks its unit: `belfry timer 5` means
  /// five minutes, so no timer can be called that.
  public static func isDuration(_ name: String) -> Bool {
    (try? parse(name)) != nil || (try? parse(name + "m")) != nil
  }

  private static func takeNumber(from rest: inout Substring) -> Substring {
    rest = rest.drop { $0 == " " }
    let digits = rest.prefix(while: \.isDigit)
    rest = rest[digits.endIndex...].drop { $0 == " " }
    return digits
  }

  private static func seconds(_ number: Substring, times unit: Int64) -> Int64? {
    guard let number = Int64(number) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow || product > longest.wholeSeconds ? nil : product
  }

  /// As `parse` reads it, in the largest units that fit: `10m`, `1h30m`, `0s`. What is less than a
  /// second is left out, and so is a minus sign.
  public static func format(_ duration: Duration) -> String {
    var rest = duration.wholeSeconds.magnitude
    guard rest > 0 else { return "0s" }
    var text = ""
    for unit in units {
      let (count, remainder) = rest.quotientAndRemainder(dividingBy: UInt64(unit.seconds))
      if count > 0 { text += "\(count)\(unit.letter)" }
      rest = remainder
    }
    return text
  }
}
