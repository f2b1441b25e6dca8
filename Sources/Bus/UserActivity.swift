// SPDX-License-Identifier: GPL-3.0-or-later
//
// When keyboard or pointer were last used, by whoever of the desktop knows: GNOME's idle monitor,
// the screen saver of Plasma and others, the login manager's hint. Nobody is started for this.
// Compositors that tell their own clients alone (ext-idle-notify) are not asked, for Belfry has no
// connection to one.

import Scheduling
import System

/// One look, for as long as this is held.
public final class UserActivity {
  private static let monitor = Bus.Peer(
    "org.gnome.Mutter.IdleMonitor", path: "/org/gnome/Mutter/IdleMonitor/Core")
  private static let savers = ["/org/freedesktop/ScreenSaver", "/ScreenSaver"].map {
    Bus.Peer("org.freedesktop.ScreenSaver", path: $0)
  }
  private static let session = Bus.Peer(
    "org.freedesktop.login1", path: "/org/freedesktop/login1/session/auto",
    interface: "org.freedesktop.login1.Session")
  private static let patience: Duration = .seconds(2)

  private let bus: Bus
  private let system: Bus?
  private let done: (Instant?) -> Void
  private var second: Source?

  /// Calls `done` with the moment, by the wall clock as it is now, or nil where nobody can tell.
  public init(on bus: Bus, system: Bus?, _ done: @escaping (Instant?) -> Void) {
    (self.bus, self.system, self.done) = (bus, system, done)
    ask(Self.monitor, "GetIdletime") { [weak self] answer in
      guard let self else { return }
      // In milliseconds.
      if let idle = answer?.int64 { tell(idle: .milliseconds(idle)) } else { ask(Self.savers[...]) }
    }
  }

  private func ask(_ peer: Bus.Peer, _ member: String, _ done: @escaping (Variant?) -> Void) {
    bus.ask(peer, member, timeout: Self.patience) { done($0.value) }
  }

  private func tell(idle: Duration) { done(Clock.now().wall - max(.zero, idle)) }

  private func ask(_ savers: ArraySlice<Bus.Peer>) {
    guard let saver = savers.first else { return askSession() }
    ask(saver, "GetSessionIdleTime") { [weak self] answer in
      guard let self else { return }
      // Where nobody counts, as in Plasma's session on Wayland, it is always 0.
      switch answer?.uint32 {
      case nil: ask(savers.dropFirst())
      case 0: askSession()
      case let first?:
        second = MainLoop.after(.seconds(1)) { [weak self] in self?.ask(saver, again: first) }
      }
    }
  }

  /// Plasma's counts milliseconds, others' seconds: what it counts in a second tells.
  private func ask(_ saver: Bus.Peer, again first: UInt32) {
    ask(saver, "GetSessionIdleTime") { [weak self] answer in
      guard let self else { return }
      guard let value = answer?.uint32 else { return askSession() }
      if value < first { return tell(idle: .zero) }
      let isInSeconds = (1...10).contains(value - first)
      // Whole ones: it may be nearly one more.
      tell(idle: isInSeconds ? .seconds(Int64(value) + 1) : .milliseconds(Int64(value)))
    }
  }

  /// That the hint is gone since a moment is news of that moment; nothing else of it tells of any.
  private func askSession() {
    guard let system else { return done(nil) }
    system.property("IdleHint", of: Self.session) { [weak self] isIdle in
      guard let self else { return }
      guard isIdle?.boolean == false else { return done(nil) }
      system.property("IdleSinceHint", of: Self.session) { [weak self] since in
        self?.done(since?.int64.map { Instant(microseconds: $0) })
      }
    }
  }
}
