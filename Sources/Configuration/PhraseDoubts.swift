// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words of a phrase that seem to say when, and are not understood: `7:30 next month`, `7시 10분 전`.
// Taken for the label, they would have an alarm ring at another time than was meant, and so it is not
// set. Only words at an edge of the label can belong to the time: `7:30 Call mom on monday` does not
// pass, `7:30 The sunday papers` does. Next: `WeekdayNames.swift`.

import Scheduling

extension PhraseDays {
  /// The first such word of a label, of which `before` stands before `time` and `behind` behind it.
  func unclear(in before: [String], _ behind: [String], of time: CivilTime) -> String? {
    let edges = [before.first, before.last, behind.first, behind.last].compactMap(\.self)
    return edges.first(where: tellsWhen)
      ?? before.last.flatMap { Self.before.contains(bare($0)) ? $0 : nil }
      ?? behind.first.flatMap { Self.behind.contains(bare($0)) || goesOn($0, time) ? $0 : nil }
  }

  /// `7 30`, `7:30 evening`.
  private func goesOn(_ word: String, _ time: CivilTime) -> Bool {
    time.minute == 0 && word.count <= 2 && Int(word) != nil
      || time.hour < 12 && ["afternoon", "evening", "night"].contains(bare(word))
  }

  private func tellsWhen(_ word: String) -> Bool {
    let name = bare(word)
    if Self.anywhere.contains(name) || name.count > 1 && isDays(name) { return true }
    guard name.first?.isDigit == true else { return false }
    let unit = name.drop(while: \.isDigit)
    return Self.units.contains { unit.hasPrefix($0) }
  }

  /// Days by their name, whatever hangs on it, and syllables of several that may be another word.
  private func isDays(_ name: String) -> Bool {
    let endings = ["부터", "까지", "은", "는", "이나", "랑"].filter(name.hasSuffix)
    return days(name) != nil || name.allSatisfy(Self.week.contains)
      || endings.contains { days(String(name.dropLast($0.count))) != nil }
  }

  private func bare(_ word: String) -> String {
    word.lowercased().filter { !".,;!?()'".contains($0) }
  }

  /// Of a date, a time, a number of days.
  private static let units = [
    ":", "/", "-", "월", "일", "시", "분", "초", "주", "년", "am", "pm", "h",
  ]

  private static let anywhere: Set = [
    "today", "tomorrow", "tonight", "yesterday", "am", "pm", "noon", "midnight", "monthly",
    "yearly", "biweekly", "fortnightly", "quarterly", "except", "until", "till", "cancel",
    "delete", "remove", "off",
    "오늘", "내일", "모레", "내일모레", "글피", "매월", "매달", "매년", "격주", "격일", "다음주", "이번주",
    "다음달", "정오", "자정", "오전", "오후", "까지", "부터", "제외", "빼고", "말고", "취소", "취소해", "꺼", "꺼줘",
    "삭제", "해제",
  ]

  /// Before a time or days, as `every other` of `alarm every other monday 9:00`.
  private static let before = Set(
    months + [
      "every", "other", "next", "and", "or", "but", "day", "days", "week", "weeks", "month",
      "months", "year", "years", "매", "주", "달", "말", "이번", "다음", "마다",
    ])

  /// Behind them, as `to` of `7:30 mon to fri`.
  private static let behind = Set(
    months + [
      "in", "on", "to", "through", "thru", "and", "or", "but", "every", "each", "past", "before",
      "after", "from", "oclock", "전", "후", "뒤",
    ])

  private static let months = [
    "january", "february", "april", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
  ]
}
