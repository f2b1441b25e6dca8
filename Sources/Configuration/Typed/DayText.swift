// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads days as people write them, such as `2026-12-24`, `tomorrow`, `24 dec`, `next monday`,
// `in 3 days` or `모레`. Also reads intervals such as `2 weeks`, `every other day` or `2주마다`.
// Weekdays that repeat are in `WeekdayNames.swift`.

import Scheduling

public enum DayText {
  private static let ahead = [
    "today": 0, "tomorrow": 1, "오늘": 0, "내일": 1, "모레": 2, "내일모레": 2, "글피": 3, "heute": 0,
    "morgen": 1, "übermorgen": 2, "aujourd'hui": 0, "demain": 1, "après-demain": 2,
  ]

  /// Reads a day. A weekday such as `friday` means the first Friday from `today` on, and `24th` the
  /// first 24th.
  public static func parse(
    _ text: String, on today: CivilDate, _ weekdays: WeekdayNames = WeekdayNames()
  ) -> CivilDate? {
    var words = TypedWords.split(text)
    if words.first?.lowercased() == "on" { words.removeFirst() }
    if let (date, rest) = parsePrefix(of: words, on: today, weekdays) {
      return rest.isEmpty ? date : nil
    }
    if words.count == 1, let day = weekdays.weekday(words[0]) { return today.first(day) }
    guard let (day, rest) = MonthDayText.parsePrefix(of: words[...]), rest.isEmpty else {
      return nil
    }
    return first(day, from: today)
  }

  /// Returns the day at the beginning of `words`, and the remaining words. A weekday needs `next`,
  /// `this` or `coming` before it: alone, it may mean every week.
  static func parsePrefix(
    of words: [String], on today: CivilDate, _ weekdays: WeekdayNames = WeekdayNames()
  ) -> (CivilDate, rest: [String])? {
    guard let word = words.first?.lowercased() else { return nil }
    if words.prefix(4).map({ $0.lowercased() }) == ["the", "day", "after", "tomorrow"] {
      return (today.adding(days: 2), Array(words.dropFirst(4)))
    }
    if words.prefix(3).map({ $0.lowercased() }) == ["day", "after", "tomorrow"] {
      return (today.adding(days: 2), Array(words.dropFirst(3)))
    }
    if let date = ahead[word].map({ today.adding(days: $0) }) ?? CivilDate(word) {
      return (date, Array(words.dropFirst()))
    }
    if let found = MonthDayText.takeDate(from: words, on: today) { return found }
    if word == "the" || word == "on", let found = takeNumber(from: words, on: today) {
      return found
    }
    if let found = takeWeekday(from: words, on: today, weekdays) { return found }
    guard let (length, rest) = DurationText.takeAhead(from: words),
      let days = length.wholeDays
    else { return nil }
    return (today.adding(days: days), rest)
  }

  /// Takes `the 24th` or `on the 24th`, the first such day from `today` on. `of each month` must
  /// not follow.
  private static func takeNumber(
    from words: [String], on today: CivilDate
  ) -> (CivilDate, rest: [String])? {
    let rest = words.first?.lowercased() == "on" ? words[1...] : words[...]
    guard rest.first?.lowercased() == "the", let (day, behind) = MonthDayText.parsePrefix(of: rest),
      case .day = day, !["of", "each", "every"].contains(behind.first?.lowercased())
    else { return nil }
    return first(day, from: today).map { ($0, Array(behind)) }
  }

  private static func first(_ day: Days.MonthDay, from today: CivilDate) -> CivilDate? {
    let rule = Recurrence(time: .midnight, dates: .days(Days([], [], [day])))
    let date = rule.firstDay(from: today)
    if case .day(let number) = day, let date, date.day != number { return nil }
    return date
  }

  /// Takes `this friday`, `coming friday` or `next friday`. `next friday` is refused before the
  /// Friday of the same week, because some people mean that one, and others the one after it.
  private static func takeWeekday(
    from words: [String], on today: CivilDate, _ weekdays: WeekdayNames
  ) -> (CivilDate, rest: [String])? {
    let rest = words.first?.lowercased() == "on" ? words.dropFirst() : words[...]
    guard let word = rest.first?.lowercased(), rest.count > 1,
      let day = weekdays.weekday(rest[rest.startIndex + 1])
    else { return nil }
    let behind = Array(rest.dropFirst(2))
    switch word {
    case "this" where day >= today.weekday, "coming": return (today.first(day), behind)
    case "next" where day <= today.weekday: return (today.adding(days: 1).first(day), behind)
    default: return nil
    }
  }
}

extension CivilDate {
  /// The first date with this weekday, not before this date.
  func first(_ weekday: Weekday) -> CivilDate {
    adding(days: (weekday.rawValue - self.weekday.rawValue + 7) % 7)
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

  /// Reads `2 weeks`, `every 2 weeks`, `every other day`, `every second week`, `every two weeks`,
  /// `fortnightly`, `every month`, `2주마다` or `격주`. With `needsEvery`, the text must say `every`, so
  /// `2 weeks` is refused. Returns nil for any other text.
  public static func parse(_ text: String, needsEvery: Bool = false) -> IntervalStep? {
    var words = text.lowercased().filter { $0 != " " }[...]
    if ["격주", "격주로", "fortnightly", "everyfortnight"].contains(words) { return (2, .weeks) }
    let isEvery = ["every", "each"].contains(where: words.hasPrefix) || words.hasSuffix("마다")
    if let every = ["every", "each"].first(where: words.hasPrefix) {
      words.removeFirst(every.count)
    }
    if words.hasSuffix("마다") { words.removeLast(2) }
    let digits = words.prefix(while: \.isDigit)
    var count = digits.isEmpty ? 1 : Int(digits)
    words = words.dropFirst(digits.count)
    if digits.isEmpty {
      if let (word, number) = counts.first(where: { words.hasPrefix($0.word) }) {
        (count, words) = (number, words.dropFirst(word.count))
      } else if !isEvery {
        let adverbs = ["weekly": "week", "monthly": "month", "yearly": "year"]
        // `week` alone is the interval of an option such as `--every week`.
        words = adverbs[String(words)]?[...] ?? words
        if words.hasSuffix("s") { return nil }
      }
    } else if isEvery, let ending = ["st", "nd", "rd", "th"].first(where: words.hasPrefix) {
      words = words.dropFirst(ending.count)
    }
    guard isEvery || !needsEvery, let count, (1...most).contains(count),
      let unit = units.first(where: { $0.names.contains(String(words)) })?.unit
    else { return nil }
    return (count, unit)
  }

  private static let counts: [(word: String, number: Int)] = [
    ("other", 2), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5), ("two", 2),
    ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("eight", 8), ("ten", 10),
  ]

  /// Returns the interval at the beginning of `words`, and the remaining words. The text must say
  /// `every`.
  static func parsePrefix(of words: [String]) -> (IntervalStep, rest: [String])? {
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
