// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tz database as the core wants it, read by GLib's `GTimeZone`. GLib knows the rules up to the
// year 2037; from then on the last offset stands.

import CGLib
import Scheduling

/// Zone rules that remember the intervals they were asked for. When the machine's zone changes, or
/// the rules on disk, make a new one.
public nonisolated final class Zones: ZoneRules {
  private var known: [String?: Zone] = [:]
  private let machine: String?

  /// `machine` stands in for the zone that the machine is in.
  public init(machine: String? = nil) { self.machine = machine }

  public func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    if let zone = known[zone] { return zone.interval(containing: Int(instant.seconds)) }
    let made = Zone(identifier: zone ?? machine ?? Zones.override)
    known[zone] = made
    return made.interval(containing: Int(instant.seconds))
  }

  public func isKnown(_ zone: String) -> Bool { Zones.exists(zone) }

  /// Whether the tz database has `name`. Offsets such as `+09:00`, which GLib would take too, are
  /// no names: they have no summer time, and who writes one seldom wants that.
  public static func exists(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.properties.isAlphabetic,
      !name.contains(".."), let zone = g_time_zone_new_identifier(name)
    else { return false }
    g_time_zone_unref(zone)
    return true
  }

  /// Every identifier that the tz database on this machine has; empty where it does not list them.
  public static var names: [String] {
    guard let text = try? DurableFile.read("/usr/share/zoneinfo/tzdata.zi", limit: 1 << 20) else {
      // The list only serves to guess what was mistyped.
      return []
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      // `Z Asia/Seoul 8:27:52 - LMT 1908 Ap` begins a zone, `L Asia/Seoul ROK` gives it a name more.
      let fields = line.split(separator: " ")
      return switch fields.first {
      case "Z" where fields.count > 1: String(fields[1])
      case "L" where fields.count > 2: String(fields[2])
      default: nil
      }
    }
  }

  /// What `TZ` says, which POSIX puts before the machine's setting: an identifier, a rule, or after
  /// a colon a path. GLib itself asks for it only in `g_time_zone_new_local`, which keeps the answer.
  private static var override: String? {
    Environment.value("TZ").map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
  }

  /// The identifier of the zone that the machine is in, such as `Asia/Seoul`; a path or `UTC` where
  /// it has none (`g_time_zone_get_identifier`).
  public static var machineZone: String {
    guard let zone = g_time_zone_new_identifier(override) else { return "UTC" }
    defer { g_time_zone_unref(zone) }
    return String(cString: g_time_zone_get_identifier(zone))
  }
}

/// One `GTimeZone` and the stretches of it that were looked up, in order of time.
private nonisolated final class Zone {
  private let zone: OpaquePointer
  private var intervals: [ZoneInterval] = []

  /// Nil: the machine's, by `/etc/localtime`; asked by identifier since GLib keeps the nameless one
  /// for the life of the process. One that is not known is UTC.
  init(identifier: String?) {
    zone = g_time_zone_new_identifier(identifier) ?? g_time_zone_new_utc()
  }

  deinit { g_time_zone_unref(zone) }

  func interval(containing second: Int) -> ZoneInterval {
    if let found = intervals.last(where: { $0.contains(second) }) { return found }
    let number = g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, second)
    let made = ZoneInterval(
      start: edge(from: second, step: -1, of: number).map { Instant(seconds: Int64($0 + 1)) },
      end: edge(from: second, step: 1, of: number).map { Instant(seconds: Int64($0)) },
      offset: Int(g_time_zone_get_offset(zone, number)),
      abbreviation: String(cString: g_time_zone_get_abbreviation(zone, number)))
    intervals.append(made)
    return made
  }

  /// The second nearest to `second`, in the direction of `step`, that is not in the interval
  /// `number`: GLib tells which interval a moment is in, and not where that ends.
  private func edge(from second: Int, step: Int, of number: gint) -> Int? {
    var (inside, distance) = (second, 86_400)
    // 400 years each way; no zone has waited longer between two changes.
    while g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, second + step * distance) == number
    {
      inside = second + step * distance
      distance *= 2
      if distance > 400 * 366 * 86_400 { return nil }
    }
    var outside = second + step * distance
    while abs(outside - inside) > 1 {
      let middle = inside + (outside - inside) / 2
      if g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, middle) == number {
        inside = middle
      } else {
        outside = middle
      }
    }
    return outside
  }
}

extension ZoneInterval {
  fileprivate nonisolated func contains(_ second: Int) -> Bool {
    (start.map { $0.seconds <= second } ?? true) && (end.map { second < $0.seconds } ?? true)
  }
}
