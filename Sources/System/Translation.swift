// SPDX-License-Identifier: GPL-3.0-or-later
//
// What people read, in their language: the catalogue of the C library's gettext, chosen by the
// locale. It knows no sentence; how one gets into a catalogue is in `desktop/po/README.md`.

import CGLib
import Language

/// `text` in the user's language; in English where that has none.
public nonisolated func tr(_ text: Message.Template, context: String? = nil) -> String {
  tr(Message(text, context: context))
}

/// The same of one or many things, as each language counts.
public nonisolated func tr(
  _ one: Message.Template, plural many: Message.Template, count: Int
) -> String {
  tr(Message(one, plural: many, count: count))
}

public nonisolated func tr(_ message: Message) -> String { message.text(Catalogue.pattern) }

nonisolated enum Catalogue {
  private static let domain = "belfry"

  /// Looks for them in `folder` (`bindtextdomain`). Everything is UTF-8, as on the bus, whatever
  /// the locale's own coding is.
  static func adopt(_ folder: String) {
    bindtextdomain(domain, folder)
    bind_textdomain_codeset(domain, "UTF-8")
    // Opened now: when something rings there may be no time for it, and no descriptor left.
    _ = dgettext(domain, "")
  }

  /// What the catalogue has for a message (`dgettext`, `dngettext`, `g_dpgettext2`).
  static func pattern(_ message: Message) -> String {
    // The empty text is the catalogue's own head.
    guard !message.key.isEmpty else { return "" }
    if let plural = message.plural {
      return message.key.withCString { one in
        plural.key.withCString { many in
          String(cString: dngettext(domain, one, many, UInt(plural.count.magnitude)))
        }
      }
    }
    return message.key.withCString { key in
      guard let context = message.context else { return String(cString: dgettext(domain, key)) }
      return context.withCString { String(cString: g_dpgettext2(domain, $0, key)) }
    }
  }
}
