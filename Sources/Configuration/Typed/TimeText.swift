// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads times of day as people write them, such as `7:30`, `07:30:15`, `7.30 pm`, `0730`, `7h30` or
// `noon`, and in Korean `오후 7시 반` or `정오`. The config, the command line and the search use the same
// grammar. Also reads times by the sun, and moments such as `2026-11-21T07:30`. `SpokenTime.swift`
// reads times in words, and `TypedWords.swift` splits the words.

import Language
import Scheduling
import TOML

public enum TimeText {
  /// Reads `7:30`, `7.30`, `07:30:15`, `0730`, `7h30`, `7 Uhr`, `noon` or `midnight`. With `am` or
  /// `pm`, hours are 1...12 and need no minutes, as in `7pm` or `7 PM`. In Korean, reads
  /// `7시 30분 15초`, `7시 반`, `정오` or `자정`. A part of the day such as `오전` may come before the time.
  /// Returns nil for any other text.
  public static func parse(_ text: String) -> CivilTime? {
    let found = parsePrefix(of: TypedWords.split(text))
    return found?.rest.isEmpty == true ? found?.0 : nil
  }

  static let named = [
    "noon": CivilTime(hour: 12, minute: 0), "정오": CivilTime(hour: 12, minute: 0),
    "mittag": CivilTime(hour: 12, minute: 0), "midi": CivilTime(hour: 12, minute: 0),
    "midnight": CivilTime.midnight, "자정": CivilTime.midnight,
    "mitternacht": CivilTime.midnight, "minuit": CivilTime.midnight,
  ].compactMapValues(\.self)

  /// Korean names for parts of the day. They come before the time.
  static let koreanHalves = ["오전", "오후", "새벽", "아침", "낮", "저녁", "밤"]

  /// Which numbers without a separator are times.
  enum Bare {
    case none
    /// Four digits, or three: `0730`, `730`.
    case digits
    /// These, and an hour without minutes, unless a unit follows.
    case hours
  }

  /// Returns the time of day at the beginning of `words`, and the remaining words; nil if there is
  /// none.
  static func parsePrefix(of words: [String], bare: Bare = .digits) -> (CivilTime, rest: [String])?
  {
    if let word = words.first, let time = named[word.lowercased()] {
      return (time, Array(words.dropFirst()))
    }
    var rest = words[...]
    var half = takeHalfBefore(&rest)
    if half != nil, rest.first?.lowercased() == "at" { rest = rest.dropFirst() }
    var numbers = takeKorean(from: &rest)
    if numbers.isEmpty {
      let hourAlone = bare == .hours && !isLength(words)
      numbers = SpokenTime.parsePrefix(of: &rest, hourAlone: hourAlone)
    }
    let isCertain = !numbers.isEmpty
    if numbers.isEmpty, let word = rest.popFirst() {
      let english = half == nil ? takeHalf(word.lowercased(), &rest) : nil
      numbers = Self.numbers(of: english?.clock ?? word.lowercased()[...], bare, &rest)
      half = half ?? english?.half
    }
    if half == nil, !numbers.isEmpty { half = takeHalfBehind(&rest) }
    if !isCertain, numbers.count == 1, half == nil, bare != .hours || isLength(words) { return nil }
    numbers += [0, 0]
    guard numbers.count > 2, let hour = hour(numbers[0], in: half),
      let time = CivilTime(hour: hour, minute: numbers[1], second: numbers[2])
    else { return nil }
    return (time, Array(rest))
  }

  private static func isLength(_ words: [String]) -> Bool {
    (try? DurationText.parsePrefix(of: words)) != nil  // Fails if there is no duration.
  }

  /// Takes the numbers of `7시 30분 15초` or `7시 반`. Returns no numbers if the time has another form.
  private static func takeKorean(from rest: inout ArraySlice<String>) -> [Int] {
    func number(_ unit: String) -> [Int] {
      guard let word = rest.first, word.hasSuffix(unit),
        let number = Int(word.dropLast(unit.count)), word.first?.isDigit == true
      else { return [] }
      rest = rest.dropFirst()
      return [number]
    }
    let hour = number("시")
    if hour.isEmpty { return [] }
    if rest.first == "반" {
      rest = rest.dropFirst()
      return hour + [30]
    }
    let minute = number("분")
    return minute.isEmpty ? hour : hour + minute + number("초")
  }

  // MARK: - Parts of the day

  /// The part of the day at the beginning of `rest`, before a time: `오후`, `night` or `du soir`.
  private static func takeHalfBefore(_ rest: inout ArraySlice<String>) -> String? {
    guard let word = rest.first else { return nil }
    let half = koreanHalves.contains(word) ? word : halves[word.lowercased()]
    if half != nil { rest = rest.dropFirst() }
    return half
  }

  /// The parts of the day in other languages, each with the Korean one that has the same hours.
  private static let halves = [
    "morning": "아침", "afternoon": "오후", "evening": "저녁", "night": "밤", "früh": "아침",
    "morgens": "아침", "vormittags": "오전", "mittags": "낮", "nachmittags": "오후", "abends": "저녁",
    "nachts": "밤", "matin": "아침", "soir": "저녁", "abend": "저녁", "nachmittag": "오후",
  ]

  /// Takes the part of the day behind a time: `pm`, `in the evening`, `at night`, `abends` or
  /// `du soir`. A word such as `evening` alone may begin a label.
  private static func takeHalfBehind(_ rest: inout ArraySlice<String>) -> String? {
    if let word = rest.first?.lowercased(), word == "am" || word == "pm" || word.hasSuffix("s"),
      let half = halves[word] ?? (word.hasSuffix("m") ? word : nil)
    {
      rest = rest.dropFirst()
      return half
    }
    for (before, isHalf) in [
      (["in", "the"], ["morning", "afternoon", "evening"]), (["at"], ["night"]),
      (["du"], ["matin", "soir"]),
    ] where rest.prefix(before.count).map({ $0.lowercased() }) == before {
      let behind = rest.dropFirst(before.count)
      guard let word = behind.first?.lowercased(), isHalf.contains(word) else { continue }
      rest = behind.dropFirst()
      return halves[word]
    }
    return nil
  }

  /// Returns `time` in the part of the day that `word` names, such as 19:30 for 7:30 and `evening`;
  /// nil if `word` names none, or the time is in another one.
  static func time(_ time: CivilTime, in word: String) -> CivilTime? {
    guard let half = halves[word.lowercased()], let hour = hour(time.hour, in: half) else {
      return nil
    }
    return CivilTime(hour: hour, minute: time.minute, second: time.second)
  }

  /// Splits `7pm`, or `7` followed by `pm` at the beginning of `rest`, into the clock time and the
  /// half of the day. `noon` and `midnight` are halves after 12.
  private static func takeHalf(
    _ word: String, _ rest: inout ArraySlice<String>
  ) -> (clock: Substring, half: String)? {
    let halves = ["am", "pm"]
    if let half = halves.first(where: word.hasSuffix) { return (word.dropLast(2), half) }
    guard let half = rest.first?.lowercased() else { return nil }
    if word == "12" || word == "12:00", let time = named[half] {
      rest = rest.dropFirst()
      return (word[...], time == .midnight ? "am" : "pm")
    }
    guard halves.contains(half) else { return nil }
    rest = rest.dropFirst()
    return (word[...], half)
  }

  // MARK: - Digits

  /// Returns the hour and, if given, the minute and second of `7`, `7:30`, `07:30:15`, `7.30`,
  /// `0730`, `7h30` or `7 Uhr 30`, of which the second and the third word are taken from `rest`.
  /// Returns no numbers for any other text.
  private static func numbers(
    of clock: Substring, _ bare: Bare, _ rest: inout ArraySlice<String>
  ) -> [Int] {
    if clock.allSatisfy(\.isDigit), (3...4).contains(clock.count) {
      guard bare != .none else { return [] }
      if let unit = rest.first?.lowercased(), ["h", "hrs", "hours", "uhr"].contains(unit) {
        rest = rest.dropFirst()
      }
      return [clock.dropLast(2), clock.suffix(2)].compactMap { Int($0) }
    }
    var clock = clock
    if clock.last == "h", clock.contains(":") || clock.contains(".") { clock.removeLast() }
    let separator = [":", "h"].first(where: clock.contains) ?? "."
    let parts = clock.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count <= 3, parts.allSatisfy({ $0.allSatisfy(\.isDigit) }),
      (1...2).contains(parts[0].count), parts.dropFirst().allSatisfy({ $0.count == 2 }),
      separator != "h" || parts.count == 2
    else { return [] }
    let numbers = parts.compactMap { Int($0) }
    return takeHour(&rest) ? numbers + (numbers.count == 1 ? takeMinutes(&rest) : [0]) : numbers
  }

  /// Takes a word that says that the number before it is an hour: `Uhr`, `o'clock` or `heures`.
  static func takeHour(_ rest: inout ArraySlice<String>) -> Bool {
    let words = ["uhr", "o'clock", "oclock", "o’clock", "heures", "heure"]
    guard let word = rest.first?.lowercased(), words.contains(word) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Takes the minutes after such a word; 0 if there are none.
  static func takeMinutes(_ rest: inout ArraySlice<String>) -> [Int] {
    guard let word = rest.first else { return [0] }
    let isNumber = word.count == 2 && word.allSatisfy(\.isDigit)
    guard let minutes = isNumber ? Int(word) : NumberWords.value(word), (5...59).contains(minutes)
    else { return [0] }
    rest = rest.dropFirst()
    return [minutes]
  }

  /// If `words` begin with 24:00, the end of a day, returns the other words.
  static func takeEndOfDay(from words: [String]) -> [String]? {
    guard let word = words.first?.lowercased() else { return nil }
    if ["24:00", "24:00:00", "24.00", "24h00", "24h", "2400", "24시"].contains(word) {
      return Array(words.dropFirst())
    }
    let isHour = word == "24" && words.dropFirst().first?.lowercased() == "uhr"
    return isHour ? Array(words.dropFirst(2)) : nil
  }

  /// Whether `text` is 24:00, which is a time of the next day.
  public static func isEndOfDay(_ text: String) -> Bool {
    takeEndOfDay(from: TypedWords.split(text))?.isEmpty == true
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

  /// Whether `text` seems to be a time such as `sunrise - 30m`, even with an error. `sunday` is
  /// not.
  static func isByTheSun(_ text: String) -> Bool {
    let words = text.lowercased().split { !$0.isLetter }.map(String.init)
    let events = SunTime.Event.allCases.map(\.rawValue)
    return words.contains { word in
      word.hasPrefix("sunr") || word.hasPrefix("suns")
        || word.count > 4 && !word.hasPrefix("sund") && nearMatch(to: word, among: events) != nil
    }
  }

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
  /// the same without separators, such as `20261121` or `20261121T0730`, or seconds since the epoch
  /// such as `1795213800` or `@1795213800`. Returns nil for any other text, for a number without
  /// `@` that has fewer than nine digits, and for a date that the zone skipped.
  public static func parse(_ text: String, in zone: String?, _ zones: some ZoneRules) -> Instant? {
    let isEpoch = text.hasPrefix("@")
    let value = isEpoch ? String(text.dropFirst()) : separated(text) ?? text
    guard !value.contains(where: \.isNewline),
      let parsed = try? TOMLDocument.parse("moment = " + value).root["moment"]
    else { return nil }
    switch parsed.kind {
    case .integer(let seconds):
      guard isEpoch || value.filter(\.isDigit).count > 8 else { return nil }
      return seconds.magnitude < 1 << 40 ? Instant(seconds: seconds) : nil
    case .offsetDateTime(let local, _, let minutesEast):
      return Instant(seconds: local.localSeconds - Int64(minutesEast) * 60)
    case .dateTime(let local, _): return zones.resolve(local, in: zone)?.instant
    case .date(let date): return zones.resolve(CivilDateTime(date, .midnight), in: zone)?.instant
    default: return nil
    }
  }

  /// Returns `2026-11-21T07:30` for `20261121T0730`; nil if `text` has another form. ISO 8601 calls
  /// it the basic format.
  private static func separated(_ text: String) -> String? {
    let parts = text.uppercased().split(separator: "T", omittingEmptySubsequences: false)
    let isUTC = parts.last?.hasSuffix("Z") == true
    guard let date = parts.first, parts.count <= 2, date.count == 8, date.allSatisfy(\.isDigit)
    else { return nil }
    let day = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
    guard parts.count == 2 else { return day }
    let time = isUTC ? parts[1].dropLast() : parts[1]
    guard [4, 6].contains(time.count), time.allSatisfy(\.isDigit) else { return nil }
    let digits = Array(time)
    let clock = stride(from: 0, to: digits.count, by: 2).map { String(digits[$0...($0 + 1)]) }
    return "\(day)T\(clock.joined(separator: ":"))\(isUTC ? "Z" : "")"
  }
}
