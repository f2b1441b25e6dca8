// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parsers for durations, times of day and dates.

import Language
import Scheduling
import TOML

extension ValueParser where Value == Duration {
  /// Parses a duration of at least `shortest` and at most `longest`. If the key also accepts the
  /// word `word`, messages mention that word.
  static func duration(
    from shortest: Duration = .zero, to longest: Duration = DurationText.longest,
    or word: String? = nil
  ) -> ValueParser {
    ValueParser(.duration) { field in
      let text = field.value.kind.string ?? field.value.kind.integer.map { String($0) } ?? ""
      do throws(DurationText.Fault) {
        let duration = try DurationText.parse(text)
        if duration > longest { throw .tooLong }
        if duration >= shortest { return duration }
        field.mustBe(Message("at least \"\(DurationText.format(shortest))\""))
      } catch {
        switch error {
        case .noUnit:
          let digits = text[...].trimmed
          field.error(
            Message("\(field.name) is \(field.value.shown): a duration needs a unit"),
            hint: Message("write \"\(digits)m\" for minutes, \"\(digits)s\" for seconds"))
        case .malformed:
          field.mustBe(
            word.map { Message("a duration or \($0)") } ?? Message("a duration"),
            hint: Message(#"write it like "90s", "10m" or "1h30m""#))
        case .tooLong: field.mustBe(Message("at most \"\(longest.wholeSeconds / 86_400)d\""))
        }
      }
      return nil
    }
  }

  /// Parses a duration of zero, or of one minute to one day.
  static var bedtime: ValueParser {
    duration().only(
      Message(#"from "1m" to "24h""#), Message(#"write it like "8h"; "0s" is none"#)
    ) { $0 == .zero || (.minutes(1)...(.hours(24))).contains($0) }
  }

  /// Parses a duration that divides an hour evenly, or that is a number of whole hours up to a day.
  static var chimeStep: ValueParser {
    duration(from: .seconds(1)).only(
      Message("a duration that divides an hour evenly, or 1 to 24 whole hours"),
      Message(#"write it like "15m", "20m", "30m" or "1h""#)
    ) { duration in
      let seconds = duration.wholeSeconds
      return seconds % 3600 == 0 ? seconds <= 86_400 : 3600 % seconds == 0
    }
  }

  /// Returns a parser that accepts only values for which `isMeant` returns true.
  private func only(
    _ expected: Message, _ hint: Message, where isMeant: @escaping (Value) -> Bool
  ) -> ValueParser {
    ValueParser(schema) { field in
      guard let value = parse(field) else { return nil }
      if isMeant(value) { return value }
      field.mustBe(expected, hint: hint)
      return nil
    }
  }
}

extension ValueParser where Value == Duration? {
  /// Parses a duration. The value is nil for `"forever"`.
  static var durationOrForever: ValueParser {
    orForever(.duration(from: .seconds(1), or: "\"forever\""))
  }
}

extension ValueParser where Value == [Duration] {
  static var upToThreeDurations: ValueParser {
    oneOrMore(.duration(from: .seconds(1)), 0...3, typed: .oneOrMore(separated: true))
  }
}

extension ValueParser where Value == Chime.Hours {
  static var hours: ValueParser {
    let one = ValueParser<CivilTime>.timeOfDay
    return ValueParser(.list(one.schema, 2...2)) { field in
      guard case .array(let elements) = field.value.kind, elements.count == 2 else {
        field.mustBe(
          Message("a list of two times of day"), hint: Message("write it like [09:00, 18:00]"))
        return nil
      }
      return elements.readAll { one.parse(field.element($0)) }.map { Chime.Hours($0[0], $0[1]) }
    }
  }
}

extension ValueParser where Value == AlarmTime {
  /// Parses the time of an alarm, such as `07:30` or `sunrise - 30m`.
  static var alarmTime: ValueParser {
    let clock = ValueParser<CivilTime>.timeOfDay
    let events = SunTime.Event.allCases.map(\.rawValue).joined(separator: "|")
    let sun = ValueSchema.text("^ *(\(events)) *([+-].*)?$")
    return ValueParser(.either([clock.schema, sun]), typed: .time) { field in
      guard case .string(let text) = field.value.kind, AlarmTime.isByTheSun(text) else {
        return clock.parse(field).map(AlarmTime.clock)
      }
      if let time = AlarmTime(sun: text) {
        guard case .sun(_, let offset) = time, offset.magnitude <= SunTime.longestOffset else {
          field.mustBe(
            Message("at most \"\(DurationText.format(SunTime.longestOffset))\" from the sun"))
          return nil
        }
        return time
      }
      field.mustBe(
        Message("sunrise or sunset"),
        hint: Message(#"write it like "sunrise - 30m" or "sunset + 1h""#))
      return nil
    }
  }
}

extension Duration {
  fileprivate var magnitude: Duration { max(self, .zero - self) }
}

extension ValueParser where Value == CivilTime {
  static var timeOfDay: ValueParser {
    // The JSON schema describes a time as text even if the config has it without quotes, because
    // JSON has no times. The text contains a digit, a character outside ASCII as in `정오`, or one of
    // the names `noon` and `midnight`.
    ValueParser(.text("[0-9]|[^ -~]|[nN][oO][oO][nN]|[mM][iI][dD]")) { field in
      switch field.value.kind {
      case .time(let time, let nanosecond):
        if nanosecond == 0 { return time }
        field.error(
          Message("\(field.name) has a fraction of a second"), hint: Message("write whole seconds"))
      case .string(let text):
        if let time = TimeText.parse(text) { return time }
        refuse(field)
      case .dateTime(let local, _), .offsetDateTime(let local, _, _):
        field.mustBe(
          Message("a time of day"),
          hint: Message("write time = \(local.time) and date = \(local.date)"))
      default:
        refuse(field)
      }
      return nil
    }
  }

  private static func refuse(_ field: Field) {
    field.mustBe(Message("a time of day"), hint: hint(field))
  }

  private static func hint(_ field: Field) -> Message {
    let text = field.value.kind.string ?? field.value.kind.integer.map { String($0) } ?? ""
    let words = TypedWords.split(text)
    if TimeText.isEndOfDay(text) {
      return Message("24:00 is the end of a day: write 00:00, and the day after it")
    }
    if let hour = Int(text[...].trimmed), (0...23).contains(hour) {
      return Message("write \(hour):00")
    }
    if !text.contains(":"), let length = try? DurationText.parse(text) {
      let length = DurationText.format(length)
      return field.isTyped
        ? Message("for a time from now, write \"in \(length)\"")
        : Message(#"write it like 07:30 or "7:30 pm""#)
    }
    if !field.isTyped, words.count > 1, let (time, _) = TimeText.parsePrefix(of: words) {
      return Message(#"write time = \#(time) here, and the day in "days" or "date""#)
    }
    if field.isTyped, words.count > 1, words.contains(where: { TimeText.parse($0) != nil }) {
      return Message(#"write the days like "tomorrow 7:30" or "7:30 weekdays except wed""#)
    }
    return Message(#"write it like 07:30 or "7:30 pm""#)
  }
}

extension ValueParser where Value == CivilDate {
  /// Parses a date, with or without quotes: some programs that write TOML know no dates.
  static var date: ValueParser {
    ValueParser(.date, typed: .date) { field in
      switch field.value.kind {
      case .date(let date): return date
      case .string(let text):
        if let date = CivilDate(text[...].trimmed) { return date }
        refuse(field, text)
      case .dateTime(let local, _), .offsetDateTime(let local, _, _):
        field.mustBe(Message("a date alone"), hint: Message("write \(local.date)"))
      default: field.mustBe(Message("a date"), hint: hint(field))
      }
      return nil
    }
  }

  private static func refuse(_ field: Field, _ text: String) {
    guard let (year, month) = Self.month(text) else {
      // In a file, a day without its year would mean another day each time the file is read.
      let days = [0, 365].map { DayText.parse(text, on: CivilDate.earliest.adding(days: $0)) }
      let isNext = field.isTyped && text.lowercased().hasPrefix("next ")
      field.mustBe(
        Message("a date"),
        hint: isNext
          ? Message("that can mean two days: write this instead of next, or the date")
          : days[0].flatMap { $0 == days[1] ? Message("write \($0)") : nil } ?? hint(field))
      return
    }
    let length = CivilDate.daysIn(month: month, year: year)
    let last = CivilDate(year: year, month: month, day: length)
    field.error(
      Message("\(field.name) is \(TerminalText.quoted(text)), a day that does not exist"),
      hint: last.map { Message("the last day of that month is \($0)") })
  }

  /// Returns the year and month of a text such as `2027-02-29`; nil if it names no month.
  private static func month(_ text: String) -> (year: Int, month: Int)? {
    let parts = text[...].trimmed.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(\.isDigit) }),
      let year = Int(parts[0]), let month = Int(parts[1]), year > 0, (1...12).contains(month)
    else { return nil }
    return (year, month)
  }

  private static func hint(_ field: Field) -> Message {
    field.isTyped
      ? Message("write it like 2026-12-24, tomorrow, friday or \"24 dec\"")
      : Message("write it like 2026-12-24")
  }
}
