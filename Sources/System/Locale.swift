// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the user's locale says of days and hours (`nl_langinfo`). The locale is taken from the
// environment once, by `Locale.adopt`. Next: `Translation.swift`
// and `ClockSetting.swift`.

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
  /// format of a time has it.
  public static var usesTwelveHours: Bool {
    ClockSetting.usesTwelveHours ?? formatHasTwelveHours
  }

  private static let formatHasTwelveHours = {
    let format = text(nl_item(T_FMT))
    return ["%I", "%l", "%r", "%p"].contains { format.contains($0) }
  }()

  private static func text(_ item: nl_item) -> String { String(cString: nl_langinfo(item)) }
  private static func text(_ item: Int) -> String { text(nl_item(item)) }
}
