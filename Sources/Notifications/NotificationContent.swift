// SPDX-License-Identifier: GPL-3.0-or-later
//
// A notification that should be shown, as a plain value. Also makes text written by users or
// strangers harmless before a server draws it. Next: Notifier.swift, which shows it.

/// One notification. Its texts are plain; for a server that reads markup they are escaped.
public struct NotificationContent: Sendable, Hashable {
  /// The urgencies, with their numbers in the Desktop Notifications Specification.
  public enum Urgency: UInt32, Sendable { case low, normal, critical }

  /// A button or, with the key `default`, a click on the notification itself.
  public struct Action: Sendable, Hashable {
    public var key: String
    public var label: String

    public init(key: String, label: String) { (self.key, self.label) = (key, label) }

    public static let click = "default"
  }

  /// How a notification appears in a shared notification. A server without room for each
  /// notification shows one shared notification for several.
  public struct Gathering: Sendable, Hashable {
    /// The title of the shared notification, such as `Alarms`. If the notifications in it give
    /// different titles, it shows all of these titles.
    public var title: String
    /// The label of the button for this notification.
    public var label: String
    /// The shared notification lists the notifications in it by this number, the smallest first.
    public var order: Int64

    public init(title: String, label: String, order: Int64) {
      (self.title, self.label, self.order) = (title, label, order)
    }
  }

  public var title: String
  public var body: String
  /// Replaces `body` on a server without buttons.
  public var bodyWithoutActions: String?
  /// Replaces `body` on a server that cannot change a notification once it is shown: a text without
  /// a countdown.
  public var steadyBody: String?
  /// The name of an icon in the theme, or an absolute path.
  public var icon: String
  public var urgency = Urgency.normal
  /// Whether this is the notification of a ring. It comes before all others, and only an answer
  /// removes it.
  public var isRinging = false
  /// Whether the ring is silenced for a while. When the ring sounds again, its notification is
  /// shown as a new one.
  public var isSilenced = false
  /// Whether the notification stays until it is closed.
  public var isPersistent = false
  /// Whether the server keeps the notification after the user has pressed one of its buttons, if
  /// the server knows the hint `resident`. Notifications of rings are always kept.
  public var isResident = false
  /// Whether the server leaves the notification out of its list of earlier notifications.
  public var isTransient = false
  /// Whether a locked screen may show the text, and not only that there is a notification. GNOME
  /// Shell 43 shows the texts of a program only if all its notifications allow this.
  public var isShownLocked = false
  /// The kind of the notification, such as `alarm`. Some servers draw each kind in its own style.
  public var category: String?
  public var actions: [Action] = []
  /// How this notification appears if several are combined into one; nil if this notification must
  /// be shown alone.
  public var gathering: Gathering?
  /// Progress in percent, 0...100, shown as a bar if the server draws one.
  public var value: Int?

  public init(title: String, body: String, icon: String) {
    (self.title, self.body, self.icon) = (title, body, icon)
  }
}

// MARK: - Harmless text

extension NotificationContent {
  /// The maximum number of characters in a title; a longer title ends in an ellipsis.
  static let longestTitle = 200
  /// The maximum number of characters in a body; a longer body ends in an ellipsis.
  static let longestBody = 1000
  /// The maximum number of characters in the label of a button; a longer label ends in an ellipsis.
  static let longestLabel = 60

  /// Makes `text` one line, without characters that could disturb the text around it.
  public static func line(_ text: String, atMost limit: Int) -> String {
    harmless(text, atMost: limit, lineBreak: " ")
  }

  /// Keeps the lines of `text`, without characters that could disturb the text around it.
  static func paragraph(_ text: String, atMost limit: Int) -> String {
    harmless(text, atMost: limit, lineBreak: "\n")
  }

  /// Removes or replaces what could spoil the text around `text` (see `isHarmful`), and cuts it to
  /// `limit` characters. The cut never splits a character, such as an emoji of several code points.
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

  /// The maximum number of code points in one character: as many as Unicode's stream-safe text
  /// format allows (UAX #15). Without a limit, combining marks can pile up over other lines.
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

  /// Whether `scalar` is a control character, or sets the direction of the text after it (UAX #9:
  /// embeddings, overrides and isolates with a direction). Direction marks and the isolates U+2068
  /// and U+2069 are harmless. Translations to Hebrew or Arabic need them.
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2067: true
    default: scalar.properties.generalCategory == .control
    }
  }
}
