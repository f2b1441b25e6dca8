// SPDX-License-Identifier: GPL-3.0-or-later
//
// Splits typed text into words, for the config, the command line and the search. In Korean, people
// may write words together or apart; `split` returns the same words in both cases. The meaning of
// the words is found by `DurationText.swift`, `TimeText.swift`, `DayText.swift` and
// `WeekdayNames.swift`, which each take their words from the beginning of the text. Chinese and
// Japanese words for times, durations and days are read by their Korean equivalents. Next:
// `WhenText.swift`.

import Scheduling

enum TypedWords {
  /// The longest text that is split, in bytes. For a longer text, `split` returns no words.
  static let longest = 1000

  /// Splits `text` into words: `7시30분에` becomes `7시` and `30분`, `다시 알림` becomes `다시알림`.
  static func split(_ text: String) -> [String] {
    guard text.utf8.count <= longest else { return [] }
    let words = text.split(whereSeparator: \.isWhitespace).flatMap { word in
      half(word).map { [$0] } ?? korean(word).split(separator: " ").map(String.init)
    }
    if text.unicodeScalars.allSatisfy(\.isASCII) { return words }
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

  /// Returns `오후7시30분` for `下午7点30分`; the word itself if it is not Chinese or Japanese, or if it
  /// means something other than a time, a duration or a day.
  private static func korean(_ word: Substring) -> String {
    guard word.unicodeScalars.contains(where: { isHan($0.value) }) else { return String(word) }
    var (rest, result) = (word, "")
    while let first = rest.first {
      if let (han, hangul) = equivalents.first(where: { rest.hasPrefix($0.han) }) {
        // Days are words of their own; the other words may be written together in Korean.
        result += days.contains(hangul) || hangul.hasSuffix("요일") ? "\(hangul) " : hangul
        rest = rest.dropFirst(han.count)
      } else if let number = takeHanNumber(from: &rest) {
        result += String(number)
      } else if first.isDigit || first == ":" || first == "." {
        result.append(rest.removeFirst())
      } else {
        return String(word)
      }
    }
    return result
  }

  private static let days: Set = ["오늘", "내일", "모레", "매일", "평일", "주말"]

  /// Whether the code point is of a Chinese character, or of Japanese kana.
  private static func isHan(_ value: UInt32) -> Bool {
    (0x3040...0x30FF).contains(value) || (0x4E00...0x9FFF).contains(value)
  }

  /// Takes a number from 1 to 99 in Chinese characters, such as `七` or `二十五`.
  private static func takeHanNumber(from rest: inout Substring) -> Int? {
    let digits = Array("一二三四五六七八九")
    func digit() -> Int? {
      if rest.first == "两" || rest.first == "兩" {
        rest.removeFirst()
        return 2
      }
      guard let digit = rest.first.flatMap(digits.firstIndex) else { return nil }
      rest.removeFirst()
      return digit + 1
    }
    let first = digit()
    guard rest.first == "十" else { return first }
    rest.removeFirst()
    return (first ?? 1) * 10 + (digit() ?? 0)
  }

  /// Words of Chinese and Japanese with the Korean words that mean the same. Longer words come
  /// first, because a short word may be the beginning of a longer word.
  private static let equivalents: [(han: String, hangul: String)] = {
    let lists: [(String, String)] = [
      ("오전", "上午 午前"), ("오후", "下午 午後"), ("아침", "早上 早晨 朝"), ("새벽", "凌晨"),
      ("낮", "中午 昼"), ("저녁", "傍晚 夕方"), ("밤", "晚上 夜晚 夜"), ("정오", "正午"), ("자정", "午夜 零点"),
      ("시간", "个小时 個小時 小时 小時 時間 个钟头"), ("시", "点 點 時 时 点钟 點鐘"),
      ("분", "分钟 分鐘 分間 分"), ("초", "秒钟 秒 秒間"), ("반", "半"), ("일", "天 日間"), ("주", "週間"),
      ("뒤", "后 後 以后 以後 之后 之後"), ("오늘", "今天 今日"), ("내일", "明天 明日"), ("모레", "后天 後天 明後日"),
      ("매일", "每天 每日 毎日"), ("평일", "工作日 平日"), ("주말", "周末 週末"), ("에", "に"),
      ("타이머", "计时器 計時器 タイマー"), ("알람", "闹钟 鬧鐘 アラーム 目覚まし"),
    ]
    var pairs = lists.flatMap { hangul, words in
      words.split(separator: " ").map { (han: String($0), hangul: hangul) }
    }
    let week = Array("월화수목금토일")
    for (index, names) in ["一月", "二火", "三水", "四木", "五金", "六土", "日日", "天天"].enumerated() {
      let day = "\(week[min(index, 6)])요일"
      guard let chinese = names.first, let japanese = names.last else { continue }
      for prefix in ["星期", "礼拜", "禮拜", "周", "週"] { pairs.append(("\(prefix)\(chinese)", day)) }
      if index < 7 { for ending in ["曜日", "曜"] { pairs.append(("\(japanese)\(ending)", day)) } }
    }
    return pairs.sorted { $0.han.count > $1.han.count }
  }()

  /// Returns `pm` for `p.m.`, and `7pm` for `7p.m.`; nil for any other word.
  private static func half(_ word: Substring) -> String? {
    let ending = word.suffix(while: { $0.isLetter || $0 == "." }).drop { $0 == "." }
    let plain = ending.filter { $0 != "." }
    let clock = word.dropLast(ending.count)
    guard ["am", "pm"].contains(plain.lowercased()), ending.count > 2,
      clock.allSatisfy({ $0.isDigit || $0 == ":" || $0 == "." })
    else { return nil }
    return clock + plain
  }

  /// Whether the next word may belong to `word`, as in `10 분`, `한 시간`, `다시 알림`.
  private static func beginsPair(_ word: String) -> Bool {
    ["다시", "깨워", "몇", "반"].contains(word) || numerals.contains(word)
      || word.allSatisfy { $0.isDigit || $0 == "." }
  }

  /// Splits a word into parts that were written together. Returns nil if the word contains anything
  /// unknown. `previous` is the word before it: `반` (half) is a part only after an hour or a
  /// minute.
  private static func parts(of word: String, after previous: String?) -> [String]? {
    var parts: [String] = []
    var rest = word[...]
    while !rest.isEmpty {
      if let name = names.first(where: { rest.hasPrefix($0) }) {
        parts.append(name)
        rest = rest.dropFirst(name.count)
        if TimeText.named[name] != nil { rest = withoutParticle(rest) }
      } else if rest.hasPrefix("반"), let whole = parts.last ?? previous,
        ["시", "시간", "분"].contains(where: whole.hasSuffix)
      {
        parts.append("반")
        rest = withoutParticle(rest.dropFirst())
      } else if !parts.isEmpty, DurationText.isAhead(rest) {
        parts.append(String(rest))
        rest = ""
      } else {
        guard let part = takeNumber(from: &rest) else { return nil }
        parts.append(part)
      }
    }
    return parts
  }

  /// Takes a number with its unit: `7시` from `7시에`, `1시간` from `한시간`, `0.5시간` from `반시간`, `7:30`.
  private static func takeNumber(from rest: inout Substring) -> String? {
    var number = String(rest.prefix { $0.isDigit || $0 == ":" || $0 == "." })
    rest = rest.dropFirst(number.count)
    if number.isEmpty {
      if rest.hasPrefix("반시간") {
        number = "0.5"
        rest = rest.dropFirst()
      } else {
        guard let place = numerals.lastIndex(where: { rest.hasPrefix($0) }) else { return nil }
        rest = rest.dropFirst(numerals[place].count)
        guard rest.hasPrefix("시") else { return nil }
        number = String(place + 1)
      }
    }
    let unit = ["시간", "시", "분", "초", "일", "주"].first { rest.hasPrefix($0) } ?? ""
    rest = withoutParticle(rest.dropFirst(unit.count))
    guard !unit.isEmpty || rest.isEmpty else { return nil }
    return number + unit
  }

  /// Drops a Korean particle after a time or a duration, because it adds nothing to the meaning.
  private static func withoutParticle(_ rest: Substring) -> Substring {
    ["에", "간", "짜리", "동안"].contains(rest) ? "" : rest
  }

  /// The words that people may write together with other words. Longer words come first, because a
  /// short word may be the beginning of a longer word.
  private static let names =
    (PhraseWords.korean.keys + TimeText.koreanHalves + TimeText.named.keys)
    .sorted { $0.count > $1.count }

  /// The Korean numbers from one to twelve that count hours.
  private static let numerals = [
    "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두",
  ]
}

extension Substring {
  /// Returns the longest suffix in which each character meets the condition `fits`.
  fileprivate func suffix(while fits: (Character) -> Bool) -> Substring {
    self[(lastIndex { !fits($0) }.map(index(after:)) ?? startIndex)...]
  }
}

extension Character {
  /// Whether the character is a digit from 0 to 9. Digits of other scripts do not count.
  var isDigit: Bool { isASCII && isWholeNumber }
}
