// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is waited for: a moment on the wall clock, by which alarms go, and one on the boot clock, by
// which timers run. So one armed timer for each clock is enough. Who arms them is elsewhere.

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

  /// The earlier of the two, by the wall clock as it is now.
  public func earliest(at now: Now) -> Instant? {
    let running = boot.map { now.wall + ($0 - now.boot) }
    return wall.map { min($0, running ?? $0) } ?? running
  }
}
