// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads and writes durations as people do, such as `90s`, `1h30m`, `1h30`, `1,5h`, `ten minutes`,
// `1:30` or `half an hour`, and in Korean `10분` or `한 시간 반`. The config, the command line and the
// search use the same grammar. A day always has 24 hours here. `TypedWords.swift` splits the words,
// and `NumberWords.swift` knows numbers in words.

import Scheduling

public enum DurationText {
  public enum Fault: Error, Hashable, Sendable {
    /// The text is a number without a unit.
    case noUnit
    case malformed
    /// The duration is longer than `longest`.
    case tooLong
  }

  /// A hundred years. With this limit, the sum of an instant and a duration cannot overflow.
  public static let longest: Duration = .seconds(36_500 * 86_400)

  /// The units with their names and their lengths in seconds. `format` writes the first name of a
  /// unit, but no weeks.
  private static let units: [(names: [String], seconds: Int64)] = [
    (
      ["w", "week", "weeks", "wk", "wks", "주", "주일", "woche", "wochen", "semaine", "semaines"],
      604_800
    ),
    (["d", "day", "days", "일", "tag", "tage", "tagen", "jour", "jours"], 86_400),
    (
      [
        "h", "hr", "hrs", "hour", "hours", "시간", "std", "stunde", "stunden", "heure", "heures",
      ], 3600
    ),
    (["m", "min", "mins", "minute", "minutes", "분", "minuten", "mn"], 60),
    (
      [
        "s", "sec", "secs", "second", "seconds", "초", "sek", "sekunde", "sekunden", "seconde",
        "secondes",
      ], 1
    ),
  ]

  /// Fractions in words, with their values in thousandths. A unit must follow the number.
  private static let fractions: [(words: String, value: Int64)] = [
    ("half an ", 500), ("half a ", 500), ("half ", 500), ("three quarters of an ", 750),
    ("a quarter of an ", 250), ("quarter of an ", 250), ("a quarter ", 250), ("quarter ", 250),
    ("an ", 1000), ("a ", 1000), ("eine halbe ", 500), ("einer halben ", 500),
    ("eine viertel", 250),
    ("anderthalb ", 1500), ("eineinhalb ", 1500), ("une demi-", 500), ("une demi ", 500),
  ]

  /// Reads numbers with a unit each, the largest unit first, such as `1h30m`. Also reads `1:30` and
  /// `1:30:00`. The duration must be in whole seconds.
  public static func parse(_ text: String) throws(Fault) -> Duration {
    let words = TypedWords.split(text)
    do throws(Fault) {
      let (length, rest) = try parsePrefix(of: words)
      guard rest.isEmpty else { throw .malformed }
      return length
    } catch {
      throw error == .noUnit && words.count > 1 ? .malformed : error
    }
  }

  /// Returns the duration at the beginning of `words`, and the remaining words. Throws `noUnit` if
  /// the first word is a number without a unit.
  static func parsePrefix(of words: [String]) throws(Fault) -> (Duration, rest: [String]) {
    if let length = words.first.flatMap(clock) { return (length, Array(words.dropFirst())) }
    var rest = words.joined(separator: " ").lowercased()[...]
    var (total, smaller) = (Int64(0), units[...])
    while let part = try takePart(from: &rest, smaller) {
      total += part.milliseconds
      smaller = units[(part.unit + 1)...]
    }
    guard smaller.count < units.count else {
      var word = words.first?[...] ?? ""
      throw try takeNumber(from: &word) != nil && word.isEmpty ? .noUnit : .malformed
    }
    guard rest.isEmpty || rest.first == " ", total % 1000 == 0 else { throw .malformed }
    guard total <= longest.wholeSeconds * 1000 else { throw .tooLong }
    return (.seconds(total / 1000), words.suffix(rest.split(separator: " ").count))
  }

  /// Takes the next number and its unit, which must be one of `units`. Returns nil if there is no
  /// such number.
  private static func takePart(
    from rest: inout Substring, _ units: ArraySlice<(names: [String], seconds: Int64)>
  ) throws(Fault) -> (milliseconds: Int64, unit: Int)? {
    var ahead = rest.drop { $0 == " " }
    if units.startIndex > 0, ahead.hasPrefix("and ") { ahead = ahead.dropFirst(4) }
    guard var number = try takeNumber(from: &ahead) else { return nil }
    ahead = ahead.drop { $0 == " " }
    let name = String(ahead.prefix { !$0.isDigit && $0 != " " })
    guard
      let unit = name.isEmpty
        ? unitAfter(units, rest) : units.firstIndex(where: { $0.names.contains(name) })
    else { return nil }
    ahead = ahead.dropFirst(name.count)
    for half in [" and a half", " 반"] where ahead.hasPrefix(half) {
      let behind = ahead.dropFirst(half.count)
      guard behind.isEmpty || behind.first == " " else { continue }
      (number, ahead) = (number + 500, behind)
    }
    let milliseconds = number * units[unit].seconds
    guard milliseconds <= longest.wholeSeconds * 1000 else { throw .tooLong }
    rest = ahead
    return (milliseconds, unit)
  }

  /// Returns the unit of the last two digits of `1h30` or `1m30`, which have none of their own.
  private static func unitAfter(
    _ units: ArraySlice<(names: [String], seconds: Int64)>, _ rest: Substring
  ) -> Int? {
    let digits = rest.prefix { $0 != " " }
    guard let unit = units.first, unit.seconds < 3600, digits.count == 2,
      digits.allSatisfy(\.isDigit), digits < "60"
    else { return nil }
    return units.startIndex
  }

  /// Takes the next number, such as `10`, `1.5`, `half an` or `1 and a half`. Returns the number in
  /// thousandths. Refuses a number that is too large even as a number of seconds, so that
  /// calculating with it cannot overflow.
  private static func takeNumber(from rest: inout Substring) throws(Fault) -> Int64? {
    var number: Int64
    if let (words, value) = fractions.first(where: { rest.hasPrefix($0.words) }) {
      (number, rest) = (value, rest.dropFirst(words.count - (words.hasSuffix(" ") ? 1 : 0)))
    } else if let (value, behind) = NumberWords.parsePrefix(of: rest) {
      (number, rest) = (Int64(value) * 1000, behind)
    } else {
      let text = rest.prefix { $0.isDigit || $0 == "." || $0 == "," }
      let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
      let places = parts.count == 2 ? parts[1].count : 0
      // `1,500` may be a thousand and a half.
      let mostPlaces = text.contains(",") ? 2 : 3
      guard parts.count <= 2, !parts[0].isEmpty,
        parts.count == 1 || (1...mostPlaces).contains(places)
      else { return nil }
      let digits = parts.joined() + String(repeating: "0", count: 3 - places)
      guard let thousandths = Int64(digits), thousandths <= longest.wholeSeconds * 1000 else {
        throw .tooLong
      }
      (number, rest) = (thousandths, rest[text.endIndex...])
    }
    let half = " and a half "
    if rest.hasPrefix(half) { (number, rest) = (number + 500, rest.dropFirst(half.count)) }
    return number
  }

  /// Reads `1:30` as a minute and a half, as timers show it, and `1:30:00` as an hour and a half.
  private static func clock(_ word: String) -> Duration? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...3).contains(parts[0].count),
      parts.dropFirst().allSatisfy({ $0.count == 2 }),
      parts.allSatisfy({ $0.allSatisfy(\.isDigit) })
    else { return nil }
    let numbers = parts.compactMap { Int64($0) }
    guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    return .seconds(numbers.reduce(0) { $0 * 60 + $1 })
  }

  // MARK: - From now

  /// Returns the duration at the beginning of `words`, which must be counted from now, as in
  /// `in 10 minutes`, `10분 뒤` or `10분 후에`. Also returns the remaining words.
  static func takeAhead(from words: [String]) -> (Duration, rest: [String])? {
    // `in` is a word of German, too.
    let hasWord = ["in", "dans"].contains(words.first?.lowercased())
    // Any error means that these words are not a duration.
    guard let (length, rest) = try? parsePrefix(of: hasWord ? Array(words.dropFirst()) : words),
      length > .zero
    else { return nil }
    if hasWord { return (length, rest) }
    if rest.prefix(2).map({ $0.lowercased() }) == ["from", "now"] {
      return (length, Array(rest.dropFirst(2)))
    }
    return rest.first.map { isAhead($0) } == true ? (length, Array(rest.dropFirst())) : nil
  }

  /// Whether `word` means that the duration before it is counted from now.
  static func isAhead(_ word: some StringProtocol) -> Bool {
    ["후", "후에", "뒤", "뒤에"].contains { $0 == word }
  }

  // MARK: - Writing

  /// Whether `name` could also be read as a duration or as a number without a unit. A timer cannot
  /// have such a name, because `belfry timer 5` means five minutes.
  public static func isDuration(_ name: String) -> Bool {
    do throws(Fault) { _ = try parse(name) } catch { return error != .malformed }
    return true
  }

  /// Returns the duration in the largest units that fit, such as `10m`, `1h30m` or `0s`. Fractions
  /// of a second and a minus sign are dropped.
  public static func format(_ duration: Duration) -> String {
    var rest = duration.wholeSeconds.magnitude
    guard rest > 0 else { return "0s" }
    var text = ""
    for unit in units.dropFirst() {
      let (count, remainder) = rest.quotientAndRemainder(dividingBy: UInt64(unit.seconds))
      if count > 0 { text += "\(count)\(unit.names[0])" }
      rest = remainder
    }
    return text
  }
}
