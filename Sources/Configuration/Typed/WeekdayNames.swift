// SPDX-License-Identifier: GPL-3.0-or-later
//
// What weekdays are called: English names, long and short, and those of the user's language, which
// are given from outside; and their places in a month. For the config and the command line.

import Scheduling

public struct WeekdayNames: Sendable {
  private var days: [String: Set<Weekday>] = [:]
  /// Every name in its usual form, for near matches.
  private var names: [String] = []

  /// `localized`: for each day from Monday on, the names that the user's language has for it, with
  /// or without the full stop of an abbreviation. English wins where the two disagree.
  public init(localized: [[String]] = []) {
    for (names, weekdays) in Self.english { add(names, weekdays) }
    for (names, weekday) in zip(localized, Weekday.allCases) { add(names, [weekday]) }
  }

  /// In Korean besides, as the places below.
  private static let english: [([String], Set<Weekday>)] = [
    (["monday", "mon"], [.monday]),
    (["tuesday", "tue", "tues"], [.tuesday]),
    (["wednesday", "wed"], [.wednesday]),
    (["thursday", "thu", "thur", "thurs"], [.thursday]),
    (["friday", "fri"], [.friday]),
    (["saturday", "sat"], [.saturday]),
    (["sunday", "sun"], [.sunday]),
    (["weekdays", "평일"], [.monday, .tuesday, .wednesday, .thursday, .friday]),
    (["weekends", "주말"], [.saturday, .sunday]),
    (["daily", "매일"], Set(Weekday.allCases)),
  ]

  private mutating func add(_ names: [String], _ weekdays: Set<Weekday>) {
    for name in names where !name.isEmpty && days[Self.folded(name)] == nil {
      days[Self.folded(name)] = weekdays
      self.names.append(name)
    }
  }

  /// The days that `name` stands for, or nil.
  public subscript(name: String) -> Set<Weekday>? { days[Self.folded(name)] }

  /// The name that was probably meant.
  public func nearest(to name: String) -> String? { nearMatch(to: name, among: names) }

  private static let places: [([String], Days.Ordinal.Place)] = [
    (["1st", "first", "첫째", "첫 번째"], .first), (["2nd", "second", "둘째", "두 번째"], .second),
    (["3rd", "third", "셋째", "세 번째"], .third), (["4th", "fourth", "넷째", "네 번째"], .fourth),
    (["5th", "fifth", "다섯째", "다섯 번째"], .fifth), (["last", "마지막"], .last),
  ]

  /// Why a text names no days.
  enum Fault: Error {
    case unknown(String, meant: String?)
    /// An ordinal that no month has: `6th mon`.
    case noSuchPlace
    /// An ordinal of more than one day: `1st weekends`.
    case severalDays
  }

  /// The days that `text` stands for: `mon`, `weekdays`, `1st mon`.
  func days(_ text: String) throws(Fault) -> Days {
    if let weekdays = self[text] { return Days(weekdays) }
    let words = text.split(separator: " ").map(String.init)
    guard words.count > 1, let name = words.last else {
      throw .unknown(text, meant: nearest(to: text))
    }
    let ordinal = words.dropLast().joined(separator: " ")
    let place = Self.places.first { $0.0.contains(ordinal.lowercased()) }?.1
    guard let weekdays = self[name] else {
      let isPlace = place != nil
      throw .unknown(
        isPlace ? name : text,
        meant: nearest(to: name).flatMap { isPlace ? "\(ordinal) \($0)" : nil })
    }
    guard let place else { throw .noSuchPlace }
    guard let weekday = weekdays.first, weekdays.count == 1 else { throw .severalDays }
    return Days([], [Days.Ordinal(place, weekday)])
  }

  /// The same, or nil where it names none.
  func known(_ text: String) -> Days? {
    try? days(text)  // Why it names none does not matter: it is another word.
  }

  /// Whether `word` tells a day's place in a month.
  static func isPlace(_ word: String) -> Bool {
    places.contains { $0.0.contains(word.lowercased()) }
  }

  private static func folded(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
  }
}

extension Weekday {
  /// As the config may have it: `mon`.
  public var shortName: String {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][rawValue - 1]
  }
}

extension Days {
  /// As the config may have them: `mon`, `1st mon`.
  public var names: [String] {
    weekdays.sorted().map(\.shortName) + ordinals.sorted().map(\.name)
  }
}

extension Days.Ordinal {
  fileprivate var name: String {
    let places = ["1st", "2nd", "3rd", "4th", "5th", "last"]
    return "\(places[place.rawValue - 1]) \(weekday.shortName)"
  }
}

extension Interval {
  /// As the config may have it: `2 weeks`.
  public var text: String { "\(count) \(unit.rawValue)" }
}
