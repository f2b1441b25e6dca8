// SPDX-License-Identifier: GPL-3.0-or-later
//
// The days of a pause as people type them. A day is as `DayText.swift` has it; days are one of
// these, `DAY..DAY`, `DAY..` without an end, `until DAY` or a number of days from today, `3d`.

import ArgumentParser
import Configuration
import Language
import Scheduling
import System

struct PausedDays {
  var first: CivilDate
  /// Nil: until the pause is removed.
  var last: CivilDate?

  /// Throws if `words` are no days, or days that are past.
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
    // Why it is no length does not matter: it may be a range.
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
  /// The day of the machine's clock.
  @MainActor static var today: CivilDate { Zones().civil(at: Clock.now().wall, in: nil).date }
}
