// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads days as people write them, such as `2026-12-24`, `tomorrow`, `in 3 days` or `모레`. Also
// reads intervals such as `2 weeks`, `every other day` or `2주마다`. Weekdays are in
// `WeekdayNames.swift`.

import Scheduling

public enum DayText {
  private static let ahead = [
    "today": 0, "tomorrow": 1, "오늘": 0, "내일": 1, "모레": 2, "내일모레": 2, "글피": 3,
  ]

  public static func parse(_ text: String, on today: CivilDate) -> CivilDate? {
    let found = take(from: TypedWords.split(text), on: today)
    return found?.rest.isEmpty == true ? found?.0 : nil
  }

  /// Returns the day at the beginning of `words`, and the remaining words.
  static func take(from words: [String], on today: CivilDate) -> (CivilDate, rest: [String])? {
    guard let word = words.first?.lowercased() else { return nil }
    if let date = ahead[word].map({ today.adding(days: $0) }) ?? CivilDate(word) {
      return (date, Array(words.dropFirst()))
    }
    guard let (length, rest) = DurationText.takeAhead(from: words),
      let days = length.wholeDays
    else { return nil }
    return (today.adding(days: days), rest)
  }
}

extension Duration {
  /// The number of days; nil unless the duration consists of whole days.
  public var wholeDays: Int? {
    wholeSeconds % 86_400 == 0 ? Int(wholeSeconds / 86_400) : nil
  }
}

extension CivilDate {
  /// Reads a date only in the form `2026-12-24`.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], !text.contains("+"),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

// MARK: - Intervals

/// The length of an interval such as 2 weeks, without the day from which it is counted.
public typealias IntervalStep = (count: Int, unit: Interval.Unit)

extension Interval {
  private static let units: [(names: [String], unit: Unit)] = [
    (["days", "day", "일"], .days), (["weeks", "week", "주", "주일"], .weeks),
    (["months", "month", "개월", "달"], .months), (["years", "year", "년"], .years),
  ]

  /// Reads `2 weeks`, `every 2 weeks`, `every other day`, `2주마다` or `격주`. With `needsEvery`, the
  /// text must say `every`, so `2 weeks` is refused. Returns nil for any other text.
  public static func parse(_ text: String, needsEvery: Bool = false) -> IntervalStep? {
    var words = text.lowercased().filter { $0 != " " }
    if ["격주", "격주로"].contains(words) { return (2, .weeks) }
    let isEvery = words.hasPrefix("every") || words.hasSuffix("마다")
    if words.hasPrefix("every") { words.removeFirst(5) }
    if words.hasPrefix("other") { words = "2" + words.dropFirst(5) }
    if words.hasSuffix("마다") { words.removeLast(2) }
    let digits = words.prefix(while: \.isDigit)
    let name = String(words.dropFirst(digits.count))
    guard isEvery || !needsEvery, let count = Int(digits), (1...most).contains(count),
      let unit = units.first(where: { $0.names.contains(name) })?.unit
    else { return nil }
    return (count, unit)
  }

  /// Returns the interval at the beginning of `words`, and the remaining words. The text must say
  /// `every`.
  static func take(from words: [String]) -> (IntervalStep, rest: [String])? {
    for count in [3, 2, 1] where words.count >= count {
      let text = words.prefix(count).joined()
      if let step = parse(text, needsEvery: true) {
        return (step, Array(words.dropFirst(count)))
      }
    }
    return nil
  }

  /// The interval as a config writes it, such as `2 weeks`.
  public var text: String { "\(count) \(unit.rawValue)" }
}
