// SPDX-License-Identifier: GPL-3.0-or-later
//
// What toml++ says is wrong, as sentences that can be translated: those that a person's slips bring
// about. What is not known here stays in toml++'s English.

import Language

enum SyntaxReason {
  /// What is wrong with the `scope` that was being read.
  static func plainly(_ reason: String, in scope: String) -> Message {
    switch reason {
    case "encountered end-of-file":
      Message("the text ends in the middle of \(unfinished(scope))")
    case "could not determine value type":
      Message("this is no value")
    case "unexpected control character":
      Message("expected \(Message("a value")), saw \(Message("a control character"))")
    case "unescaped control characters other than TAB (U+0009) are explicitly prohibited":
      Message("text in quotes has to end in its line and holds no control characters")
    case "exceeded maximum nested value depth of 16 (TOML_MAX_NESTED_VALUES)":
      Message("more than 16 lists and tables in one another")
    case let other where other.hasPrefix("cannot redefine existing"):
      // As in: cannot redefine existing array 'alarm' as table
      quoted(in: other).map { Message("there are two of \($0)") } ?? Message(verbatim: other)
    case let other where other.hasPrefix("unknown escape sequence "):
      quoted(in: other).map { Message("unknown escape sequence \($0)") } ?? sentence(other)
    case let other where other.hasSuffix("' is not representable in 64 bits"):
      quoted(in: other).map { Message("\($0) is not representable in 64 bits") } ?? sentence(other)
    case let other where other.hasPrefix("expected "):
      expected(other.dropFirst("expected ".count)) ?? sentence(other)
    default: sentence(reason)
    }
  }

  static func sentence(_ reason: String) -> Message { known(reason, sentences) }

  /// Of `digit, saw 'm'`.
  private static func expected(_ rest: Substring) -> Message? {
    let middle = ", saw "
    guard let comma = rest.places(of: middle).first else { return nil }
    let wanted = String(rest[..<comma])
    let thing =
      wanted == "a comment or whitespace"
      ? Message("the end of the line") : range(wanted) ?? known(wanted, things)
    return Message("expected \(thing), saw \(rest[comma...].dropFirst(middle.count))")
  }

  /// Of `minute between 0 and 59 (inclusive)`.
  private static func range(_ wanted: String) -> Message? {
    guard wanted.hasSuffix(" (inclusive)") else { return nil }
    let last = wanted.split(separator: " ").dropLast().last ?? ""
    return switch wanted.split(separator: " ").first {
    case "hour": Message("an hour from 0 to 23")  // toml++ says 59 here.
    case "minute": Message("a minute from 0 to 59")
    case "second": Message("a second from 0 to 59")
    case "month": Message("a month from 1 to 12")
    case "day": Message("a day from 1 to \(last)")
    default: nil
    }
  }

  private static func unfinished(_ scope: String) -> Message {
    let article = scope.first.map("aeiou".contains) == true ? "an" : "a"
    return known("\(article) \(scope)", scopes)
  }

  private static func quoted(in reason: String) -> Substring? {
    guard let first = reason.firstIndex(of: "'"), let last = reason.lastIndex(of: "'"), first < last
    else { return nil }
    return reason[first...last]
  }

  // MARK: - What is known

  private static func known(_ words: String, _ messages: [Message]) -> Message {
    messages.first { $0.key == words } ?? Message(verbatim: words)
  }

  private static let scopes = [
    Message("a string"), Message("a literal string"), Message("an array"),
    Message("an inline table"), Message("a table header"), Message("a key"),
    Message("a key-value pair"), Message("a value"), Message("a date"), Message("a time"),
    Message("a date-time"), Message("a decimal integer"), Message("a floating-point"),
  ]

  private static let things = [
    Message("digit"), Message("decimal digit"), Message("hex digit"),
    Message("fractional digits"), Message("value"), Message("2-digit hour"),
    Message("2-digit minute"), Message("2-digit second"), Message("4-digit year"),
    Message("2-digit month"), Message("2-digit day"),
    Message("value-terminator"), Message("comma or closing ']'"), Message("comma or closing '}'"),
    Message("key or closing '}'"), Message("value or closing ']'"),
    Message("keys, tables, whitespace or comments"),
    Message("bare key starting character or string delimiter"),
  ]

  private static let sentences = [
    Message("more than 250 dots in one line"), Message("leading zeroes are prohibited"),
    Message("underscores may only follow digits"),
    Message("underscores must be followed by digits"),
    Message("values may not begin with underscores"),
    Message("multi-line strings are prohibited in keys"),
    Message("tables with blank bare keys are explicitly prohibited"),
    Message("control characters other than TAB (U+0009) are explicitly prohibited"),
    Message("control characters other than TAB (U+0009) are explicitly prohibited in comments"),
    Message("values greater than U+10FFFF are invalid"),
  ]
}
