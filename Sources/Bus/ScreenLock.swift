// SPDX-License-Identifier: GPL-3.0-or-later
//
// When the screen of the session is back after it was blank or locked: GNOME Shell has put banners away
// by then (`org.gnome.ScreenSaver`, which it has on a name of its own).

import System

public enum ScreenLock {
  private static let peer = Bus.Peer(
    "org.gnome.Shell.ScreenShield", path: "/org/gnome/ScreenSaver",
    interface: "org.gnome.ScreenSaver")

  /// Calls `back` whenever the screen is back, until the result is released.
  public static func whenOver(on bus: Bus, _ back: @escaping () -> Void) -> Bus.Subscription {
    bus.listen(to: peer, "ActiveChanged") { values in
      if values.first?.boolean == false { back() }
    }
  }
}
