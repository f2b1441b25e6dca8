// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person types into the desktop's search: `timer 10m tea`, `alarm 7:30`, `stop`, `time in
// tokyo`. It guesses no word that is not whole: a search is for many things, and most are not ours.
// What comes of a phrase is `Search.swift` of the agent.

import Scheduling

public enum Phrase: Hashable, Sendable {
  case timer(Duration, label: String?)
  /// What follows `timer`, where it is no length: perhaps a preset's name.
  case preset(String)
  case alarm(CivilTime, label: String?)
  /// Of what rings; the name is of one, by label or id.
  case stop(String?)
  case snooze(Duration?)
  /// When the next alarm rings.
  case next
  case time(city: String)

  public init?(_ text: String) {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    // The last word may say what it is as well: `10 min timer`.
    if words.count > 1, ["timer", "alarm", "time"].contains(words.last?.lowercased()),
      !["next", "timer", "alarm", "time"].contains(words[0].lowercased())
    {
      words.insert(words.removeLast(), at: 0)
    }
    guard let first = words.first?.lowercased() else { return nil }
    let rest = Array(words.dropFirst())
    switch first {
    case "timer", "countdown": self.init(timer: rest)
    case "alarm", "wake": self.init(alarm: rest, orNext: first == "alarm")
    case "next" where rest.isEmpty || rest.count == 1 && rest[0].lowercased() == "alarm":
      self = .next
    case "stop": self = .stop(Self.name(rest))
    case "snooze":
      guard let length = Self.takeLength(from: rest) else {
        guard rest.isEmpty else { return nil }
        self = .snooze(nil)
        return
      }
      guard length.rest.isEmpty else { return nil }
      self = .snooze(length.length)
    case "time":
      let city = rest.first?.lowercased() == "in" ? Array(rest.dropFirst()) : rest
      guard let city = Self.name(city) else { return nil }
      self = .time(city: city)
    default: return nil
    }
  }

  private init?(timer words: [String]) {
    if let (length, rest) = Self.takeLength(from: words) {
      guard length > .zero else { return nil }
      self = .timer(length, label: Self.name(Self.without("for", rest)))
    } else if let name = Self.name(words), words[0].first?.isNumber == false {
      self = .preset(name)
    } else {
      return nil
    }
  }

  /// `alarm 7:30`, `alarm at 7 pm gym`, `wake me up at 7`; `alarm` alone asks for the next.
  private init?(alarm words: [String], orNext: Bool) {
    var words = words[...]
    while let word = words.first?.lowercased(), ["me", "up", "at"].contains(word) {
      words = words.dropFirst()
    }
    guard !words.isEmpty else {
      guard orNext else { return nil }
      self = .next
      return
    }
    for count in [2, 1] where words.count >= count {
      let text = words.prefix(count).joined(separator: " ")
      guard let time = Self.time(text) else { continue }
      let rest = Self.without("for", Array(words.dropFirst(count)))
      self = .alarm(time, label: Self.name(rest))
      return
    }
    return nil
  }

  // MARK: - Words

  /// A time of day; an hour may stand alone here, where nothing else can be meant.
  private static func time(_ text: String) -> CivilTime? {
    if let hour = Int(text), text.count <= 2 { return CivilTime(hour: hour, minute: 0, second: 0) }
    return try? TimeText.parse(text)  // Why it is none does not matter: it is another phrase.
  }

  private static let units: [String: Character] = [
    "d": "d", "day": "d", "days": "d", "h": "h", "hr": "h", "hour": "h", "hours": "h", "m": "m",
    "min": "m", "mins": "m", "minute": "m", "minutes": "m", "s": "s", "sec": "s", "secs": "s",
    "second": "s", "seconds": "s",
  ]

  /// A length at the beginning of `words`: `10m`, `10 min`, `1 hour 30 minutes`; a number alone is
  /// minutes.
  private static func takeLength(
    from words: [String]
  ) -> (length: Duration, rest: [String])? {
    var text = ""
    var rest = words[...]
    while let word = rest.first?.lowercased(), let number = leadingNumber(word) {
      let unit = word.dropFirst(number.count)
      if let letter = units[String(unit)] {
        text += number + String(letter)
        rest = rest.dropFirst()
      } else if unit.isEmpty, rest.count > 1,
        let letter = units[rest[rest.startIndex + 1].lowercased()]
      {
        text += number + String(letter)
        rest = rest.dropFirst(2)
      } else if unit.isEmpty {
        guard text.isEmpty else { return nil }
        text = number + "m"
        rest = rest.dropFirst()
        break
      } else {
        // Several in one word: `1h30m`.
        text += word
        rest = rest.dropFirst()
      }
    }
    // What is no length is another phrase.
    guard let length = try? DurationText.parse(text) else { return nil }
    return (length, Array(rest))
  }

  private static func leadingNumber(_ word: String) -> String? {
    let digits = word.prefix { $0.isASCII && $0.isWholeNumber }
    return digits.isEmpty ? nil : String(digits)
  }

  private static func without(_ word: String, _ words: [String]) -> [String] {
    words.first?.lowercased() == word ? Array(words.dropFirst()) : words
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
    case .alarm(let time, let label):
      ["add", time.description] + (label.map { ["--label=\($0)"] } ?? [])
    case .stop(let id): ["stop"] + (id.map { ["--", $0] } ?? [])
    case .snooze(let length): ["snooze"] + (length.map { [DurationText.format($0)] } ?? [])
    case .next, .time: nil
    }
  }
}
