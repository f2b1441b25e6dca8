// SPDX-License-Identifier: GPL-3.0-or-later
//
// A moment on the boot clock, which nobody sets, and what becomes of it when the machine starts
// anew: then it goes by the wall clock, as soon as that can be believed. Next: `Timer.swift`.

public struct BootMoment: Hashable, Sendable {
  /// What `CLOCK_BOOTTIME` shows then, in the start of the machine that was last seen. Less than
  /// zero for what was before it.
  public var reading: Duration
  /// Set where nothing told yet how long the machine was off: what the wall clock would have shown
  /// at its start, had no time gone by until it was first looked at.
  public var startAsIf: Instant?

  public init(_ reading: Duration, startAsIf: Instant? = nil) {
    (self.reading, self.startAsIf) = (reading, startAsIf)
  }

  /// The machine has started anew between `last` and `now`. Where the wall clock was not set at that
  /// time, nobody will ever know for how long it was off.
  mutating func reboot(after last: Now, at now: Now) {
    reading += now.boot - last.boot
    let start = startAsIf.map { $0 + last.boot } ?? (last.wall.isPlausible ? last.wall : nil)
    startAsIf = start.map { $0 - now.boot }
  }

  /// The same moment, the time that went by meanwhile taken for what the wall clock says: less than
  /// none it was not. Nil where there is nothing to reckon, or nothing to reckon with.
  func reckoned(at now: Now) -> BootMoment? {
    guard let start = startAsIf, now.wall.isPlausible else { return nil }
    return BootMoment(reading - max(.zero, (now.wall - now.boot) - start))
  }
}
