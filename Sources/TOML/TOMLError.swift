// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why a text is not TOML, in words for people. toml++ tells of its own work ("Error while parsing
// key-value pair: ..."); here that becomes what is wrong with the text. Next: `SyntaxReason.swift`.

import Language

public enum TOMLError: Error, Hashable, Sendable {
  /// The first byte that is not UTF-8.
  case notUTF8(at: TOMLPosition)
  case syntax(TOMLSyntaxError)
}

public struct TOMLSyntaxError: Hashable, Sendable {
  public var position: TOMLPosition
  /// What was being read, such as `string` or `table header`.
  public var scope: String
  /// A sentence without a full stop, lower case. May quote text that nobody made harmless.
  public var message: Message

  /// Takes apart `Error while parsing <scope>: <what is wrong>`.
  init(parserSays description: String, at position: TOMLPosition) {
    self.position = position
    let prefix = "Error while parsing "
    guard description.hasPrefix(prefix), let colon = description.firstIndex(of: ":") else {
      (scope, message) = ("", SyntaxReason.sentence(description))
      return
    }
    scope = String(description[..<colon].dropFirst(prefix.count))
    message = SyntaxReason.plainly(String(description[colon...].dropFirst(2)), in: scope)
  }
}
