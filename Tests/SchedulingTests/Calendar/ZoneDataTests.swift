// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests POSIX rules of summer time, such as `CET-1CEST,M3.5.0,M10.5.0/3`. `ZonesTests` reads the
// zone files of the machine.

import Scheduling
import Testing

@Suite("Rules of summer time")
struct ZoneDataTests {
  @Test(
    "A rule gives the intervals between changes of clocks",
    arguments: [
      ("KST-9", "2026-07-01 00:00", "KST +32400, always"),
      ("KST+9", "2026-07-01 00:00", "KST -32400, always"),
      ("KST-9:00:00", "2026-07-01 00:00", "KST +32400, always"),
      ("<-0330>3:30", "2026-07-01 00:00", "-0330 -12600, always"),
      ("AAA-24", "2026-07-01 00:00", "AAA +86400, always"),
      ("AAA-5:59:59", "2026-07-01 00:00", "AAA +21599, always"),
      (
        "CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01 00:00",
        "CEST +7200, 2026-03-29 01:00 to 2026-10-25 01:00"
      ),
      (
        "CET-1CEST,M3.5.0,M10.5.0/3", "2061-01-01 00:00",
        "CET +3600, 2060-10-31 01:00 to 2061-03-27 01:00"
      ),
      // This rule has changes on a Saturday and on a Monday, in weeks that are neither the first
      // nor the last of a month.
      (
        "AAA0BBB,M3.1.6,M10.4.1", "2026-07-01 00:00",
        "BBB +3600, 2026-03-07 02:00 to 2026-10-26 01:00"
      ),
      ("EST5EDT", "2026-07-01 00:00", "EDT -14400, 2026-03-08 07:00 to 2026-11-01 06:00"),
      // South of the equator, summer time lasts over the end of the year.
      (
        "AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01 00:00",
        "AEDT +39600, 2025-10-04 16:00 to 2026-04-04 16:00"
      ),
      // In the first rule, clocks change by half an hour. In the second, they change in the evening
      // before the given Sunday, as in Greenland.
      (
        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-07-01 00:00",
        "+1030 +37800, 2026-04-04 15:00 to 2026-10-03 15:30"
      ),
      (
        "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-07-01 00:00",
        "-01 -3600, 2026-03-29 01:00 to 2026-10-25 01:00"
      ),
      // These rules give the day of the year on which clocks change. With `J`, 29 February is not
      // counted.
      ("AAA0BBB,J60,J61", "2028-03-01 12:00", "BBB +3600, 2028-03-01 02:00 to 2028-03-02 01:00"),
      ("AAA0BBB,J59,J60", "2028-02-29 12:00", "BBB +3600, 2028-02-28 02:00 to 2028-03-01 01:00"),
      ("AAA0BBB,J1,J365", "2026-07-01 00:00", "BBB +3600, 2026-01-01 02:00 to 2026-12-31 01:00"),
      ("AAA0BBB,0,365", "2028-07-01 00:00", "BBB +3600, 2028-01-01 02:00 to 2028-12-31 01:00"),
      (
        "AAA0BBB,M1.1.0,M12.5.6", "2026-07-01 00:00",
        "BBB +3600, 2026-01-04 02:00 to 2026-12-26 01:00"
      ),
      (
        "AAA24BBB-24,M3.5.0/167,M10.5.0/-167", "2026-07-01 00:00",
        "BBB +86400, 2026-04-05 23:00 to 2026-10-17 01:00"
      ),
      // The first and the last year of the calendar.
      (
        "CET-1CEST,M3.5.0,M10.5.0/3", "0001-07-01 00:00",
        "CEST +7200, 0001-03-25 01:00 to 0001-10-28 01:00"
      ),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "9999-07-01 00:00", "CEST +7200, 9999-03-28 01:00"),
      ("AAA0BBB,59,60", "2028-02-29 12:00", "BBB +3600, 2028-02-29 02:00 to 2028-03-01 01:00"),
    ])
  func rule(text: String, at: String, expected: String) {
    let instant = Instant(utc: at)
    guard let interval = ZoneData(rule: text)?.interval(containing: instant) else {
      Issue.record("\(text) is no rule")
      return
    }
    let sign = interval.offset < 0 ? "" : "+"
    let times = [interval.start, interval.end].compactMap { $0?.utc }.joined(separator: " to ")
    #expect(
      "\(interval.abbreviation) \(sign)\(interval.offset), \(times.isEmpty ? "always" : times)"
        == expected)
  }

  @Test(
    "Text that is not a rule is refused",
    arguments: [
      "", "KS-9", "KST", "KST-", "KST-25", "KST-9:60", "KST-9:00:60", "<+9>-9", "<+09-9", "9",
      "KST-9x",
      "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,", "CET-1CEST,M0.5.0,M10.5.0",
      "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,M3.5.0/-168,M10.5.0",
      "CET-1CEST-25,M3.5.0,M10.5.0", "KST-0009", "KST-+9", "KST+-9", "KST-9:60:00", "KST-9:0001",
      "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J1",
      "CET-1CEST,J366,J1", "CET-1CEST,366,1", "CET-1CEST,M3.5.0/168,M10.5.0",
      "CET-1CEST,M3.5.0,M10.5.0/3 ", "CET-99999999999999999999",
    ])
  func refused(text: String) { #expect(ZoneData(rule: text) == nil) }
}
