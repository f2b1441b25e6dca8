// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sound server that tests may kill and hang. What it plays goes to the
// Lab's own, where it is recorded. Next: `Servers.swift` for the Lab's own.

import Foundation

/// A second PulseAudio, ALSA's devices `second`, with a mixer, and `idle`. Released, it is killed.
public final class SecondSoundServer {
  private let lab: Lab
  private let socket: String
  private let program: Program

  private static func socket(in folder: URL) -> String {
    folder.appendingPathComponent("second").path
  }

  /// What ALSA's configuration has of it, whether or not it runs.
  static func devices(in folder: URL) -> String {
    let server = "type pulse server \"unix:\(socket(in: folder))\""
    return [("pcm", name), ("ctl", name), ("pcm", idle)].map { kind, card in
      "\(kind).\(card) { \(server) device \"\(card)\" }"
    }.joined(separator: "\n")
  }

  /// Starts it, with its card. This Lab must have been made with `.sound`.
  ///
  /// - Parameter hasIdleCard: what plays on a card that is unplugged goes to the other one then.
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
        // Last, so that the socket is there only when the cards are.
        "--load=module-native-protocol-unix auth-anonymous=1 socket=\(socket)"
      ],
      // The bus is the first server's: a second one gives up at its name.
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    try Lab.waitForFile(socket, of: program)
  }

  deinit { program.kill() }

  private static let name = "second"
  /// A card that plays to nobody. Until somebody uses it, it is two seconds ahead.
  private static let idle = "idle"

  private static func card(_ lab: Lab) -> String {
    "server=\(lab.environment["PULSE_SERVER"] ?? "") sink_name=\(name)"
  }

  /// Stops it as a hung program is stopped.
  public func hang() { program.suspend() }
  public func goOn() { program.resume() }
}
