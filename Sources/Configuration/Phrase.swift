// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads requests that people type into the desktop's search, such as `timer 10m tea`, `alarm 7:30`,
// `stop`, `7:30 weekdays Work` and `time in tokyo`, or `타이머 10분`, `10분 뒤 알람`, `내일 7시 회의` and
// `서울 시간`. Only complete words are recognised, because most searches are not for Belfry. Next:
// `PhraseWords.swift`. `Search.swift` in Agent shows the results.

import Scheduling
import TOML

public enum Phrase: Hashable, Sendable {
  case timer(Duration, label: String?)
  /// `timer` with a text that is not a duration. The text may be the name of a preset.
  case preset(String)
  case alarm(Recurrence, label: String?)
  /// Stop the alarm with this label or id. Without a label or id, stop everything that is ringing.
  case stop(String?)
  case snooze(Duration?)
  /// Show when the next alarm rings.
  case next
  case time(city: String)

  /// The maximum number of words in a duration, or in a time of day with its days. An example is
  /// `월 화 수 목 금 토 일 오후 7 시 30 분`.
  private static let mostWords = 12

  /// Reads a request in English or Korean, regardless of the user's language.
  public init?(
    _ text: String, at now: Instant, in zones: some ZoneRules,
    weekdays: WeekdayNames = WeekdayNames()
  ) {
    let words = TypedWords.split(text)
    let when = WhenText(now: now, zones: zones, weekdays: weekdays)
    let found = PhraseWords.order(in: words)
    let isAlarm = found?.0 == .alarm || found?.0 == .wake
    let onDays = isAlarm ? nil : when.takeOnDays(from: words)
    if let (rule, rest) = onDays ?? (found == nil ? when.takeAhead(from: words) : nil) {
      // A time on certain days means an alarm. A duration counted from now, as in `in 10 minutes`,
      // also means an alarm, unless the text says something else, such as `timer`.
      self.init(rule, rest)
      return
    }
    guard let (order, rest) = found else { return nil }
    switch order {
    case .timer: self.init(timer: rest)
    case .alarm, .wake: self.init(alarm: rest, when, orNext: order == .alarm)
    case .next:
      guard rest.isEmpty || rest.count == 1 && PhraseWords.order(rest[0]) == .alarm else {
        return nil
      }
      self = .next
    case .stop: self = .stop(Self.name(rest))
    case .snooze: self.init(snooze: rest, when)
    case .time: self.init(time: rest)
    }
  }

  private init?(timer words: [String]) {
    let words = Self.without(["for", "in"], words)
    // In `3 eggs 10m`, only the last words have a unit.
    let hasUnit = (try? DurationText.parsePrefix(of: words)) != nil
    let last = hasUnit ? nil : Self.last(words) { try? DurationText.parsePrefix(of: $0) }
    if let (length, rest) = last ?? Self.takeLength(from: words)
      ?? Self.last(words, Self.takeLength)
    {
      let label = Self.without(["for"], rest)
      guard length > .zero, !PhraseWords.sayWhen(label) else { return nil }
      self = .timer(length, label: Self.name(label))
    } else if let name = Self.name(words), words[0].first?.isNumber == false {
      self = .preset(name)
    } else {
      return nil
    }
  }

  /// Takes the duration at the beginning of `words`. A number without a unit means minutes.
  private static func takeLength(from words: [String]) -> (Duration, rest: [String])? {
    var found: (length: Duration, rest: [String])
    do throws(DurationText.Fault) {
      found = try DurationText.parsePrefix(of: words)
    } catch {
      guard error == .noUnit, let minutes = try? DurationText.parse(words[0] + "m") else {
        return nil
      }
      found = (minutes, Array(words.dropFirst()))
    }
    // Skip `동안` (for) and `뒤` (from now), because they do not change the duration.
    if let word = found.rest.first, word == "동안" || DurationText.isAhead(word) {
      found.rest.removeFirst()
    }
    return found
  }

  /// Reads `alarm 7:30`, `alarm at 7 pm gym` or `wake me up at 7`. With `orNext`, the word `alarm`
  /// alone asks for the next alarm.
  private init?(alarm words: [String], _ when: WhenText, orNext: Bool) {
    let words = Array(words.drop { ["me", "up", "at", "um"].contains($0.lowercased()) })
    if words.isEmpty, orNext {
      self = .next
      return
    }
    guard
      let (rule, rest) = when.parsePrefix(of: words)
        ?? Self.last(words, { when.parsePrefix(of: $0) })
    else { return nil }
    self.init(rule, rest)
  }

  /// Makes an alarm from the rule. The label consists of `words`, which follow the rule in the
  /// text.
  private init?(_ rule: Recurrence, _ words: [String]) {
    let label = Self.without(["for"], words)
    guard !PhraseWords.sayWhen(label) else { return nil }
    self = .alarm(rule, label: Self.name(label))
  }

  /// Reads a text that certainly asks for an alarm, so the word `alarm` may be left out.
  public init?(
    alarm text: String, at now: Instant, in zones: some ZoneRules,
    weekdays: WeekdayNames = WeekdayNames()
  ) {
    let when = WhenText(now: now, zones: zones, weekdays: weekdays)
    self.init(alarm: Self.withoutAlarm(text), when, orNext: false)
  }

  /// Reads a text that says only when to ring: a time with or without days, or a duration from now.
  public init?(
    when text: String, at now: Instant, in zones: some ZoneRules, weekdays: WeekdayNames
  ) {
    let when = WhenText(now: now, zones: zones, weekdays: weekdays)
    guard let (rule, rest) = when.parsePrefix(of: Self.withoutAlarm(text), bare: .digits),
      rest.isEmpty
    else { return nil }
    self.init(rule, [])
  }

  /// Returns the words of `text` without the word that asks for an alarm.
  private static func withoutAlarm(_ text: String) -> [String] {
    let words = TypedWords.split(text)
    let found = PhraseWords.order(in: words)
    return found?.0 == .alarm || found?.0 == .wake ? found?.rest ?? [] : words
  }

  private init?(snooze words: [String], _ when: WhenText) {
    guard !words.isEmpty else {
      self = .snooze(nil)
      return
    }
    if words.first?.lowercased() == "until" {
      guard let (rule, rest) = when.parsePrefix(of: Array(words.dropFirst())), rest.isEmpty,
        let due = rule.next(after: when.now, in: when.zones)?.due
      else { return nil }
      self = .snooze(.seconds((due - when.now).secondsRoundedUp))
      return
    }
    guard let (length, rest) = Self.takeLength(from: words), rest.isEmpty else { return nil }
    self = .snooze(length)
  }

  private init?(time words: [String]) {
    let words = words.filter { !["지금", "현재"].contains($0) }
    guard let city = Self.name(Self.without(["in"], words)), Int(city) == nil else { return nil }
    self = .time(city: city)
  }

  /// Returns the value that `take` finds at the end of `words`, and the words before that value. In
  /// Korean the label comes first, as in `라면 3분 타이머`. If the last word is only a number, it is not
  /// read as a value, because it may belong to the label.
  private static func last<Value>(
    _ words: [String], _ take: ([String]) -> (Value, rest: [String])?
  ) -> (Value, rest: [String])? {
    guard let last = words.last, Int(last) == nil else { return nil }
    for start in words.indices.dropFirst().suffix(mostWords) {
      if let (value, rest) = take(Array(words[start...])), rest.isEmpty {
        return (value, Array(words[..<start]))
      }
    }
    return nil
  }

  private static func without(_ fillers: [String], _ words: [String]) -> [String] {
    guard let first = words.first, fillers.contains(first.lowercased()) else { return words }
    return Array(words.dropFirst())
  }

  private static func name(_ words: [String]) -> String? {
    words.isEmpty ? nil : words.joined(separator: " ")
  }
}

extension Phrase {
  /// The command that would do what the phrase asks for. Nil if the phrase only asks for
  /// information, or if it names a preset that begins with a hyphen: the command would read that
  /// name as an option.
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

  /// The settings of the alarm that the phrase asks for; empty for other phrases.
  public var settings: [TOMLEdit.Setting] {
    alarmKeys.map { SettingText.setting($0.key, [$0.text]) }
  }

  /// The keys of the alarm that the phrase asks for, each with the text that a user would type for
  /// it.
  public var alarmKeys: [(key: String, text: String)] {
    guard case .alarm(let rule, let label) = self else { return [] }
    let keys: [(String, String)] =
      switch rule.dates {
      case .days(let days): [("days", days.text)]
      case .on(let date): [("date", date.description)]
      case .once: []
      case .every(let interval, let days):
        (days.isEmpty ? [] : [("days", days.text)])
          + [("every", interval.text), ("from", interval.start.description)]
      }
    return [("time", rule.time.description)] + keys
      + (rule.zone.map { [("timezone", $0)] } ?? []) + (label.map { [("label", $0)] } ?? [])
  }
}

extension Days {
  fileprivate var text: String { names.joined(separator: ",") }
}
