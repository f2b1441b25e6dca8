// SPDX-License-Identifier: GPL-3.0-or-later
//
// When to look ahead whether the next ring would be heard: the evening before, and once more shortly
// before it. What is looked at is not its business.

extension Schedule {
  /// How long before a ring: that of the morning is looked at while the user is still up, and
  /// whatever became of it since while there is still time to mend it.
  static let looksAhead: [Duration] = [.hours(12), .hours(1)]
  /// What rings sooner than this proves itself.
  static let tooLateToLook: Duration = .minutes(1)

  /// When to look ahead of an alarm, `now` if it is time; nil: not before it rings. Who sets a timer
  /// is awake. `last` is when that was done last, or when something was last heard, which is as good.
  public func nextLook(after last: Instant?, at now: Now) -> Instant? {
    guard now.wall.isPlausible, let start = nextEntry?.nextStart else { return nil }
    // A clock that was set back knows of no look.
    let last = last.flatMap { $0 <= now.wall ? $0 : nil }
    let moments = Self.looksAhead.map { start - $0 }
    guard let moment = moments.first(where: { last ?? .distantPast < $0 }) else {
      return nil
    }
    let look = max(moment, now.wall)
    return look <= start - Self.tooLateToLook ? look : nil
  }
}
