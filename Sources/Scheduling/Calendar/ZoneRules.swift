// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time zones as the core sees them: intervals of constant offset that the caller supplies, and one
// rule that turns a local time into an instant. `ZoneData.swift` reads the intervals of a zone from
// a file. Next: `Recurrence.swift`.

/// What the core needs to know about time zones and the sun. A zone is a tz database identifier
/// such as `Asia/Seoul`; nil is the machine's zone.
public protocol ZoneRules {
  /// The interval of constant offset that contains `instant`. An unknown identifier behaves as UTC,
  /// so check identifiers from users with `isKnown` first.
  func interval(containing instant: Instant, in zone: String?) -> ZoneInterval
  func isKnown(_ zone: String) -> Bool
  /// Returns what the sun does on one day at a place, given in degrees north and east. `noon`
  /// chooses the day: the sun's noon that is nearest to this moment is used.
  func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun
}

/// A stretch of time during which local clocks keep the same offset from UTC; `start` is included,
/// `end` is not.
public struct ZoneInterval: Hashable, Sendable {
  /// The start of the interval; nil if the zone's offset never changed before.
  public var start: Instant?
  /// The end of the interval; nil if no later change of the zone's offset is known.
  public var end: Instant?
  /// The offset from UTC in seconds; positive to the east.
  public var offset: Int
  /// The abbreviation that local clocks use, such as `KST` or `+09`.
  public var abbreviation: String

  public init(start: Instant?, end: Instant?, offset: Int, abbreviation: String = "") {
    (self.start, self.end, self.offset, self.abbreviation) = (start, end, offset, abbreviation)
  }
}

public enum ZoneNote: String, Hashable, Sendable {
  /// The local time does not exist on that day; the first instant after the gap is used instead.
  case gap
  /// The local time occurs twice on that day; the first one is used.
  case overlap
}

public struct ResolvedTime: Hashable, Sendable {
  public var instant: Instant
  public var note: ZoneNote?
}

extension ZoneRules {
  /// The local time that clocks in `zone` show at `instant`.
  public func civil(at instant: Instant, in zone: String?) -> CivilDateTime {
    let offset = interval(containing: instant, in: zone).offset
    return CivilDateTime(localSeconds: instant.seconds + Int64(offset))
  }

  /// Returns the first instant at which local clocks show `local`. If clocks go forward past
  /// `local` (a gap), returns the end of the gap. If clocks show `local` twice, returns the first
  /// of the two instants. Nil if the zone left out the whole date, as Pacific/Apia did with
  /// 2011-12-30.
  public func resolve(_ local: CivilDateTime, in zone: String?) -> ResolvedTime? {
    let wanted = local.localSeconds
    // Begin the search 16 hours early. No zone's offset from UTC reaches 16 hours, so the result
    // cannot lie in an earlier interval.
    var current = interval(containing: Instant(seconds: wanted) - .hours(16), in: zone)
    while true {
      let candidate = Instant(seconds: wanted - Int64(current.offset))
      guard let end = current.end, end <= candidate else {
        return ResolvedTime(
          instant: candidate, note: repeats(wanted, after: current, zone) ? .overlap : nil)
      }
      let next = interval(containing: end, in: zone)
      let (before, after) = (end.seconds + Int64(current.offset), end.seconds + Int64(next.offset))
      if before <= wanted, wanted < after {
        let midnight = Int64(local.date.daysSinceEpoch) * 86_400
        let dateIsLeftOut = before <= midnight && midnight + 86_400 <= after
        return dateIsLeftOut ? nil : ResolvedTime(instant: end, note: .gap)
      }
      current = next
    }
  }

  /// Whether local clocks show `wanted` in `interval` and once more in the interval after it.
  private func repeats(_ wanted: Int64, after interval: ZoneInterval, _ zone: String?) -> Bool {
    guard let end = interval.end else { return false }
    return end.seconds <= wanted - Int64(self.interval(containing: end, in: zone).offset)
  }

  /// `instant` in the format of RFC 3339, to the second, with the offset of `zone`.
  public func rfc3339(_ instant: Instant, in zone: String?) -> String {
    let offset = interval(containing: instant, in: zone).offset
    let civil = CivilDateTime(localSeconds: instant.seconds + Int64(offset))
    let time =
      "\(padded(civil.time.hour)):\(padded(civil.time.minute)):\(padded(civil.time.second))"
    // RFC 3339 writes offsets in minutes. Offsets with seconds occur only in local mean time,
    // before zones were introduced.
    let minutes = Int(offset.magnitude) / 60
    let sign = offset < 0 ? "-" : "+"
    return "\(civil.date)T\(time)\(sign)\(padded(minutes / 60)):\(padded(minutes % 60))"
  }
}
