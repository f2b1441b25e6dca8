// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words by which a phrase says what it asks for, in English and Korean. What they ask it for is
// read by the grammar of config and command line: `WhenText.swift`, `DurationText.swift`. Next:
// `TypedWords.swift`.

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

  /// Whether it asks for what was there before, as in `timer again`.
  public static func isAgain(_ word: String) -> Bool {
    ["again", "다시", "또"].contains(word.lowercased())
  }

  /// What a word by itself asks for.
  static func order(_ word: String) -> Order? { english[word.lowercased()] ?? korean[word] }

  /// What the last word asks for: `10 min timer`.
  private static func lastOrder(_ word: String) -> Order? {
    switch korean[word] {
    case .next: nil
    case let order?: order
    case nil: ["timer", "alarm", "time"].contains(word.lowercased()) ? order(word) : nil
    }
  }

  /// What is asked for, and the other words.
  static func order(in words: [String]) -> (Order, rest: [String])? {
    guard let first = words.first, let last = words.last else { return nil }
    let (before, behind) = (Array(words.dropLast()), Array(words.dropFirst()))
    // Korean says last what is to be done, also where it names first what it is done to: `알람 중지`.
    if let order = korean[last], [.stop, .snooze, .wake].contains(order) {
      let isNamed = before.last.flatMap(order(_:)).map { [.timer, .alarm].contains($0) } ?? false
      return (order, isNamed ? before.dropLast() : before)
    }
    if let order = order(first) { return (order, behind) }
    if let order = lastOrder(last) { return (order, before) }
    // Or one in the middle says it: `라면 타이머 3분`.
    guard let noun = words.firstIndex(where: { ["타이머", "알람"].contains($0) }),
      let order = korean[words[noun]]
    else { return nil }
    return (order, Array(words[..<noun] + words[(noun + 1)...]))
  }
}
