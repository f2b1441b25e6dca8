// SPDX-License-Identifier: GPL-3.0-or-later
//
// The next moments for which the agent waits: one on the wall clock, for alarms, and one on the
// boot clock, for timers. The agent arms one kernel timer for each of the two clocks.

public struct Deadline: Hashable, Sendable {
  public var wall: Instant?
  /// The moment on the boot clock, as a reading of `CLOCK_BOOTTIME`.
  public var boot: Duration?

  public init(wall: Instant? = nil, boot: Duration? = nil) { (self.wall, self.boot) = (wall, boot) }

  mutating func consider(wall moment: Instant) { wall = min(wall ?? moment, moment) }
  mutating func consider(boot moment: Duration) { boot = min(boot ?? moment, moment) }
  mutating func consider(_ other: Deadline) {
    if let moment = other.wall { consider(wall: moment) }
    if let moment = other.boot { consider(boot: moment) }
  }
}
