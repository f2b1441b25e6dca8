// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares sunrise and sunset with the times that an ephemeris computed (PyEphem 4.2, by the method
// of the US Naval Observatory), for places all over the world and days all over the year.

import Foundation
import Lab
import Scheduling
import System
import TestData
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

  /// Returns the minutes since midnight for a time such as `06:42`.
  private func minutes(_ time: some StringProtocol) -> Int {
    let parts = time.split(separator: ":").compactMap { Int($0) }
    return parts.count == 2 ? parts[0] * 60 + parts[1] : .min
  }

  /// The lines of `sun.txt`. Each line has a place, a day, and the times of sunrise and sunset, or
  /// `up` or `down` if the sun stays up or down all day.
  private nonisolated static let days: [[String]] = table("sun.txt").split(separator: "\n").map {
    let day = $0.dropFirst(14)
    return [
      $0.prefix(14).trimmingCharacters(in: .whitespaces), String(day.prefix(10)),
      String(day.dropFirst(12)),
    ]
  }

  @Test(
    "sunrise and sunset are within two minutes of the ephemeris, or missing in both",
    arguments: days)
  func day(row: [String]) throws {
    let (day, expected) = (row[1], row[2])
    let (latitude, longitude, zone) = try #require(Self.places[row[0]])
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let date = try #require(CivilDate(year: parts[0], month: parts[1], day: parts[2]))
    let noon = try #require(CivilTime(hour: 12, minute: 0))
    let zones = Zones()
    let resolved = try #require(zones.resolve(CivilDateTime(date, noon), in: zone))
    switch Sun(latitude: latitude, longitude: longitude, noon: resolved.instant) {
    case .staysUp: #expect(expected == "up")
    case .staysDown: #expect(expected == "down")
    case .rises(let rise, let set):
      let times = expected.components(separatedBy: " to ")
      try #require(times.count == 2, "rises and sets, \(expected)")
      for (moment, time) in zip([rise, set], times) {
        let local = zones.civil(at: moment, in: zone)
        let difference = abs(local.time.hour * 60 + local.time.minute - minutes(time))
        #expect(min(difference, 1440 - difference) <= 2, "\(local.time), and not \(time)")
      }
      #expect(zones.civil(at: rise, in: zone).date == date)
    }
  }

  @Test("everywhere, the sun stays up or down all day, or rises and then sets within the day")
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
}
