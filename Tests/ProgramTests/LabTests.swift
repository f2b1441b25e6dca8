// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Lab itself, on its real servers: what it claims to hear, see, press and end. What it is used
// for is in the other files of this folder. Next: `Tests/Lab/Lab.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct LabTests {
  /// Calls Notify as an alarm does, over a connection that ends with the answer.
  private func notify(_ title: String, _ body: String = "", in lab: Lab) throws -> Program {
    try lab.start(
      "gdbus",
      arguments: [
        "call", "--session", "--dest=org.freedesktop.Notifications",
        "--object-path=/org/freedesktop/Notifications",
        "--method=org.freedesktop.Notifications.Notify", "app", "uint32 0", "", title, body,
        #"["default","Show","snooze-600","Snooze 10 min","stop","Stop"]"#,
        #"{"urgency":<byte 2>,"value":<int32 70>,"category":<"alarm">,"suppress-sound":<true>}"#,
        "0",
      ])
  }

  private func post(
    _ title: String, _ body: String = "", in lab: Lab
  ) throws -> PostedNotification {
    let before = Lab.now
    #expect(try notify(title, body, in: lab).waitForExit() == .status(0))
    return try lab.busWatch.waitForNotification(since: before)
  }

  /// Not gone, and not merely waiting for its parent to ask how it ended.
  private func isAlive(_ pid: String) -> Bool {
    (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8))?.isEmpty == false
  }

  /// Starts to play a sine of -20 dB, so of -23 dB root mean square.
  private func play(seconds: Double, in lab: Lab) throws -> Program {
    try lab.run(
      "sox", "-n", "-r48k", "-c2", "tone.wav", "synth", "\(seconds)", "sine", "1k", "gain", "-20")
    return try lab.start(
      "aplay", arguments: ["--device=default", "--buffer-time=100000", "tone.wav"])
  }

  @Test func `the bus watch has a notification's every byte`() throws {
    let lab = try Lab(.notifications)
    let title = #"Say "hi" [7,stop] <b>&amp; "# + "\u{200F}שעון ⏰ 알람"
    let posted = try post(title, "two\nlines", in: lab)
    #expect(posted.title == title)
    #expect(posted.body == "two\nlines")
    #expect(posted.application == "app")
    #expect(posted.actions.map(\.key) == ["default", "snooze-600", "stop"])
    #expect(posted.actions.map(\.label) == ["Show", "Snooze 10 min", "Stop"])
    #expect(
      posted.hints == [
        "urgency": .integer(2), "value": .integer(70), "category": .string("alarm"),
        "suppress-sound": .bool(true),
      ])
    #expect(posted.timeout == 0)
    #expect(posted.time > Lab.now - 5 && posted.time <= Lab.now)
  }

  @Test func `a button is pressed among several, on the notification that is meant`() throws {
    let lab = try Lab(.notifications)
    let first = try post("First", in: lab)
    let second = try post(String(repeating: "Second ", count: 1_500), in: lab)
    for (key, notification) in [("stop", second), ("snooze-600", first), ("default", second)] {
      let pressed = try lab.press(key, on: notification)
      #expect(pressed.body == [.integer(Int64(try #require(notification.id))), .string(key)])
    }
    #expect(throws: LabError.self) { try lab.press("no such button", on: first, within: 0.5) }
  }

  @Test func `a notification closed by hand is closed for reason 2`() throws {
    let lab = try Lab(.notifications)
    let posted = try post("Work", in: lab)
    #expect(lab.busWatch.closingReason(of: posted) == nil)
    try lab.closeByHand(posted)
    #expect(lab.busWatch.closingReason(of: posted) == 2)
  }

  @Test func `the notification server can hang, go and come back`() throws {
    let lab = try Lab(.notifications)
    lab.notificationServer.suspend()
    let hung = try notify("Hung", in: lab)
    let asked = try lab.busWatch.waitForNotification(answered: false) { $0.title == "Hung" }
    #expect(asked.id == nil)
    lab.notificationServer.resume()
    #expect(try hung.waitForExit() == .status(0))
    #expect(try lab.busWatch.waitForNotification { $0.title == "Hung" }.id != nil)

    try lab.stopNotificationServer()
    #expect(try notify("Nobody", in: lab).waitForExit() == .status(1))
    try lab.startNotificationServer()
    #expect(try notify("Somebody", in: lab).waitForExit() == .status(0))
  }

  @Test(
    "the recorder hears a player on ALSA's default begin, hang and end",
    arguments: [Lab.Part.sound] + PipeWire.Way.allCases.map(Lab.Part.pipeWire))
  func recorded(by server: Lab.Part) throws {
    let lab = try Lab(server)
    let before = Lab.now
    #expect(lab.recorder.firstSound(after: 0) == nil)
    let player = try play(seconds: 60, in: lab)
    let begin = try lab.recorder.waitForSound(after: before)
    #expect(begin > before && begin < Lab.now + 0.1)

    player.suspend()
    let hung = Lab.now
    let silence = try lab.recorder.waitForSilence()
    // It had written a tenth of a second ahead.
    #expect(silence > hung && silence < hung + 1)

    player.resume()
    try lab.recorder.waitForSound()
    player.kill()
    #expect(try player.waitForExit() == .signal(9))
    let end = try lab.recorder.waitForSilence()
    #expect(lab.recorder.isSilent(from: before - 1, to: before))
    #expect(!lab.recorder.isSilent(from: before, to: end))
    #expect(lab.recorder.rms(from: end + 0.1, to: end + 0.2) == -.infinity)
  }

  @Test func `what was recorded has its level, and is a WAV file that others read`() throws {
    let lab = try Lab(.sound)
    let before = Lab.now
    let file = lab.home.appendingPathComponent("ring.wav")
    try play(seconds: 1, in: lab).waitForExit()
    let begin = try lab.recorder.waitForSound(after: before)
    #expect(abs(lab.recorder.rms(from: begin, to: begin + 0.9) - -23) < 0.5)
    try lab.recorder.writeWAV(to: file, from: before, to: before + 0.5)
    let facts = try lab.run("soxi", file.path).output
    #expect(facts.contains("Channels       : 2"))
    #expect(facts.contains("Sample Rate    : 48000"))
    #expect(facts.contains("= 24000 samples"))
  }

  @Test func `a screenshot is a PNG file of the whole screen`() throws {
    let lab = try Lab(.display)
    let file = lab.home.appendingPathComponent("screen.png")
    try lab.screenshot(to: file)
    #expect(try lab.run("identify", "-format", "%m %wx%h", file.path).output == "PNG 1280x1024")
  }

  @Test func `the bus starts a program that was made activatable, within the Lab`() throws {
    let lab = try Lab(.bus, .display, .sound)
    let report = lab.home.appendingPathComponent("environment")
    let script = lab.home.appendingPathComponent("service.sh")
    try "env >\(report.path).new; mv \(report.path).new \(report.path); exec sleep 60".write(
      to: script, atomically: true, encoding: .utf8)
    try lab.makeActivatable("org.belfry.Example", as: "/bin/sh", arguments: [script.path])
    let caller = try lab.start(
      "dbus-send", arguments: ["--dest=org.belfry.Example", "--print-reply", "/", "a.b.c"])
    // It never takes the name; it is enough that it was started, and how.
    try Lab.wait(for: "the report") { FileManager.default.fileExists(atPath: report.path) }
    let inherited = try String(contentsOf: report, encoding: .utf8).split(separator: "\n")
    for (name, value) in lab.environment where name != "PATH" && !name.hasPrefix("DBUS_") {
      #expect(inherited.contains("\(name)=\(value)"))
    }
    caller.kill()
  }

  @Test func `two Labs at once do not meet`() throws {
    let one = try Lab(.bus, .display, .sound)
    let two = try Lab(.bus, .display, .sound)
    for name in ["HOME", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "PULSE_SERVER"] {
      #expect(one.environment[name] != two.environment[name])
    }
    let before = Lab.now
    try play(seconds: 0.2, in: one).waitForExit()
    #expect(one.recorder.firstSound(after: before) != nil)
    #expect(two.recorder.firstSound(after: before) == nil)
  }

  @Test func `stopping ends everything, and also a daemon that left its parents`() throws {
    let lab = try Lab(.bus, .display, .notifications, .sound)
    let server = lab.notificationServer
    // Nobody's child, and hung.
    try lab.run(
      "sh", "-c",
      "(setsid sh -c 'echo $$ >pid; kill -s STOP $$; sleep 60' >/dev/null 2>&1 &)"
        + "; until [ -s pid ]; do sleep 0.01; done")
    let daemon = try String(
      contentsOf: lab.home.appendingPathComponent("pid"), encoding: .utf8
    ).trimmingCharacters(in: .newlines)
    #expect(isAlive(daemon))

    lab.stop()
    #expect(!server.isRunning)
    #expect(!isAlive(daemon))
    #expect(!FileManager.default.fileExists(atPath: lab.folder.path))
    lab.stop()
  }

  @Test func `a program's output, errors, status and end are told apart`() throws {
    let lab = try Lab()
    let done = try lab.run("sh", "-c", "echo out; echo err >&2; exit 3")
    #expect(done == (3, "out\n", "err\n"))
    #expect(try lab.run("no-such-program").status == 127)
    #expect(try lab.run("sh", "-c", "pwd").output == lab.home.path + "\n")
    #expect(try lab.run("sh", "-c", "kill -9 $$").status == 137)
    #expect(throws: LabError.self) { try lab.run("sleep", "60", within: 0.1) }
  }
}
