// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sentence for people: its English, and what is put into it. It is translated where it is shown,
// by `Locale.swift` in System; this side knows no other language. How the texts get into the
// catalogues: `desktop/po/README.md`.

/// Made of a literal alone, so that the catalogues can be gathered from the sources:
/// `Message("no weekday is called \(name)")`.
public struct Message: Hashable, Sendable {
  /// What catalogues know it by: English, with `%1$s` for what is put in, as in C; `%%` is a
  /// percent sign where anything is put in.
  public let key: String
  /// The key of more than one, and how many there are.
  public let plural: Plural?
  /// What tells it from the same English that means something else.
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

  /// `one` and `many` hold the same arguments; which is said is for `count`, by the rule of each
  /// language.
  public init(_ one: Template, plural many: Template, count: Int) {
    (key, context, arguments) = (one.key, nil, many.arguments)
    plural = Plural(key: many.key, count: count)
  }

  /// What is already as it is to be shown: a name, the words of the system.
  public init(verbatim text: String) {
    (key, plural, context, arguments) = ("%1$s", nil, nil, [.text(text)])
  }

  /// The whole of `parts`, one after the other.
  public init(joining parts: [Message], by separator: String) {
    (plural, context, arguments) = (nil, nil, parts.map(Argument.message))
    key = parts.indices.map { "%\($0 + 1)$s" }.joined(separator: Self.escaped(separator))
  }

  private static func escaped(_ text: String) -> String {
    // Hardly any has one.
    guard text.utf8.contains(percent) else { return text }
    return text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  fileprivate static let percent = UInt8(ascii: "%")

  /// The literal that a message is made of.
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
  /// In English.
  public var description: String {
    text { message in
      guard let plural = message.plural, plural.count != 1 else { return message.key }
      return plural.key
    }
  }

  /// In the language of `translated`, which gives what a catalogue has for a message's key: the
  /// same places, maybe in another order.
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
