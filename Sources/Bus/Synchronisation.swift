// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the wall clock is kept right by another one, as systemd's clock settings tell it or, where
// there are none, the kernel itself.

import Scheduling
import System

extension TimeDate {
  /// Asks `org.freedesktop.timedate1`, which is started for this, and else the kernel.
  public static func isSynchronised(on bus: Bus?, _ done: @escaping (Bool) -> Void) {
    let kernel = Clock.now().isSynchronized
    guard let bus else { return done(kernel) }
    let peer = Bus.Peer(
      name: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1",
      interface: "org.freedesktop.timedate1")
    bus.property("NTPSynchronized", of: peer, starting: true, timeout: .seconds(3)) { value in
      done(value?.boolean ?? kernel)
    }
  }
}

extension Bus {
  /// Asks for a property; nil where there is no answer within `timeout`.
  public func property(
    _ name: String, of peer: Peer, starting: Bool = false, timeout: Duration = .seconds(2),
    _ done: @escaping (Variant?) -> Void
  ) {
    var properties = peer
    properties.interface = "org.freedesktop.DBus.Properties"
    ask(
      properties, "Get", [.string(peer.interface), .string(name)], starting: starting,
      timeout: timeout
    ) { answer in
      done((try? answer.get())?.values.first)
    }
  }
}
