// SPDX-License-Identifier: GPL-3.0-or-later
//
// The days in a phrase, by the names that the config has for them, in Korean and as people speak:
// `weekdays`, `mon, wed and fri`, `every last friday`; `평일`, `월 수 금`, `매주 월요일에`. Next:
// `WeekdayNames.swift`.

import Scheduling

extension PhraseWords {
  /// A time of day with days before or behind it, if any.
  typealias Rule = (time: CivilTime, days: Days)

  /// What finds a rule at the beginning of words. `names`: what days are called. An hour alone is a
  /// time only with `orHour`.
  static func takeRule(
    _ names: WeekdayNames, orHour: Bool = true
  ) -> ([String]) -> (Rule, rest: [String])? {
    { words in
      var (days, rest) = takeDays(from: words, names)
      if !days.isEmpty, rest.first?.lowercased() == "at" { rest.removeFirst() }
      guard let (time, behind) = takeTime(from: rest, orHour: orHour) else { return nil }
      guard days.isEmpty else { return ((time, days), behind) }
      // `7:30 목 운동` is for the neck; a Thursday is `목요일` behind the time.
      let isSyllable = behind.first.flatMap(syllables(_:))?.count == 1
      (days, rest) = takeDays(from: behind, names)
      return isSyllable && behind.count - rest.count == 1
        ? ((time, Days()), behind) : ((time, days), rest)
    }
  }

  /// The days at the beginning of `words`; none where there are none.
  private static func takeDays(
    from words: [String], _ names: WeekdayNames
  ) -> (Days, rest: [String]) {
    var days = Days()
    let words = words.flatMap { apart($0, names) }
    var (rest, behind) = (words[...], words[...])
    while let word = rest.first?.lowercased() {
      if let (found, after) = takeDay(from: rest, names) {
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
  private static func apart(_ word: String, _ names: WeekdayNames) -> [String] {
    guard word.contains(",") else { return [word] }
    let parts = word.split(separator: ",").map(String.init)
    let areDays = parts.allSatisfy { self.days($0, names) != nil || WeekdayNames.isPlace($0) }
    return areDays ? parts : [word]
  }

  /// A name of days: of one word, `1st mon` or `첫 번째 월요일`.
  private static func takeDay(
    from words: ArraySlice<String>, _ names: WeekdayNames
  ) -> (Days, rest: ArraySlice<String>)? {
    for count in [1, 2, 3] where words.count >= count {
      let text = words.prefix(count).joined(separator: " ")
      if let days = days(text, names) { return (days, words.dropFirst(count)) }
    }
    return nil
  }

  private static func days(_ text: String, _ names: WeekdayNames) -> Days? {
    let endings = ["s", "에", "마다"].filter(text.hasSuffix)
    let names = ([text] + endings.map { String(text.dropLast($0.count)) }).lazy.compactMap { name in
      syllables(name).map { Days($0) } ?? names.known(spoken[name.lowercased()] ?? name)
    }
    return names.first
  }

  /// What days are called in a phrase: in English, in Korean and, as `localized` has them, in the
  /// user's language.
  static func dayNames(_ localized: [[String]]) -> WeekdayNames {
    let korean = Weekday.allCases.indices.map { ["\(week[$0])요일"] }
    return WeekdayNames(
      localized: korean.indices.map { place in
        korean[place] + (localized.indices.contains(place) ? localized[place] : [])
      })
  }

  /// Beside the names of the config, as those.
  private static let spoken = [
    "every day": "daily", "every weekday": "weekdays", "every weekend": "weekends",
    "매일": "daily", "평일": "weekdays", "주중": "weekdays", "주말": "weekends",
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
