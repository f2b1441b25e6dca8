// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sentence for the user: its English text and its arguments. `Locale.swift` in System translates
// a message when it is shown; this target knows no language but English. `desktop/po/README.md`
// explains how the texts get into the catalogues.

/// A message for the user. It is made from a string literal, so that its text can be gathered from
/// the sources for translation: `Message("no weekday is called \(name)")`.
public struct Message: Hashable, Sendable {
  /// The text by which a catalogue of translations finds the message: English, with `%1$s` for the
  /// first argument, as in C. In a text with arguments, `%%` stands for a percent sign.
  public let key: String
  /// The plural form of the key, and the count that decides between singular and plural; nil if the
  /// message has no plural.
  public let plural: Plural?
  /// Distinguishes messages that are equal in English but need different translations.
  public let context: String?
  public let arguments: [Argument]

  public struct Plural: Hashable, Sendable {
    public let key: String
    public let count: Int
  }

  public enum Argument: Hashable, Sendable {
    case text(String)
    case message(Message)
  }

  public init(_ text: Template, context: String? = nil) {
    (key, plural, self.context, arguments) = (text.key, nil, context, text.arguments)
  }

  /// Creates a message with a singular and a plural. `one` and `many` must have the same arguments.
  /// In each language, `count` decides which form of the translation is used.
  public init(_ one: Template, plural many: Template, count: Int) {
    (key, context, arguments) = (one.key, nil, many.arguments)
    plural = Plural(key: many.key, count: count)
  }

  /// Creates a message that is not translated, such as a name or an error text of the system.
  public init(verbatim text: String) {
    (key, plural, context, arguments) = ("%1$s", nil, nil, [.text(text)])
  }

  /// Joins `parts` into one message, with `separator` between them.
  public init(joining parts: [Message], by separator: String) {
    (plural, context, arguments) = (nil, nil, parts.map(Argument.message))
    key = parts.indices.map { "%\($0 + 1)$s" }.joined(separator: Self.escaped(separator))
  }

  private static func escaped(_ text: String) -> String {
    // Most texts contain no percent sign, so they need no change.
    guard text.utf8.contains(percent) else { return text }
    return text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  fileprivate static let percent = UInt8(ascii: "%")

  /// The string literal from which a message is made.
  public struct Template: ExpressibleByStringInterpolation, Hashable, Sendable {
    var key: String
    var arguments: [Argument]

    public init(stringLiteral text: String) { (key, arguments) = (text, []) }
    public init(stringInterpolation parts: StringInterpolation) {
      (key, arguments) = (parts.key, parts.arguments)
    }

    public struct StringInterpolation: StringInterpolationProtocol {
      var key = ""
      var arguments: [Argument] = []

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ text: String) { key += Message.escaped(text) }
      public mutating func appendInterpolation(_ message: Message) { put(.message(message)) }
      public mutating func appendInterpolation(_ text: some CustomStringConvertible) {
        put(.text(text.description))
      }

      private mutating func put(_ argument: Argument) {
        arguments.append(argument)
        key += "%\(arguments.count)$s"
      }
    }
  }
}

extension Message: CustomStringConvertible {
  /// The English text.
  public var description: String {
    text { message in
      guard let plural = message.plural, plural.count != 1 else { return message.key }
      return plural.key
    }
  }

  /// Returns the text in another language. `translated` returns the catalogue's text for a message,
  /// with the same placeholders in any order.
  public func text(_ translated: (Message) -> String) -> String {
    let pattern = translated(self)
    guard !arguments.isEmpty else { return pattern }
    var text = ""
    var rest = pattern[...]
    while let percent = rest.utf8.firstIndex(of: Self.percent) {
      text += rest[..<percent]
      rest = rest[rest.utf8.index(after: percent)...]
      let digits = rest.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      let end = rest[digits.endIndex...]
      if let number = Int(Substring(digits)), arguments.indices.contains(number - 1),
        end.hasPrefix("$s")
      {
        text += arguments[number - 1].text(translated)
        rest = end.dropFirst(2)
      } else {
        text += "%"
        if rest.first == "%" { rest = rest.dropFirst() }
      }
    }
    return text + rest
  }
}

extension Message.Argument {
  fileprivate func text(_ translated: (Message) -> String) -> String {
    switch self {
    case .text(let text): text
    case .message(let message): message.text(translated)
    }
  }
}
