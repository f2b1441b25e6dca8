// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the user's locale says of days and hours (`nl_langinfo`), and the desktop's own setting of
// its clock, which comes first; and what people read, in the user's language. The locale is taken
// from the environment once, by `Locale.adopt`. How a sentence gets into a catalogue is in
// `desktop/po/README.md`.

import CGLib
import Glibc
import Language

public nonisolated enum Locale {
  /// Makes the environment's locale the program's (`setlocale`); to be called first of all. In
  /// `catalogues` are the translations, as LANGUAGE/LC_MESSAGES/belfry.mo.
  public static func adopt(catalogues: String?) {
    setlocale(LC_ALL, "")
    catalogues.map(Catalogue.adopt)
  }

  /// Names of the weekdays, long and short, Monday first.
  public static var weekdayNames: [[String]] {
    // The C library counts from Sunday.
    let long = [DAY_2, DAY_3, DAY_4, DAY_5, DAY_6, DAY_7, DAY_1]
    let short = [ABDAY_2, ABDAY_3, ABDAY_4, ABDAY_5, ABDAY_6, ABDAY_7, ABDAY_1]
    return zip(long, short).map { [text($0), text($1)] }
  }

  /// Whether people here count twelve hours twice: as the desktop is set, or else as the locale's
  /// format of a time has it. Asked again each time, since a user may change it.
  public static var usesTwelveHours: Bool {
    switch clockSetting?.value {
    case .string(let format): format == "12h"
    case .boolean(let hasTwentyFour): !hasTwentyFour
    default: formatHasTwelveHours
    }
  }

  /// What the desktop that `XDG_CURRENT_DESKTOP` names, which may name those that it descends from
  /// too (`Budgie:GNOME`), has for its clock: Plasma's is the locale, MATE and Xfce have none but
  /// that of a panel.
  private static let clockSetting: DesktopSetting? = {
    for name in Environment.value("XDG_CURRENT_DESKTOP")?.split(separator: ":") ?? [] {
      switch name {
      case "GNOME", "Unity", "Budgie", "Pantheon":
        return DesktopSetting("org.gnome.desktop.interface", "clock-format")
      case "X-Cinnamon", "Cinnamon":
        return DesktopSetting("org.cinnamon.desktop.interface", "clock-use-24h")
      default: break
      }
    }
    return nil
  }()

  private static let formatHasTwelveHours = {
    let format = text(nl_item(T_FMT))
    return ["%I", "%l", "%r", "%p"].contains(where: format.includes)
  }()

  private static func text(_ item: nl_item) -> String { String(cString: nl_langinfo(item)) }
  private static func text(_ item: Int) -> String { text(nl_item(item)) }
}

// MARK: - What people read, in their language

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

/// The catalogue of the C library's gettext, chosen by the locale. It knows no sentence.
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
