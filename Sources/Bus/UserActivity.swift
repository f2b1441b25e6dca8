// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out when the user last used the keyboard or pointer. The answer comes from GNOME's idle
// monitor, from the screen saver of Plasma and other desktops, or from the login manager's idle
// hint. None of these services is started for this. Compositors that inform only their own clients
// (ext-idle-notify) are not asked, because Belfry has no connection to a compositor.

import Scheduling
import System

/// One request for the time of the user's last activity. Releasing this object cancels the request.
public final class UserActivity {
  private static let monitor = Bus.Peer(
    "org.gnome.Mutter.IdleMonitor", path: "/org/gnome/Mutter/IdleMonitor/Core")
  private static let savers = ["/org/freedesktop/ScreenSaver", "/ScreenSaver"].map {
    Bus.Peer("org.freedesktop.ScreenSaver", path: $0)
  }
  private static let patience: Duration = .seconds(2)

  private let bus: Bus
  private let system: Bus?
  private let done: (Instant?) -> Void

  /// Calls `done` with the wall-clock time of the user's last activity, or with nil if that time
  /// cannot be determined.
  public init(on bus: Bus, system: Bus?, _ done: @escaping (Instant?) -> Void) {
    (self.bus, self.system, self.done) = (bus, system, done)
    ask(Self.monitor, "GetIdletime", "t") { [weak self] answer in
      guard let self else { return }
      // GNOME's idle monitor answers in milliseconds.
      guard let idle = answer?.int64 else { return ask(Self.savers[...]) }
      report(idle: .milliseconds(idle))
    }
  }

  private func ask(
    _ peer: Bus.Peer, _ member: String, _ type: String, _ done: @escaping (Variant?) -> Void
  ) {
    bus.ask(peer, member, gives: type, timeout: Self.patience) { done($0.value) }
  }

  private func report(idle: Duration) { done(Clock.now().wall - max(.zero, idle)) }

  private func ask(_ savers: ArraySlice<Bus.Peer>) {
    guard let saver = savers.first else { return askSession() }
    ask(saver, "GetSessionIdleTime", "u") { [weak self] answer in
      guard let self else { return }
      // If the idle time is not measured, as in Plasma's session on Wayland, it is always 0.
      switch answer?.uint32 {
      case nil: ask(savers.dropFirst())
      case 0: askSession()
      // Plasma's screen saver counts milliseconds. Others count whole seconds, so the true time may
      // be almost a second longer.
      case let idle? where Environment.isInPlasma: report(idle: .milliseconds(Int64(idle)))
      case let idle?: report(idle: .seconds(Int64(idle) + 1))
      }
    }
  }

  /// Asks the login manager for its idle hint. The hint helps only if it says that the user is
  /// active. `IdleSinceHint` is then the time at which the user became active.
  private func askSession() {
    guard let system else { return done(nil) }
    system.property("IdleHint", of: Login.session) { [weak self] isIdle in
      guard let self else { return }
      guard isIdle?.boolean == false else { return done(nil) }
      system.property("IdleSinceHint", of: Login.session) { [weak self] since in
        self?.done(since?.int64.map { Instant(microseconds: $0) })
      }
    }
  }
}
