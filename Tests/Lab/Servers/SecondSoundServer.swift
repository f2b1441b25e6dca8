// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts a second sound server, which tests may kill and suspend. It plays through the Lab's own
// sound server, which is recorded. Next: `Servers.swift`, which starts the Lab's own sound server.

import Foundation

/// A second PulseAudio server. ALSA reaches it by the devices `second`, which has a mixer, and
/// `idle`. The server is killed when the last reference to this object is gone.
public final class SecondSoundServer {
  private let lab: Lab
  private let socket: String
  private let program: Program

  private static func socket(in folder: URL) -> String {
    folder.appendingPathComponent("second").path
  }

  /// Returns the entries for the second server in ALSA's configuration. They exist even if the
  /// server does not.
  static func devices(in folder: URL) -> String {
    let server = "type pulse server \"unix:\(socket(in: folder))\""
    return [("pcm", name), ("ctl", name), ("pcm", idle)].map { kind, card in
      "\(kind).\(card) { \(server) device \"\(card)\" }"
    }.joined(separator: "\n")
  }

  /// Starts the second server, with its card. The Lab must have been made with `.sound`.
  ///
  /// - Parameter hasIdleCard: whether to add a card that no one hears. Streams of an unplugged card
  ///   move to it.
  public init(_ lab: Lab, hasIdleCard: Bool = false) throws {
    self.lab = lab
    socket = Self.socket(in: lab.folder)
    try? FileManager.default.removeItem(atPath: socket)  // A killed server leaves its socket.
    program = try lab.start(
      "pulseaudio",
      arguments: [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no",
        "--load=module-tunnel-sink \(Self.card(lab))",
      ] + (hasIdleCard ? ["--load=module-null-sink sink_name=\(Self.idle)"] : []) + [
        // Load this module last, so that the socket appears only when the cards exist.
        "--load=module-native-protocol-unix auth-anonymous=1 socket=\(socket)"
      ],
      // Hide the bus from the second server. The first server has PulseAudio's name on the bus, and
      // a server that cannot have this name ends.
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    try Lab.waitForFile(socket, of: program)
    // The card is a tunnel to the first server, and takes its volume from there. Only after that
    // does PulseAudio set this property.
    try Lab.wait(for: "the second server's card", seen: program.errors) {
      try lab.run("pactl", "list", "sinks", environment: ["PULSE_SERVER": "unix:\(socket)"])
        .output.contains("tunnel.remote.description")
    }
  }

  deinit { program.kill() }

  private static let name = "second"
  /// The name of a card that no one hears. Until the card is used, PulseAudio renders its sound two
  /// seconds ahead.
  private static let idle = "idle"

  private static func card(_ lab: Lab) -> String {
    "server=\(lab.environment["PULSE_SERVER"] ?? "") sink_name=\(name)"
  }

  /// Suspends the second server, so that it does not answer, like a program that hangs.
  public func hang() { program.suspend() }
  public func goOn() { program.resume() }
}
