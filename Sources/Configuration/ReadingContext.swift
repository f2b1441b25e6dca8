// SPDX-License-Identifier: GPL-3.0-or-later
//
// What only the outside knows, and a config refers to: time zones, sounds, cities, calendars, and
// the language's weekdays.

import Language
import Scheduling

public struct ReadingContext {
  /// Whether there is a time zone of this identifier.
  public var isKnownZone: (String) -> Bool
  /// All identifiers, to guess from what was mistyped; asked for only then.
  public var zoneNames: () -> [String] = { [] }
  /// Whether a sound of this name, or at this path, is there now.
  public var isKnownSound: (String) -> Bool = { _ in true }
  /// All names of sounds, asked for as those of zones are.
  public var soundNames: () -> [String] = { [] }
  /// The cities that there are of these names; nil where there is no table of cities. All names of
  /// a config are asked for at once: each question reads the table.
  public var cities: (Set<String>) -> [String: City]? = { _ in nil }
  /// Names of cities to guess from, asked for as those of zones are.
  public var cityNames: () -> [String] = { [] }
  public var weekdays = WeekdayNames()
  /// What the iCalendar file of this name leaves out for an alarm of this zone; nil: the machine's.
  public var calendar: (_ name: String, _ zone: String?) -> Calendar = { _, _ in Calendar() }
  /// What stands for a key of `[defaults]` or `[agent]` that is wrong.
  public var inForce = Configuration()

  public init(isKnownZone: @escaping (String) -> Bool) { self.isKnownZone = isKnownZone }
}

extension ReadingContext {
  /// What an iCalendar file leaves out, and what is wrong with it.
  public struct Calendar: Sendable {
    public var days: ExceptedDays
    public var problem: Message?
    public var hint: Message?

    public init(days: ExceptedDays = ExceptedDays(), problem: Message? = nil, hint: Message? = nil)
    {
      (self.days, self.problem, self.hint) = (days, problem, hint)
    }
  }
}

/// Names that only the outside knows, each asked for once: looking one up may read a file, and
/// thousands of alarms may have the same.
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

  /// The name that was probably meant: for a zone `Seoul` alone is `Asia/Seoul`, as is `Asia/Soul`.
  func nearest(to name: String) -> String? {
    let last = name.lowercased().map { $0 == " " ? "_" : $0 }
    return names.first { Array($0.lowercased().split(separator: "/").last ?? "") == last }
      ?? nearMatch(to: name, among: names)
  }
}
