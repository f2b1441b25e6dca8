// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts PipeWire with WirePlumber and its PulseAudio server, as on most desktops, instead of the
// Lab's PulseAudio. PipeWire has a null sink that is recorded and to which ALSA's `default` plays.
// It sees no sound card of the machine. Next: `Recorder.swift`, which records the sink.

import Foundation

/// The three programs of PipeWire. A test may kill, suspend and restart each of them. They store
/// the volume of streams in the Lab's home, as in a user's session.
public final class PipeWire: Sendable {
  /// How ALSA's `default` device reaches PipeWire.
  public enum Way: Hashable, Sendable, CaseIterable {
    /// Through ALSA's PulseAudio plug-in, as on a system with `libasound2-plugins` alone.
    case pulse
    /// Through PipeWire's own plug-in for ALSA, from the package `pipewire-alsa`.
    case plugin
  }

  public enum Part: String, CaseIterable, Sendable {
    case server = "pipewire"
    case sessionManager = "wireplumber"
    case pulse = "pipewire-pulse"
  }

  /// The name of the sink that is recorded. The sink has the same name in Labs with PulseAudio.
  static let sink = "lab"

  private unowned let lab: Lab
  private let running = Guarded<[Part: Program]>([:])
  private let socket: String

  /// Starts all three programs, and waits until they have their sink.
  init(_ lab: Lab, _ way: Way) throws {
    self.lab = lab
    socket = lab.folder.appendingPathComponent("run/pulse/native").path
    lab.setVariable("PULSE_SERVER", "unix:\(socket)")
    try lab.configurePipeWire()
    try lab.configureALSA(way)
    try start()
  }

  public subscript(_ part: Part) -> Program {
    guard let program = running.read({ $0[part] }) else {
      preconditionFailure("\(part.rawValue) was never started")
    }
    return program
  }

  /// Starts all three programs, for the first time or after `kill`.
  public func start() throws {
    for path in [socket, lab.folder.appendingPathComponent("run/pipewire-0").path] {
      try? FileManager.default.removeItem(atPath: path)  // A killed server leaves its socket.
    }
    for part in Part.allCases { try start(part) }
    try waitForDefault(Self.sink)
  }

  /// Starts one of the three programs, for the first time or after it was killed.
  public func start(_ part: Part) throws {
    let program = try lab.start(
      part.rawValue, environment: ["WIREPLUMBER_DATA_DIR": Self.sessionManagerData.path])
    running.update { $0[part] = program }
    switch part {
    case .server:
      let socket = lab.folder.appendingPathComponent("run/pipewire-0").path
      try Lab.waitForFile(socket, of: program)
    case .pulse: try Lab.waitForFile(socket, of: program)
    case .sessionManager: break
    }
  }

  /// Kills all three programs, as if their services crashed.
  public func kill() throws {
    for part in Part.allCases.reversed() {
      self[part].kill()
      try self[part].waitForExit()
    }
  }

  /// The folder of WirePlumber's scripts and settings: see desktop/packaging/packages.
  fileprivate static var sessionManagerData: URL {
    let unpacked = Lab.servers.appendingPathComponent("wireplumber/usr/share/wireplumber")
    let isThere = FileManager.default.fileExists(atPath: unpacked.path)
    return isThere ? unpacked : URL(fileURLWithPath: "/usr/share/wireplumber")
  }

  /// Waits until the sink `name` is the default one.
  public func waitForDefault(_ name: String) throws {
    try Lab.wait(for: "the sink \(name)", seen: self[.server].errors) {
      try lab.run("pactl", "get-default-sink").output == name + "\n"
    }
  }
}

extension Lab {
  /// The sound server of a Lab that was made with `.pipeWire`.
  public var pipeWire: PipeWire { part(\.pipeWire, ".pipeWire") }

  func startPipeWire(by way: PipeWire.Way) throws {
    let server = try PipeWire(self, way)
    servers.update { $0.pipeWire = server }
    try startRecorder()
  }

  /// Configures a null sink, which runs on the system's clock like PulseAudio's null sink, and
  /// switches off the cards, cameras and headsets of this machine. The files cover both formats of
  /// WirePlumber: up to 0.4, and since 0.5.
  fileprivate func configurePipeWire() throws {
    let settings = home.appendingPathComponent(".config")
    let files = [
      "pipewire/pipewire.conf.d/lab.conf": """
      context.objects = [
        { factory = adapter args = {
            factory.name = support.null-audio-sink node.name = "\(PipeWire.sink)"
            node.description = "Lab" media.class = "Audio/Sink" audio.position = "FL,FR"
            audio.rate = \(Recording.rate) monitor.channel-volumes = true object.linger = true } }
      ]
      """,
      "wireplumber/main.lua.d/90-lab.lua": """
      for _, monitor in ipairs({ alsa_monitor, v4l2_monitor, libcamera_monitor }) do
        monitor.enabled = false
      end
      """,
      "wireplumber/bluetooth.lua.d/90-lab.lua": "bluez_monitor.enabled = false\n",
      "wireplumber/wireplumber.conf.d/lab.conf": """
      wireplumber.profiles = { main = {
        hardware.audio = disabled hardware.bluetooth = disabled hardware.video-capture = disabled
      } }
      """,
    ]
    // WirePlumber looks for its own settings in /usr/share, even if it was unpacked elsewhere, and
    // in the user's folder `settings`. So copy them to that folder.
    try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
    // Use cp, since FileManager also copies the owner of a folder, which only root may do.
    try run(
      "cp", "--recursive", PipeWire.sessionManagerData.path,
      settings.appendingPathComponent("wireplumber").path)
    for (path, text) in files {
      let file = settings.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  fileprivate func configureALSA(_ way: PipeWire.Way) throws {
    var plugins = ""
    if way == .plugin {
      // Give the full path of the plug-in, which may be unpacked instead of installed: see
      // desktop/packaging/packages.
      let unpacked = Self.servers.appendingPathComponent("pipewire-alsa").path
      let found = try run(
        "sh", "-c", "ls /usr/lib/$0 \(unpacked)/usr/lib/$0", "*/alsa-lib/*_pipewire.so")
      for kind in ["pcm", "ctl"] {
        guard
          let path = found.output.split(separator: "\n").first(where: {
            $0.hasSuffix("module_\(kind)_pipewire.so")
          })
        else { throw LabError.failed("ALSA", reason: "no plug-in of pipewire-alsa is there") }
        plugins += "\(kind)_type.pipewire { lib \"\(path)\" }\n"
      }
    }
    let type = way == .pulse ? "pulse" : "pipewire"
    try configureALSA(
      """
      \(plugins)
      pcm.!default { type \(type) hint.description "PipeWire" }
      ctl.!default { type \(type) }
      """)
  }
}
