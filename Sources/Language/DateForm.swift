// SPDX-License-Identifier: GPL-3.0-or-later
//
// Derives from the formats of a locale how a region writes a date with the name of its month:
// `24 Nov`, `Nov 24`, `24. Nov`, `11월 24일`. Leaves the names of months and weekdays to others:
// `Locale.swift` in System reads formats and names from the C library, and `DateWording.swift` in
// Presentation combines them.

public struct DateForm: Hashable, Sendable {
  fileprivate enum Part { case weekday, day, month, year }

  private var order: [Part] = [.weekday, .day, .month, .year]
  /// The mark behind the number of a part, such as the dot in `24. Nov` and the 일 in `11월 24일`.
  private var marks: [Part: String] = [:]
  private var bracketsWeekday = false

  /// The form `Tue 24 Nov 2026`.
  public init() {}

  /// Makes a form from formats of strftime(3): a locale's format for dates in numbers (`D_FMT`),
  /// such as `%m/%d/%Y`, and its formats for a date and a time (`_DATE_FMT`, `D_T_FMT`).
  ///
  /// `numbers` decides the order. But if it begins with the year, as in `2026-11-24`, the region
  /// often has another order for a date with the name of its month. Then the first format of
  /// `longer` that has the day and the name of the month decides, if there is one. If the deciding
  /// format has no weekday, the weekday stands first, or last if it follows the day in a format of
  /// `longer`. If the deciding format has no day or no month, the form is that of `init()`.
  public init(numbers: String, longer: [String]) {
    let numbers = Self.fields(numbers)
    let longer = longer.map { Self.fields($0, date: numbers) }
    let named = longer.first { $0.contains { $0.isName } && $0.place(.day) != nil }
    let isYearFirst = numbers.first { $0.part != .weekday }?.part == .year
    let base = isYearFirst ? named ?? numbers : numbers
    guard base.place(.day) != nil, base.place(.month) != nil else { return }
    order = base.map(\.part)
    if base.place(.year) == nil { order.append(.year) }
    if base.place(.weekday) == nil {
      let isLast = longer.contains { ($0.place(.weekday) ?? 0) > ($0.place(.day) ?? .max) }
      order.insert(.weekday, at: isLast ? order.count : 0)
    }
    bracketsWeekday = longer.joined().contains {
      $0.part == .weekday && $0.after.hasPrefix(")")
    }
    for field in named ?? numbers where field.part == .day || field.part == .year {
      // Keep a dot only if the form names the month, as in `24. Nov`. If the month is a number, as
      // in `24.11.`, the dot is only a separator.
      marks[field.part] = String(field.after.prefix { $0.isLetter || named != nil && $0 == "." })
    }
  }

  /// Returns a date. The parts that are nil are left out.
  public func text(weekday: String? = nil, day: Int, month: String, year: Int? = nil) -> String {
    order.compactMap { part in
      switch part {
      case .weekday: weekday
      case .day: "\(day)\(marks[.day] ?? "")"
      case .month: month
      case .year: year.map { "\($0)\(marks[.year] ?? "")" }
      }
    }.joined(separator: " ")
  }

  /// Returns the short name of a weekday as it stands in a date, such as `(화)`.
  public func weekday(_ name: String) -> String { bracketsWeekday ? "(\(name))" : name }

  /// Returns the name of a weekday for a text without a date: the short name, such as `Tue`. If the
  /// short name has brackets in a date, as in `(화)`, returns the full name, such as `화요일`, because
  /// the short name alone would be hard to recognise.
  public func weekdayAlone(_ full: String, short: String) -> String {
    bracketsWeekday ? full : short
  }
}

extension DateForm {
  /// A part of a date, whether it is the name of a month, and the text up to the next part.
  fileprivate typealias Field = (part: Part, isName: Bool, after: Substring)

  private static let parts: [Character: Part] = [
    "a": .weekday, "A": .weekday, "d": .day, "e": .day, "m": .month, "b": .month, "B": .month,
    "h": .month, "y": .year, "Y": .year,
  ]

  /// Returns the parts of a date in `format`, each only once. `%x` stands for the parts in `date`.
  private static func fields(_ format: String, date: [Field] = []) -> [Field] {
    var seen: Set<Part> = []
    return format.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
      .flatMap { piece -> [Field] in
        // A flag or a modifier may stand before the letter, as in `%-d` and `%Oy`.
        let piece = piece.drop { "-_0^#EO".contains($0) }
        guard let letter = piece.first else { return [] }
        if letter == "x" { return date }
        return parts[letter].map { [($0, "bBh".contains(letter), piece.dropFirst())] } ?? []
      }.filter { seen.insert($0.part).inserted }
  }
}

extension [DateForm.Field] {
  fileprivate func place(_ part: DateForm.Part) -> Int? { firstIndex { $0.part == part } }
}
