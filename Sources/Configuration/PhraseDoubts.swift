// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words of a phrase that seem to say when, and are not understood: `7:30 next month`, `7시 10분 전`.
// Taken for the label, they would have an alarm ring at another time than was meant, and so it is not
// set. Only words at an edge of the label can belong to the time, and most of them only right beside
// it: `7:30 Call mom on monday` does not pass, `7:30 The sunday papers` does. Next:
// `WeekdayNames.swift`.

import Scheduling

extension PhraseDays {
  /// The first such word of a label, of which `before` stands before `time` and `behind` behind it.
  func unclear(in before: [String], _ behind: [String], of time: CivilTime) -> String? {
    let edges = [before.first, before.last, behind.first, behind.last].compactMap(\.self)
    return edges.first(where: tellsWhen)
      ?? [before.last, behind.first].compactMap(\.self).first(where: belongsToTime)
      ?? behind.first.flatMap { isPartOfDay($0) && time.hour < 12 ? $0 : nil }
      ?? [before.prefix(2), behind.suffix(2)].first(where: isSpan)?.first
  }

  /// The same for a timer, beside whose length there is only the label.
  func unclear(in before: [String], _ behind: [String]) -> String? {
    if let word = behind.first, Int(word) != nil { return word }
    return [before.last, behind.first].compactMap(\.self).first(where: tellsWhen)
  }

  private func isPartOfDay(_ word: String) -> Bool {
    ["afternoon", "evening", "night"].contains(bare(word))
  }

  /// Whether a word right beside the time is a part of it: `next`, `30`, `24th`, `24.12.`.
  private func belongsToTime(_ word: String) -> Bool {
    let name = bare(word)
    let unit = name.drop(while: \.isDigit)
    return Self.beside.contains(name)
      || name.first?.isDigit == true && (unit.isEmpty || Self.ordinals.contains(String(unit)))
  }

  /// `next month`, `이번 주`.
  private func isSpan(_ words: ArraySlice<String>) -> Bool {
    guard words.count == 2, let first = words.first, let last = words.last else { return false }
    return Self.pointers.contains(bare(first)) && Self.spans.contains(bare(last))
  }

  private func tellsWhen(_ word: String) -> Bool {
    let name = bare(word)
    if Self.anywhere.contains(name) || name.count > 1 && isDays(name) { return true }
    guard name.first?.isDigit == true else { return false }
    let unit = name.drop(while: \.isDigit)
    // `24.12.` is a date, the `12.` of `Room 12.` is none.
    let parts = word.split { !$0.isDigit }
    let isDate = parts.count > 1 && !word.contains(where: \.isLetter)
    return isDate || Self.units.contains { unit.hasPrefix($0) }
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

  private static let ordinals = ["st", "nd", "rd", "th"]

  private static let anywhere: Set = [
    "today", "tomorrow", "tonight", "yesterday", "am", "pm", "noon", "midnight", "hourly",
    "nightly",
    "monthly", "yearly", "annually", "biweekly", "fortnightly", "quarterly", "workdays", "except",
    "until", "till", "cancel", "delete", "remove", "off",
    "오늘", "내일", "모레", "내일모레", "글피", "매월", "매달", "매년", "격주", "격일", "다음주", "이번주",
    "다음달", "이번달", "내년", "정오", "자정", "오전", "오후", "까지", "부터", "제외", "빼고", "말고", "취소",
    "취소해", "꺼", "꺼줘", "삭제", "해제",
  ]

  /// Right beside a time or days, as `every other` of `alarm every other monday 9:00` and `to` of
  /// `7:30 mon to fri`.
  private static let beside = Set(
    months + spans + pointers + [
      "and", "or", "but", "in", "on", "to", "through", "thru", "past", "before", "after", "from",
      "oclock", "weekly", "매", "매주", "주간", "월간", "말", "마다", "전", "후", "뒤",
    ])

  private static let pointers = [
    "every", "each", "other", "next", "this", "last", "coming", "다음", "이번", "지난",
  ]

  private static let spans = [
    "day", "days", "week", "weeks", "weekend", "month", "months", "year", "years", "주", "달",
  ]

  private static let months = [
    "january", "february", "april", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
  ]
}
