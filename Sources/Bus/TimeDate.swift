// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's clock settings, `org.freedesktop.timedate1`: whether the machine's clock is
// synchronised.

import Scheduling
import System

public enum TimeDate {
  private static let peer = Bus.Peer("org.freedesktop.timedate1")

  /// Finds out whether a time server or another clock keeps the wall clock right. Starts the
  /// service for this; if that is not possible, uses what the kernel reports.
  public static func isSynchronised(on bus: Bus?, _ done: @escaping (Bool) -> Void) {
    let kernel = Clock.now().isSynchronized
    guard let bus else { return done(kernel) }
    bus.property("NTPSynchronized", of: peer, starting: true, timeout: .seconds(3)) { value in
      done(value?.boolean ?? kernel)
    }
  }
}
