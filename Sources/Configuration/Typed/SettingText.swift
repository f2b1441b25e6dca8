// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the texts of an alarm's settings to values of the config. Users type these texts after a
// command, or other programs send them. If a text is wrong, it stays a text, and the reader of the
// config reports it afterwards. Next: `TOMLEdit.swift`, which writes the values;
// `ConfigSnapshot.swift`, which judges them.

import Scheduling
import TOML

public enum SettingText {
  private static let schema = Configuration.schema.first { $0.name == "alarm" }?.keys ?? []

  /// The keys of an alarm, in the order of the manual page.
  public static let keys = schema.map(\.name)

  /// Returns the value that `texts` mean for `key`. For a list, each text is an element, or several
  /// elements with commas between them. For another key, the last text counts. If `today` is given,
  /// relative dates such as `tomorrow` are allowed.
  public static func value(
    of key: String, _ texts: [String], _ weekdays: WeekdayNames = WeekdayNames(),
    on today: CivilDate? = nil
  ) -> TOMLValue.Kind {
    let text = texts.last ?? ""
    switch schema.first(where: { $0.name == key })?.typing ?? .text {
    case .days: return days(parts(of: texts), weekdays)
    case .dates: return list(parts(of: texts).map { date($0, today, weekdays) })
    // An empty text means an empty list.
    case .oneOrMore(separated: true) where texts == [""]: return list([])
    case .oneOrMore(separated: true): return oneOrList(parts(of: texts))
    case .oneOrMore(separated: false): return oneOrList(texts)
    case .words: return list(texts.map { .string($0) })
    case .time:
      // If the text is wrong, the reader of the config reports the error.
      return TimeText.parse(text).map { .time($0) }
        ?? .string(AlarmTime(sun: text)?.text ?? text)
    case .date: return date(text, today, weekdays)
    case .number: return Int64(text).map { .integer($0) } ?? .string(text)
    case .flag: return Bool(text).map { .boolean($0) } ?? .string(text)
    case .text: return .string(text)
    }
  }

  private static func parts(of texts: [String]) -> [String] {
    texts.flatMap { text in
      text.split(separator: ",", omittingEmptySubsequences: false).map { part in
        String(part.trimmed)
      }
    }
  }

  private static func oneOrList(_ texts: [String]) -> TOMLValue.Kind {
    texts.count == 1 ? .string(texts[0]) : list(texts.map { .string($0) })
  }

  private static func list(_ values: [TOMLValue.Kind]) -> TOMLValue.Kind {
    .array(values.map { TOMLValue($0) })
  }

  /// Returns the days by their English names, because the agent may have another locale than the
  /// command in which the user typed the days.
  private static func days(_ names: [String], _ weekdays: WeekdayNames) -> TOMLValue.Kind {
    // If a name is wrong, the reader of the config reports the error.
    let known = names.compactMap { weekdays.days($0) }
    guard known.count == names.count else {
      return names.count == 1 ? .string(names[0]) : list(names.map { .string($0) })
    }
    let days = known.reduce(Days()) { $0.union($1) }
    for word in ["daily", "weekdays", "weekends"] where weekdays[word] == days.weekdays {
      if days.ordinals.isEmpty { return .string(word) }
    }
    return list(days.names.map { .string($0) })
  }

  private static func date(
    _ text: String, _ today: CivilDate?, _ weekdays: WeekdayNames
  ) -> TOMLValue.Kind {
    let date = today.map { DayText.parse(text, on: $0, weekdays) } ?? CivilDate(text)
    return date.map { .date($0) } ?? .string(text)
  }

  /// Returns a setting that sets `key` to the value that `texts` mean.
  public static func setting(
    _ key: String, _ texts: [String], _ weekdays: WeekdayNames = WeekdayNames(),
    on today: CivilDate? = nil
  ) -> TOMLEdit.Setting {
    TOMLEdit.Setting(key, .set(value(of: key, texts, weekdays, on: today)))
  }

  /// Returns a setting that sets `key` to the elements of `list`. The value may be a single text
  /// instead of a list, if the key allows this and the text means the same. If the key does not
  /// take a list, the value is a list all the same, and the reader of the config reports the error.
  public static func setting(
    _ key: String, list: [String], _ weekdays: WeekdayNames
  ) -> TOMLEdit.Setting {
    if schema.contains(where: { $0.name == key && $0.value.takesList }) {
      return setting(key, list, weekdays)
    }
    return TOMLEdit.Setting(key, .set(self.list(list.map { .string($0) })))
  }
}

extension Substring {
  /// The text without spaces and tabs at its ends.
  var trimmed: Substring { trimming(" \t") }

  /// Returns the text without any of `characters` at its ends.
  func trimming(_ characters: String) -> Substring {
    var text = self.drop(while: characters.contains)
    while text.last.map(characters.contains) == true { text.removeLast() }
    return text
  }
}

extension TOMLEdit.Setting {
  public init(_ key: String, date: CivilDate) { self.init(key, .set(.date(date))) }

  /// Removes from this addition to `except` the `days` and `calendars` that the alarm already
  /// excepts. Returns nil if nothing is left to add.
  public func without(_ days: ExceptedDays, _ calendars: [String]) -> TOMLEdit.Setting? {
    guard case .append(let values) = change else { return self }
    let new = values.filter { value in
      switch value {
      case .date(let date): return !days.contains(date)
      case .string(let text):
        guard let (first, last) = ExceptedDays.range(text) else { return !calendars.contains(text) }
        return days.range(with: first).map { !$0.contains(last) } ?? true
      default: return true
      }
    }
    return new.isEmpty ? nil : TOMLEdit.Setting(key, .append(new))
  }
}
