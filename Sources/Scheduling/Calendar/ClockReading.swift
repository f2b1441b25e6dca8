// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the clock in another zone shows, and how far it is ahead of the user's own clock.

/// The reading of a clock in another zone at one moment, compared with the user's own clock.
public struct ClockReading: Hashable, Sendable {
  public var there: CivilDateTime
  /// How far the clock in the other zone is ahead of the user's own clock, in seconds.
  public var offset: Int
  /// By how many days the date in the other zone is ahead: -1 means yesterday. Across the date
  /// line, the difference can be two days.
  public var days: Int
}

extension ZoneRules {
  /// Returns what the clock of `zone` shows at `instant`, compared with the clock of the zone
  /// `here`. If `here` is nil, the machine's zone is used.
  public func reading(of zone: String, at instant: Instant, from here: String? = nil)
    -> ClockReading
  {
    let (there, local) = (civil(at: instant, in: zone), civil(at: instant, in: here))
    return ClockReading(
      there: there, offset: Int(there.localSeconds - local.localSeconds),
      days: there.date.daysSinceEpoch - local.date.daysSinceEpoch)
  }
}
