// SPDX-License-Identifier: GPL-3.0-or-later
//
// The next moments for which the agent waits: one on the wall clock, for alarms, and one on the
// boot clock, for timers. The agent arms one kernel timer for each of the two clocks.

public struct Deadline: Hashable, Sendable {
  public var wall: Instant?
  /// The moment on the boot clock, as a reading of `CLOCK_BOOTTIME`.
  public var boot: Duration?

  public init(wall: Instant? = nil, boot: Duration? = nil) { (self.wall, self.boot) = (wall, boot) }

  mutating func consider(wall: Instant? = nil, boot: Duration? = nil) {
    self.wall = [self.wall, wall].compactMap(\.self).min()
    self.boot = [self.boot, boot].compactMap(\.self).min()
  }
}
