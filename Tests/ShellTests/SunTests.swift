// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sunrise and sunset, compared with what an ephemeris says (PyEphem 4.2, which has the method of
// the US Naval Observatory), for places all over the world and days all over the year.

import Scheduling
import System
import Testing

@Suite("The sun")
struct SunTests {
  private static let places: [String: (latitude: Double, longitude: Double, zone: String)] = [
    "Seoul": (37.57, 126.98, "Asia/Seoul"),
    "London": (51.51, -0.13, "Europe/London"),
    "New York": (40.71, -74.01, "America/New_York"),
    "Kathmandu": (27.7, 85.32, "Asia/Kathmandu"),
    "Quito": (-0.23, -78.52, "America/Guayaquil"),
    "Sydney": (-33.87, 151.21, "Australia/Sydney"),
    "Reykjavik": (64.14, -21.9, "Atlantic/Reykjavik"),
    "Kiritimati": (1.87, -157.43, "Pacific/Kiritimati"),
    "Kashgar": (39.47, 75.99, "Asia/Shanghai"),
    "Ushuaia": (-54.8, -68.3, "America/Argentina/Ushuaia"),
    "Tromso": (69.65, 18.96, "Europe/Oslo"),
    "Longyearbyen": (78.22, 15.64, "Arctic/Longyearbyen"),
    "Apia": (-13.83, -171.77, "Pacific/Apia"),
  ]

  /// The minutes since midnight of `06:42`.
  private func minutes(_ time: some StringProtocol) -> Int {
    let parts = time.split(separator: ":").compactMap { Int($0) }
    return parts.count == 2 ? parts[0] * 60 + parts[1] : .min
  }

  @Test(
    "It rises and sets when an ephemeris says so, give or take two minutes, or not at all",
    arguments: [
      ("Seoul", "2026-03-20", "06:36 to 18:43"),
      ("Seoul", "2026-06-21", "05:11 to 19:57"),
      ("Seoul", "2026-11-21", "07:18 to 17:18"),
      ("Seoul", "2026-12-31", "07:47 to 17:23"),
      ("Seoul", "2024-02-29", "07:05 to 18:25"),
      ("Seoul", "2040-09-01", "06:02 to 19:01"),
      ("London", "2026-03-20", "06:03 to 18:14"),
      ("London", "2026-06-21", "04:43 to 21:22"),
      ("London", "2026-11-21", "07:29 to 16:04"),
      ("London", "2026-12-31", "08:06 to 16:01"),
      ("London", "2024-02-29", "06:47 to 17:40"),
      ("London", "2040-09-01", "06:14 to 19:46"),
      ("New York", "2026-03-20", "06:59 to 19:08"),
      ("New York", "2026-06-21", "05:25 to 20:31"),
      ("New York", "2026-11-21", "06:50 to 16:34"),
      ("New York", "2026-12-31", "07:20 to 16:38"),
      ("New York", "2024-02-29", "06:31 to 17:47"),
      ("New York", "2040-09-01", "06:24 to 19:27"),
      ("Kathmandu", "2026-03-20", "06:08 to 18:15"),
      ("Kathmandu", "2026-06-21", "05:09 to 19:02"),
      ("Kathmandu", "2026-11-21", "06:29 to 17:10"),
      ("Kathmandu", "2026-12-31", "06:54 to 17:19"),
      ("Kathmandu", "2024-02-29", "06:29 to 18:04"),
      ("Kathmandu", "2040-09-01", "05:43 to 18:24"),
      ("Quito", "2026-03-20", "06:18 to 18:25"),
      ("Quito", "2026-06-21", "06:13 to 18:19"),
      ("Quito", "2026-11-21", "05:56 to 18:04"),
      ("Quito", "2026-12-31", "06:13 to 18:21"),
      ("Sydney", "2026-03-20", "06:58 to 19:07"),
      ("Sydney", "2026-06-21", "07:00 to 16:54"),
      ("Sydney", "2026-11-21", "05:40 to 19:42"),
      ("Sydney", "2026-12-31", "05:47 to 20:09"),
      ("Sydney", "2024-02-29", "06:42 to 19:33"),
      ("Sydney", "2040-09-01", "06:13 to 17:37"),
      ("Reykjavik", "2026-03-20", "07:28 to 19:43"),
      ("Reykjavik", "2026-06-21", "02:55 to 00:04"),
      ("Reykjavik", "2026-11-21", "10:16 to 16:11"),
      ("Reykjavik", "2026-12-31", "11:20 to 15:41"),
      ("Reykjavik", "2024-02-29", "08:37 to 18:44"),
      ("Reykjavik", "2040-09-01", "06:12 to 20:41"),
      ("Kiritimati", "2026-03-20", "06:34 to 18:41"),
      ("Kiritimati", "2026-06-21", "06:25 to 18:38"),
      ("Kiritimati", "2026-11-21", "06:15 to 18:16"),
      ("Kiritimati", "2026-12-31", "06:32 to 18:33"),
      ("Kiritimati", "2024-02-29", "06:40 to 18:45"),
      ("Kiritimati", "2040-09-01", "06:25 to 18:34"),
      ("Kashgar", "2026-03-20", "09:00 to 21:08"),
      ("Kashgar", "2026-06-21", "07:29 to 22:27"),
      ("Kashgar", "2026-11-21", "09:46 to 19:37"),
      ("Kashgar", "2026-12-31", "10:16 to 19:42"),
      ("Ushuaia", "2026-03-20", "07:34 to 19:46"),
      ("Ushuaia", "2026-06-21", "09:59 to 17:11"),
      ("Ushuaia", "2026-11-21", "05:08 to 21:31"),
      ("Ushuaia", "2026-12-31", "04:59 to 22:13"),
      ("Tromso", "2026-03-20", "05:44 to 18:02"),
      ("Tromso", "2026-06-21", "up"),
      ("Tromso", "2026-11-21", "10:06 to 12:53"),
      ("Tromso", "2026-12-31", "down"),
      ("Tromso", "2024-02-29", "07:13 to 16:42"),
      ("Tromso", "2040-09-01", "05:04 to 20:22"),
      ("Longyearbyen", "2026-03-20", "05:52 to 18:22"),
      ("Longyearbyen", "2026-06-21", "up"),
      ("Longyearbyen", "2026-11-21", "down"),
      ("Longyearbyen", "2026-12-31", "down"),
      ("Longyearbyen", "2024-02-29", "08:32 to 15:51"),
      ("Longyearbyen", "2040-09-01", "03:42 to 22:05"),
      ("Apia", "2026-03-20", "06:31 to 18:38"),
      ("Apia", "2026-06-21", "06:50 to 18:08"),
      ("Apia", "2026-11-21", "05:49 to 18:37"),
      ("Apia", "2026-12-31", "06:02 to 18:58"),
    ])
  func day(place: String, day: String, expected: String) throws {
    let (latitude, longitude, zone) = try #require(Self.places[place])
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let date = try #require(CivilDate(year: parts[0], month: parts[1], day: parts[2]))
    let noon = try #require(CivilTime(hour: 12, minute: 0))
    let zones = Zones()
    let resolved = try #require(zones.resolve(CivilDateTime(date, noon), in: zone))
    switch Sun(latitude: latitude, longitude: longitude, noon: resolved.instant) {
    case .staysUp: #expect(expected == "up")
    case .staysDown: #expect(expected == "down")
    case .rises(let rise, let set):
      let times = expected.components(" to ")
      try #require(times.count == 2, "rises and sets, \(expected)")
      for (moment, time) in zip([rise, set], times) {
        let local = zones.civil(at: moment, in: zone)
        let difference = abs(local.time.hour * 60 + local.time.minute - minutes(time))
        #expect(min(difference, 1440 - difference) <= 2, "\(local.time), and not \(time)")
      }
      #expect(zones.civil(at: rise, in: zone).date == date)
    }
  }

  @Test("Wherever one asks, it either stays or rises before it sets, in the course of that day")
  func everywhere() {
    for latitude in stride(from: -90.0, through: 90, by: 7.5) {
      for longitude in stride(from: -180.0, through: 180, by: 45) {
        for day in stride(from: 0, to: 60_000, by: 97) {
          let noon = Instant(seconds: Int64(day) * 86_400 + 43_200)
          switch Sun(latitude: latitude, longitude: longitude, noon: noon) {
          case .staysUp, .staysDown: break
          case .rises(let rise, let set):
            #expect(rise <= set && set - rise <= .hours(25))
            #expect(abs((rise - noon).wholeSeconds) < 40 * 3600)
          }
        }
      }
    }
  }

  @Test("At the poles it is day in their summer and night in their winter")
  func poles() {
    let (june, december) = (Instant(seconds: 1_782_000_000), Instant(seconds: 1_797_800_000))
    #expect(Sun(latitude: 90, longitude: 0, noon: june) == .staysUp)
    #expect(Sun(latitude: -90, longitude: 0, noon: june) == .staysDown)
    #expect(Sun(latitude: 90, longitude: 0, noon: december) == .staysDown)
    #expect(Sun(latitude: -90, longitude: 0, noon: december) == .staysUp)
  }
}

extension String {
  fileprivate func components(_ separator: String) -> [Substring] {
    guard let range = firstRange(of: separator) else { return [self[...]] }
    return [self[..<range.lowerBound], self[range.upperBound...]]
  }
}
