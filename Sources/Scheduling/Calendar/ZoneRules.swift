// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time zones as the core sees them: intervals of constant offset, given from outside, and the one
// rule that turns a local time into an instant. Where the zone data come from is not its business.
// Next: `Recurrence.swift`.

/// What the core must be told about time zones, and of the sun. A zone is its tz database
/// identifier, such as `Asia/Seoul`; nil is the zone that the machine is in.
public protocol ZoneRules {
  /// The stretch of constant offset that `instant` falls in. An identifier that is not known
  /// behaves as UTC; whoever takes identifiers from people asks `isKnown` first.
  func interval(containing instant: Instant, in zone: String?) -> ZoneInterval
  func isKnown(_ zone: String) -> Bool
  /// What the sun does over a place, degrees north and east, on the day that has this noon, give or
  /// take some hours.
  func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun
}

/// A stretch of time, `start` in and `end` out, in which local clocks keep one distance from UTC.
public struct ZoneInterval: Hashable, Sendable {
  /// Nil: since ever.
  public var start: Instant?
  /// Nil: as far as the rules are known.
  public var end: Instant?
  /// Seconds east of UTC.
  public var offset: Int
  /// As local clocks name it, such as `KST` or `+09`.
  public var abbreviation: String

  public init(start: Instant?, end: Instant?, offset: Int, abbreviation: String = "") {
    (self.start, self.end, self.offset, self.abbreviation) = (start, end, offset, abbreviation)
  }
}

/// Why an instant does not simply show the local time that was asked for.
public enum ZoneNote: String, Hashable, Sendable {
  /// The local time does not exist that day: the first instant after the gap stands in.
  case gap
  /// The local time exists twice that day: the first is meant.
  case overlap
}

public struct ResolvedTime: Hashable, Sendable {
  public var instant: Instant
  public var note: ZoneNote?
}

extension ZoneRules {
  /// The local time shown at `instant`.
  public func civil(at instant: Instant, in zone: String?) -> CivilDateTime {
    let offset = interval(containing: instant, in: zone).offset
    return CivilDateTime(localSeconds: instant.seconds + Int64(offset))
  }

  /// The first instant at which local clocks show `local` or, where they never do, something later.
  /// That one rule covers both odd cases: a gap gives its end, an overlap the first of the two. Nil
  /// where the whole date was left out (Pacific/Apia had no 2011-12-30).
  public func resolve(_ local: CivilDateTime, in zone: String?) -> ResolvedTime? {
    let wanted = local.localSeconds
    // No offset reaches 16 h, so the interval sixteen hours before is not past the answer.
    var current = interval(containing: Instant(seconds: wanted - 16 * 3600), in: zone)
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

  /// Whether local clocks, having shown `wanted` in `interval`, show it again in the next one.
  private func repeats(_ wanted: Int64, after interval: ZoneInterval, _ zone: String?) -> Bool {
    guard let end = interval.end else { return false }
    let next = self.interval(containing: end, in: zone)
    return next.offset < interval.offset
      && end.seconds <= wanted - Int64(next.offset)
      && wanted - Int64(next.offset) < (next.end ?? .distantFuture).seconds
  }
}

extension ZoneRules {
  /// `instant` as RFC 3339 writes it, to the second, with the offset of `zone`.
  public func rfc3339(_ instant: Instant, in zone: String?) -> String {
    let offset = interval(containing: instant, in: zone).offset
    let civil = CivilDateTime(localSeconds: instant.seconds + Int64(offset))
    let time =
      "\(padded(civil.time.hour)):\(padded(civil.time.minute)):\(padded(civil.time.second))"
    // RFC 3339 has offsets to the minute; those to the second ended with local mean time.
    let minutes = Int(offset.magnitude) / 60
    let sign = offset < 0 ? "-" : "+"
    return "\(civil.date)T\(time)\(sign)\(padded(minutes / 60)):\(padded(minutes % 60))"
  }
}
