// SPDX-License-Identifier: GPL-3.0-or-later
//
// Summer time as a yearly rule, such as `CET-1CEST,M3.5.0,M10.5.0/3`. POSIX allows such a rule in
// the variable `TZ`, and a zone file ends with such a rule for the time after its last change.
// Next: `ZoneData.swift`, which reads zone files.

/// A zone's standard time and, if the zone has one, its yearly summer time. The format is defined
/// by POSIX.1-2024, chapter 8.3, and RFC 9636, section 3.3.1.
struct ZoneRule: Hashable, Sendable {
  /// An offset from UTC that local clocks keep, all year or for a part of it.
  struct Offset: Hashable, Sendable {
    var abbreviation: String
    /// Seconds east of UTC.
    var seconds: Int
  }

  /// When clocks change: a day of the year, and a time on that day. The time is what clocks show
  /// just before the change.
  struct Change: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// A day of the year, 1...365. 29 February is not counted.
      case julian(Int)
      /// A day of the year, 0...365. 29 February is counted.
      case ofYear(Int)
      /// A weekday of a month, such as the last Sunday of March. `week` is 1 for the first such
      /// weekday of the month, and 5 for the last.
      case weekday(month: Int, week: Int, Weekday)
    }
    var day: Day
    /// The time of the change in seconds after midnight. May be negative, or more than a day.
    var seconds: Int
  }

  struct Summer: Hashable, Sendable {
    var offset: Offset
    var start: Change
    var end: Change
  }

  var standard: Offset
  var summer: Summer?
}

extension ZoneRule {
  /// Returns the changes of clocks in the years around `instant`, in order of time, each with the
  /// offset that begins then. If summer time ends at the same moment as the next summer time
  /// begins, summer time lasts all year and the end is left out.
  func changes(around instant: Instant) -> [(at: Instant, offset: Offset)] {
    guard let summer else { return [] }
    // Stay within the years that `CivilDate` allows, 1...9999.
    let year = max(3, min(CivilDateTime(localSeconds: instant.seconds).date.year, 9996))
    let starts = (year - 2...year + 3).map { year in
      (at: summer.start.instant(in: year, standard), offset: summer.offset)
    }
    let begun = Set(starts.map(\.at))
    let ends = (year - 2...year + 2).map { year in
      (at: summer.end.instant(in: year, summer.offset), offset: standard)
    }
    .filter { !begun.contains($0.at) }
    return (starts + ends).sorted { $0.at < $1.at }
  }
}

extension ZoneRule.Change {
  fileprivate func instant(in year: Int, _ offset: ZoneRule.Offset) -> Instant {
    let days = Int64(day.daysSinceEpoch(in: year))
    return Instant(seconds: days * 86_400 + Int64(seconds) - Int64(offset.seconds))
  }
}

extension ZoneRule.Change.Day {
  fileprivate func daysSinceEpoch(in year: Int) -> Int {
    func first(of month: Int) -> Int {
      guard let date = CivilDate(year: year, month: month, day: 1) else {
        preconditionFailure("changes(around:) asks for years of the calendar only")
      }
      return date.daysSinceEpoch
    }
    switch self {
    case .julian(let day):
      let isAfterLeapDay = CivilDate.daysIn(month: 2, year: year) == 29 && day >= 60
      return first(of: 1) + day - 1 + (isAfterLeapDay ? 1 : 0)
    case .ofYear(let day): return first(of: 1) + day
    case .weekday(let month, let week, let weekday):
      let start = first(of: month)
      let wait = (weekday.rawValue - CivilDate(daysSinceEpoch: start).weekday.rawValue + 7) % 7
      let day = wait + (week - 1) * 7
      return start + (day < CivilDate.daysIn(month: month, year: year) ? day : day - 7)
    }
  }
}

// MARK: - Reading

extension ZoneRule {
  init?(_ text: some StringProtocol) {
    var reader = RuleReader(rest: text.utf8.map { $0 }[...])
    guard let rule = reader.rule(), reader.rest.isEmpty else { return nil }
    self = rule
  }
}

private struct RuleReader {
  var rest: ArraySlice<UInt8>

  mutating func rule() -> ZoneRule? {
    guard let name = abbreviation(), let west = time(upTo: 24) else { return nil }
    let standard = ZoneRule.Offset(abbreviation: name, seconds: -west)
    if rest.isEmpty { return ZoneRule(standard: standard, summer: nil) }
    guard let name = abbreviation() else { return nil }
    var seconds = standard.seconds + 3600
    if let next = rest.first, next != UInt8(ascii: ",") {
      guard let west = time(upTo: 24) else { return nil }
      seconds = -west
    }
    // If the rule does not say when summer time begins and ends, use the dates of the United
    // States, as other implementations do.
    if rest.isEmpty { rest = Array(",M3.2.0,M11.1.0".utf8)[...] }
    guard skip(","), let start = change(), skip(","), let end = change() else { return nil }
    let offset = ZoneRule.Offset(abbreviation: name, seconds: seconds)
    return ZoneRule(
      standard: standard, summer: ZoneRule.Summer(offset: offset, start: start, end: end))
  }

  /// Reads the abbreviation of a zone's time, of at least three letters. In angle brackets, as in
  /// `<+09>`, digits and signs are allowed as well.
  private mutating func abbreviation() -> String? {
    let isQuoted = skip("<")
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
      default: false
      }
    }
    rest = rest.dropFirst(name.count)
    guard name.count >= 3, !isQuoted || skip(">") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// Reads a time or an offset, `[+-]hh[:mm[:ss]]`, and returns it in seconds.
  private mutating func time(upTo hours: Int) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hour = number(0...hours) else { return nil }
    var seconds = hour * 3600
    for unit in [60, 1] {
      guard skip(":") else { break }
      guard let found = number(0...59) else { return nil }
      seconds += found * unit
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func change() -> ZoneRule.Change? {
    guard let day = day() else { return nil }
    guard skip("/") else { return ZoneRule.Change(day: day, seconds: 2 * 3600) }
    return time(upTo: 167).map { ZoneRule.Change(day: day, seconds: $0) }
  }

  private mutating func day() -> ZoneRule.Change.Day? {
    if skip("J") { return number(1...365).map { .julian($0) } }
    guard skip("M") else { return number(0...365).map { .ofYear($0) } }
    guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
      let day = number(0...6), let weekday = Weekday(rawValue: day == 0 ? 7 : day)
    else { return nil }
    return .weekday(month: month, week: week, weekday)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
