// SPDX-License-Identifier: GPL-3.0-or-later
//
// The environment variables of the user's desktop session, for the programs that the agent starts.
// An agent that was started from ssh, or before the desktop, does not have them itself, and those
// of an earlier desktop may lead nowhere. The user manager of systemd has the current ones:
// desktops pass them on as dbus-update-activation-environment(1) does. Without a user manager, a
// file has those that `belfryd --start` has handed over.

import System

public enum SessionVariables {
  /// The variables by which a program finds the display and the desktop.
  nonisolated static let ofDesktop = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP",
    "XDG_SESSION_TYPE", "XDG_SESSION_ID", "DESKTOP_SESSION", "SWAYSOCK", "I3SOCK",
    "HYPRLAND_INSTANCE_SIGNATURE", "NIRI_SOCKET", "SSH_AUTH_SOCK",
  ]

  private static let patience = Duration.seconds(1)

  public typealias Receiver = @MainActor @Sendable ([String: String]) -> Void

  /// Asks the user manager for its variables or, if it does not answer within a second, reads them
  /// from the file at `path`. `done` gets those that a program should have in addition to the
  /// variables of this process, or in their place.
  public static func ask(on bus: Bus, or path: String?, _ done: @escaping Receiver) {
    bus.property("Environment", of: .systemd, timeout: patience) { answer in
      if let lines = answer?.strings { return done(chosen(from: lines, own: Environment.value)) }
      guard let path else { return done([:]) }
      Worker.once("display") { disk in
        // Without the file, nothing was handed over.
        let bytes = (try? DurableFile.read(path, limit: 1 << 16, on: disk)) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let variables = chosen(from: lines, own: Environment.value)
        Worker.onMain { done(variables) }
      }
    }
  }

  /// Returns the variables in `lines`, such as `DISPLAY=:0`, that name the display or desktop, or
  /// that are not set in this process. All others, such as `PATH`, stay as this process has them.
  nonisolated static func chosen(
    from lines: [String], own: (String) -> String?
  ) -> [String: String] {
    var chosen: [String: String] = [:]
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, case let name = String(parts[0]), !name.isEmpty else { continue }
      if ofDesktop.contains(name) || own(name) == nil { chosen[name] = String(parts[1]) }
    }
    return chosen
  }

  /// Hands the variables of this process that name the display and the desktop to the bus and to
  /// the user manager, for the agent and the programs that it starts. Returns the lines for the
  /// file that `ask` reads.
  public static func handOver(on bus: Bus) -> [String] {
    let own = ofDesktop.compactMap { name in Environment.value(name).map { (name, $0) } }
    let lines = own.map { "\($0)=\($1)" }
    let entries = own.map { Variant.entry(.string($0), .string($1)) }
    // Without these variables, the agent still rings. There may be no user manager, for example.
    _ = try? bus.call(
      .daemon, "UpdateActivationEnvironment", [.array(of: "{ss}", entries)], gives: "",
      timeout: patience)
    _ = try? bus.call(
      .systemd, "SetEnvironment", [.strings(lines)], gives: "", starting: false, timeout: patience)
    return lines.filter { !$0.utf8.contains(UInt8(ascii: "\n")) }
  }
}
