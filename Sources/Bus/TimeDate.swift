// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's clock settings, `org.freedesktop.timedate1`: tells when the machine's zone is another.
// It is started by nobody here: who sets the zone through it has it running.

import System

public final class TimeDate {
  private var subscription: Bus.Subscription?

  public init(on bus: Bus, onZone: @escaping () -> Void) {
    let peer = Bus.Peer(
      name: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1",
      interface: "org.freedesktop.DBus.Properties")
    // The values: the interface, what its properties are now, and which others are not as before.
    subscription = bus.listen(to: peer, "PropertiesChanged") { values in
      guard values.count == 3 else { return }
      let isTold = values[1]["Timezone"] != nil
      if isTold || values[2].strings?.contains("Timezone") == true { onZone() }
    }
  }
}
