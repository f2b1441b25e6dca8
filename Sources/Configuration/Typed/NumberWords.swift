// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers in words, such as `ten`, `twenty five` or `zwanzig`, in English, German and French.
// `DurationText.swift` and `SpokenTime.swift` read durations and times with them.

enum NumberWords {
  private static let values: [String: Int] = {
    let lists = [
      """
      one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
      sixteen seventeen eighteen nineteen twenty
      """,
      """
      eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn \
      sechzehn siebzehn achtzehn neunzehn zwanzig
      """,
      """
      un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize \
      dix-sept dix-huit dix-neuf vingt
      """,
    ]
    var values = [
      "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "eine": 1, "einer": 1,
      "einem": 1, "ein": 1, "une": 1, "fünfundzwanzig": 25, "dreißig": 30, "dreissig": 30,
      "fünfundvierzig": 45, "vierzig": 40, "fünfzig": 50, "neunzig": 90, "vingt-cinq": 25,
      "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "quarante-cinq": 45,
    ]
    for list in lists {
      for (index, word) in list.split(separator: " ").enumerated() {
        values[String(word)] = index + 1
      }
    }
    for (tens, value) in [("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50)] {
      for unit in 1...9 {
        guard let name = values.first(where: { $0.value == unit && english.contains($0.key) })
        else {
          continue
        }
        values["\(tens)-\(name.key)"] = value + unit
      }
    }
    return values
  }()

  private static let english: Set = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
  ]

  /// Returns the number that `word` means; nil if it is not a number in words.
  static func value(_ word: some StringProtocol) -> Int? { values[word.lowercased()] }

  /// Returns the number at the beginning of `text`, in one word or in two such as `twenty five`,
  /// and the rest, which begins with a space.
  static func parsePrefix(of text: Substring) -> (value: Int, rest: Substring)? {
    let word = text.prefix { $0 != " " }
    let behind = text.dropFirst(word.count)
    guard let value = value(word), !behind.isEmpty else { return nil }
    let next = behind.dropFirst().prefix { $0 != " " }
    if value % 10 == 0, value >= 20, english.contains(String(next)),
      let unit = values[String(next)], behind.count > next.count + 1
    {
      return (value + unit, behind.dropFirst(next.count + 1))
    }
    return (value, behind)
  }
}
