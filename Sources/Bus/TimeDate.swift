// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's clock settings, `org.freedesktop.timedate1`: when the machine's zone is another, and
// whether its clock is kept right.

import Scheduling
import System

public enum TimeDate {
  private static let peer = Bus.Peer("org.freedesktop.timedate1")

  /// Calls `done` whenever the zone is another, until the result is released. Nobody is started for
  /// this: who sets the zone there has it running.
  public static func whenZoneChanges(
    on bus: Bus, _ done: @escaping () -> Void
  ) -> Bus.Subscription {
    // The values: the interface, what its properties are now, and which others are not as before.
    return bus.listen(to: peer.properties, "PropertiesChanged") { values in
      guard values.count == 3 else { return }
      let isTold = values[1]["Timezone"] != nil
      if isTold || values[2].strings?.contains("Timezone") == true { done() }
    }
  }

  /// Whether the wall clock is kept right by another one. The service is started for this; where it
  /// is not, the kernel tells.
  public static func isSynchronised(on bus: Bus?, _ done: @escaping (Bool) -> Void) {
    let kernel = Clock.now().isSynchronized
    guard let bus else { return done(kernel) }
    bus.property("NTPSynchronized", of: peer, starting: true, timeout: .seconds(3)) { value in
      done(value?.boolean ?? kernel)
    }
  }
}
