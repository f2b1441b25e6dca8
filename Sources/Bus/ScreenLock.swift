// SPDX-License-Identifier: GPL-3.0-or-later
//
// When the screen of the session is locked or blank, and when it is back (`org.gnome.ScreenSaver`,
// which GNOME Shell has on a name of its own). Either way GNOME Shell has put the banners away by
// then.

import System

public enum ScreenLock {
  private static let peer = Bus.Peer(
    "org.gnome.Shell.ScreenShield", path: "/org/gnome/ScreenSaver",
    interface: "org.gnome.ScreenSaver")

  /// Calls `changed` whenever the screen goes or is back, until the result is released.
  public static func watch(on bus: Bus, _ changed: @escaping () -> Void) -> Bus.Subscription {
    bus.listen(to: peer, "ActiveChanged") { _ in changed() }
  }
}
