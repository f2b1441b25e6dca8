// SPDX-License-Identifier: GPL-3.0-or-later
//
// A time of day as people write it: `7:30`, `07:30:15`, `7:30 am`, `7pm`. For the config and the
// command line.

import Scheduling

public enum TimeText {
  public enum Fault: Error, Hashable, Sendable {
    case malformed
    /// `24:00`, which some take for midnight.
    case twentyFour
    /// `07:30:15.5`; an alarm rings on a whole second.
    case fraction
  }

  /// Hours of one or two digits, then minutes and perhaps seconds of two; with `am` or `pm`, in any
  /// case and with or without a space before it, hours are 1...12 and may stand alone.
  public static func parse(_ text: String) throws(Fault) -> CivilTime {
    let (clock, half) = split(text.lowercased())
    let (whole, fraction) = try splitFraction(clock)
    let parts = whole.split(separator: ":", omittingEmptySubsequences: false)
    guard (half == nil ? 2...3 : 1...3).contains(parts.count),
      parts.allSatisfy({ $0.allSatisfy(isDigit) }),
      (1...2).contains(parts[0].count), parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { throw .malformed }
    let numbers = parts.compactMap { Int($0) } + [0, 0]
    if half == nil, numbers[0] == 24 { throw .twentyFour }
    guard let hour = hour(numbers[0], in: half),
      let time = CivilTime(hour: hour, minute: numbers[1], second: numbers[2])
    else { throw .malformed }
    if fraction { throw parts.count == 3 ? .fraction : .malformed }
    return time
  }

  private enum Half: String { case am, pm }

  private static func split(_ text: String) -> (clock: Substring, half: Half?) {
    guard let half = Half(rawValue: String(text.suffix(2))) else { return (text[...], nil) }
    let clock = text.dropLast(2)
    return (clock.last == " " ? clock.dropLast() : clock, half)
  }

  private static func splitFraction(
    _ clock: Substring
  ) throws(Fault) -> (whole: Substring, fraction: Bool) {
    guard let point = clock.firstIndex(of: ".") else { return (clock, false) }
    let fraction = clock[point...].dropFirst()
    guard !fraction.isEmpty, fraction.allSatisfy(isDigit) else { throw .malformed }
    return (clock[..<point], true)
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isWholeNumber
  }

  private static func hour(_ written: Int, in half: Half?) -> Int? {
    guard let half else { return written }
    guard (1...12).contains(written) else { return nil }
    return written % 12 + (half == .pm ? 12 : 0)
  }
}
