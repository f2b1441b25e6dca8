// SPDX-License-Identifier: GPL-3.0-or-later
//
// The days in a phrase, by the names that the config has for them, in Korean and as people speak:
// `weekdays`, `mon, wed and fri`, `every last friday`, `tomorrow`; `평일`, `월 수 금`, `매주 월요일에`,
// `내일`. Next: `WeekdayNames.swift`.

import Scheduling

/// What days are called in phrases, of which some are said from `today`.
struct PhraseDays {
  /// A time of day with the days or the date that stand before or behind it, if any.
  typealias Rule = (time: CivilTime, dates: Recurrence.Dates)

  private let today: CivilDate
  private let names: WeekdayNames

  /// In English, in Korean and, as `localized` has them, in the user's language.
  init(today: CivilDate, _ localized: [[String]]) {
    self.today = today
    let korean = Weekday.allCases.indices.map { ["\(Self.week[$0])요일"] }
    names = WeekdayNames(
      localized: korean.indices.map { place in
        korean[place] + (localized.indices.contains(place) ? localized[place] : [])
      })
  }

  /// A rule at the beginning of `words`. An hour alone is a time only with `orHour`.
  func takeRule(from words: [String], orHour: Bool = true) -> (Rule, rest: [String])? {
    var (dates, rest) = takeDates(from: words)
    if dates != .once, rest.first?.lowercased() == "at" { rest.removeFirst() }
    guard let (time, behind) = PhraseWords.takeTime(from: rest, orHour: orHour) else { return nil }
    guard dates == .once else { return ((time, dates), behind) }
    // `7:30 목 운동` is for the neck; a Thursday is `목요일` behind the time.
    let isSyllable = behind.first.flatMap(Self.syllables)?.count == 1
    (dates, rest) = takeDates(from: behind)
    return isSyllable && behind.count - rest.count == 1
      ? ((time, .once), behind) : ((time, dates), rest)
  }

  /// The days or the date at the beginning of `words`.
  private func takeDates(from words: [String]) -> (Recurrence.Dates, rest: [String]) {
    if let word = words.first, let date = date(word) {
      return (.on(date), Array(words.dropFirst()))
    }
    let (days, rest) = takeDays(from: words)
    return (days.isEmpty ? .once : .days(days), rest)
  }

  private static let ahead = [
    "today": 0, "tomorrow": 1, "오늘": 0, "내일": 1, "모레": 2, "내일모레": 2, "글피": 3,
  ]

  private func date(_ word: String) -> CivilDate? {
    Self.ahead[word.lowercased()].map { today.adding(days: $0) } ?? CivilDate(word)
  }

  /// The days at the beginning of `words`; none where there are none.
  private func takeDays(from words: [String]) -> (Days, rest: [String]) {
    var days = Days()
    let words = words.flatMap(apart)
    var (rest, behind) = (words[...], words[...])
    while let word = rest.first?.lowercased() {
      if let (found, after) = takeDay(from: rest) {
        days = days.union(found)
        (rest, behind) = (after, after)
      } else if ["on", "every", "and", "매주"].contains(word) {
        // Of the days only where one follows.
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    return (days, Array(behind))
  }

  /// `mon` and `wed` of `mon,wed`; a word that has another in it stays whole.
  private func apart(_ word: String) -> [String] {
    guard word.contains(",") else { return [word] }
    let parts = word.split(separator: ",").map(String.init)
    let areDays = parts.allSatisfy { days($0) != nil || WeekdayNames.isPlace($0) }
    return areDays ? parts : [word]
  }

  /// A name of days: of one word, `1st mon` or `첫 번째 월요일`.
  private func takeDay(from words: ArraySlice<String>) -> (Days, rest: ArraySlice<String>)? {
    for count in [1, 2, 3] where words.count >= count {
      let text = words.prefix(count).joined(separator: " ")
      if let days = days(text) { return (days, words.dropFirst(count)) }
    }
    return nil
  }

  /// Those that a word, or several, are the name of: `mon`, `월요일마다`, `mon-fri`, `월~금`.
  private func days(_ text: String) -> Days? {
    let ends = text.split { "-–~".contains($0) }
    if ends.count == 2, let first = day(ends[0]), let last = day(ends[1]) {
      let places = first <= last ? Array(first...last) : Array(first..<7) + Array(0...last)
      return Days(Set(places.map { Weekday.allCases[$0] }))
    }
    let endings = ["s", "에", "마다", "과", "와"].filter(text.hasSuffix)
    let found = ([text] + endings.map { String(text.dropLast($0.count)) }).lazy.compactMap { name in
      Self.syllables(name).map { Days($0) } ?? names.known(Self.spoken[name.lowercased()] ?? name)
    }
    return found.first
  }

  /// Its place in the week.
  private func day(_ name: Substring) -> Int? {
    let weekdays = days(String(name))?.weekdays ?? []
    return weekdays.count == 1 ? weekdays.first.flatMap(Weekday.allCases.firstIndex) : nil
  }

  /// Beside the names of the config, as those.
  private static let spoken = [
    "every day": "daily", "every weekday": "weekdays", "every weekend": "weekends",
    "주중": "weekdays",
  ]

  private static let week = Array("월화수목금토일")

  /// The days of `월` and `월수금`. Of what is written together, most pairs are other words, as `수목` is
  /// for trees.
  private static func syllables(_ word: String) -> Set<Weekday>? {
    let places = word.map { week.firstIndex(of: $0) ?? -1 }
    let isInOrder = zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
    guard let first = places.first, first >= 0, isInOrder,
      places.count != 2 || ["월화", "화목", "금토", "토일"].contains(word)
    else { return nil }
    return Set(places.map { Weekday.allCases[$0] })
  }
}
