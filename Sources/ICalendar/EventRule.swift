// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads an RRULE and computes its days, period by period, by RFC 5545, section 3.3.10. Each day
// that is examined counts as a step, and the steps are limited, so a rule that never matches ends
// soon. Next: `EventDays.swift`.

import Scheduling

struct EventRule {
  enum Frequency: String {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }
  enum Failure: Error { case unreadable, tooOften }

  var frequency = Frequency.daily
  var interval = 1
  var count: Int?
  var until: EventTime?
  var months: [Int] = []
  var weeks: [Int] = []
  var yearDays: [Int] = []
  var monthDays: [Int] = []
  var weekdays: [(place: Int, day: Weekday)] = []
  var places: [Int] = []
  /// The times of day in seconds; empty: the time of the event's start.
  var times: [Int] = []
  var weekStart = Weekday.monday

  init(_ text: String, startingAt start: CivilDateTime) throws(Failure) {
    var (frequency, hours, minutes, seconds) = (Frequency?.none, [Int](), [Int](), [Int]())
    let text = text.split(separator: ",").map { String($0).trimmed }.joined(separator: ",")
    for part in text.split(whereSeparator: { $0 == ";" || $0 == " " }) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw .unreadable }
      let (name, value) = (pair[0].uppercased(), pair[1].uppercased())
      // An empty part means that it is absent.
      if value.isEmpty { continue }
      switch name {
      case "FREQ":
        if ["HOURLY", "MINUTELY", "SECONDLY"].contains(value) { throw .tooOften }
        frequency = Frequency(rawValue: value)
      case "INTERVAL": interval = min(100_000, max(1, try Self.number(value)))
      case "COUNT":
        let number = try Self.number(value)
        if number > 0 { count = number }
      case "UNTIL":
        until = EventTime(value)
        if until == nil { throw .unreadable }
      case "BYMONTH": months = try Self.numbers(value, 1...12)
      case "BYWEEKNO": weeks = try Self.numbers(value, -53...53)
      case "BYYEARDAY": yearDays = try Self.numbers(value, -366...366)
      case "BYMONTHDAY": monthDays = try Self.numbers(value, -31...31)
      case "BYSETPOS": places = try Self.numbers(value, -366...366)
      case "BYHOUR": hours = try Self.numbers(value, 0...23)
      case "BYMINUTE": minutes = try Self.numbers(value, 0...59)
      case "BYSECOND": seconds = try Self.numbers(value, 0...60)
      case "BYDAY": weekdays = try Self.days(value)
      case "WKST":
        guard let day = Weekday(short: value[...]) else { throw .unreadable }
        weekStart = day
      case "RSCALE" where value == "GREGORIAN", "SKIP" where value == "OMIT": break
      default: if !name.hasPrefix("X-") { throw .unreadable }
      }
    }
    guard let frequency else { throw .unreadable }
    self.frequency = frequency
    if !hours.isEmpty || !minutes.isEmpty || !seconds.isEmpty {
      let time = start.time
      for hour in hours.isEmpty ? [time.hour] : hours {
        for minute in minutes.isEmpty ? [time.minute] : minutes {
          for second in seconds.isEmpty ? [time.second] : seconds {
            times.append(hour * 3600 + minute * 60 + min(second, 59))
            if times.count > 100 { throw .tooOften }
          }
        }
      }
      times = Set(times).sorted()
    }
    // A rule without days repeats on the day of its start.
    let hasDays = !weeks.isEmpty || !yearDays.isEmpty || !monthDays.isEmpty || !weekdays.isEmpty
    switch frequency {
    case .yearly where !hasDays:
      if months.isEmpty { months = [start.date.month] }
      monthDays = [start.date.day]
    case .yearly where !weeks.isEmpty && yearDays.isEmpty && monthDays.isEmpty && weekdays.isEmpty,
      .weekly where weekdays.isEmpty:
      weekdays = [(0, start.date.weekday)]
    case .monthly where !hasDays: monthDays = [start.date.day]
    default: break
    }
  }

  private static func number(_ text: some StringProtocol) throws(Failure) -> Int {
    // Not `abs`, which traps at the least Int.
    guard let number = Int(text), number.magnitude < 1 << 31 else { throw .unreadable }
    return number
  }

  private static func numbers(_ text: String, _ range: ClosedRange<Int>) throws(Failure) -> [Int] {
    var found: [Int] = []
    for part in text.split(separator: ",") {
      let number = try number(part)
      guard range.contains(number), number != 0 || range.lowerBound == 0 else { throw .unreadable }
      if !found.contains(number) { found.append(number) }
    }
    return found
  }

  private static func days(_ text: String) throws(Failure) -> [(place: Int, day: Weekday)] {
    var found: [(place: Int, day: Weekday)] = []
    for part in text.split(separator: ",") {
      guard let day = Weekday(short: part.suffix(2)) else { throw .unreadable }
      let place = part.dropLast(2)
      found.append((place.isEmpty ? 0 : try number(place), day))
      if found.count > 400 { throw .unreadable }
    }
    return found
  }
}

extension Weekday {
  fileprivate init?(short: Substring) {
    switch short {
    case "MO": self = .monday
    case "TU": self = .tuesday
    case "WE": self = .wednesday
    case "TH": self = .thursday
    case "FR": self = .friday
    case "SA": self = .saturday
    case "SU": self = .sunday
    default: return nil
    }
  }
}

// MARK: - Days

/// The steps that the rules of a calendar may still take. They bound the time of the computation.
struct Steps {
  static let mostOfEvent = 300_000
  static let mostOfCalendar = 2_000_000

  var ofCalendar = mostOfCalendar
  var ofEvent = mostOfEvent

  mutating func use(_ count: Int = 1) -> Bool {
    ofCalendar -= count
    ofEvent -= count
    return ofCalendar > 0 && ofEvent > 0
  }
}

extension EventRule {
  /// Calls `body` with the local times of the rule, in order, from `start` to the day `last`. Stops
  /// if `body` returns false. Without COUNT, the periods that end before `first` are passed over.
  /// Returns false if the steps run out.
  func forEach(
    from start: CivilDateTime, first: CivilDate, last: CivilDate, _ steps: inout Steps,
    _ body: (CivilDateTime) -> Bool
  ) -> Bool {
    var (found, index) = (0, count == nil ? skipped(from: start.date, to: first) : 0)
    while true {
      guard steps.use() else { return false }
      guard let begin = period(index, from: start.date), begin <= last else { return true }
      var moments: [CivilDateTime] = []
      let candidates = self.candidates(in: begin)
      guard steps.use(candidates.count) else { return false }
      for day in candidates where matches(day) {
        if times.isEmpty { moments.append(CivilDateTime(day, start.time)) }
        for time in times {
          moments.append(
            CivilDateTime(localSeconds: Int64(day.daysSinceEpoch) * 86_400 + Int64(time)))
        }
      }
      guard steps.use(moments.count) else { return false }
      if !places.isEmpty {
        let chosen = Set(places.map { $0 > 0 ? $0 - 1 : moments.count + $0 })
        moments = moments.indices.filter(chosen.contains).map { moments[$0] }
      }
      for moment in moments where !(moment < start) {
        if moment.date > last { return true }
        if !body(moment) { return true }
        found += 1
        if let count, found >= count { return true }
      }
      index += 1
    }
  }

  /// How many periods end before `first`. One more is kept, for safety at the edges.
  private func skipped(from start: CivilDate, to first: CivilDate) -> Int {
    let units =
      switch frequency {
      case .daily: first.daysSinceEpoch - start.daysSinceEpoch
      case .weekly: (first.daysSinceEpoch - start.daysSinceEpoch) / 7
      case .monthly: first.monthNumber - start.monthNumber
      case .yearly: first.year - start.year
      }
    return max(0, units / interval - 2)
  }

  /// Returns the first day of the period with this index; nil after the year 9000.
  private func period(_ index: Int, from start: CivilDate) -> CivilDate? {
    let (step, isOver) = index.multipliedReportingOverflow(by: interval)
    if isOver || step > 4_000_000 { return nil }
    let date: CivilDate?
    switch frequency {
    case .daily: date = start.adding(days: step)
    case .weekly:
      let back = (start.weekday.rawValue - weekStart.rawValue + 7) % 7
      date = start.adding(days: step * 7 - back)
    case .monthly:
      let month = start.monthNumber + step
      date = CivilDate(year: month / 12, month: month % 12 + 1, day: 1)
    case .yearly: date = CivilDate(year: start.year + step, month: 1, day: 1)
    }
    return date.flatMap { $0.year > 9000 ? nil : $0 }
  }

  /// Returns the days of a period that may match, in order.
  private func candidates(in begin: CivilDate) -> [CivilDate] {
    switch frequency {
    case .daily: return [begin]
    case .weekly: return (0..<7).map { begin.adding(days: $0) }
    case .monthly, .yearly:
      let range = frequency == .monthly ? begin.month...begin.month : 1...12
      return range.filter { months.isEmpty || months.contains($0) }.flatMap { month in
        let length = CivilDate.length(month: month, year: begin.year)
        let days =
          monthDays.isEmpty
          ? Array(1...length)
          : Set(monthDays.map { $0 > 0 ? $0 : length + 1 + $0 }).sorted()
        return days.compactMap { CivilDate(year: begin.year, month: month, day: $0) }
      }
    }
  }

  private func matches(_ day: CivilDate) -> Bool {
    if !months.isEmpty, !months.contains(day.month) { return false }
    let length = CivilDate.length(month: day.month, year: day.year)
    if !monthDays.isEmpty, !monthDays.contains(day.day),
      !monthDays.contains(day.day - length - 1)
    {
      return false
    }
    if !yearDays.isEmpty {
      let (number, length) = (day.yearDay, CivilDate.length(ofYear: day.year))
      if !yearDays.contains(number), !yearDays.contains(number - length - 1) { return false }
    }
    if !weeks.isEmpty {
      let (week, count) = day.week(from: weekStart)
      if !weeks.contains(week), !weeks.contains(week - count - 1) { return false }
    }
    return weekdays.isEmpty
      || weekdays.contains { $0.day == day.weekday && isPlace($0.place, of: day, length) }
  }

  /// Whether `day` is at this place among the same weekdays of its month or year, such as 2 for the
  /// second, and -1 for the last.
  private func isPlace(_ place: Int, of day: CivilDate, _ monthLength: Int) -> Bool {
    if place == 0 || frequency == .daily || frequency == .weekly { return true }
    let isOfYear = frequency == .yearly && months.isEmpty && weeks.isEmpty
    let number = isOfYear ? day.yearDay : day.day
    let length = isOfYear ? CivilDate.length(ofYear: day.year) : monthLength
    return place > 0 ? (number + 6) / 7 == place : (length - number) / 7 + 1 == -place
  }
}

extension CivilDate {
  var monthNumber: Int { year * 12 + month - 1 }
  static func length(ofYear year: Int) -> Int { length(month: 2, year: year) + 337 }
  static func length(month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
  private static func begin(_ year: Int) -> Int {
    CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
  }
  var yearDay: Int { daysSinceEpoch - Self.begin(year) + 1 }

  /// The number of this day's week, and how many weeks the year of that week has. Week 1 is the
  /// first one with at least four days in its year.
  fileprivate func week(from start: Weekday) -> (number: Int, count: Int) {
    func first(_ year: Int) -> Int {
      let begin = Self.begin(year)
      let weekday = CivilDate(daysSinceEpoch: begin).weekday.rawValue
      let back = (weekday - start.rawValue + 7) % 7
      return back <= 3 ? begin - back : begin - back + 7
    }
    let day = daysSinceEpoch
    var year = year
    if day < first(year) { year -= 1 } else if day >= first(year + 1) { year += 1 }
    return ((day - first(year)) / 7 + 1, (first(year + 1) - first(year)) / 7)
  }
}
