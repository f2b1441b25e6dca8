// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's login manager, `org.freedesktop.login1`, so far as it concerns sleep: what it is about
// to do to the machine, and locks that keep it from that. It may be absent, come late or refuse;
// then nothing is told and nothing is locked. See systemd-inhibit(1) and logind's D-Bus interface.

import System

public final class Login {
  public nonisolated enum Event: Sendable, Equatable {
    /// It is there, now or again; locks held until then may be gone.
    case appeared
    /// The machine is going to sleep as soon as nobody delays it, in five seconds at most.
    case sleepBegins
    /// The machine is awake again, or could not sleep.
    case sleepEnded
    case shutdownBegins
    /// It will not be shut down after all.
    case shutdownEnded
  }

  public nonisolated enum Mode: String, Sendable {
    /// It waits a little until the lock is released.
    case delay
    /// It does not happen while the lock is held, unless the user insists.
    case block
  }

  private static let peer = Bus.Peer(
    "org.freedesktop.login1", interface: "org.freedesktop.login1.Manager")

  private let bus: Bus
  private var subscriptions: [Bus.Subscription] = []

  public init(on bus: Bus, _ onEvent: @escaping (Event) -> Void) {
    self.bus = bus
    func tell(_ signal: String, _ begins: Event, _ ended: Event) -> Bus.Subscription {
      bus.listen(to: Self.peer, signal) { values in
        if let isBeginning = values.first?.boolean { onEvent(isBeginning ? begins : ended) }
      }
    }
    subscriptions = [
      tell("PrepareForSleep", .sleepBegins, .sleepEnded),
      tell("PrepareForShutdown", .shutdownBegins, .shutdownEnded),
      bus.watch(Self.peer.name) { isThere in if isThere { onEvent(.appeared) } },
    ]
  }

  /// Locks `whats`, each such as `sleep:idle`, for as long as the result lives (`Inhibit`). The
  /// later ones are tried where an earlier one is refused. `why` is shown to the user.
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
    bus.ask(Self.peer, "Inhibit", arguments) { [weak self, weak inhibition] answer in
      switch answer {
      // Released by now, it closes with the reply.
      case .success(let reply): inhibition?.descriptor = reply.descriptor
      case .failure(let error):
        Log.debug("\(mode.rawValue) lock on \(what): \(error)")
        guard let self, let inhibition else { return }
        attempt(whats.dropFirst(), mode, why, for: inhibition)
      }
    }
  }
}

/// A lock on something that the login manager would do; released with this.
public final class Inhibition {
  fileprivate var descriptor: OpenDescriptor?
}

extension Login {
  /// What closing the lid does, such as `suspend` or `ignore`; nil where nobody says.
  public static func lidAction(on bus: Bus, _ done: @escaping (String?) -> Void) {
    bus.property("HandleLidSwitch", of: peer) { done($0?.string) }
  }
}
