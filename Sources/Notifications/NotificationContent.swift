// SPDX-License-Identifier: GPL-3.0-or-later
//
// What should be on the screen, as plain values, and how text that a user or a stranger wrote is
// made harmless before a server draws it. Next: Notifier.swift, which puts it there.

/// One notification. Its texts are plain: a server that reads markup gets them escaped.
public nonisolated struct NotificationContent: Sendable, Hashable {
  public enum Urgency: Sendable { case low, normal, critical }

  /// A button, or with the key `default` a click on the notification itself.
  public struct Action: Sendable, Hashable {
    public var key: String
    public var label: String

    public init(key: String, label: String) { (self.key, self.label) = (key, label) }

    /// The key of a click on the notification itself.
    static let click = "default"
  }

  /// What a notification of several has of one of them.
  public struct Gathering: Sendable, Hashable {
    /// What it and others of its kind are called together.
    public var title: String
    /// This one's button, and the one behind which there are others.
    public var label: String
    public var more: String
    /// What has less comes first.
    public var order: Int64

    public init(title: String, label: String, more: String, order: Int64) {
      (self.title, self.label, self.more, self.order) = (title, label, more, order)
    }
  }

  public var title: String
  public var body: String
  /// Shown in place of `body` by a server without buttons.
  public var bodyWithoutActions: String?
  /// Shown in place of `body` by a server on which what is shown does not change: nothing in it
  /// counts.
  public var steadyBody: String?
  /// The name of an icon of the theme, or an absolute path.
  public var icon: String
  public var urgency = Urgency.normal
  /// Whether it rings: it comes before all others, and only an answer to itself ends it.
  public var isRinging = false
  /// Stays until it is closed.
  public var isPersistent = false
  /// Not kept in a list of earlier notifications.
  public var isTransient = false
  /// Whether a locked screen may show its text, and not only that it is there. GNOME Shell 43 shows
  /// the texts of a program only if all of its notifications allow it.
  public var isShownLocked = false
  /// What kind it is, such as `alarm`, after which some servers style it.
  public var category: String?
  public var actions: [Action] = []
  /// How it is told among others of its kind, where there is room for one notification for all.
  public var gathering: Gathering?
  /// Progress, 0...100, as a bar where the server draws one.
  public var value: Int?

  public init(title: String, body: String, icon: String) {
    (self.title, self.body, self.icon) = (title, body, icon)
  }
}

// MARK: - Harmless text

nonisolated extension NotificationContent {
  /// How many characters are shown; what is longer ends in an ellipsis.
  static let longestTitle = 200
  static let longestBody = 1000
  static let longestLabel = 60

  /// `text` as one line, without what could disturb the text around it.
  public static func line(_ text: String, atMost limit: Int) -> String {
    harmless(text, atMost: limit, lineBreak: " ")
  }

  /// `text` with its lines, without what could disturb the text around it.
  static func paragraph(_ text: String, atMost limit: Int) -> String {
    harmless(text, atMost: limit, lineBreak: "\n")
  }

  /// `text` such that a server that reads markup shows it as it stands.
  public static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Whole characters only, at most `limit` of them, so that an emoji of many parts is never cut.
  private static func harmless(_ text: String, atMost limit: Int, lineBreak: String) -> String {
    var shown: [String] = []
    for character in text {
      let harmless = harmless(character, lineBreak: lineBreak)
      if harmless.isEmpty { continue }
      guard shown.count < limit else {
        shown[limit - 1] = "…"
        break
      }
      shown.append(harmless)
    }
    let spaces: (String) -> Bool = { $0 == " " || $0 == "\n" }
    return shown.drop(while: spaces).reversed().drop(while: spaces).reversed().joined()
  }

  /// The most marks that one letter keeps: Unicode's stream-safe text format (UAX #15) allows as
  /// many. Unlimited, they pile up over other lines.
  private static let mostScalars = 31

  private static func harmless(_ character: Character, lineBreak: String) -> String {
    if character.isNewline { return lineBreak }
    if character == "\t" { return " " }
    var kept = String.UnicodeScalarView()
    for scalar in character.unicodeScalars.prefix(mostScalars) where !isHarmful(scalar) {
      kept.append(scalar)
    }
    return String(kept)
  }

  /// Controls, and what turns the direction of the text around it (UAX #9: embeddings, overrides
  /// and isolates; the marks, which turn nothing but themselves, may stay).
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: scalar.properties.generalCategory == .control
    }
  }
}
