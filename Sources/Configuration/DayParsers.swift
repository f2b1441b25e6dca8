// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parsers for repeating days: weekdays, a weekday of the month such as `1st mon`, and intervals of
// days, weeks, months or years. Also the parser for `except`, the days on which an alarm does not
// ring.

import Language
import Scheduling
import TOML

extension ValueParser where Value == Days {
  /// Parses English and Korean names of days. `typed` also knows the names in the user's language,
  /// and only helps to suggest the English name of a day.
  static func days(_ typed: WeekdayNames) -> ValueParser {
    let list = ValueParser<[Days]>.oneOrMore(
      ValueParser(.someText) { days($0, typed) }, typed: .days,
      emptyHint: Message("leave it out for an alarm that rings once"))
    return ValueParser(list.schema, typed: list.typing) { field in
      list.parse(field)?.reduce(Days()) { $0.union($1) }
    }
  }

  private static let names = WeekdayNames()

  private static func days(_ field: Field, _ typed: WeekdayNames) -> Days? {
    let example =
      field.isTyped
      ? Message(#"write it like mon,fri, "1st mon", 15th, weekdays, weekends or daily"#)
      : Message(#"write ["mon", "1st fri"], or "weekdays", "weekends", "daily""#)
    guard case .string(let text) = field.value.kind else {
      field.mustBe(Message("names of weekdays"), hint: example)
      return nil
    }
    if let days = names.days(text) { return days }
    field.error(
      Message("no weekday is called \(TerminalText.quoted(text))"),
      hint: hint(text, typed, field) ?? example)
    return nil
  }

  /// Returns what to write instead of `text`; nil if that is unknown.
  private static func hint(_ text: String, _ typed: WeekdayNames, _ field: Field) -> Message? {
    if let days = typed.days(text) {
      let names = days.names.map { "\"\($0)\"" }.joined(separator: ", ")
      return Message("write \(names)")
    }
    let words = TypedWords.split(text).map { $0.lowercased() }
    if words.count > 2, ["every", "each"].contains(words[0]), words[1] != "first" {
      let name = words.dropFirst(2).joined(separator: " ")
      return field.isTyped
        ? Message("write --every \"2 weeks\" --days \(name), or --days \"2nd \(name)\"")
        : Message("write every = \"2 weeks\" and \"from\", or \"2nd \(name)\"")
    }
    if DayText.parse(text, on: .earliest.adding(days: 365)) != nil {
      return field.isTyped
        ? Message("for one day, use --date \(text)")
        : Message("for one day, write date = 2026-12-24 instead")
    }
    return names.nearest(to: text).map(Message.didYouMean)
  }
}

extension ValueParser where Value == IntervalStep {
  static var every: ValueParser {
    ValueParser(.someText) { field in
      if case .string(let text) = field.value.kind, let step = Interval.parse(text) { return step }
      let days = [#""3 days""#, #""2 weeks""#, #""1 month""#, #""1 year""#]
      field.mustBe(
        Message("1 to \(Interval.most) days, weeks, months or years"),
        hint: Message("write it like \(days.joined(separator: ", "))"))
      return nil
    }
  }
}

/// The value of `except`: days on which an alarm does not ring, and the names of iCalendar files
/// with such days.
struct Exceptions {
  var days = ExceptedDays()
  var calendars: [(name: String, position: TOMLPosition)] = []

  /// Whether `text` names a calendar: an iCalendar file, or a folder of such files. An address in
  /// the web counts, too, so that its message can say what to do instead.
  static func isCalendar(_ text: String) -> Bool {
    text.lowercased().hasSuffix(".ics") || text.utf8.last == UInt8(ascii: "/")
      || text.includes("://")
      || ["/", "~/", "./", "../"].contains(where: text.hasPrefix)
  }
}

extension ValueParser where Value == Exceptions {
  /// Parses a list of dates, ranges such as `"2026-12-28..2027-01-02"`, and files such as
  /// `"holidays.ics"`.
  static var exceptions: ValueParser {
    let schema = ValueSchema.text(
      #"^ *[0-9]{4}-[0-9]{2}-[0-9]{2} *\.\. *[0-9]{4}-[0-9]{2}-[0-9]{2} *$|\.[iI][cC][sS]$|^~?/|^\.\.?/|/$"#
    )
    return ValueParser(.list(.either([.date, schema])), typed: .dates) { field in
      guard case .array(let elements) = field.value.kind else {
        var hint: Message?
        if case .date(let date) = field.value.kind { hint = Message("write [\(date)]") }
        if case .string(let text) = field.value.kind,
          Value.isCalendar(text) || ExceptedDays.range(text) != nil
        {
          hint = Message("write [\(TerminalText.quoted(text))]")
        }
        field.mustBe(Message("a list of dates"), hint: hint)
        return nil
      }
      var calendars: [(name: String, position: TOMLPosition)] = []
      let dates = elements.filter { element in
        guard case .string(let text) = element.kind, Value.isCalendar(text) else { return true }
        calendars.append((text, element.position))
        return false
      }
      return dates.readAll { range(field.element($0)) }
        .map { Exceptions(days: ExceptedDays($0), calendars: calendars) }
    }
  }

  private static func range(_ field: Field) -> ClosedRange<CivilDate>? {
    guard case .string(let text) = field.value.kind, text.includes("..") else {
      return ValueParser<CivilDate>.date.parse(field).map { $0...$0 }
    }
    guard let (first, last) = ExceptedDays.range(text) else {
      field.mustBe(
        Message("a range of dates"), hint: Message(#"write it like "2026-12-28..2027-01-02""#))
      return nil
    }
    guard first <= last else {
      field.error(
        Message("\(field.value.shown) ends before it begins"),
        hint: Message("write \"\(last)..\(first)\""))
      return nil
    }
    return first...last
  }
}

extension ExceptedDays {
  /// Returns the first and last day of a range such as `2026-12-28..2027-01-02`; nil if `text` is
  /// not a range.
  public static func range(_ text: String) -> (first: CivilDate, last: CivilDate)? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty, let first = CivilDate(parts[0].trimmed),
      let last = CivilDate(parts[2].trimmed)
    else { return nil }
    return (first, last)
  }
}

extension ClosedRange<CivilDate> {
  /// The days as a config writes them: one date, or a range such as `2026-12-28..2027-01-02`.
  public var text: String {
    lowerBound == upperBound ? lowerBound.description : "\(lowerBound)..\(upperBound)"
  }
}
