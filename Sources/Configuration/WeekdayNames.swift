// SPDX-License-Identifier: GPL-3.0-or-later
//
// What weekdays are called: English names, long and short, and those of the user's language, which
// are given from outside. For the config and the command line.

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

  private static let english: [([String], Set<Weekday>)] = [
    (["monday", "mon"], [.monday]),
    (["tuesday", "tue", "tues"], [.tuesday]),
    (["wednesday", "wed"], [.wednesday]),
    (["thursday", "thu", "thur", "thurs"], [.thursday]),
    (["friday", "fri"], [.friday]),
    (["saturday", "sat"], [.saturday]),
    (["sunday", "sun"], [.sunday]),
    (["weekdays"], [.monday, .tuesday, .wednesday, .thursday, .friday]),
    (["weekends"], [.saturday, .sunday]),
    (["daily"], Set(Weekday.allCases)),
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

  private static func folded(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
  }
}

extension Weekday {
  /// As the config may have it: `mon`.
  public var shortName: String {
    switch self {
    case .monday: "mon"
    case .tuesday: "tue"
    case .wednesday: "wed"
    case .thursday: "thu"
    case .friday: "fri"
    case .saturday: "sat"
    case .sunday: "sun"
    }
  }
}
