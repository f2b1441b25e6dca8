// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts each of a Lab's servers, and waits until it is ready. Next: `NotificationServer.swift`,
// for what a person does to notifications.

import Foundation

/// The running parts of a Lab.
struct Servers {
  var bus: Program?
  var systemBus: Program?
  var hasUserManager = false
  var recorder: Recorder?
  var soundServer: Program?
  var pipeWire: PipeWire?
  var busWatch: BusWatch?
  var shell: GnomeShell?
  var notificationServer: Program?
  var notificationServerKind = Lab.NotificationServerKind.dunst
}

extension Lab {
  /// The recorder of the Lab's sound card. This Lab must have been made with `.sound` or
  /// `.pipeWire`.
  public var recorder: Recorder { part(\.recorder, ".sound") }
  /// Records the messages on the session bus. This Lab must have been made with `.bus`.
  public var busWatch: BusWatch { part(\.busWatch, ".bus") }

  func part<Value: Sendable>(_ part: KeyPath<Servers, Value?>, _ name: String) -> Value {
    guard let value = servers.read({ $0[keyPath: part] }) else {
      preconditionFailure("this Lab was made without \(name)")
    }
    return value
  }

  func startServers(_ parts: Set<Part>) throws {
    // Start the sound server first: it takes the longest, and needs no other server.
    if parts.contains(.sound) { try startSoundServer() }
    let kind = NotificationServerKind.allCases.first { parts.contains(.notificationsBy($0)) }
    let notifications = kind ?? (parts.contains(.notifications) ? .dunst : nil)
    if parts.contains(.gnomeShell) {
      for (name, value) in Self.gnomeVariables { setVariable(name, value) }
      // GNOME Shell needs the data of a whole desktop, which is in all data folders of the machine.
      setVariable("XDG_DATA_DIRS", "\(systemData.path):/usr/local/share:/usr/share")
    }
    // Set these variables before the bus starts: programs that the bus starts get its environment.
    for (name, value) in notifications?.variables ?? [:] { setVariable(name, value) }
    if notifications?.isPartOfDesktop == true {
      setVariable("XDG_DATA_DIRS", folder.path + "/share:/usr/local/share:/usr/share")
    }
    if parts.contains(.display) || notifications?.needsX == true { try startDisplay() }
    if notifications?.needsX == false { try startCompositor() }
    let pipeWire = PipeWire.Way.allCases.first { parts.contains(.pipeWire($0)) }
    let needsBus = !parts.isDisjoint(with: [.bus, .userManager, .gnomeShell])
    if notifications != nil || pipeWire != nil || needsBus { try startBus() }
    // Start PipeWire after the bus: its session manager WirePlumber ends if there is no bus.
    if let pipeWire { try startPipeWire(by: pipeWire) }
    if !parts.isDisjoint(with: [.system, .gnomeShell]) { try startSystemBus() }
    if parts.contains(.userManager) {
      servers.update { $0.hasUserManager = true }
      try startUserManager()
    }
    if let notifications {
      servers.update { $0.notificationServerKind = notifications }
      try startNotificationServer()
    }
    if parts.contains(.gnomeShell) {
      let shell = try GnomeShell(in: self)
      servers.update { $0.shell = shell }
    }
    if parts.contains(.sound) { try startRecorder() }
  }

  /// Whether the bus of a Lab is dbus-broker: if `BELFRY_BUS` is `dbus-broker`. By default, it is
  /// dbus-daemon.
  public static var usesBroker: Bool { inherited["BELFRY_BUS"] == "dbus-broker" }

  /// Makes the bus start a program when another program calls `name`. dbus-broker leaves that to
  /// the user manager of systemd.
  ///
  /// - Parameter program: the name of one of Belfry's programs, such as `belfryd`, or the full path
  ///   of any other program.
  public func makeActivatable(
    _ name: String, as program: String, arguments: [String] = []
  ) throws {
    let path = URL(fileURLWithPath: program, relativeTo: Self.products).path
    let command = ([path] + arguments).joined(separator: " ")
    try "[D-BUS Service]\nName=\(name)\nExec=\(command)\n".write(
      to: activationFolder.appendingPathComponent(name + ".service"), atomically: true,
      encoding: .utf8)
    try reloadServices()
  }

  /// Makes the bus read the files in `activationFolder`.
  func reloadServices() throws {
    try send("org.freedesktop.DBus.ReloadConfig", to: "org.freedesktop.DBus", at: "/")
    let hasManager = servers.update { servers in
      defer { servers.hasUserManager = true }
      return servers.hasUserManager
    }
    if Self.usesBroker, !hasManager { try startUserManager() }
  }

  /// Calls a method on the bus, and returns the answer as dbus-send(1) prints it.
  @discardableResult
  func send(
    _ method: String, _ arguments: [String] = [], to name: String, at path: String
  ) throws -> String {
    let call = ["--session", "--print-reply=literal", "--dest=\(name)", path, method]
    let sent = try start("dbus-send", arguments: call + arguments)
    guard try sent.waitForExit() == .status(0) else {
      throw LabError.failed(method, reason: sent.errors)
    }
    return sent.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Starts the session bus. The bus does not use the system's session.conf, by which it would
  /// start any installed notification server.
  public func startBus() throws {
    let socket = folder.appendingPathComponent("run/bus").path
    let configuration = folder.appendingPathComponent("bus.conf")
    let installed = home.appendingPathComponent(".local/share/dbus-1/services").path
    let services = [activationFolder.path, installed].map { "<servicedir>\($0)</servicedir>" }
      .joined()
    try Self.busConfiguration(listen: "unix:path=\(socket)", services).write(
      to: configuration, atomically: true, encoding: .utf8)
    // A bus that was killed leaves its socket behind.
    try? FileManager.default.removeItem(atPath: socket)
    let bus = try startBus(configuration, socket)
    servers.update { $0.bus = bus }
    let address = try bus.waitForOutput("\n")
    setVariable("DBUS_SESSION_BUS_ADDRESS", address.trimmingCharacters(in: .newlines))
    let watch = try BusWatch(lab: self)
    servers.update { $0.busWatch = watch }
  }

  static let brokerScript = repository.appendingPathComponent("Tests/Lab/dbus-broker.py").path

  private func startBus(_ configuration: URL, _ socket: String) throws(LabError) -> Program {
    guard Self.usesBroker else {
      return try start(
        "dbus-daemon",
        arguments: ["--config-file=\(configuration.path)", "--nofork", "--print-address=1"])
    }
    let script = [Self.brokerScript, socket, configuration.path]
    return try start("unshare", arguments: ["--mount", "/usr/bin/python3"] + script, isGroup: true)
  }

  /// Starts a second session bus, as of another session of the user, and returns its address. It
  /// activates nothing.
  public func startAnotherBus() throws -> String {
    let configuration = folder.appendingPathComponent("other-bus.conf")
    try Self.busConfiguration(listen: "unix:path=\(folder.path)/run/other-bus").write(
      to: configuration, atomically: true, encoding: .utf8)
    let bus = try start(
      "dbus-daemon",
      arguments: ["--config-file=\(configuration.path)", "--nofork", "--print-address=1"])
    return try bus.waitForOutput("\n").trimmingCharacters(in: .newlines)
  }

  /// The running bus. A test may suspend and resume it.
  public var bus: Program { part(\.bus, ".bus") }

  /// Kills the bus, as a crash would. `startBus` starts another bus at the same address, with a new
  /// `busWatch`.
  public func stopBus() throws {
    bus.kill()
    try bus.waitForExit()
  }

  /// Returns the configuration of a bus that allows every program to do everything.
  static func busConfiguration(listen address: String, _ services: String = "") -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      \(services)
      <!-- As in a session; by themselves these are far lower. -->
      <limit name="max_incoming_bytes">1000000000</limit>
      <limit name="max_outgoing_bytes">1000000000</limit>
      <limit name="max_message_size">1000000000</limit>
      <limit name="max_replies_per_connection">50000</limit>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """
  }

  /// Starts Xvfb. It takes the first free display number, so that several Labs can run side by
  /// side.
  private func startDisplay() throws {
    let display = try start(
      "Xvfb",
      arguments: [
        "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset",
      ])
    let number = try display.waitForOutput("\n")
    setVariable("DISPLAY", ":" + number.trimmingCharacters(in: .newlines))
  }

  /// Starts the compositor sway without a screen, for notification servers that need Wayland. sway
  /// prints the name of its display.
  private func startCompositor() throws {
    let configuration = folder.appendingPathComponent("sway.conf")
    try """
    xwayland disable
    output HEADLESS-1 resolution 1280x720
    exec echo "display $WAYLAND_DISPLAY."
    """.write(to: configuration, atomically: true, encoding: .utf8)
    let sway = ["sway", "--config", configuration.path]
    let environment = [
      "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
      "LIBSEAT_BACKEND": "noop",
    ]
    // sway refuses to run as root, or as a user who could become root. Inside a new user namespace
    // that maps no users, not even root can become root, so sway runs there.
    let command = getuid() == 0 ? ["unshare", "--user"] + sway : sway
    let compositor = try start(
      command[0], arguments: Array(command.dropFirst()), environment: environment)
    let said = try compositor.waitForOutput(".\n")
    setVariable("WAYLAND_DISPLAY", String(said.split(separator: " ")[1].dropLast(2)))
  }

  private static let sink = "lab"

  /// The Lab's configuration file for ALSA.
  private var soundDevices: URL { folder.appendingPathComponent("asound.conf") }

  /// Configures a Lab without a sound server: ALSA's `default` is a card that does not exist, and
  /// programs must not start a sound server by themselves.
  func configureSound() throws {
    try configureALSA("pcm.!default { type hw card 31 }\nctl.!default { type hw card 31 }")
    for (name, text) in ["client": "autospawn = no\n", "daemon": ""] {
      try text.write(
        to: folder.appendingPathComponent("pulse-\(name).conf"), atomically: true, encoding: .utf8)
    }
  }

  /// Returns ALSA's own definitions without the hooks at their beginning, which load additions of
  /// the machine's packages and users. Returns an empty text if ALSA's definitions are not
  /// installed.
  private func alsaDefinitions() throws -> Substring {
    let file = systemRoot.appendingPathComponent("usr/share/alsa/alsa.conf")
    guard FileManager.default.fileExists(atPath: file.path) else { return "" }
    let text = try String(contentsOf: file, encoding: .utf8)
    guard let hooks = text.range(of: "\n@hooks ["),
      let end = text.range(of: "\n]\n", range: hooks.upperBound..<text.endIndex)
    else { throw LabError.failed("ALSA", reason: "its configuration does not begin with hooks") }
    return text[..<hooks.lowerBound] + text[end.upperBound...]
  }

  /// Writes the Lab's configuration file for ALSA. `devices` defines the device `default`.
  func configureALSA(_ devices: String) throws {
    try """
    \(alsaDefinitions())
    \(devices)
    # Cards that this machine may have are not the Lab's to ring.
    pcm.!sysdefault { type pulse server "unix:/nonexistent" }
    # See SecondSoundServer.
    \(SecondSoundServer.devices(in: folder))
    # Picky about formats.
    pcm.mapped { type mmap_emul slave.pcm "default" }
    pcm.words { type linear slave { pcm "mapped" format S16_LE } }
    pcm.telephone { type mulaw slave { pcm "mapped" format S16_LE } }
    """.write(to: soundDevices, atomically: true, encoding: .utf8)
    setVariable("ALSA_CONFIG_PATH", soundDevices.path)
  }

  private func startSoundServer() throws {
    let socket = folder.appendingPathComponent("run/pulse/native").path
    try configureALSA(
      """
      pcm.!default { type pulse hint.description "The Lab's null sink" }
      ctl.!default { type pulse }
      """)
    setVariable("PULSE_RUNTIME_PATH", folder.appendingPathComponent("run/pulse").path)
    setVariable("PULSE_SERVER", "unix:\(socket)")
    let format = "rate=\(Recording.rate) channels=\(Recording.channels) format=s16le"
    try? FileManager.default.removeItem(atPath: socket)  // A killed server leaves its socket.
    let server = try start(
      "pulseaudio",
      arguments: [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disallow-exit",
        "--realtime=no", "--log-target=stderr",
        "--load=module-null-sink sink_name=\(Self.sink) \(format)",
        // Load this module last, so that the socket appears only when the sink exists.
        "--load=module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
      ])
    servers.update { $0.soundServer = server }
  }

  /// Kills the sound server, as a crash would. If it is PipeWire, kills all three of its programs.
  public func killSound() throws {
    if let pipeWire = servers.read({ $0.pipeWire }) { return try pipeWire.kill() }
    let server = part(\.soundServer, ".sound")
    server.kill()
    try server.waitForExit()
  }

  /// Starts the sound server again, with a new recorder.
  public func startSound() throws {
    if let pipeWire = servers.read({ $0.pipeWire }) {
      try pipeWire.start()
    } else {
      try startSoundServer()
    }
    try startRecorder()
  }

  /// Waits until `program` has made a file.
  static func waitForFile(_ path: String, of program: Program) throws {
    try wait(for: "\(program.name) to make \(path)", seen: program.errors) {
      FileManager.default.fileExists(atPath: path)
    }
  }

  /// Starts to record the sink. Call this again if the sink was gone for a while.
  public func startRecorder() throws {
    let socket = folder.appendingPathComponent("run/pulse/native").path
    let pipeWire = servers.read { $0.pipeWire }
    // The server does not report that it is ready, so wait until its socket exists.
    try Self.waitForFile(socket, of: pipeWire?[.pulse] ?? part(\.soundServer, ".sound"))
    let recorder = try Recorder(lab: self, sink: Self.sink, rendersAhead: pipeWire == nil)
    servers.update { $0.recorder = recorder }
  }
}
