// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Lab's servers: how each is started, and how it says that it is ready. Next:
// `NotificationServer.swift`, for what a person does to notifications.

import Foundation

/// What of a Lab is running.
struct Servers {
  var recorder: Recorder?
  var busWatch: BusWatch?
  var notificationServer: Program?
}

extension Lab {
  /// The sound card's recorder; this Lab must have been made with `.sound`.
  public var recorder: Recorder { part(\.recorder, ".sound") }
  /// The bus's listener; this Lab must have been made with `.bus`.
  public var busWatch: BusWatch { part(\.busWatch, ".bus") }

  func part<Value: Sendable>(_ part: KeyPath<Servers, Value?>, _ name: String) -> Value {
    guard let value = servers.read({ $0[keyPath: part] }) else {
      preconditionFailure("this Lab was made without \(name)")
    }
    return value
  }

  /// Starts all at once what does not need another, and only then waits.
  func startServers(_ parts: Set<Part>) throws {
    let needsBus = !parts.isDisjoint(with: [.bus, .notifications])
    let needsDisplay = !parts.isDisjoint(with: [.display, .notifications])
    let bus = needsBus ? try startBus() : nil
    let display = needsDisplay ? try startDisplay() : nil
    let sound = parts.contains(.sound) ? try startSoundServer() : nil
    if let bus {
      let address = try bus.waitForOutput("\n")
      setVariable("DBUS_SESSION_BUS_ADDRESS", address.trimmingCharacters(in: .newlines))
      let watch = try BusWatch(lab: self)
      servers.update { $0.busWatch = watch }
    }
    if let display {
      let number = try display.waitForOutput("\n", within: 20)
      setVariable("DISPLAY", ":" + number.trimmingCharacters(in: .newlines))
    }
    if parts.contains(.notifications) { try startNotificationServer() }
    if let sound { try startRecorder(sound) }
  }

  /// Not the system's session.conf: it would activate any notification server that is installed.
  private func startBus() throws -> Program {
    let socket = folder.appendingPathComponent("run/bus").path
    let configuration = folder.appendingPathComponent("bus.conf")
    try """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <servicedir>\(activationFolder.path)</servicedir>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(to: configuration, atomically: true, encoding: .utf8)
    return try start(
      "dbus-daemon",
      arguments: ["--config-file=\(configuration.path)", "--nofork", "--print-address=1"])
  }

  /// Xvfb takes the first number that is free, so that Labs do not collide.
  private func startDisplay() throws -> Program {
    try start(
      "Xvfb",
      arguments: [
        "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset",
      ])
  }

  private static let sink = "lab"

  private func startSoundServer() throws -> Program {
    let socket = folder.appendingPathComponent("run/pulse/native").path
    let alsa = folder.appendingPathComponent("asound.conf")
    try """
    </usr/share/alsa/alsa.conf>
    pcm.!default { type pulse hint.description "The Lab's null sink" }
    ctl.!default { type pulse }
    """.write(to: alsa, atomically: true, encoding: .utf8)
    setVariable("ALSA_CONFIG_PATH", alsa.path)
    setVariable("PULSE_RUNTIME_PATH", folder.appendingPathComponent("run/pulse").path)
    setVariable("PULSE_SERVER", "unix:\(socket)")
    let format = "rate=\(Recording.rate) channels=\(Recording.channels) format=s16le"
    return try start(
      "pulseaudio",
      arguments: [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disallow-exit",
        "--realtime=no", "--log-target=stderr",
        "--load=module-null-sink sink_name=\(Self.sink) \(format)",
        // Last, so that the socket is there only when the sink is.
        "--load=module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
      ])
  }

  private func startRecorder(_ server: Program) throws {
    let socket = folder.appendingPathComponent("run/pulse/native").path
    // The server tells nobody when it is ready; its socket does.
    try poll("PulseAudio's socket", seen: { server.errors }) {
      FileManager.default.fileExists(atPath: socket)
    }
    let recorder = try Recorder(lab: self, sink: Self.sink)
    try recorder.waitForSamples(within: 10)
    servers.update { $0.recorder = recorder }
  }

  /// For what cannot be waited for in a better way: asks every 10 ms.
  private func poll(
    _ awaited: String, within seconds: Double = 10, seen: () -> String, until done: () -> Bool
  ) throws(LabError) {
    let deadline = Self.now + seconds
    while !done() {
      guard Self.now < deadline else {
        throw .deadline(awaited, seconds: seconds, seen: seen())
      }
      usleep(10_000)
    }
  }
}
