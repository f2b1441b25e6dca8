// SPDX-License-Identifier: GPL-3.0-or-later
//
// The English and Korean words that say what a phrase asks for. Times and lengths in a phrase are
// read by the grammar of the config and the command line. Next: `TypedWords.swift`.

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

  /// The request in `words`, and the remaining words.
  static func order(in words: [String]) -> (Order, rest: [String])? {
    guard let first = words.first, let last = words.last else { return nil }
    let (before, behind) = (Array(words.dropLast()), Array(words.dropFirst()))
    // In Korean the verb comes last, after its object: `알람 중지`.
    if let order = korean[last], [.stop, .snooze, .wake].contains(order) {
      let isNamed = before.last.flatMap(order(_:)).map { [.timer, .alarm].contains($0) } ?? false
      return (order, isNamed ? before.dropLast() : before)
    }
    if let order = order(first) { return (order, behind) }
    // A noun may also come last: `10 min timer`, `서울 시간`.
    if let order = order(last), [.timer, .alarm, .time].contains(order) { return (order, before) }
    // In Korean the noun may be in the middle: `라면 타이머 3분`.
    guard let noun = words.firstIndex(where: { ["타이머", "알람"].contains($0) }),
      let order = korean[words[noun]]
    else { return nil }
    return (order, Array(words[..<noun] + words[(noun + 1)...]))
  }
}
