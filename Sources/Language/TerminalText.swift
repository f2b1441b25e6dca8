// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes text from other people or programs safe to print in a terminal: the text cannot move the
// cursor, set colours or change the direction of writing. Also computes how many columns a text
// takes.

public enum TerminalText {
  /// Returns `text` in double quotes, escaped, and cut off after 60 code points. A path is cut in
  /// its middle, because the name of the file is at its end.
  public static func quoted(_ text: String) -> String {
    let (limit, end) = (60, 40)
    guard OutsideText.hasSlash(text), text.unicodeScalars.count > limit else {
      return "\"" + escaped(text, limit: limit) + "\""
    }
    let begin = escaped(text, limit: limit - end)
    return "\"" + begin + text.unicodeScalars.suffix(end).map(escaped).joined() + "\""
  }

  /// Returns `text` as a string literal that is valid in both TOML and JSON. Characters that
  /// control a terminal are escaped as well, because people look at both formats in terminals.
  public static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      if acts(scalar) { result += escaped(scalar) } else { result.unicodeScalars.append(scalar) }
    }
    return result + "\""
  }

  /// Returns `text` with all characters that control a terminal escaped as in TOML, such as
  /// `\u001B`.
  public static func escaped(_ text: String) -> String { escaped(text, limit: .max) }

  /// Returns `text` escaped for a terminal, and cut off after `limit` code points. The limit counts
  /// code points, because a single character can consist of millions of them.
  public static func escaped(_ text: String, limit: Int) -> String {
    // Nearly all texts are printable ASCII and need no escaping.
    if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      return text
    }
    let shown = text.unicodeScalars.prefix(limit)
    let cut = shown.endIndex < text.unicodeScalars.endIndex ? "…" : ""
    return shown.map(escaped).joined() + cut
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    guard acts(scalar) else { return String(Character(scalar)) }
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  /// Whether `scalar` controls a terminal instead of being shown. This holds for control
  /// characters, line and paragraph separators, marks that change the direction of writing, and
  /// invisible characters. It does not hold for joiners, because words and emoji need them, and not
  /// for isolates (U+2068 and U+2069), which translations to Hebrew or Arabic put around a value.
  /// An isolate cannot reverse the text around it.
  public static func acts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2067,
      0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB:
      true
    default: false
    }
  }

  /// Returns how many columns `scalar` takes in a terminal: 0 if it is drawn onto the character
  /// before it, 2 if Unicode's East Asian Width calls it wide, otherwise 1.
  public static func width(of scalar: Unicode.Scalar) -> Int {
    guard scalar.value >= 0x300 else { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // The vowels and final consonants of a decomposed Hangul syllable are drawn onto its first
    // consonant.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    // Two regional indicators make one flag, which is as wide as two letters.
    if (0x1F1E6...0x1F1FF).contains(scalar.value) { return 1 }
    let isWide =
      scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
    return isWide ? 2 : 1
  }

  /// The characters that are two columns wide: classes W and F of EastAsianWidth.txt, without
  /// emoji. Adjacent blocks are merged.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]
}
