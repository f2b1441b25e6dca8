// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry doctor` on a real desktop, first when everything works, then each time with another
// part broken. A socket that never answers stands for a program that hangs. Next:
// `DoctorSessionTests.swift`, and `CheckupTests.swift` for the agent's own check.

import Foundation
import Lab
import Testing

/// The output of `belfry doctor --json`.
struct Diagnosis: Decodable {
  struct Check: Decodable, Equatable {
    var name: String
    var state: String
    var message: String
    var fix: String?
  }
  var heard: Bool
  var checks: [Check]

  subscript(name: String) -> Check? { checks.first { $0.name == name } }

  static let names = [
    "config", "pauses", "state", "bus", "agent", "autostart", "device", "sounds", "mixer",
    "hooks", "notifications",
    "do-not-disturb", "wake", "rtc", "battery", "lid", "zone", "clock",
  ]
}

extension Desk {
  /// Runs `belfry doctor --json` and returns what it found. Expects that the exit status agrees
  /// with the findings.
  func diagnosis(
    _ arguments: String = "", environment: [String: String] = [:],
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Diagnosis {
    let done = try belfry(
      "doctor --json \(arguments)", environment: ["TZ": "UTC"].merging(environment) { $1 })
    let found = try JSONDecoder().decode(Diagnosis.self, from: Data(done.output.utf8))
    #expect(found.checks.map(\.name) == Diagnosis.names, sourceLocation: location)
    #expect(
      found.heard == !found.checks.contains { $0.state == "error" }, sourceLocation: location)
    #expect(done.status == (found.heard ? 0 : 1), sourceLocation: location)
    #expect(done.errors == "", sourceLocation: location)
    return found
  }

  /// Makes a socket that accepts connections but never answers, and returns its path.
  func makeDeafSocket() throws -> String {
    let path = lab.folder.appendingPathComponent("deaf").path
    let program = try lab.start(
      "/usr/bin/python3",
      arguments: [
        "-c",
        """
        import socket, sys, time
        s = socket.socket(socket.AF_UNIX)
        s.bind(sys.argv[1])
        s.listen(50)
        print("listening", flush=True)
        time.sleep(600)
        """, path,
      ])
    try program.waitForOutput("listening")
    return path
  }
}

@Suite(.realServers) struct DoctorTests {
  static let alarm = """
    [[alarm]]
    id = "work"
    time = 07:30
    days = "daily"
    sound = "~/low.wav"

    """

  func expect(
    _ check: Diagnosis.Check?, _ state: String, _ message: String, _ fix: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(check?.state == state, sourceLocation: location)
    #expect(check?.message == message, sourceLocation: location)
    #expect(check?.fix == fix, sourceLocation: location)
  }

  @Test func `if everything works, belfry doctor says so, and plays nothing that is heard`() throws
  {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    try desk.saveText(Self.alarm)
    let agent = try desk.startAgent(environment: ["TZ": "UTC"])
    try desk.lab.write(
      "[Desktop Entry]\nExec=belfryd --start\n", to: ".config/autostart/belfryd.desktop")
    desk.lab.setVariable("XDG_CURRENT_DESKTOP", "XFCE")
    try desk.lab.recorder.waitForSilence(lasting: 0.2)
    let start = Lab.now
    let found = try desk.diagnosis()
    #expect(found.heard)
    expect(found["config"], "ok", "\(desk.config.path): 1 alarm, no mistakes")
    expect(found["pauses"], "ok", "no alarm is paused")
    expect(found["state"], "ok", desk.lab.home.path + "/.local/state/belfry")
    expect(found["bus"], "ok", "the session bus answers")
    #expect(found["agent"]?.message.hasSuffix(", process \(agent.pid)") == true)
    #expect(found["agent"]?.state == "ok" && found["autostart"]?.state == "ok")
    expect(found["device"], "ok", "default played a second of silence")
    expect(found["sounds"], "ok", "Carillon, ~/low.wav: can be played to its end")
    expect(found["mixer"], "ok", "100 %")
    #expect(found["notifications"]?.message.hasPrefix("dunst ") == true)
    let closing = "a click that closes one makes the alarm quiet for a minute"
    let notifications = try #require(found["notifications"]?.message)
    #expect(notifications.hasSuffix(", with buttons in a menu of its own; \(closing)"))
    expect(found["do-not-disturb"], "ok", "off")
    expect(found["clock"], "ok", "synchronised with another clock")
    #expect(found["zone"]?.message.hasPrefix("UTC, where it is ") == true)
    #expect(desk.lab.recorder.isSilent(from: start, to: Lab.now))

    // Without `--json`, `belfry doctor` prints the same findings in columns.
    let told = try desk.belfry("doctor")
    #expect(told.status == 0)
    let lines = told.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "config          OK       \(desk.config.path): 1 alarm, no mistakes")
    #expect(lines.contains("do-not-disturb  OK       off"))
    #expect(lines.suffix(3) == ["", "An alarm would be heard.", ""])
  }

  @Test func `without a bus and a sound server, belfry doctor reports what is missing`() throws {
    let desk = try Desk(Lab())
    let found = try desk.diagnosis(
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "PULSE_SERVER": "/no",
        "TZ": "Nowhere/City",
      ])
    // The variable TZ overrides the system's time zone, so `timedatectl` would not fix this
    // problem.
    #expect(found["zone"]?.state == "warning")
    #expect(
      found["zone"]?.fix
        == "unset TZ, or set it to one of the zones that timedatectl list-timezones shows")
    expect(
      found["config"], "warning", "there is no \(desk.config.path) yet: no alarm is set",
      "belfry add 07:30")
    #expect(found["bus"]?.state == "error")
    expect(found["agent"], "error", "cannot run without a session bus")
    #expect(found["device"]?.state == "error")
    #expect(found["autostart"]?.state == "warning")
    expect(found["notifications"], "unknown", "cannot be checked without a session bus")
    let told = try desk.belfry("doctor", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/no"])
    #expect(told.status == 1)
    #expect(told.output.hasSuffix("\nAn alarm would NOT be heard: bus, agent, device.\n"))
  }

  @Test func `belfry doctor names a PULSE_SERVER that is not there, and the session's own server`()
    throws
  {
    let desk = try Desk(Lab(.bus, .sound))
    try desk.saveText(Self.alarm)
    // The server of this session is at the socket that is used without the variable.
    let beside = try desk.diagnosis(environment: ["PULSE_SERVER": "{1}unix:/no /nor"])["device"]
    #expect(beside?.state == "error")
    #expect(
      beside?.message.hasSuffix(
        "; PULSE_SERVER is set to {1}unix:/no /nor, where no sound server answers") == true)
    #expect(
      beside?.fix
        == "unset PULSE_SERVER where it is set, such as in ~/.profile, and log in again")
    #expect(try desk.diagnosis()["device"]?.state == "ok")
    // Without that server, starting a server helps.
    try desk.lab.killSound()
    let alone = try desk.diagnosis(environment: ["PULSE_SERVER": "unix:/no"])["device"]
    #expect(
      alone?.message.hasSuffix(
        "; PULSE_SERVER is set to unix:/no, where no sound server answers") == true)
    #expect(alone?.fix == "pulseaudio --kill; pulseaudio --start")
  }

  @Test func `if a program hangs, belfry doctor ends within seconds and reports it`() throws {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    try desk.saveText("[agent]\ndevice = [\"default\", \"pulse\"]\n" + Self.alarm)
    let agent = try desk.startAgent(environment: ["TZ": "UTC"])
    let deaf = try desk.makeDeafSocket()

    var start = Lab.now
    let mute = try desk.diagnosis(environment: ["PULSE_SERVER": "unix:\(deaf)"])
    #expect(Lab.now - start < 15)
    #expect(mute["device"]?.state == "error")
    #expect(mute["device"]?.message.hasPrefix("nothing plays: default does not answer") == true)
    #expect(mute["agent"]?.state == "ok")

    start = Lab.now
    let cut = try desk.diagnosis(
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(deaf)",
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(deaf)",
        // The agent of this state folder would be found on its own bus.
        "XDG_STATE_HOME": desk.lab.home.appending(path: "nowhere").path,
      ])
    #expect(Lab.now - start < 16)
    #expect(cut["bus"]?.state == "error")
    #expect(cut["bus"]?.message == "no session bus, and without it no agent: does not answer")
    #expect(cut["device"]?.state != "error" && cut["sounds"]?.state == "ok")

    agent.suspend()
    desk.lab.notificationServer.suspend()
    start = Lab.now
    let hung = try desk.diagnosis()
    #expect(Lab.now - start < 15)
    #expect(hung["agent"]?.state == "error")
    #expect(hung["agent"]?.message.hasPrefix("runs and does not answer: ") == true)
    #expect(hung["agent"]?.fix?.hasSuffix("belfryd --replace &") == true)
    let server = desk.lab.notificationServer.pid
    expect(
      hung["notifications"], "warning",
      "the server, process \(server), does not answer: an alarm sounds all the same; "
        + "answer with belfry stop and belfry snooze", "kill -9 \(server)")
    desk.lab.notificationServer.resume()
    agent.resume()
  }

  @Test func `belfry doctor starts a missing agent if the bus can, and otherwise reports an error`()
    throws
  {
    let desk = try Desk(Lab(.notifications, .sound))
    try desk.saveText(Self.alarm)
    let without = try desk.diagnosis()
    expect(
      without["agent"], "error", "does not run: the session bus does not know how to start it",
      "\(Lab.programs.path)/belfryd &")
    #expect(without["autostart"]?.state == "warning")
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    let started = try desk.diagnosis()
    #expect(started.heard)
    #expect(started["agent"]?.state == "warning")
    #expect(started["agent"]?.message.hasPrefix("did not run; it has just been started") == true)
    let other = try desk.diagnosis("--config /tmp/other.toml")
    expect(
      other["agent"], "warning", "it reads \(desk.config.path), and not /tmp/other.toml",
      "\(Lab.programs.path)/belfryd --replace --config /tmp/other.toml &")
  }

  @Test func `belfry doctor reports what would not be heard or saved, with the fix`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    func found(_ check: String, _ agent: String, _ rest: String = "") throws -> Diagnosis.Check? {
      try desk.saveText("[agent]\n\(agent)\n" + Self.alarm + rest)
      return try desk.diagnosis()[check]
    }
    // Check the sound devices.
    let passedOver = try found("device", #"device = ["nowhere", "default"]"#)
    let missing = "nowhere cannot be opened: No such file or directory"
    #expect(passedOver?.state == "warning" && passedOver?.message == "\(missing); default plays")
    expect(
      try found("device", #"device = "nowhere""#), "error", "nothing plays: \(missing)",
      "set \"device\" in [agent] of the config to one that aplay -L lists")

    // Check the volume of the output.
    func setOutput(_ volume: String, isMute: Bool) throws {
      try desk.lab.run("pactl", "set-sink-mute", "lab", isMute ? "1" : "0")
      try desk.lab.run("pactl", "set-sink-volume", "lab", volume)
    }
    let leave = #"mixer = "leave""#
    try setOutput("30%", isMute: true)
    expect(try found("mixer", ""), "ok", "muted, 30 %; 50 % while an alarm rings")
    let muted = try found("mixer", leave)
    let mend = "pactl set-sink-volume lab 50%"
    expect(muted, "error", "muted, 30 %, and stays so", "\(mend); pactl set-sink-mute lab 0")
    #expect(try desk.lab.run("sh", "-c", muted?.fix ?? "").status == 0)
    expect(try found("mixer", leave), "ok", "50 %")
    try setOutput("5%", isMute: false)
    expect(try found("mixer", leave), "warning", "5 %: low", mend)
    try setOutput("0%", isMute: false)
    #expect(try found("mixer", leave)?.state == "error" && found("mixer", "")?.state == "ok")

    // Check the sound files. `SoundPeakTests` tests files that are damaged or silent.
    try desk.lab.run("sox", "-n", "-r8k", "still.wav", "trim", "0", "1")
    let tea = "[[timer]]\nname = \"tea\"\nduration = \"4m\"\nsound = \"Kettle Drum\"\n"
    expect(
      try found("sounds", "", "[[alarm]]\ntime = 08:00\nsound = \"~/still.wav\"\n\(tea)"),
      "warning",
      "There is no sound \"Kettle Drum\" (tea). \(desk.lab.home.path)/still.wav holds nothing but "
        + "silence. Another sound plays instead.",
      "belfry sounds lists all sounds")
    let soft = "is too soft to be heard: its volume is"
    let short = "ends before it is loud: its \"fade_in\" is longer than its \"ring_for\""
    for (settings, state, message) in [
      ("volume = 0", "error", "\(soft) 0"), ("volume = 1", "error", "\(soft) 1"),
      ("volume = 30\nfade_in = \"1m\"\nring_for = \"1m\"", "ok", ""),
      ("volume = 20\nfade_in = \"2h\"\nring_for = \"5m\"", "error", short),
      ("fade_in = \"2m\"\nring_for = \"1m\"", "warning", short),
    ] {
      let told = try found("sounds", "", settings + "\n")
      #expect(told?.state == state)
      #expect(state == "ok" || told?.message == "\"work\" \(message)", "\(settings)")
    }

    // If an error in the config keeps an alarm from ringing, `belfry doctor` reports an error. If
    // the config has only a warning, it reports a warning.
    let wrong = try found("config", "", "[[alarm]]\nid = \"nap\"\ntime = \"soon\"\n")
    #expect(wrong?.state == "error" && wrong?.fix == "belfry config check")
    let start = "\"nap\" does not ring as the config says: 10:8: "
    #expect(wrong?.message.hasPrefix(start) == true, "\(wrong as Any)")
    let warned = try found("config", "volum = 5")
    #expect(warned?.state == "warning" && warned?.message.hasPrefix("2:1: ") == true)

    let folder = desk.lab.home.appendingPathComponent(".local/state")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent("belfry"))
    let state = try desk.diagnosis()["state"]
    #expect(state?.state == "warning")
    #expect(
      state?.message
        == "\(folder.path)/belfry cannot be written, so a restart loses snoozes, skips and timers: "
        + "Not a directory"
    )
  }
}
