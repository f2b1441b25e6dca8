// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the order and the marks of a date, with the formats of the GNU C library's locales.

import Language
import Testing

struct DateFormTests {
  /// For each locale, `D_FMT`, `_DATE_FMT` and `D_T_FMT`, and a date in its form with the names W
  /// and M.
  @Test(arguments: [
    ("en_US", "%m/%d/%Y", "%a %b %e %r %Z %Y", "%a %d %b %Y %r %Z", "W M 24 2026"),
    ("en_GB", "%d/%m/%y", "%a %e %b %H:%M:%S %Z %Y", "%a %d %b %Y %T %Z", "W 24 M 2026"),
    ("ko_KR", "%Y년 %m월 %d일", "%Y. %m. %d. (%a) %H", "%x (%a) %r", "2026년 M 24일 (W)"),
    ("ja_JP", "%Y年%m月%d日", "%Y年 %b %e日 %A %H", "%Y年%m月%d日 %H", "2026年 M 24日 W"),
    ("zh_TW", "%Y年%m月%d日", "西元%Y年%m月%d日 (%A)", "%Y年%m月%d日 (%A)", "2026年 M 24日 (W)"),
    ("de_DE", "%d.%m.%Y", "%a %-d. %b %H", "%a %d %b %Y %T", "W 24. M 2026"),
    ("ru_RU", "%d.%m.%Y", "%a %d %b %Y %T %Z", "%a %d %b %Y %T", "W 24 M 2026"),
    ("sv_SE", "%Y-%m-%d", "%a %e %b %Y %H", "%a %e %b %Y %H", "W 24 M 2026"),
    ("hu_HU", "%Y-%m-%d", "%Y. %b. %-e., %A, %H", "%Y. %b. %-e., %A", "2026. M 24. W"),
    ("he_IL", "%d/%m/%y", "%Z %H %Y %b %d %a", "%H:%M:%S %Y %b %d %a", "24 M 2026 W"),
    ("en_DK", "%Y-%m-%d", "%Y-%m-%dT%T %Z", "%Y-%m-%dT%T %Z", "W 2026 M 24"),
    ("eu_ES", "%a, %Y.eko %bren %da", "%y-%m-%d %T %Z", "%y-%m-%d %T", "W 2026 M 24a"),
    ("fa_IR", "%Oy/%Om/%Od", "%A %Oe %B %Oy، ساعت %OH", "%A %Oe %B %Oy، %OH", "W 24 M 2026"),
    ("none", "", "", "", "W 24 M 2026"), ("odd", "%", "d %E", "%%d %b", "W 24 M 2026"),
    ("no day", "%Y", "%b", "(%a", "W 24 M 2026"),
  ])
  func `a date has the order and the marks of the region`(
    locale: String, numbers: String, date: String, dateAndTime: String, expected: String
  ) {
    let form = DateForm(numbers: numbers, longer: [date, dateAndTime])
    #expect(form.text(weekday: form.weekday("W"), day: 24, month: "M", year: 2026) == expected)
  }

  @Test func `a part that is not given is left out, with its mark`() {
    let form = DateForm(numbers: "%Y년 %m월 %d일", longer: ["%x (%a) %r"])
    #expect(form.text(day: 24, month: "11월") == "11월 24일")
    #expect(form.weekday("화") == "(화)")
    #expect(form.weekdayAlone("화요일", short: "화") == "화요일")
    #expect(DateForm().weekday("Tue") == "Tue")
  }
}
