// SPDX-License-Identifier: GPL-3.0-or-later
//
// The English and Korean words that say what a phrase asks for. Times and durations in a phrase
// have the same form as in the config and on the command line. Next: `TypedWords.swift`.

import Scheduling

public enum PhraseWords {
  enum Order { case timer, alarm, wake, next, stop, snooze, time }

  private static let english: [String: Order] = [
    "timer": .timer, "countdown": .timer, "alarm": .alarm, "wake": .wake, "next": .next,
    "stop": .stop, "snooze": .snooze, "time": .time,
  ]

  static let korean: [String: Order] = [
    "타이머": .timer, "카운트다운": .timer, "알람": .alarm, "깨워": .wake, "깨워줘": .wake,
    "다음": .next, "중지": .stop, "정지": .stop, "끄기": .stop, "다시알림": .snooze, "시간": .time,
    "시각": .time, "몇시": .time,
  ]

  /// Whether the word asks to repeat something, as in `timer again`.
  public static func isAgain(_ word: String) -> Bool {
    ["again", "다시", "또"].contains(word.lowercased())
  }

  static func order(_ word: String) -> Order? { english[word.lowercased()] ?? korean[word] }

  /// Finds the request in `words`. Returns the request and the remaining words.
  static func order(in words: [String]) -> (Order, rest: [String])? {
    guard let first = words.first, let last = words.last else { return nil }
    let (before, behind) = (Array(words.dropLast()), Array(words.dropFirst()))
    // In Korean the verb comes last, after its object: `알람 중지`.
    if let order = korean[last], [.stop, .snooze, .wake].contains(order) {
      let isNamed = before.last.flatMap(order(_:)).map { [.timer, .alarm].contains($0) } ?? false
      return (order, isNamed ? before.dropLast() : before)
    }
    if let order = order(first) { return (order, behind) }
    // In both languages, a noun may also come last: `10 min timer`, `서울 시간`.
    if let order = order(last), [.timer, .alarm, .time].contains(order) { return (order, before) }
    // In Korean the noun may be in the middle: `라면 타이머 3분`.
    guard let noun = words.firstIndex(where: { ["타이머", "알람"].contains($0) }),
      let order = korean[words[noun]]
    else { return nil }
    return (order, Array(words[..<noun] + words[(noun + 1)...]))
  }

  // MARK: - Words that are not a label

  /// Whether `words` say when to ring, in a form that Belfry does not understand, such as `not
  /// friday`, `and 8:00`, `next month`, `weekly` or `30`. If such words became the label, the user
  /// would not notice that the alarm rings at another time.
  static func sayWhen(_ words: [String]) -> Bool {
    guard let first = words.first else { return false }
    let isLed = leading.contains(plain(first)) || Int(plain(first)) != nil && words.count > 1
    return isLed || words.contains(where: certainlySaysWhen) || words.allSatisfy(saysWhen)
      || words.indices.dropFirst().contains { index in
        // `24 dec` and `20 min` are two words each.
        let (before, word) = (plain(words[index - 1]), plain(words[index]))
        return Int(before) != nil && (MonthDayText.month(word) != nil || isUnit(word))
          || MonthDayText.month(before) != nil && Int(word) != nil
      }
  }

  private static func plain(_ word: String) -> String {
    String(word.lowercased().filter { !",!?".contains($0) }[...].trimming("."))
  }

  private static func isUnit(_ word: String) -> Bool {
    (try? DurationText.parse("1\(word)")) != nil || ["am", "pm", "uhr"].contains(word)
  }

  /// Whether a word of a label says when to ring: a day such as `friday`, a time such as `8:00` or
  /// `noon`, a length such as `20m`, or a date such as `24.12.`.
  private static func certainlySaysWhen(_ word: String) -> Bool {
    let name = plain(word)
    if certain.contains(name) { return true }
    if name.unicodeScalars.allSatisfy(\.isASCII), weekdays.names(name), name != "sun" {
      return true
    }
    guard name.contains(where: \.isDigit), Int(name) == nil else { return false }
    let isDate =
      word.filter(\.isDigit).count > 2 && word.allSatisfy { $0.isDigit || "./-".contains($0) }
    return isDate || MonthDayText.number(name) != nil || TimeText.parse(name) != nil
      || (try? DurationText.parse(name)) != nil
  }

  /// Words that say when to ring wherever they stand.
  private static let certain: Set = [
    "today", "tomorrow", "tonight", "weekday", "weekend", "hourly", "weekly", "biweekly",
    "fortnightly", "monthly", "yearly", "annually", "everyday", "except", "excluding", "until",
    "noon", "midnight", "every", "each", "daily", "오늘", "내일", "모레", "제외", "제외하고", "빼고",
  ]

  /// Words that say when to ring at the beginning of a label.
  private static let leading: Set = [
    "not", "never", "without", "but", "and", "or", "once", "twice", "only", "on", "at", "from",
    "till", "around",
  ]

  private static func saysWhen(_ word: String) -> Bool {
    let name = word.lowercased().filter { !".,!?".contains($0) }
    if when.contains(name) || weekdays[name] != nil { return true }
    let units = name.filter { !$0.isDigit && !"/:-".contains($0) }
    return name.contains(where: \.isDigit) && (units.isEmpty || unitsOfTime.contains(units))
  }

  private static let weekdays = WeekdayNames()

  private static let unitsOfTime: Set = [
    "st", "nd", "rd", "th", "am", "pm", "h", "년", "월", "일", "월일", "시", "분", "주", "달", "개월",
  ]

  private static let when: Set = [
    "next", "this", "last", "coming", "every", "each", "other", "in", "on", "the", "of", "from",
    "until", "day", "days", "week", "weeks", "month", "months", "year", "years", "hours", "minutes",
    "hourly", "weekly", "biweekly", "monthly", "yearly", "annually", "today", "tomorrow", "tonight",
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "january",
    "february", "april", "june", "july", "august", "september", "october", "november", "december",
    "다음", "이번", "다음주", "이번주", "다음달", "매", "매주", "매달", "매월", "매년", "격주", "격일", "내년",
    "morning", "afternoon", "evening", "night", "오늘", "내일", "모레", "주", "달", "주말", "월", "년", "말",
  ]
}
