// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads weekdays as people write them, such as `mon, wed and fri`, `every last friday`, `weekdays`
// or `mon-fri`, and in Korean `평일`, `월~금`, `월수금` or `매주 월요일에`. English and Korean names are defined
// here. For what users type, the caller adds the names in their language; a config means the same
// for every user, so it is read without them. Next: `MonthDayText.swift`, for days such as `15th`.

import Scheduling

public struct WeekdayNames: Sendable {
  private var days: [String: Set<Weekday>] = [:]
  /// All names of weekdays, for suggesting a name instead of a mistyped one.
  private var names: [String] = []

  /// `localized` has the names in the user's language for each day from Monday on, with or without
  /// the full stop of an abbreviation. If a name means another day in English, English wins.
  public init(localized: [[String]] = []) {
    for (names, weekdays) in Self.known { add(names, weekdays) }
    for (names, weekday) in zip(localized, Weekday.allCases) { add(names, [weekday]) }
  }

  private static let known: [([String], Set<Weekday>)] = [
    (["monday", "mon", "월요일"], [.monday]),
    (["tuesday", "tue", "tues", "화요일"], [.tuesday]),
    (["wednesday", "wed", "수요일"], [.wednesday]),
    (["thursday", "thu", "thur", "thurs", "목요일"], [.thursday]),
    (["friday", "fri", "금요일"], [.friday]),
    (["saturday", "sat", "토요일"], [.saturday]),
    (["sunday", "sun", "일요일"], [.sunday]),
    (["weekdays", "평일", "주중"], [.monday, .tuesday, .wednesday, .thursday, .friday]),
    (["weekends", "주말"], [.saturday, .sunday]),
    (["daily", "매일"], Set(Weekday.allCases)),
  ]
  private static let spoken = [
    "every day": "daily", "every weekday": "weekdays", "every weekend": "weekends",
  ]

  private mutating func add(_ names: [String], _ weekdays: Set<Weekday>) {
    for name in names where !name.isEmpty && days[Self.folded(name)] == nil {
      days[Self.folded(name)] = weekdays
      self.names.append(name)
    }
  }

  public subscript(name: String) -> Set<Weekday>? { days[Self.folded(name)] }

  /// Whether `name` is a name of days, in any form.
  func names(_ name: String) -> Bool { known(name) != nil }

  /// Returns the single weekday that `name` means; nil for any other text.
  func weekday(_ name: String) -> Weekday? {
    let days = known(name)
    guard let weekday = days?.weekdays.first, days?.weekdays.count == 1, days?.areOfMonth == false
    else { return nil }
    return weekday
  }

  /// Returns the text that the user probably meant, such as `1st monday` for `1st mondy`.
  public func nearest(to text: String) -> String? {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count > 1, Self.isPlace(words[0]) else { return nearMatch(to: text, among: names) }
    return nearMatch(to: words[1], among: names.filter { self[$0]?.count == 1 })
      .map { "\(words[0]) \($0)" }
  }

  private static let places: [([String], Days.Ordinal.Place)] = [
    (["1st", "first", "첫째", "첫 번째"], .first), (["2nd", "second", "둘째", "두 번째"], .second),
    (["3rd", "third", "셋째", "세 번째"], .third), (["4th", "fourth", "넷째", "네 번째"], .fourth),
    (["5th", "fifth", "다섯째", "다섯 번째"], .fifth), (["last", "마지막"], .last),
  ]

  /// Returns the days that `text` names; nil if it does not name days.
  public func days(_ text: String) -> Days? {
    if let weekdays = self[text] { return Days(weekdays) }
    let words = TypedWords.split(text)
    if let (day, rest) = MonthDayText.parsePrefix(of: words[...]), rest.isEmpty {
      return Days([], [], [day])
    }
    let (days, rest) = parsePrefix(of: words)
    return days.isEmpty || !rest.isEmpty ? nil : days
  }

  /// Returns the days at the beginning of `words`, and the remaining words. If `words` do not begin
  /// with days, the returned days are empty. After `every`, `2nd mon` is not a day of the month:
  /// people mean every other Monday. A number such as `15th` needs `every` or `of the month`,
  /// because it may also be a date.
  func parsePrefix(of words: [String]) -> (Days, rest: [String]) {
    var days = Days()
    let words = words.flatMap(apart)
    var (rest, behind) = (words[...], words[...])
    var isEach = false
    while let word = rest.first?.lowercased() {
      if let (found, after) = takeOfMonth(from: rest, isEach) ?? takeOne(from: rest) {
        if isEach, found.ordinals.contains(where: { (2...5).contains($0.place.rawValue) }) {
          let isOfMonth = Self.ofMonth(after) != nil
          guard isOfMonth else { break }
        }
        days = days.union(found)
        rest = found.areOfMonth ? Self.ofMonth(after) ?? after : after
        (behind, isEach) = (rest, false)
      } else if ["on", "every", "each", "and", "매주", "매월", "매달"].contains(word) {
        // A word such as `every` belongs to the days only if a day follows it.
        isEach = isEach || !["on", "and"].contains(word)
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    return except(days, Array(behind))
  }

  /// Takes the exceptions behind `days`, as in `weekdays except wed`, and returns the other days.
  private func except(_ days: Days, _ rest: [String]) -> (Days, rest: [String]) {
    let words = rest.map { $0.lowercased() }
    let count = words.starts(with: ["but", "not"]) ? 2 : 1
    guard !days.isEmpty, !days.areOfMonth,
      count == 2 || ["except", "excluding", "without", "außer", "sauf"].contains(words.first)
    else { return (days, rest) }
    let (excepted, behind) = parsePrefix(of: Array(rest.dropFirst(count)))
    let left = days.weekdays.subtracting(excepted.weekdays)
    guard !excepted.areOfMonth, !left.isEmpty, left != days.weekdays else { return (days, rest) }
    return (Days(left), behind)
  }

  /// Takes a day of the month such as `15th` or `last day`.
  private func takeOfMonth(
    from words: ArraySlice<String>, _ isEach: Bool
  ) -> (Days, rest: ArraySlice<String>)? {
    guard let (day, after) = MonthDayText.parsePrefix(of: words) else { return nil }
    if case .day = day, !isEach, Self.ofMonth(after) == nil { return nil }
    return (Days([], [], [day]), after)
  }

  /// Returns the words behind `of the month` or `of each month`; nil if `words` do not begin so.
  private static func ofMonth(_ words: ArraySlice<String>) -> ArraySlice<String>? {
    let rest = words.first?.lowercased() == "of" ? words.dropFirst() : words
    guard ["the", "each", "every", "a"].contains(rest.first?.lowercased()),
      rest.dropFirst().first?.lowercased() == "month"
    else { return nil }
    return rest.dropFirst(2)
  }

  /// Splits `mon,wed` into `mon` and `wed`. A word that contains anything but days stays whole.
  private func apart(_ word: String) -> [String] {
    guard word.contains(",") else { return [word] }
    let parts = word.split(separator: ",").map(String.init)
    let areDays = parts.allSatisfy { known($0) != nil || Self.isPlace($0) }
    return areDays ? parts : [word]
  }

  /// Takes the name of one or more days from the beginning of `words`. The name has one to three
  /// words, such as `mon`, `1st mon` or `첫 번째 월요일`.
  private func takeOne(from words: ArraySlice<String>) -> (Days, rest: ArraySlice<String>)? {
    for count in [1, 2, 3] where words.count >= count {
      let text = words.prefix(count).joined(separator: " ")
      if let days = known(text) { return (days, words.dropFirst(count)) }
    }
    return nil
  }

  /// Returns the days that a name such as `mon`, `월요일마다`, `mon-fri`, `월~금` or `1st mon` means.
  private func known(_ text: String) -> Days? {
    let ends = text.split { "-–~".contains($0) }
    if ends.count == 2, let first = place(ends[0]), let last = place(ends[1]) {
      let places = first <= last ? Array(first...last) : Array(first..<7) + Array(0...last)
      return Days(Set(places.map { Weekday.allCases[$0] }))
    }
    let endings = ["s", "에", "마다", "과", "와"].filter(text.hasSuffix)
    let found = ([text] + endings.map { String(text.dropLast($0.count)) }).lazy.compactMap { name in
      Self.syllables(name).map { Days($0) } ?? named(Self.spoken[name.lowercased()] ?? name)
    }
    return found.first
  }

  /// Returns the index of a single weekday, counted from 0 for Monday; nil for any other text.
  private func place(_ name: Substring) -> Int? {
    let weekdays = known(String(name))?.weekdays ?? []
    return weekdays.count == 1 ? weekdays.first.flatMap(Weekday.allCases.firstIndex) : nil
  }

  /// Returns the days of `월` or `월수금`. Only a few pairs of these syllables count as days, because
  /// the other pairs are different words, such as `수목` (trees).
  static func syllables(_ word: String) -> Set<Weekday>? {
    let places = word.compactMap { week.firstIndex(of: $0) }
    let isInOrder = zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
    guard !word.isEmpty, places.count == word.count, isInOrder,
      places.count != 2 || ["월화", "화목", "금토", "토일"].contains(word)
    else { return nil }
    return Set(places.map { Weekday.allCases[$0] })
  }

  private static let week = Array("월화수목금토일")

  /// Reads the name of days, or an ordinal and the name of a weekday.
  private func named(_ text: String) -> Days? {
    if let weekdays = self[text] { return Days(weekdays) }
    let words = text.split(separator: " ").map(String.init)
    let ordinal = words.dropLast().joined(separator: " ").lowercased()
    guard let name = words.last, let weekdays = self[name] ?? Self.syllables(name),
      let weekday = weekdays.first, weekdays.count == 1,
      let place = Self.places.first(where: { $0.0.contains(ordinal) })?.1
    else { return nil }
    return Days([], [Days.Ordinal(place, weekday)])
  }

  private static func isPlace(_ word: String) -> Bool {
    places.contains { $0.0.contains(word.lowercased()) }
  }

  private static func folded(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
  }
}

extension Weekday {
  /// The name that a config uses, such as `mon`.
  public var shortName: String {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][rawValue - 1]
  }
}

extension Days {
  /// The names that a config uses, such as `mon` and `1st mon`.
  public var names: [String] {
    weekdays.sorted().map(\.shortName) + ordinals.sorted().map(\.name)
      + monthDays.sorted().map(MonthDayText.name)
  }
}

extension Days.Ordinal {
  fileprivate var name: String {
    let places = ["1st", "2nd", "3rd", "4th", "5th", "last"]
    return "\(places[place.rawValue - 1]) \(weekday.shortName)"
  }
}
