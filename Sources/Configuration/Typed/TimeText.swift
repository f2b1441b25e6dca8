// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads times of day as people write them, such as `7:30`, `07:30:15`, `7.30 pm` or `noon`, and in
// Korean `오후 7시 반` or `정오`. The config, the command line and the search use the same grammar. Also
// reads times by the sun, and moments such as `2026-11-21T07:30`. `TypedWords.swift` splits the
// words.

import Language
import Scheduling
import TOML

public enum TimeText {
  /// Reads `7:30`, `7.30`, `07:30:15`, `noon` or `midnight`. With `am` or `pm`, hours are 1...12
  /// and need no minutes, as in `7pm` or `7 PM`. In Korean, reads `7시 30분 15초`, `7시 반`, `정오` or
  /// `자정`. A part of the day such as `오전` may come before the time. Returns nil for any other text.
  public static func parse(_ text: String) -> CivilTime? {
    let found = take(from: TypedWords.split(text))
    return found?.rest.isEmpty == true ? found?.0 : nil
  }

  static let named = [
    "noon": CivilTime(hour: 12, minute: 0), "정오": CivilTime(hour: 12, minute: 0),
    "midnight": CivilTime.midnight, "자정": CivilTime.midnight,
  ].compactMapValues(\.self)

  /// Korean names for parts of the day. They come before the time.
  static let koreanHalves = ["오전", "오후", "새벽", "아침", "낮", "저녁", "밤"]

  /// Returns the time of day at the beginning of `words`, and the remaining words; nil if there is
  /// none. With `hourAlone`, a number without minutes is an hour, unless a unit follows.
  static func take(
    from words: [String], hourAlone: Bool = false
  ) -> (CivilTime, rest: [String])? {
    if let word = words.first, let time = named[word.lowercased()] {
      return (time, Array(words.dropFirst()))
    }
    var rest = words[...]
    var half = rest.first.flatMap { koreanHalves.contains($0) ? $0 : nil }
    if half != nil { rest = rest.dropFirst() }
    var numbers = takeKorean(from: &rest)
    if numbers.isEmpty, let word = rest.popFirst() {
      let english = half == nil ? takeHalf(word.lowercased(), &rest) : nil
      numbers = Self.numbers(of: english?.clock ?? word[...])
      half = half ?? english?.half
      if numbers.count == 1, half == nil, !hourAlone || isLength(words) { return nil }
    }
    numbers += [0, 0]
    guard numbers.count > 2, let hour = hour(numbers[0], in: half),
      let time = CivilTime(hour: hour, minute: numbers[1], second: numbers[2])
    else { return nil }
    return (time, Array(rest))
  }

  private static func isLength(_ words: [String]) -> Bool {
    (try? DurationText.take(from: words)) != nil  // Fails if there is no duration.
  }

  /// Takes the numbers of `7시 30분 15초` or `7시 반`. Returns no numbers if the time has another form.
  private static func takeKorean(from rest: inout ArraySlice<String>) -> [Int] {
    func take(_ unit: String) -> [Int] {
      guard let word = rest.first, word.hasSuffix(unit),
        let number = Int(word.dropLast(unit.count)), word.first?.isDigit == true
      else { return [] }
      rest = rest.dropFirst()
      return [number]
    }
    let hour = take("시")
    if hour.isEmpty { return [] }
    if rest.first == "반" {
      rest = rest.dropFirst()
      return hour + [30]
    }
    let minute = take("분")
    return minute.isEmpty ? hour : hour + minute + take("초")
  }

  /// Splits `7pm`, or `7` followed by `pm` at the beginning of `rest`, into the clock time and the
  /// half of the day.
  private static func takeHalf(
    _ word: String, _ rest: inout ArraySlice<String>
  ) -> (clock: Substring, half: String)? {
    let halves = ["am", "pm"]
    if let half = halves.first(where: word.hasSuffix) { return (word.dropLast(2), half) }
    guard let half = rest.first?.lowercased(), halves.contains(half) else { return nil }
    rest = rest.dropFirst()
    return (word[...], half)
  }

  /// Returns the hour and, if given, the minute and second of `7`, `7:30`, `07:30:15` or `7.30`.
  /// Returns no numbers for any other text.
  private static func numbers(of clock: Substring) -> [Int] {
    let separator: Character = clock.contains(":") ? ":" : "."
    let parts = clock.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count <= 3, parts.allSatisfy({ $0.allSatisfy(\.isDigit) }),
      (1...2).contains(parts[0].count), parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { return [] }
    return parts.compactMap { Int($0) }
  }

  /// Returns the hour, 0...23, that `written` means in the part of the day `half`.
  private static func hour(_ written: Int, in half: String?) -> Int? {
    switch (half, written) {
    case ("저녁", 12): nil
    case (nil, _), ("낮", 10...11), ("밤", 1...5), ("오후", 13...), ("저녁", 13...), ("밤", 13...):
      written
    case ("am", 1...12), ("오전", 0...12), ("새벽", 0...12), ("아침", 0...12), ("밤", 12):
      written % 12
    case (_, 1...12): written % 12 + 12
    default: nil
    }
  }
}

// MARK: - By the sun

/// The time of an alarm: a time of day such as `07:30`, or a time such as `sunrise - 30m`.
public enum AlarmTime: Hashable, Sendable {
  case clock(CivilTime)
  case sun(SunTime.Event, offset: Duration)

  public init(_ rule: Recurrence) {
    self = rule.sun.map { .sun($0.event, offset: $0.offset) } ?? .clock(rule.time)
  }

  /// Reads `sunrise` or `sunset + 1h`, in upper or lower case, with or without spaces. Returns nil
  /// for any other text.
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

  /// Whether `text` seems to be a time such as `sunrise - 30m`, even with an error.
  static func isByTheSun(_ text: String) -> Bool { text.lowercased().includes("sun") }

  /// The time as a config writes it, such as `07:30` or `sunrise - 30m`.
  public var text: String {
    switch self {
    case .clock(let time): time.description
    case .sun(let event, .zero): event.rawValue
    case .sun(let event, let offset):
      // The sign is written here, because `DurationText.format` drops a minus sign.
      "\(event.rawValue) \(offset < .zero ? "-" : "+") \(DurationText.format(offset))"
    }
  }
}

// MARK: - A moment

/// Reads moments on the command line. Their dates and times are written as in TOML, as in the
/// config.
public enum InstantText {
  /// Reads `2026-11-21T07:30:00+09:00`, `2026-11-21 07:30` in `zone`, `2026-11-21` (its midnight),
  /// or seconds since the epoch such as `1795213800` or `@1795213800`. Returns nil for any other
  /// text, and for a date that the zone skipped.
  public static func parse(_ text: String, in zone: String?, _ zones: some ZoneRules) -> Instant? {
    let value = text.hasPrefix("@") ? String(text.dropFirst()) : text
    guard !value.contains(where: \.isNewline),
      let parsed = try? TOMLDocument.parse("moment = " + value).root["moment"]
    else { return nil }
    switch parsed.kind {
    case .integer(let seconds): return seconds.magnitude < 1 << 40 ? Instant(seconds: seconds) : nil
    case .offsetDateTime(let local, _, let minutesEast):
      return Instant(seconds: local.localSeconds - Int64(minutesEast) * 60)
    case .dateTime(let local, _): return zones.resolve(local, in: zone)?.instant
    case .date(let date): return zones.resolve(CivilDateTime(date, .midnight), in: zone)?.instant
    default: return nil
    }
  }
}
