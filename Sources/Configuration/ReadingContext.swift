// SPDX-License-Identifier: GPL-3.0-or-later
//
// The information from outside a config that its reader needs: the known time zones, sounds and
// cities, and the days of calendars. This target opens no file, so the caller provides the
// information.

import Cities
import Language
import Scheduling

public struct ReadingContext {
  public var isKnownZone: (String) -> Bool
  /// Returns the names of all time zones, so that one can be suggested for a mistyped name. Called
  /// only if a name is mistyped.
  public var zoneNames: () -> [String] = { [] }
  /// Whether there is a sound with this name or path.
  public var isKnownSound: (String) -> Bool = { _ in true }
  /// Returns why a sound cannot be played although there is a file or folder with its name, and
  /// what to do about it; nil if nothing is known to be wrong with it.
  public var soundProblem: (String) -> SoundProblem? = { _ in nil }
  /// Returns the names of all sounds, to suggest one for a mistyped name.
  public var soundNames: () -> [String] = { [] }
  /// Looks up cities by name. Returns nil if the table of cities cannot be read. It is called once
  /// with all names of a config, because each lookup reads the whole table.
  public var cities: (Set<String>) -> [String: City]? = { _ in nil }
  /// Returns the names of large cities, to suggest one for a mistyped name.
  public var cityNames: () -> [String] = { [] }
  /// The names of weekdays that the user may type. A config has only English and Korean names, so
  /// that it means the same for every user. For another name of the user's language, the error
  /// suggests the English one.
  public var weekdays = WeekdayNames()
  /// Reads the iCalendar file or folder `name` for an alarm in `zone`. If `zone` is nil, the alarm
  /// is in the machine's zone.
  public var calendar: (_ name: String, _ zone: String?) -> Calendar = { _, _ in
    (ExceptedDays(), nil, nil)
  }
  /// Returns which events of the calendar `name` could not be read, in sentences. Each sentence is
  /// returned only once, because several alarms may name the same calendar.
  public var calendarRemarks: (_ name: String) -> [Message] = { _ in [] }
  /// Returns the files in the folder `name` that cannot be read, with the days that they last named
  /// for an alarm in `zone`.
  public var unreadCalendars: (_ name: String, _ zone: String?) -> [HolidayFile] = { _, _ in [] }
  /// Whether the text is of settings in force. A timer in it may name a next timer that is gone.
  var isOfSettingsInForce = false

  public init(isKnownZone: @escaping (String) -> Bool) { self.isKnownZone = isKnownZone }
}

extension ReadingContext {
  /// The days in an iCalendar file, on which an alarm does not ring. If the file has a problem,
  /// also a message that describes the problem, and a hint.
  public typealias Calendar = (days: ExceptedDays, problem: Message?, hint: Message?)

  /// Why a sound cannot be played, and what to do about it.
  public typealias SoundProblem = (message: Message, hint: Message)
}

/// The known names of zones, sounds or cities. Each name is looked up only once, because a lookup
/// may read a file, and thousands of alarms may use the same name.
final class KnownNames {
  private let isKnown: (String) -> Bool
  private let list: () -> [String]
  private let findProblem: (String) -> ReadingContext.SoundProblem?
  private var answers: [String: Bool] = [:]
  private var problems: [String: ReadingContext.SoundProblem?] = [:]
  private lazy var names = list()

  init(
    _ isKnown: @escaping (String) -> Bool, _ list: @escaping () -> [String],
    problem: @escaping (String) -> ReadingContext.SoundProblem? = { _ in nil }
  ) {
    (self.isKnown, self.list, findProblem) = (isKnown, list, problem)
  }

  func problem(of name: String) -> ReadingContext.SoundProblem? {
    if let problem = problems[name] { return problem }
    let problem = findProblem(name)
    problems[name] = .some(problem)
    return problem
  }

  func contains(_ name: String) -> Bool {
    if let answer = answers[name] { return answer }
    let answer = isKnown(name)
    answers[name] = answer
    return answer
  }

  /// Returns the known name that the user probably meant. For `Seoul` or `Asia/Soul`, this is
  /// `Asia/Seoul`.
  func nearest(to name: String) -> String? {
    let last = name.lowercased().map { $0 == " " ? "_" : $0 }
    return names.first { Array(OutsideText.names(in: $0.lowercased()).last ?? "") == last }
      ?? nearMatch(to: name, among: names)
  }
}
