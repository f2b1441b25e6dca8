// SPDX-License-Identifier: GPL-3.0-or-later
//
// The media players of the session (MPRIS): pauses players that are playing, and resumes them
// later. Never waits for a player, and never starts one. If the user has started or stopped a
// player in the meantime, it is left alone. See the MPRIS D-Bus Interface Specification 2.2.

import Scheduling
import System

public final class MediaPlayers {
  private static let prefix = "org.mpris.MediaPlayer2."
  public static let path = "/org/mpris/MediaPlayer2"
  public static let interface = "org.mpris.MediaPlayer2.Player"
  /// The bus name of Belfry's own media player, which is on the bus while something is ringing.
  public static let own = prefix + "belfry"
  /// A proxy that passes calls on to the player that was active last. The proxy is left out,
  /// because the player behind it is on the bus too. Its signal `ActivePlayerChangeEnd` has the
  /// name of the player that calls go to from then on.
  public static let playerctld = Bus.Peer(
    prefix + "playerctld", path: path, interface: "com.github.altdesktop.playerctld")
  /// How long to wait for an answer, as long as D-Bus waits by default. A player that does not
  /// answer is left alone.
  private static let patience = Duration.seconds(25)

  private let bus: Bus
  private var isPausing = false
  private var paused: [String: Bus.Subscription] = [:]
  /// Called whenever a player that this object has paused reports a change.
  public var onChange: (() -> Void)?

  public init(on bus: Bus) { self.bus = bus }

  /// Pauses every player that is playing. Does nothing if they have been paused already.
  public func pause() {
    guard !isPausing else { return }
    isPausing = true
    forEachPlaying { $0.pause($1) }
  }

  /// Pauses every player that is playing. Afterwards, `resume` resumes neither these players nor
  /// any player that `pause` had paused before.
  public func pauseForGood() {
    paused = [:]
    forEachPlaying { $0.send("Pause", to: $1) }
  }

  private func forEachPlaying(_ act: @escaping (MediaPlayers, _ name: String) -> Void) {
    bus.ask(.daemon, "ListNames", gives: "as", timeout: Self.patience) { [weak self] answer in
      for name in answer.value?.strings ?? [] where name.hasPrefix(Self.prefix) {
        guard name != Self.playerctld.name, name != Self.own else { continue }
        self?.askStatus(of: name) { status in
          if let self, status == "Playing" { act(self, name) }
        }
      }
    }
  }

  /// Resumes each player that this object has paused and that is still paused.
  public func resume() {
    isPausing = false
    let names = paused.keys
    paused = [:]
    for name in names {
      askStatus(of: name) { [weak self] status in
        if status == "Paused" { self?.send("Play", to: name) }
      }
    }
  }

  /// Resumes the players that this object has paused, without asking for their state. Use this at
  /// the end of the program, when no answers arrive any more, and call `Bus.flush` afterwards to
  /// send the messages.
  public func resumeBlindly() {
    for name in paused.keys { send("Play", to: name) }
    paused = [:]
  }

  private func pause(_ name: String) {
    guard isPausing else { return }
    // Remember the player before the call, so that `resume` also covers a player whose pause has
    // been requested but not yet confirmed.
    paused[name] = bus.listen(
      to: peer(name).properties, "PropertiesChanged", carries: nil
    ) { [weak self] _ in self?.onChange?() }
    send("Pause", to: name) { [weak self] answer in
      switch answer {
      case .success: Log.info("paused \(name.dropFirst(Self.prefix.count))")
      case .failure: self?.paused[name] = nil
      }
    }
  }

  private func askStatus(of name: String, _ done: @escaping (String?) -> Void) {
    bus.property("PlaybackStatus", of: peer(name), timeout: Self.patience) { done($0?.string) }
  }

  private func send(
    _ member: String, to name: String,
    _ done: @escaping (Result<Bus.Reply, BusError>) -> Void = { _ in }
  ) {
    bus.ask(peer(name), member, gives: nil, timeout: Self.patience, done)
  }

  private func peer(_ name: String) -> Bus.Peer {
    Bus.Peer(name, path: Self.path, interface: Self.interface)
  }
}
