// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads times of day in words, such as `half past seven`, `quarter to 8`, `seven thirty` or
// `7 o'clock`, and in German `halb acht` or `Viertel nach sieben`. Next: `TimeText.swift`, which
// reads digits and adds the half of the day.

enum SpokenTime {
  /// Takes a time in words from the beginning of `rest`. Returns its hour and minute; nothing if
  /// the time has another form. With `hourAlone`, `seven` is a time.
  static func parsePrefix(of rest: inout ArraySlice<String>, hourAlone: Bool) -> [Int] {
    for take in [takeOffset, { takeHours(from: &$0, hourAlone) }] {
      var ahead = rest
      if let found = take(&ahead) {
        rest = ahead
        return found
      }
    }
    return []
  }

  /// Takes `half past seven`, `ten to 8`, `viertel vor acht` or `halb acht`.
  private static func takeOffset(from rest: inout ArraySlice<String>) -> [Int]? {
    if rest.first?.lowercased() == "a" { rest = rest.dropFirst() }
    guard let word = rest.popFirst()?.lowercased() else { return nil }
    if word == "halb" || word == "dreiviertel", let hour = takeHour(&rest) {
      return [before(hour), word == "halb" ? 30 : 45]
    }
    var minutes = ["half": 30, "quarter": 15, "viertel": 15][word]
    if minutes == nil {
      minutes = number(word)
      if minutes == 20, let unit = rest.first.flatMap({ NumberWords.value($0) }), unit < 10 {
        (minutes, rest) = (20 + unit, rest.dropFirst())
      }
      if let unit = rest.first?.lowercased(), ["minutes", "minuten"].contains(unit) {
        rest = rest.dropFirst()
      }
    }
    guard let minutes, (1...30).contains(minutes), let side = rest.popFirst()?.lowercased(),
      let hour = takeHour(&rest)
    else { return nil }
    if ["past", "after", "nach"].contains(side) { return [hour, minutes] }
    guard ["to", "before", "vor", "til", "till"].contains(side), word != "half" else { return nil }
    return [before(hour), 60 - minutes]
  }

  /// Takes `seven thirty`, `seven o'clock`, `sieben Uhr` or, with `hourAlone`, `seven`.
  private static func takeHours(
    from rest: inout ArraySlice<String>, _ hourAlone: Bool
  ) -> [Int]? {
    guard let word = rest.popFirst(), let hour = NumberWords.value(word), (1...12).contains(hour)
    else { return nil }
    if TimeText.takeHour(&rest) { return [hour] + TimeText.takeMinutes(&rest) }
    let minutes = TimeText.takeMinutes(&rest)
    if minutes != [0] { return [hour] + minutes }
    let hasHalf = rest.first.map { ["am", "pm"].contains($0.lowercased()) } ?? false
    return hourAlone || hasHalf ? [hour, 0] : nil
  }

  private static func number(_ word: String) -> Int? {
    NumberWords.value(word) ?? (word.count <= 2 && word.allSatisfy(\.isDigit) ? Int(word) : nil)
  }

  private static func takeHour(_ rest: inout ArraySlice<String>) -> Int? {
    guard let hour = rest.first.flatMap({ number($0.lowercased()) }), (1...23).contains(hour) else {
      return nil
    }
    rest = rest.dropFirst()
    _ = TimeText.takeHour(&rest)
    return hour
  }

  /// The hour before `hour`. People call the one before one o'clock twelve.
  private static func before(_ hour: Int) -> Int { hour == 1 ? 12 : hour - 1 }
}
