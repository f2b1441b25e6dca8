// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time zones for tests, copied from the tz database, so that no test depends on the machine on
// which it runs. Each line of a table has the UTC time from which an offset holds. Next:
// `Texts.swift`.

import Scheduling

struct TestZones: ZoneRules, Equatable {
  /// The machine's zone.
  var machine = "Europe/Berlin"

  func isKnown(_ zone: String) -> Bool { Self.intervals[zone] != nil }

  /// A simple sun. At the equator, the day has 12 hours. With each degree to the north, the day is
  /// 8 minutes longer in the first half of the year, and 8 minutes shorter in the second half.
  func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun {
    let days = (Double(noon.seconds) / 86_400 + longitude / 360 - 0.5).rounded()
    let middle = Instant(seconds: Int64((days + 0.5 - longitude / 360) * 86_400))
    let isSummer = civil(at: noon, in: "UTC").date.month <= 6
    let half = 6 * 3600 + Int64(latitude * 240) * (isSummer ? 1 : -1)
    if half <= 0 { return .staysDown }
    return half >= 12 * 3600
      ? .staysUp : .rises(middle - .seconds(half), sets: middle + .seconds(half))
  }

  func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    guard let intervals = Self.intervals[zone ?? machine] else {
      return ZoneInterval(start: nil, end: nil, offset: 0, abbreviation: "UTC")
    }
    // Find the first interval that has not ended at `instant`.
    var (low, high) = (0, intervals.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if let end = intervals[middle].end, end <= instant { low = middle + 1 } else { high = middle }
    }
    return intervals[low]
  }

  private static let intervals = tables.mapValues { table in
    let lines = table.split(separator: "\n").map { $0.split(separator: " ") }
    return lines.indices.map { i in
      func start(_ words: [Substring]) -> Instant? {
        words[0] == "since" ? nil : Instant(utc: "\(words[0]) \(words[1])")
      }
      return ZoneInterval(
        start: start(lines[i]), end: i + 1 < lines.count ? start(lines[i + 1]) : nil,
        offset: seconds(east: lines[i][2]), abbreviation: String(lines[i][3]))
    }
  }

  /// Returns the seconds of an offset such as `-03:30`.
  private static func seconds(east text: Substring) -> Int {
    let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
    return (text.hasPrefix("-") ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60)
  }

  private static let tables = [
    "Africa/Cairo": """
    since ever +02:00 EET
    2025-04-24 22:00 +03:00 EEST
    2025-10-30 21:00 +02:00 EET
    2026-04-23 22:00 +03:00 EEST
    2026-10-29 21:00 +02:00 EET
    2027-04-29 22:00 +03:00 EEST
    2027-10-28 21:00 +02:00 EET
    """,
    "Africa/Casablanca": """
    since ever +01:00 +01
    2025-02-23 02:00 +00:00 +00
    2025-04-06 02:00 +01:00 +01
    2026-02-15 02:00 +00:00 +00
    2026-03-22 02:00 +01:00 +01
    2027-02-07 02:00 +00:00 +00
    2027-03-14 02:00 +01:00 +01
    """,
    "America/New_York": """
    since ever -05:00 EST
    2025-03-09 07:00 -04:00 EDT
    2025-11-02 06:00 -05:00 EST
    2026-03-08 07:00 -04:00 EDT
    2026-11-01 06:00 -05:00 EST
    2027-03-14 07:00 -04:00 EDT
    2027-11-07 06:00 -05:00 EST
    2028-03-12 07:00 -04:00 EDT
    2028-11-05 06:00 -05:00 EST
    2029-03-11 07:00 -04:00 EDT
    2029-11-04 06:00 -05:00 EST
    2030-03-10 07:00 -04:00 EDT
    2030-11-03 06:00 -05:00 EST
    2031-03-09 07:00 -04:00 EDT
    2031-11-02 06:00 -05:00 EST
    2032-03-14 07:00 -04:00 EDT
    2032-11-07 06:00 -05:00 EST
    2033-03-13 07:00 -04:00 EDT
    2033-11-06 06:00 -05:00 EST
    2034-03-12 07:00 -04:00 EDT
    2034-11-05 06:00 -05:00 EST
    2035-03-11 07:00 -04:00 EDT
    2035-11-04 06:00 -05:00 EST
    """,
    "America/Sao_Paulo": """
    since ever -03:00 -03
    """,
    "Antarctica/Troll": """
    since ever +00:00 +00
    2025-03-30 01:00 +02:00 +02
    2025-10-26 01:00 +00:00 +00
    2026-03-29 01:00 +02:00 +02
    2026-10-25 01:00 +00:00 +00
    2027-03-28 01:00 +02:00 +02
    2027-10-31 01:00 +00:00 +00
    """,
    "Asia/Kathmandu": """
    since ever +05:45 +0545
    """,
    "Asia/Seoul": """
    since ever +09:00 KST
    """,
    "Australia/Lord_Howe": """
    since ever +11:00 +11
    2025-04-05 15:00 +10:30 +1030
    2025-10-04 15:30 +11:00 +11
    2026-04-04 15:00 +10:30 +1030
    2026-10-03 15:30 +11:00 +11
    2027-04-03 15:00 +10:30 +1030
    2027-10-02 15:30 +11:00 +11
    """,
    "Europe/Berlin": """
    since ever +01:00 CET
    2025-03-30 01:00 +02:00 CEST
    2025-10-26 01:00 +01:00 CET
    2026-03-29 01:00 +02:00 CEST
    2026-10-25 01:00 +01:00 CET
    2027-03-28 01:00 +02:00 CEST
    2027-10-31 01:00 +01:00 CET
    2028-03-26 01:00 +02:00 CEST
    2028-10-29 01:00 +01:00 CET
    2029-03-25 01:00 +02:00 CEST
    2029-10-28 01:00 +01:00 CET
    2030-03-31 01:00 +02:00 CEST
    2030-10-27 01:00 +01:00 CET
    2031-03-30 01:00 +02:00 CEST
    2031-10-26 01:00 +01:00 CET
    2032-03-28 01:00 +02:00 CEST
    2032-10-31 01:00 +01:00 CET
    2033-03-27 01:00 +02:00 CEST
    2033-10-30 01:00 +01:00 CET
    2034-03-26 01:00 +02:00 CEST
    2034-10-29 01:00 +01:00 CET
    2035-03-25 01:00 +02:00 CEST
    2035-10-28 01:00 +01:00 CET
    """,
    "Pacific/Apia": """
    since ever -10:00 -10
    2011-04-02 14:00 -11:00 -11
    2011-09-24 14:00 -10:00 -10
    2011-12-30 10:00 +14:00 +14
    2012-03-31 14:00 +13:00 +13
    2012-09-29 14:00 +14:00 +14
    """,
    "UTC": "since ever +00:00 UTC",
  ]
}
