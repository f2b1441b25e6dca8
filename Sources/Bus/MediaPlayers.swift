// SPDX-License-Identifier: GPL-3.0-or-later
//
// The media players of the session, by MPRIS: those that play are paused, and later play again. It
// waits for none of them, starts none, and leaves alone whatever a person has changed since. See
// the MPRIS D-Bus Interface Specification 2.2.

import Scheduling
import System

public final class MediaPlayers {
  private static let prefix = "org.mpris.MediaPlayer2."
  public static let path = "/org/mpris/MediaPlayer2"
  public static let interface = "org.mpris.MediaPlayer2.Player"
  /// Belfry's own name among them, while it rings.
  public static let own = prefix + "belfry"
  /// Passes on to some other player, which is on the bus itself.
  private static let proxy = prefix + "playerctld"
  /// One that does not answer is left alone.
  private static let patience = Duration.seconds(5)

  private let bus: Bus
  private var isPausing = false
  /// The names of those that were told to pause, and who is told what they do then.
  private var paused: [String: Bus.Subscription] = [:]
  /// Called whenever one that was paused here says that something of it is other than before.
  public var onChange: (() -> Void)?

  public init(on bus: Bus) { self.bus = bus }

  /// Pauses every player that plays now; nothing where that has been asked for already.
  public func pause() {
    guard !isPausing else { return }
    isPausing = true
    bus.ask(.daemon, "ListNames", timeout: Self.patience) { [weak self] answer in
      guard case .success(let reply) = answer else { return }
      for name in reply.values.first?.strings ?? [] where name.hasPrefix(Self.prefix) {
        if name != Self.proxy, name != Self.own { self?.pause(name) }
      }
    }
  }

  /// Lets those that were paused here, and are still, play on.
  public func resume() {
    isPausing = false
    let names = paused.keys
    paused = [:]
    for name in names {
      askStatus(of: name) { [weak self] status in
        if status == "Paused" { self?.tell(name, "Play") { _ in } }
      }
    }
  }

  /// For the end of the program, which hears of no answer any more: lets those that were paused
  /// here play on, whatever became of them since. To be sent, it needs `Bus.flush`.
  public func resumeBlindly() {
    for name in paused.keys { tell(name, "Play") { _ in } }
    paused = [:]
  }

  private func pause(_ name: String) {
    askStatus(of: name) { [weak self] status in
      guard let self, isPausing, status == "Playing" else { return }
      // Noted before it is done: it is to play again even if that is asked for meanwhile.
      paused[name] = bus.listen(to: peer(name).properties, "PropertiesChanged") { [weak self] _ in
        self?.onChange?()
      }
      tell(name, "Pause") { [weak self] isDone in
        if isDone { Log.info("paused \(name.dropFirst(Self.prefix.count))") }
        if !isDone { self?.paused[name] = nil }
      }
    }
  }

  private func askStatus(of name: String, _ done: @escaping (String?) -> Void) {
    bus.property("PlaybackStatus", of: peer(name), timeout: Self.patience) { done($0?.string) }
  }

  private func tell(_ name: String, _ member: String, _ done: @escaping (Bool) -> Void) {
    bus.ask(peer(name), member, timeout: Self.patience) {
      if case .success = $0 { done(true) } else { done(false) }
    }
  }

  private func peer(_ name: String) -> Bus.Peer {
    Bus.Peer(name, path: Self.path, interface: Self.interface)
  }
}
