// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why a text is not TOML, in words for people. toml++ tells of its own work ("Error while parsing
// key-value pair: ..."); here that becomes what is wrong with the text.

public enum TOMLError: Error, Hashable, Sendable {
  /// The first byte that is not UTF-8.
  case notUTF8(at: TOMLPosition)
  case syntax(TOMLSyntaxError)
}

public struct TOMLSyntaxError: Hashable, Sendable {
  public var position: TOMLPosition
  /// What was being read, such as `string` or `table header`.
  public var scope: String
  /// A sentence without a full stop, lower case. May quote a character of the text, escaped.
  public var message: String

  /// Takes apart `Error while parsing <scope>: <what is wrong>`.
  init(parserSays description: String, at position: TOMLPosition) {
    self.position = position
    let prefix = "Error while parsing "
    guard description.hasPrefix(prefix), let colon = description.firstIndex(of: ":") else {
      (scope, message) = ("", description)
      return
    }
    scope = String(description[..<colon].dropFirst(prefix.count))
    message = Self.plainly(String(description[colon...].dropFirst(2)), in: scope)
  }

  private static func plainly(_ reason: String, in scope: String) -> String {
    switch reason {
    case "encountered end-of-file":
      "the text ends in the middle of \(article(for: scope)) \(scope)"
    case "could not determine value type":
      "this is no value"
    case "unexpected control character":
      "expected a value, saw a control character"
    case "unescaped control characters other than TAB (U+0009) are explicitly prohibited":
      "text in quotes has to end in its line and holds no control characters"
    case "exceeded maximum nested value depth of 16 (TOML_MAX_NESTED_VALUES)":
      "more than 16 lists and tables in one another"
    case let other where other.hasPrefix("expected a comment or whitespace"):
      "expected the end of the line" + other.dropFirst("expected a comment or whitespace".count)
    case let other where other.hasPrefix("cannot redefine existing"):
      // As in: cannot redefine existing array 'alarm' as table
      if let name = quotedName(in: other) { "there are two of \(name)" } else { other }
    default:
      reason
    }
  }

  private static func article(for scope: String) -> String {
    scope.first.map("aeiou".contains) == true ? "an" : "a"
  }

  private static func quotedName(in reason: String) -> Substring? {
    guard let first = reason.firstIndex(of: "'"), let last = reason.lastIndex(of: "'"), first < last
    else { return nil }
    return reason[first...last]
  }
}
