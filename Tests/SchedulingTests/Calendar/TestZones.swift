// SPDX-License-Identifier: GPL-3.0-or-later
//
// Gives tests the time zones of `zones.txt`, so that no test depends on the machine on which it
// runs. Next: `Texts.swift`.

import Scheduling
import TestData

struct TestZones: ZoneRules, Equatable {
  /// The zone of the simulated machine.
  var machine = "Europe/Berlin"

  func isKnown(_ zone: String) -> Bool { Self.intervals[zone] != nil }

  /// Returns a simplified sunrise and sunset. At the equator, the day has 12 hours. With each
  /// degree to the north, the day is 8 minutes longer in the first half of the year, and 8 minutes
  /// shorter in the second half.
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

  private static let intervals: [String: [ZoneInterval]] =
    table("zones.txt").split(separator: "== ").dropFirst().reduce(into: [:]) { zones, zone in
      let lines = zone.split(separator: "\n").map { $0.split(separator: " ") }
      zones[String(lines[0][0])] = intervals(Array(lines.dropFirst()))
    }

  private static func intervals(_ lines: [[Substring]]) -> [ZoneInterval] {
    func start(_ words: [Substring]) -> Instant? {
      words[0] == "since" ? nil : Instant(utc: "\(words[0]) \(words[1])")
    }
    return lines.indices.map { i in
      ZoneInterval(
        start: start(lines[i]), end: i + 1 < lines.count ? start(lines[i + 1]) : nil,
        offset: seconds(east: lines[i][2]), abbreviation: String(lines[i][3]))
    }
  }

  /// Converts a UTC offset such as `-03:30` to seconds.
  private static func seconds(east text: Substring) -> Int {
    let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
    return (text.hasPrefix("-") ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60)
  }
}
