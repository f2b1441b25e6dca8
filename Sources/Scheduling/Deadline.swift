// SPDX-License-Identifier: GPL-3.0-or-later
//
// The next moments to wait for: one on the wall clock, which alarms go by, and one on the boot
// clock, which timers go by. So the agent needs one armed kernel timer for each of the two clocks.
// The agent arms them.

public struct Deadline: Hashable, Sendable {
  public var wall: Instant?
  /// A reading of `CLOCK_BOOTTIME`.
  public var boot: Duration?

  public init(wall: Instant? = nil, boot: Duration? = nil) { (self.wall, self.boot) = (wall, boot) }

  mutating func consider(wall moment: Instant) { wall = min(wall ?? moment, moment) }
  mutating func consider(boot moment: Duration) { boot = min(boot ?? moment, moment) }
  mutating func consider(_ other: Deadline) {
    if let moment = other.wall { consider(wall: moment) }
    if let moment = other.boot { consider(boot: moment) }
  }
}
