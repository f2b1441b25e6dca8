// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads days of a month that are not named by their weekday, such as `15th`, `last day` and
// `last weekday`, and in Korean `15일` and `말일`. Also reads dates without a year, such as `24 dec`.
// Next: `WeekdayNames.swift` and `DayText.swift`, which use them.

import Scheduling

enum MonthDayText {
  /// Returns the day of the month at the beginning of `words`, and the remaining words.
  static func parsePrefix(
    of words: ArraySlice<String>
  ) -> (Days.MonthDay, rest: ArraySlice<String>)? {
    let rest = words.first?.lowercased() == "the" ? words.dropFirst() : words
    guard let word = rest.first?.lowercased() else { return nil }
    if word == "말일" { return (.last, rest.dropFirst()) }
    if word == "last", let next = rest.dropFirst().first?.lowercased() {
      if next == "day" { return (.last, rest.dropFirst(2)) }
      if ["weekday", "workday"].contains(next) { return (.lastWeekday, rest.dropFirst(2)) }
    }
    // `1st mon` and `2nd week` are something else.
    let behind = rest.dropFirst()
    guard let number = number(word), behind.first.map(endsName) ?? true else { return nil }
    return (.day(number), behind.first?.lowercased() == "day" ? behind.dropFirst() : behind)
  }

  private static func endsName(_ word: String) -> Bool {
    !WeekdayNames().names(word) && !["week", "month", "year"].contains(word.lowercased())
  }

  /// Returns the number of `15th` or `15일`, 1 to 31.
  static func number(_ word: String) -> Int? {
    let digits = word.prefix(while: \.isDigit)
    let ending = word.dropFirst(digits.count).lowercased()
    guard let number = Int(digits), (1...31).contains(number) else { return nil }
    return ending == "일" || ending == suffix(number) ? number : nil
  }

  private static func suffix(_ number: Int) -> String {
    switch number {
    case 1, 21, 31: "st"
    case 2, 22: "nd"
    case 3, 23: "rd"
    default: "th"
    }
  }

  /// The name that a config uses.
  static func name(_ day: Days.MonthDay) -> String {
    switch day {
    case .day(let number): "\(number)\(suffix(number))"
    case .last: "last day"
    case .lastWeekday: "last weekday"
    }
  }

  // MARK: - With a month

  /// Returns the date at the beginning of `words`, such as `24 dec`, `December 24th 2026`,
  /// `24.12.`, `24.12.2026` or `12월 24일`. Without a year, it is the first such date from `today`
  /// on. Of two numbers such as `24/12`, one must be greater than 12, because both orders are
  /// common.
  static func takeDate(
    from words: [String], on today: CivilDate
  ) -> (CivilDate, rest: [String])? {
    guard let first = words.first?.lowercased() else { return nil }
    if let (month, day, year) = numbers(first) {
      return date(month, day, year, on: today).map { ($0, Array(words.dropFirst())) }
    }
    var rest = words[...]
    if first == "the" { rest = rest.dropFirst() }
    var (month, day): (Int?, Int?) = (nil, nil)
    for _ in 0..<2 {
      guard let word = rest.first.map(plain) else { return nil }
      if month == nil, let found = self.month(word) {
        month = found
      } else if day == nil, let found = dayNumber(word) {
        day = found
      } else {
        return nil
      }
      rest = rest.dropFirst()
      if let word = rest.first?.lowercased(), word == "of" || word == "the",
        day == nil || month == nil
      {
        rest = rest.dropFirst()
      }
    }
    guard let month, let day else { return nil }
    let year = rest.first.map(plain).flatMap(year)
    if year != nil { rest = rest.dropFirst() }
    return date(month, day, year, on: today).map { ($0, Array(rest)) }
  }

  private static func plain(_ word: String) -> String {
    String(word.lowercased()[...].trimming(",."))
  }

  private static func dayNumber(_ word: String) -> Int? {
    if let number = number(word) { return number }
    let isNumber = (1...2).contains(word.count) && word.allSatisfy(\.isDigit)
    return isNumber ? Int(word).flatMap { (1...31).contains($0) ? $0 : nil } : nil
  }

  private static func year(_ word: String) -> Int? {
    word.count == 4 && word.allSatisfy(\.isDigit)
      ? Int(word).flatMap { $0 >= 1970 ? $0 : nil } : nil
  }

  /// Returns the numbers of `24.12.`, `24.12.2026`, `24/12` or `2026/12/24`. `24.12` could be a
  /// time, so the German form without a year ends with a full stop.
  private static func numbers(_ word: String) -> (month: Int, day: Int, year: Int?)? {
    let separator: Character = word.contains("/") ? "/" : "."
    var parts = word.split(separator: separator, omittingEmptySubsequences: false)
    let isGerman = separator == "."
    if isGerman {
      guard parts.count == 3 else { return nil }
      if parts[2].isEmpty { parts.removeLast() }
    }
    let numbers: [Int] = parts.compactMap { part in
      part.allSatisfy(\.isDigit) ? Int(part) : nil
    }
    guard numbers.count == parts.count, (2...3).contains(numbers.count) else { return nil }
    if numbers.count == 3, let year = year(String(parts[0])) {
      return isGerman ? nil : (numbers[1], numbers[2], year)
    }
    let year = numbers.count == 3 ? year(String(parts[2])) : nil
    if numbers.count == 3, year == nil { return nil }
    let (first, second) = (numbers[0], numbers[1])
    if isGerman || first > 12 || first == second { return (second, first, year) }
    return second > 12 ? (first, second, year) : nil
  }

  private static func date(
    _ month: Int, _ day: Int, _ year: Int?, on today: CivilDate
  ) -> CivilDate? {
    if let year { return CivilDate(year: year, month: month, day: day) }
    // 29 February comes every fourth year, or after eight years.
    return (today.year...today.year + 8).lazy
      .compactMap { CivilDate(year: $0, month: month, day: day) }.first { $0 >= today }
  }

  /// Returns the number of the month that `word` names, 1 to 12.
  static func month(_ word: String) -> Int? {
    if word.hasSuffix("월"), let number = Int(word.dropLast()) {
      return (1...12).contains(number) ? number : nil
    }
    return months.firstIndex { $0.contains(word) }.map { $0 + 1 }
  }

  /// The names of the months in English, German and French.
  private static let months: [Set<String>] = [
    ["jan", "january", "januar", "jänner", "janvier"],
    ["feb", "february", "februar", "février", "févr"],
    ["mar", "march", "märz", "mars"], ["apr", "april", "avril"], ["may", "mai"],
    ["jun", "june", "juni", "juin"], ["jul", "july", "juli", "juillet"],
    ["aug", "august", "août"], ["sep", "sept", "september", "septembre"],
    ["oct", "october", "okt", "oktober", "octobre"],
    ["nov", "november", "novembre"], ["dec", "december", "dez", "dezember", "décembre"],
  ]
}
