// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports when the session's screen is locked or blanked, and when it is in use again
// (`org.gnome.ScreenSaver`, which GNOME Shell offers under a name of its own). GNOME Shell removes
// the notification banners before each of these reports.

import System

public enum ScreenLock {
  private static let peer = Bus.Peer(
    "org.gnome.Shell.ScreenShield", path: "/org/gnome/ScreenSaver",
    interface: "org.gnome.ScreenSaver")

  /// Calls `changed` whenever the screen is locked, blanked or in use again, until the result is
  /// released.
  public static func watch(on bus: Bus, _ changed: @escaping () -> Void) -> Bus.Subscription {
    bus.listen(to: peer, "ActiveChanged") { _ in changed() }
  }
}
