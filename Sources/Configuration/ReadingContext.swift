// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything outside the config that it refers to: time zones, sounds, cities, calendars, and the
// names of weekdays in the user's language. This target opens no file, so the caller provides it.

import Language
import Scheduling

public struct ReadingContext {
  public var isKnownZone: (String) -> Bool
  /// All time zones, to suggest one for a mistyped name. Called only if there is such a name.
  public var zoneNames: () -> [String] = { [] }
  /// Whether there is a sound with this name or path.
  public var isKnownSound: (String) -> Bool = { _ in true }
  /// All sounds, for suggestions like `zoneNames`.
  public var soundNames: () -> [String] = { [] }
  /// Looks up cities by name; nil if the table of cities is missing. Called once with all names of
  /// a config, because each lookup reads the whole table.
  public var cities: (Set<String>) -> [String: City]? = { _ in nil }
  /// Large cities, for suggestions like `zoneNames`.
  public var cityNames: () -> [String] = { [] }
  public var weekdays = WeekdayNames()
  /// Reads the iCalendar file `name` for an alarm in `zone`; in the machine's zone if that is nil.
  public var calendar: (_ name: String, _ zone: String?) -> Calendar = { _, _ in
    (ExceptedDays(), nil, nil)
  }
  /// The settings that stay in force for keys of `[defaults]` and `[agent]` with wrong values.
  public var inForce = Configuration()

  public init(isKnownZone: @escaping (String) -> Bool) { self.isKnownZone = isKnownZone }
}

extension ReadingContext {
  /// The days of an iCalendar file, on which an alarm does not ring, and what is wrong with the
  /// file.
  public typealias Calendar = (days: ExceptedDays, problem: Message?, hint: Message?)
}

/// Names of zones, sounds or cities. Each is looked up only once, because a lookup may read a file,
/// and thousands of alarms may have the same name.
final class KnownNames {
  private let isKnown: (String) -> Bool
  private let list: () -> [String]
  private var answers: [String: Bool] = [:]
  private lazy var names = list()

  init(_ isKnown: @escaping (String) -> Bool, _ list: @escaping () -> [String]) {
    (self.isKnown, self.list) = (isKnown, list)
  }

  func contains(_ name: String) -> Bool {
    if let answer = answers[name] { return answer }
    let answer = isKnown(name)
    answers[name] = answer
    return answer
  }

  /// The name that was probably meant. Both `Seoul` and `Asia/Soul` mean `Asia/Seoul`.
  func nearest(to name: String) -> String? {
    let last = name.lowercased().map { $0 == " " ? "_" : $0 }
    return names.first { Array($0.lowercased().split(separator: "/").last ?? "") == last }
      ?? nearMatch(to: name, among: names)
  }
}
