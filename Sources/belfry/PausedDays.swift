// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parses the days of `belfry pause`: a day as in `DayText.swift`, `DAY..DAY`, `DAY..` without an
// end, `until DAY`, or a number of days that begins today, such as `3d`.

import ArgumentParser
import Configuration
import Language
import Scheduling
import System

struct PausedDays {
  var first: CivilDate
  /// Nil if the pause lasts until it is removed.
  var last: CivilDate?

  /// Throws if `words` are not days, or if the last day is past.
  init(_ words: [String], seenFrom today: CivilDate) throws(ValidationError) {
    let text = words.joined(separator: " ")
    guard let (first, last) = Self.days(text, today) else {
      throw ValidationError(
        tr(
          """
          \(TerminalText.quoted(text)) is no range of days: write it as today, tomorrow, 3d, \
          2026-12-24..2027-01-03, 2026-12-24.. or until 2027-01-03.
          """))
    }
    if let last, last < today {
      throw ValidationError(tr("A pause cannot end on \(last), which is past."))
    }
    if let last, last < first {
      throw ValidationError(tr("A pause from \(first) cannot end on \(last)."))
    }
    (self.first, self.last) = (first, last)
  }

  private static func days(_ text: String, _ today: CivilDate) -> (CivilDate, CivilDate?)? {
    func day(_ text: some StringProtocol) -> CivilDate? { DayText.parse(String(text), on: today) }
    if text.hasPrefix("until ") { return day(text.dropFirst(6)).map { (today, $0) } }
    if let day = day(text) { return (day, day) }
    // `try?`: text that is not a duration may be a range.
    if let count = (try? DurationText.parse(text))?.wholeDays, (1...mostDays).contains(count) {
      return (today, today.adding(days: count - 1))
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty, let first = day(parts[0]) else { return nil }
    return parts[2].isEmpty ? (first, nil) : day(parts[2]).map { (first, $0) }
  }

  private static let mostDays = 3660
}

extension CivilDate {
  /// Today in the zone of the machine.
  @MainActor static var today: CivilDate { Zones().civil(at: Clock.now().wall, in: nil).date }
}
