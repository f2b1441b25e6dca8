// SPDX-License-Identifier: GPL-3.0-or-later
//
// A time of day as people write it: `7:30`, `07:30:15`, `7:30 am`, `7pm`, for the config and the
// command line; and for the latter a moment.

import Language
import Scheduling
import TOML

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
      parts.allSatisfy({ $0.allSatisfy(\.isDigit) }),
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
    guard !fraction.isEmpty, fraction.allSatisfy(\.isDigit) else { throw .malformed }
    return (clock[..<point], true)
  }

  private static func hour(_ written: Int, in half: Half?) -> Int? {
    guard let half else { return written }
    guard (1...12).contains(written) else { return nil }
    return written % 12 + (half == .pm ? 12 : 0)
  }
}

// MARK: - By the sun

/// When an alarm rings, as the config has it.
public enum AlarmTime: Hashable, Sendable {
  case clock(CivilTime)
  /// `sunrise - 30m`
  case sun(SunTime.Event, offset: Duration)

  public init(_ rule: Recurrence) {
    self = rule.sun.map { .sun($0.event, offset: $0.offset) } ?? .clock(rule.time)
  }

  /// `sunrise`, `sunset + 1h`, in any case, with spaces or without; nil for anything else.
  public init?(sun text: String) {
    let text = text.lowercased()[...].trimmed
    guard let event = SunTime.Event.allCases.first(where: { text.hasPrefix($0.rawValue) }) else {
      return nil
    }
    let rest = text.dropFirst(event.rawValue.count).trimmed
    guard let sign = rest.first else {
      self = .sun(event, offset: .zero)
      return
    }
    let length = String(rest.dropFirst().trimmed)
    guard sign == "+" || sign == "-", let offset = try? DurationText.parse(length) else {
      return nil
    }
    self = .sun(event, offset: sign == "-" ? .zero - offset : offset)
  }

  /// Whether that is meant, right or wrong.
  static func isByTheSun(_ text: String) -> Bool { text.lowercased().includes("sun") }

  /// As the config has it: `07:30`, `sunrise - 30m`.
  public var text: String {
    switch self {
    case .clock(let time): time.description
    case .sun(let event, let offset):
      if offset == .zero {
        event.rawValue
      } else if offset < .zero {
        "\(event.rawValue) - \(DurationText.format(.zero - offset))"
      } else {
        "\(event.rawValue) + \(DurationText.format(offset))"
      }
    }
  }
}

// MARK: - A moment

/// A moment as people type it on the command line. Dates and times are TOML's, so that one grammar
/// serves the config and the command line.
public enum InstantText {
  /// `2026-11-21T07:30:00+09:00`, `2026-11-21 07:30` in `zone`, `2026-11-21` (its midnight), or
  /// seconds since the epoch, also as `@1795213800`. Nil for anything else, and for a local time on
  /// a date that the zone left out.
  public static func parse(_ text: String, in zone: String?, _ zones: some ZoneRules) -> Instant? {
    let value = text.hasPrefix("@") ? String(text.dropFirst()) : text
    guard !value.contains(where: \.isNewline),
      let parsed = try? TOMLDocument.parse("moment = " + value).root["moment"]
    else { return nil }
    switch parsed.kind {
    case .integer(let seconds): return seconds.magnitude < 1 << 40 ? Instant(seconds: seconds) : nil
    case .offsetDateTime(let date, let time, let minutesEast):
      return CivilDateTime(date, time).map {
        Instant(seconds: $0.localSeconds - Int64(minutesEast) * 60)
      }
    case .dateTime(let date, let time):
      return CivilDateTime(date, time).flatMap { zones.resolve($0, in: zone)?.instant }
    case .date(let date):
      return date.civil.flatMap { zones.resolve(CivilDateTime($0, .midnight), in: zone)?.instant }
    default: return nil
    }
  }
}

extension Character {
  /// Whether it is one of 0 to 9: other scripts have digits, too.
  var isDigit: Bool { isASCII && isWholeNumber }
}
