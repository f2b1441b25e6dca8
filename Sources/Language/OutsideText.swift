// SPDX-License-Identifier: GPL-3.0-or-later
//
// Judges text that goes to a shell, a path or a protocol. Everything here looks at code points or
// bytes and never at a `Character`: a `Character` such as "`" with a letter glued to it counts as a
// letter, but a shell still sees the "`". A test forbids such functions in the files that write
// text of this kind.

public enum OutsideText {
  /// Whether `scalar` is a letter or digit of any script, or a mark on a letter.
  public static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }

  /// Whether `text` consists of letters, digits and `others`.
  public static func consists(_ text: some StringProtocol, ofLettersDigitsAnd others: String)
    -> Bool
  {
    text.unicodeScalars.allSatisfy { isLetterOrDigit($0) || others.unicodeScalars.contains($0) }
  }

  /// Whether no shell gives a meaning to a character of `text`, other than to a space.
  public static func isPlain(_ text: String) -> Bool {
    consists(text, ofLettersDigitsAnd: "-_.,+@%/ ")
  }

  /// Whether `text` has a slash, as a path of several names has.
  public static func hasSlash(_ text: some StringProtocol) -> Bool { text.utf8.contains(slash) }

  public static func isAbsolute(_ path: some StringProtocol) -> Bool { path.utf8.first == slash }

  /// The names in `path`, which the slashes separate.
  public static func names(in path: some StringProtocol) -> [String] {
    Substring(path).utf8.split(separator: slash).map { String(Substring($0)) }
  }

  /// The position of the last slash in `path`; nil if there is none.
  public static func lastSlash(in path: String) -> String.Index? {
    path.utf8.lastIndex(of: slash)
  }

  private static let slash = UInt8(ascii: "/")

  /// Whether `text` is the name of a file, and not a path that leads to another folder.
  public static func isFileName(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first, first != UInt8(ascii: "~"), first != UInt8(ascii: ".") else {
      return false
    }
    return !bytes.contains { $0 == slash || $0 == 0 }
  }

  /// Whether no character of `text` controls a terminal.
  public static func isPrintable(_ text: String) -> Bool {
    !text.unicodeScalars.contains(where: TerminalText.acts)
  }

  /// Returns `text` as one word of a shell, in quotes if necessary.
  public static func shellWord(_ text: String) -> String {
    if !text.isEmpty, consists(text, ofLettersDigitsAnd: "/._-+:@%") { return text }
    let quoted = text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { result, scalar in
      if scalar == "'" {
        result.append(contentsOf: "'\\''".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return "'" + String(quoted) + "'"
  }
}
