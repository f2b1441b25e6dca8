// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports that a sound server has started or a sound card was plugged in, so that an earlier check
// of the sound may be out of date. Nothing is polled, and no server is called: see
// `FileWatch.swift` in System. Whether a sound would be heard, `SoundCheck.swift` finds out.

import System

/// Watches the sockets of sound servers and the folder of sound cards as long as this object lives.
@MainActor public final class SoundArrivals {
  private let watches: [FileWatch]

  /// `onArrival` is called about a second after a server has made its socket, and may be called
  /// several times for one server. It is also called when a server or a card disappears.
  public init(_ onArrival: @escaping () -> Void) {
    let pipeWire = Environment.value("XDG_RUNTIME_DIR").map { $0 + "/pipewire-0" }
    let paths = [PulseServer.usualSocket, pipeWire, "/dev/snd"]
    // A path that cannot be watched is left out: the user can still ask for another check.
    watches = paths.compactMap(\.self).compactMap {
      try? FileWatch(path: $0, isWritten: false, onChange: onArrival)
    }
  }
}
