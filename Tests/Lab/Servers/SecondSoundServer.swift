// SPDX-License-Identifier: GPL-3.0-or-later
//
// A second sound server that tests may kill and hang. It plays through the Lab's own, which is
// recorded. Next: `Servers.swift` for the Lab's own.

import Foundation

/// A second PulseAudio, with ALSA's devices `second`, with a mixer, and `idle`. It is killed with
/// its last reference.
public final class SecondSoundServer {
  private let lab: Lab
  private let socket: String
  private let program: Program

  private static func socket(in folder: URL) -> String {
    folder.appendingPathComponent("second").path
  }

  /// Returns its part of ALSA's configuration, which is there whether or not it runs.
  static func devices(in folder: URL) -> String {
    let server = "type pulse server \"unix:\(socket(in: folder))\""
    return [("pcm", name), ("ctl", name), ("pcm", idle)].map { kind, card in
      "\(kind).\(card) { \(server) device \"\(card)\" }"
    }.joined(separator: "\n")
  }

  /// Starts it, with its card. This Lab must have been made with `.sound`.
  ///
  /// - Parameter hasIdleCard: add a card that plays to no one; streams of an unplugged card move to
  ///   it.
  public init(_ lab: Lab, hasIdleCard: Bool = false) throws {
    self.lab = lab
    socket = Self.socket(in: lab.folder)
    try? FileManager.default.removeItem(atPath: socket)  // of the one before, if there was one
    program = try lab.start(
      "pulseaudio",
      arguments: [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no",
        "--load=module-tunnel-sink \(Self.card(lab))",
      ] + (hasIdleCard ? ["--load=module-null-sink sink_name=\(Self.idle)"] : []) + [
        // Last, so that the socket appears when the cards are there.
        "--load=module-native-protocol-unix auth-anonymous=1 socket=\(socket)"
      ],
      // The bus belongs to the first server: a second one ends if its bus name is taken.
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    try Lab.waitForFile(socket, of: program)
  }

  deinit { program.kill() }

  private static let name = "second"
  /// A card that plays to no one. Until it is used, it is two seconds ahead.
  private static let idle = "idle"

  private static func card(_ lab: Lab) -> String {
    "server=\(lab.environment["PULSE_SERVER"] ?? "") sink_name=\(name)"
  }

  /// Stops it like a hung program.
  public func hang() { program.suspend() }
  public func goOn() { program.resume() }
}
