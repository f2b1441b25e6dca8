// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads from the user's locale how dates and times are written (`LC_TIME`, by `nl_langinfo`). If
// the desktop has its own setting for 12 or 24 hours, that setting is used instead. Also translates
// texts into the user's language (`LC_MESSAGES`). `Locale.adopt` takes the locale from the
// environment once. `desktop/po/README.md` explains how a sentence gets into a catalogue.

import CGLib
import Glibc
import Language

public enum Locale {
  /// Makes the environment's locale the locale of this program (`setlocale`). Call this right after
  /// `Environment.prepare`, before any text is made. `catalogues` is the folder of the
  /// translations, which contains LANGUAGE/LC_MESSAGES/belfry.mo for each language; nil for none.
  public static func adopt(catalogues: String?) {
    if setlocale(LC_ALL, "") == nil {
      // The call fails if the locale of any category is not installed. Use those that are.
      for category in [LC_CTYPE, LC_MESSAGES, LC_TIME] { setlocale(category, "") }
    }
    // If the locale lacks a name, or a name is not UTF-8, use English names and dates such as
    // `Tue 24 Nov 2026` instead, so that no date lacks its month or weekday.
    if (ABDAY_1...ABMON_12).contains(where: { text($0).isEmpty }) { setlocale(LC_TIME, "C") }
    catalogues.map(Catalogue.adopt)
  }

  /// Makes every text English from now on, including dates and the texts of the C library. Call
  /// this before the first text is made, if the output is for a program. The names of weekdays that
  /// the user may type stay as they are.
  public static func speakEnglish() {
    _ = typedWeekdays
    setlocale(LC_MESSAGES, "C")
    setlocale(LC_TIME, "C")
  }

  /// The long and the short name of each weekday in texts, Monday first.
  public static let weekdayNames = readWeekdays()
  /// The names that the config and commands may use for the weekdays, in addition to the English
  /// ones.
  public static let typedWeekdays = readWeekdays()

  private static func readWeekdays() -> [[String]] {
    // The C library's weekdays begin with Sunday.
    let long = [DAY_2, DAY_3, DAY_4, DAY_5, DAY_6, DAY_7, DAY_1]
    let short = [ABDAY_2, ABDAY_3, ABDAY_4, ABDAY_5, ABDAY_6, ABDAY_7, ABDAY_1]
    return zip(long, short).map { [text($0), text($1)] }
  }

  /// The short names of the months, January first.
  public static let monthNames = (ABMON_1...ABMON_12).map(text)

  public static let dateForm =
    hasRegion
    ? DateForm(numbers: text(D_FMT), longer: [text(_DATE_FMT), text(D_T_FMT)]) : DateForm()

  /// The words for the halves of the day on a 12-hour clock, and whether they stand before the
  /// time.
  public static let halves: (am: String, pm: String, areFirst: Bool) = {
    let (am, pm) = (text(AM_STR), text(PM_STR))
    guard hasRegion, !am.isEmpty, !pm.isEmpty else { return ("am", "pm", false) }
    let first = text(T_FMT_AMPM).first { "pPIl".contains($0) }
    return (am, pm, first == "p" || first == "P")
  }()

  /// Whether `LC_TIME` names a region. If it does not, dates have the form `Tue 24 Nov 2026`, and
  /// 12-hour times the form `7:30 am`. The C library's own forms would be American.
  private static let hasRegion = {
    let name = String(cString: setlocale(LC_TIME, nil))
    return name != "C" && !name.hasPrefix("C.")
  }()

  /// Whether the user's clock shows 12 hours instead of 24. Follows the desktop's clock setting or,
  /// if there is none, the locale's time format. Reads the setting each time, since the user may
  /// change it.
  public static var usesTwelveHours: Bool {
    switch clockSetting?.value {
    case .string(let format): format == "12h"
    case .boolean(let hasTwentyFour): !hasTwentyFour
    default: formatHasTwelveHours
    }
  }

  /// The clock setting of the desktop in `XDG_CURRENT_DESKTOP`, which may also name the desktops
  /// that it derives from (`Budgie:GNOME`). Nil for Plasma, whose clock follows the locale, and for
  /// MATE and Xfce, because there only a panel has such a setting.
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
    let format = text(T_FMT)
    return ["%I", "%l", "%r", "%p"].contains(where: format.includes)
  }()

  /// Returns a format or a word of the locale; an empty text if the locale has none, or has one
  /// that is not UTF-8.
  private static func text(_ item: Int) -> String {
    let text = String(validatingCString: nl_langinfo(nl_item(item))) ?? ""
    // Some names are padded with spaces to the same width, such as Korean months.
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

// MARK: - Texts in the user's language

/// Translates `text` into the user's language; returns English if there is no translation.
public func tr(_ text: Message.Template, context: String? = nil) -> String {
  tr(Message(text, context: context))
}

/// Translates a text about a number of things, with the plural forms of the user's language.
public func tr(
  _ one: Message.Template, plural many: Message.Template, count: Int
) -> String {
  tr(Message(one, plural: many, count: count))
}

public func tr(_ message: Message) -> String { message.text(Catalogue.pattern) }

/// Returns a problem, already in the user's language, followed by a line that says what to do about
/// it.
public func complaint(_ problem: String, hint: Message?) -> String {
  hint.map { "\(problem)\n\(tr("hint: \($0)"))" } ?? problem
}

/// The C library's gettext catalogue for the locale. The English texts are written in the calls of
/// `tr`.
enum Catalogue {
  private static let domain = "belfry"

  /// Takes the translations from `folder` (`bindtextdomain`). They are always UTF-8, as texts on
  /// the bus are, whatever the locale's encoding is.
  static func adopt(_ folder: String) {
    bindtextdomain(domain, folder)
    bind_textdomain_codeset(domain, "UTF-8")
    // Open the catalogue now. When an alarm rings, there may be no time and no free descriptor to
    // open it.
    _ = dgettext(domain, "")
  }

  /// Returns the translated text of a message, still with placeholders (`dgettext`, `dngettext`,
  /// `g_dpgettext2`).
  static func pattern(_ message: Message) -> String {
    // For an empty text, gettext would return the header of the catalogue.
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
