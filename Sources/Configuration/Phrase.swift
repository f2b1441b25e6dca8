// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person types into the desktop's search: `timer 10m tea`, `alarm 7:30`, `7:30 weekdays
// Work`, `stop`, `time in tokyo`; `타이머 10분`, `평일 7시 반 알람`, `내일 7시 회의`, `서울 시간`. It guesses no word
// that is not whole: a search is for many things, and most are not ours. Next: `PhraseWords.swift`.
// What comes of a phrase is `Search.swift` of the agent.

import Scheduling
import TOML

public enum Phrase: Hashable, Sendable {
  case timer(Duration, label: String?)
  /// What follows `timer`, where it is not a length: perhaps a preset's name.
  case preset(String)
  case alarm(CivilTime, Recurrence.Dates = .once, label: String?)
  /// Of what rings; the name is of one, by label or id.
  case stop(String?)
  case snooze(Duration?)
  /// When the next alarm rings.
  case next
  case time(city: String)

  /// In bytes; what is longer is none.
  static let longest = 1000

  /// Whatever the user's language is, both are understood; `weekdays` are the names that it has for
  /// days, as `WeekdayNames` takes them.
  public init?(_ text: String, on today: CivilDate, weekdays: [[String]] = []) {
    guard text.utf8.count <= Self.longest else { return nil }
    let words = PhraseWords.split(text)
    let days = PhraseDays(today: today, weekdays)
    let found = PhraseWords.order(in: words)
    if found?.0 != .alarm, found?.0 != .wake,
      let (rule, rest) = days.takeRule(from: words, orHour: false), rule.dates != .once
    {
      // A time and days say that it is an alarm.
      self.init(rule, rest)
      return
    }
    guard let (order, rest) = found else { return nil }
    switch order {
    case .timer: self.init(timer: rest)
    case .alarm, .wake: self.init(alarm: rest, days, orNext: order == .alarm)
    case .next:
      guard rest.isEmpty || rest.count == 1 && PhraseWords.order(rest[0]) == .alarm else {
        return nil
      }
      self = .next
    case .stop: self = .stop(Self.name(rest))
    case .snooze: self.init(snooze: rest)
    case .time: self.init(time: rest)
    }
  }

  private init?(timer words: [String]) {
    let words = Self.without(["for"], words)
    if let (length, rest) = PhraseWords.takeLength(from: words) {
      guard length > .zero else { return nil }
      self = .timer(length, label: Self.name(Self.without(["for"], rest)))
    } else if let (length, label) = Self.last(words, PhraseWords.takeLength), length > .zero {
      self = .timer(length, label: Self.name(label))
    } else if let name = Self.name(words), words[0].first?.isNumber == false {
      self = .preset(name)
    } else {
      return nil
    }
  }

  /// `alarm 7:30`, `alarm at 7 pm gym`, `wake me up at 7`; `alarm` alone asks for the next.
  private init?(alarm words: [String], _ days: PhraseDays, orNext: Bool) {
    let words = Array(words.drop { ["me", "up", "at"].contains($0.lowercased()) })
    if words.isEmpty, orNext {
      self = .next
    } else if let (rule, rest) = days.takeRule(from: words) {
      self.init(rule, rest)
    } else if let (rule, label) = Self.last(words, { days.takeRule(from: $0) }) {
      self = .alarm(rule.time, rule.dates, label: Self.name(label))
    } else {
      return nil
    }
  }

  /// What follows the rule is the label.
  private init(_ rule: PhraseDays.Rule, _ label: [String]) {
    self = .alarm(rule.time, rule.dates, label: Self.name(Self.without(["for"], label)))
  }

  /// What is typed where an alarm is asked for: the word for it may be left out.
  public init?(alarm text: String, on today: CivilDate, weekdays: [[String]] = []) {
    guard text.utf8.count <= Self.longest else { return nil }
    var words = PhraseWords.split(text)
    if let (order, rest) = PhraseWords.order(in: words), order == .alarm || order == .wake {
      words = rest
    }
    self.init(alarm: words, PhraseDays(today: today, weekdays), orNext: false)
  }

  private init?(snooze words: [String]) {
    guard !words.isEmpty else {
      self = .snooze(nil)
      return
    }
    guard let (length, rest) = PhraseWords.takeLength(from: words), rest.isEmpty else { return nil }
    self = .snooze(length)
  }

  private init?(time words: [String]) {
    let words = words.filter { !["지금", "현재"].contains($0) }
    guard let city = Self.name(Self.without(["in"], words)), Int(city) == nil else { return nil }
    self = .time(city: city)
  }

  /// What `take` finds at the end of `words`, and what is before it: Korean says what it is for
  /// first, as in `라면 3분 타이머`. A number alone may be part of a name.
  private static func last<Value>(
    _ words: [String], _ take: ([String]) -> (Value, rest: [String])?
  ) -> (Value, label: [String])? {
    guard let last = words.last, Int(last) == nil else { return nil }
    for start in words.indices.dropFirst().suffix(PhraseWords.longest) {
      if let (value, rest) = take(Array(words[start...])), rest.isEmpty {
        return (value, Array(words[..<start]))
      }
    }
    return nil
  }

  private static func without(_ fillers: [String], _ words: [String]) -> [String] {
    let isFiller = words.first.map { fillers.contains($0.lowercased()) } ?? false
    return isFiller ? Array(words.dropFirst()) : words
  }

  private static func name(_ words: [String]) -> String? {
    words.isEmpty ? nil : words.joined(separator: " ")
  }
}

extension Phrase {
  /// The command that does what the phrase says; nil where it only asks. Names that begin with a
  /// hyphen are not taken for options.
  public var command: [String]? {
    switch self {
    case .timer(let length, let label):
      ["timer", "start", DurationText.format(length)] + (label.map { ["--label=\($0)"] } ?? [])
    case .preset(let name): name.hasPrefix("-") ? nil : ["timer", "start", name]
    case .alarm: ["add"] + alarmKeys.map { $0.key == "time" ? $0.text : "--\($0.key)=\($0.text)" }
    case .stop(let id): ["stop"] + (id.map { ["--", $0] } ?? [])
    case .snooze(let length): ["snooze"] + (length.map { [DurationText.format($0)] } ?? [])
    case .next, .time: nil
    }
  }

  /// The alarm that the phrase asks for, as the config would have it; empty for other phrases.
  public var settings: [TOMLEdit.Setting] {
    alarmKeys.map { SettingText.setting($0.key, [$0.text]) }
  }

  private var alarmKeys: [(key: String, text: String)] {
    guard case .alarm(let time, let dates, let label) = self else { return [] }
    let day: (String, String)? =
      switch dates {
      case .days(let days): ("days", days.names.joined(separator: ","))
      case .on(let date): ("date", "\(date)")
      case .once, .every: nil
      }
    return [("time", time.description), day, label.map { ("label", $0) }].compactMap(\.self)
  }
}
