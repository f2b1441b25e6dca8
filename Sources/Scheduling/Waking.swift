// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a suspended machine means for the rings to come: when it has to be woken. Who wakes it is
// elsewhere.

extension Schedule {
  /// When a suspended machine should be awake again: `ahead` of the next ring that is to wake it
  /// or, that moment being past, at the ring itself. Strictly later than `now`; nil: never.
  public func nextWake(_ ahead: Duration, after now: Now) -> Instant? {
    guard now.wall.isPlausible else { return nil }
    return entries.lazy.filter(\.alarm.ring.wake).compactMap(\.nextStart)
      .compactMap { start in [start - ahead, start].first { $0 > now.wall } }
      .min()
  }
}
