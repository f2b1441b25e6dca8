// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's clock settings, `org.freedesktop.timedate1`: reports a change of the machine's time
// zone, and whether the machine's clock is synchronised.

import Scheduling
import System

public enum TimeDate {
  private static let peer = Bus.Peer("org.freedesktop.timedate1")

  /// Calls `done` whenever the zone changes, until the result is released. Does not start the
  /// service: a program that sets the zone through the service has already started it.
  public static func whenZoneChanges(
    on bus: Bus, _ done: @escaping () -> Void
  ) -> Bus.Subscription {
    // The signal's values: the interface, the new values, and names of other properties that
    // changed.
    return bus.listen(to: peer.properties, "PropertiesChanged") { values in
      guard values.count == 3 else { return }
      let isNew = values[1]["Timezone"] != nil
      if isNew || values[2].strings?.contains("Timezone") == true { done() }
    }
  }

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
