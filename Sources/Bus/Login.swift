// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's login manager, `org.freedesktop.login1`, as far as sleep and shutdown are concerned.
// Reports when sleep or shutdown begins or ends, and holds locks that delay or prevent them. If the
// manager is absent, starts late or refuses, there are no events and no locks. See
// systemd-inhibit(1) and the manager's D-Bus interface.

import System

public final class Login {
  public nonisolated enum Event: Sendable, Equatable {
    /// The login manager is running, perhaps after a restart: locks taken earlier may be gone.
    case appeared
    /// The machine is about to sleep. It sleeps as soon as no lock delays it, or after
    /// `InhibitDelayMaxSec` in logind.conf(5), which is five seconds by default.
    case sleepBegins
    /// The machine is awake again, or could not go to sleep.
    case sleepEnded
    case shutdownBegins
    case shutdownEnded
  }

  public nonisolated enum Mode: String, Sendable {
    /// Sleep or shutdown waits a little for the release of this lock.
    case delay
    /// Sleep or shutdown does not happen while the lock is held, unless the user insists.
    case block
  }

  public static let peer = Bus.Peer(
    "org.freedesktop.login1", interface: "org.freedesktop.login1.Manager")

  /// The session of the user who runs this program.
  static let session = Bus.Peer(
    peer.name, path: "/org/freedesktop/login1/session/auto",
    interface: "org.freedesktop.login1.Session")

  private let bus: Bus
  private var subscriptions: [Bus.Subscription] = []

  public init(on bus: Bus, _ onEvent: @escaping (Event) -> Void) {
    self.bus = bus
    func listen(_ signal: String, _ begins: Event, _ ended: Event) -> Bus.Subscription {
      bus.listen(to: Self.peer, signal, carries: "b") { values in
        if let isBeginning = values.first?.boolean { onEvent(isBeginning ? begins : ended) }
      }
    }
    subscriptions = [
      listen("PrepareForSleep", .sleepBegins, .sleepEnded),
      listen("PrepareForShutdown", .shutdownBegins, .shutdownEnded),
      bus.watch(Self.peer.name) { owner in if owner != nil { onEvent(.appeared) } },
    ]
  }

  /// Takes a lock on the first of `whats` that the login manager does not refuse (`Inhibit`). Each
  /// of `whats` is a list of what the lock affects, such as `sleep:idle`. The lock is held as long
  /// as the result lives. The login manager shows the reason `why` to users.
  public func inhibit(_ whats: String..., mode: Mode, why: String) -> Inhibition {
    let inhibition = Inhibition()
    attempt(whats[...], mode, why, for: inhibition)
    return inhibition
  }

  private func attempt(
    _ whats: ArraySlice<String>, _ mode: Mode, _ why: String, for inhibition: Inhibition
  ) {
    guard let what = whats.first else { return }
    let arguments = [what, "Belfry", why, mode.rawValue].map(Variant.string)
    bus.ask(Self.peer, "Inhibit", arguments, gives: "h") { [weak self, weak inhibition] answer in
      switch answer {
      // The lock is held through a file descriptor. If the caller has released `inhibition` by now,
      // the descriptor is closed along with the reply.
      case .success(let reply): inhibition?.descriptor = reply.descriptor
      case .failure(let error):
        Log.debug("\(mode.rawValue) lock on \(what): \(error)")
        guard let self, let inhibition else { return }
        attempt(whats.dropFirst(), mode, why, for: inhibition)
      }
    }
  }
}

/// A lock on an action of the login manager. Releasing this object releases the lock.
public final class Inhibition {
  fileprivate var descriptor: OpenDescriptor?
}
