// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words of a phrase, in English and Korean: what one asks for, lengths and times of day. Only
// what is typed in passing is so free; the config and the command line take the forms of
// `DurationText.swift` and `TimeText.swift`. Next: `PhraseDays.swift`.

import Scheduling

public enum PhraseWords {
  enum Order { case timer, alarm, wake, next, stop, snooze, time }

  private static let english: [String: Order] = [
    "timer": .timer, "countdown": .timer, "alarm": .alarm, "wake": .wake, "next": .next,
    "stop": .stop, "snooze": .snooze, "time": .time,
  ]

  private static let korean: [String: Order] = [
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

  // MARK: - Splitting

  /// The words of `text`. What Korean writes together or apart, as people like it, is one word
  /// each: `7시30분에`, `다시 알림`.
  static func split(_ text: String) -> [String] {
    let words = text.split(whereSeparator: \.isWhitespace).map { half($0) ?? String($0) }
    var result: [String] = []
    var index = 0
    while index < words.count {
      let next = index + 1 < words.count ? words[index + 1] : ""
      if beginsPair(words[index]), next.first?.isNumber == false,
        let parts = parts(of: words[index] + next, after: result.last)
      {
        result += parts
        index += 2
      } else {
        result += parts(of: words[index], after: result.last) ?? [words[index]]
        index += 1
      }
    }
    return result
  }

  /// `pm` for `p.m.`, `7pm` for `7p.m.`; nil where it is not written so.
  private static func half(_ word: Substring) -> String? {
    let plain = word.filter { $0 != "." }
    let isHalf = ["am", "pm"].contains(plain.suffix(2).lowercased())
    return isHalf && plain.dropLast(2).allSatisfy(\.isDigit) && plain.count < word.count
      ? String(plain) : nil
  }

  /// Whether `word` may be the half of one: `10 분`, `한 시간`, `다시 알림`.
  private static func beginsPair(_ word: String) -> Bool {
    ["다시", "깨워", "몇"].contains(word) || numerals.contains(word) || word.allSatisfy(\.isDigit)
  }

  /// The parts of a word that is written together; nil where anything else is in it. `previous` is
  /// the part before it: a half is of an hour.
  private static func parts(of word: String, after previous: String?) -> [String]? {
    var parts: [String] = []
    var rest = word[...]
    while !rest.isEmpty {
      if let name = names.first(where: { rest.hasPrefix($0) }) {
        parts.append(name)
        rest = rest.dropFirst(name.count)
      } else if rest.hasPrefix("반"), let hour = parts.last ?? previous,
        hour.hasSuffix("시") || hour.hasSuffix("시간")
      {
        parts.append("반")
        rest = withoutParticle(rest.dropFirst())
      } else {
        guard let part = takeNumber(from: &rest) else { return nil }
        parts.append(part)
      }
    }
    return parts
  }

  /// `7시` of `7시에`, `1시간` of `한시간`, `7:30`.
  private static func takeNumber(from rest: inout Substring) -> String? {
    var number = String(rest.prefix { $0.isDigit || $0 == ":" })
    rest = rest.dropFirst(number.count)
    if number.isEmpty {
      guard let place = numerals.lastIndex(where: { rest.hasPrefix($0) }) else { return nil }
      rest = rest.dropFirst(numerals[place].count)
      guard rest.hasPrefix("시") else { return nil }
      number = String(place + 1)
    }
    let unit = ["시간", "시", "분", "초", "일"].first { rest.hasPrefix($0) } ?? ""
    rest = withoutParticle(rest.dropFirst(unit.count))
    guard !unit.isEmpty || rest.isEmpty else { return nil }
    return number + unit
  }

  private static func withoutParticle(_ rest: Substring) -> Substring {
    (particles + ["에", "간", "짜리"]).contains(String(rest)) ? "" : rest
  }

  /// What may stand behind a length, by itself or not, and tells nothing that is not known.
  private static let particles = ["동안", "후", "후에", "뒤", "뒤에"]

  /// The longer ones first.
  private static let names = (Array(korean.keys) + halves).sorted { $0.count > $1.count }
  private static let halves = ["오전", "오후", "새벽", "아침", "낮", "저녁", "밤"]

  /// One to twelve, as Korean counts hours.
  private static let numerals = [
    "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두",
  ]

  // MARK: - Lengths

  /// The most words that a length has, with what may stand behind it, or a time of day with days:
  /// four numbers and their units, or `월 화 수 목 금 토 일 오후 7 시 30 분`.
  static let longest = 12

  private static let units: [String: Character] = [
    "d": "d", "day": "d", "days": "d", "h": "h", "hr": "h", "hour": "h", "hours": "h", "m": "m",
    "min": "m", "mins": "m", "minute": "m", "minutes": "m", "s": "s", "sec": "s", "secs": "s",
    "second": "s", "seconds": "s", "일": "d", "시간": "h", "분": "m", "초": "s",
  ]

  /// A length at the beginning of `words`: `10m`, `10 min`, `1 hour 30 minutes`, `1시간 반`; a number
  /// alone is minutes.
  static func takeLength(from words: [String]) -> (Duration, rest: [String])? {
    var text = ""
    var rest = words[...]
    while let word = rest.first?.lowercased(), let number = leadingNumber(word) {
      rest = rest.dropFirst()
      let unit = word.dropFirst(number.count)
      if let letter = units[String(unit)] {
        text += number + String(letter)
        if unit == "시간", rest.first == "반" {
          text += "30m"
          rest = rest.dropFirst()
        }
      } else if unit.isEmpty, let letter = rest.first.flatMap({ units[$0.lowercased()] }) {
        text += number + String(letter)
        rest = rest.dropFirst()
      } else if unit.isEmpty {
        guard text.isEmpty else { return nil }
        text = number + "m"
        break
      } else {
        // Several in one word: `1h30m`.
        text += word
      }
      if rest.first?.lowercased() == "and", rest.dropFirst().first.flatMap(leadingNumber) != nil {
        rest = rest.dropFirst()
      }
    }
    // Without a length, it is another phrase.
    guard let length = try? DurationText.parse(text) else { return nil }
    if let word = rest.first, particles.contains(word) { rest = rest.dropFirst() }
    return (length, Array(rest))
  }

  private static func leadingNumber(_ word: String) -> String? {
    let digits = word.prefix(while: \.isDigit)
    return digits.isEmpty ? nil : String(digits)
  }

  // MARK: - Times of day

  /// A time of day at the beginning of `words`; with `orHour`, an hour may stand alone, where
  /// nothing else can be meant.
  static func takeTime(
    from words: [String], orHour: Bool = true
  ) -> (CivilTime, rest: [String])? {
    if let found = takeKoreanTime(from: words) { return found }
    if !orHour, words.first.flatMap({ Int($0) }) != nil, !isHalf(words.dropFirst().first) {
      return nil
    }
    for count in [2, 1] where words.count >= count {
      let text = words.prefix(count).joined(separator: " ")
      if let time = time(text) { return (time, Array(words.dropFirst(count))) }
    }
    return nil
  }

  private static func isHalf(_ word: String?) -> Bool {
    word.map { ["am", "pm"].contains($0.lowercased()) } ?? false
  }

  private static func time(_ text: String) -> CivilTime? {
    if let hour = Int(text), text.count <= 2 { return CivilTime(hour: hour, minute: 0, second: 0) }
    // Why it is none does not matter: it is another phrase.
    return try? TimeText.parse(String(text.map { $0 == "." ? ":" : $0 }))
  }

  /// `7시`, `오후 7시 30분`, `7시 반`, `오전 7:30`.
  private static func takeKoreanTime(from words: [String]) -> (CivilTime, rest: [String])? {
    var rest = words[...]
    let half = rest.first.flatMap { halves.contains($0) ? $0 : nil }
    if half != nil { rest = rest.dropFirst() }
    if half != nil, let time = rest.first.flatMap(time), let hour = hour(time.hour, half) {
      return CivilTime(hour: hour, minute: time.minute, second: time.second).map {
        ($0, Array(rest.dropFirst()))
      }
    }
    func take(_ unit: String) -> Int? {
      guard let word = rest.first, word.hasSuffix(unit),
        let number = Int(word.dropLast(unit.count))
      else { return nil }
      rest = rest.dropFirst()
      return number
    }
    guard let written = take("시"), let hour = hour(written, half) else { return nil }
    var (minute, second) = (0, 0)
    if rest.first == "반" {
      minute = 30
      rest = rest.dropFirst()
    } else if let minutes = take("분") {
      (minute, second) = (minutes, take("초") ?? 0)
    }
    return CivilTime(hour: hour, minute: minute, second: second).map { ($0, Array(rest)) }
  }

  /// The hour of the day that is written so in a part of it.
  private static func hour(_ written: Int, _ half: String?) -> Int? {
    switch (half, written) {
    case ("저녁", 12): nil
    case (nil, _), ("낮", 10...11), ("밤", 1...5), ("오후", 13...23), ("저녁", 13...23), ("밤", 13...23):
      written
    case ("오전", 0...12), ("새벽", 0...12), ("아침", 0...12), ("밤", 12): written % 12
    case (_, 1...12): written % 12 + 12
    default: nil
    }
  }
}
