// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests sound outputs on PulseAudio, and on PipeWire, for which ALSA has two plugins. The default
// output may change or disappear during a ring, have a low volume or no device, and Belfry's stream
// may be muted. Next: `SoundFaultTests.swift`, for sound servers that hang.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct OutputTests {
  private static let servers = [Lab.Part.sound] + PipeWire.Way.allCases.map(Lab.Part.pipeWire)

  /// A line of the history.
  private struct Line: Decodable {
    var dueEpoch: Int
    var late: Double?
    var notHeard: String?
  }

  private func desk(_ server: Lab.Part) throws -> Desk {
    let desk = try Desk(Lab(.bus, server))
    try desk.startNotificationServer()
    return desk
  }

  private func pactl(_ desk: Desk, _ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let program = try desk.lab.start("pactl", arguments: words)
    try #require(program.waitForExit() == .status(0), "\(line): \(program.errors)")
  }

  private func volume(_ desk: Desk, _ sink: String) throws -> String {
    let text = try desk.lab.run("pactl", "get-sink-volume", sink).output
    return text.firstMatch(of: /(\d+)%/).map { String($0.1) } ?? text
  }

  /// Returns the number of Belfry's stream on the sound server, and the server's description of it;
  /// nil if Belfry plays nothing.
  private func stream(_ desk: Desk) throws -> (number: String, text: String)? {
    let text = try desk.lab.run("pactl", "list", "sink-inputs").output
    return text.split(separator: "Sink Input #").map(String.init)
      .first { $0.contains("belfry.process") }
      .map { (String($0.prefix { $0 != "\n" }), $0) }
  }

  private func waitForStream(_ desk: Desk) throws -> String {
    try Lab.ask(for: "a stream of Belfry's") { try stream(desk)?.number }
  }

  @Test(
    "a ring is not heard before its second, and is then heard without a gap", arguments: servers)
  func onTime(on server: Lab.Part) throws {
    let desk = try desk(server)
    let begun = Lab.now
    try desk.startAgent()
    // The alarm is far enough ahead for the agent to prepare the sound first.
    let due = Second.ahead(4)
    try desk.save(Desk.alarm("work", at: due))
    let sound = try desk.lab.recorder.waitForSound(after: begun)
    print("\(server): \(Int(((sound - due.epoch) * 1000).rounded())) ms after its second")
    // On a busy machine, PipeWire drops sound that it has no time to play. The recorder cannot see
    // when sound was dropped, so its times are then inexact, and the limits must be wide.
    #expect(sound > due.epoch - 1 && sound < due.epoch + 3, "\(sound - due.epoch) s")
    desk.wait(until: max(sound, due.epoch) + 2.2)
    for time in stride(from: sound, to: sound + 1.8, by: 0.3) {
      #expect(desk.lab.recorder.rms(from: time, to: time + 0.3) > -20, "\(time - sound) s")
    }
    try desk.belfry("stop")
  }

  @Test(
    "the volume of each output is restored, whenever the default output changes", arguments: servers
  )
  func restored(on server: Lab.Part) throws {
    let desk = try desk(server)
    try pactl(desk, "load-module module-null-sink sink_name=phones")
    try pactl(desk, "set-default-sink lab")
    try pactl(desk, "set-sink-volume lab 20%")
    try pactl(desk, "set-sink-volume phones 30%")
    try desk.startAgent()
    try desk.save(Desk.alarm("work", at: Second.ahead(3)))
    try desk.wait("the output to be raised") { try volume(desk, "lab") == "50" }
    try pactl(desk, "set-default-sink phones")
    try desk.wait("the first to be as it was") { try volume(desk, "lab") == "20" }
    try desk.wait("the other to be raised") { try volume(desk, "phones") == "50" }
    try desk.belfry("stop")
    try desk.wait("the other to be as it was") { try volume(desk, "phones") == "30" }
    #expect(try volume(desk, "lab") == "20")
    // If an output disappears during a ring, its volume is restored when the output comes back.
    try pactl(desk, "set-sink-volume phones 10%")
    try desk.save(Desk.alarm("work", at: Second.ahead(3)))
    try desk.wait("the output to be raised") { try volume(desk, "phones") == "50" }
    try pactl(desk, "unload-module module-null-sink")
    // On PulseAudio, the last command also removed the output `lab`, which comes from the same
    // module.
    if server == .sound { return }
    try desk.wait("the first to be raised") { try volume(desk, "lab") == "50" }
    try pactl(desk, "load-module module-null-sink sink_name=phones")
    try desk.belfry("stop")
    try desk.wait("the first to be as it was") { try volume(desk, "lab") == "20" }
    try desk.wait("the other to be as it was") { try volume(desk, "phones") == "10" }
  }

  @Test(
    "if a sound server crashes during a ring, its start command is shown and volumes are restored",
    arguments: servers)
  func restarted(on server: Lab.Part) throws {
    let desk = try desk(server)
    let agent = try ringRaised(desk)
    try desk.lab.killSound()
    let message =
      "The sound device default cannot be opened: its sound server does not run. In a terminal: "
    let posted = try desk.lab.busWatch.waitForNotification { $0.body.contains(message) }
    let device = try desk.diagnosis()["device"]
    #expect(
      device?.state == "error" && device?.message.hasPrefix("nothing plays: default ") == true)
    let fix = try #require(device?.fix)
    // Both servers may be installed here, but PipeWire's lock file shows that it has run. There is
    // no user manager in this session.
    #expect(
      fix.hasPrefix("pkill 'pipewire|wireplumber'; pipewire & ") == (server != .sound), "\(fix)")
    #expect(fix.hasPrefix("pulseaudio ") == (server == .sound), "\(fix)")
    // The server shows markup, so special characters are escaped.
    let body = posted.body.replacing("&amp;", with: "&").replacing(/&#39;|&apos;/, with: "'")
    #expect(body.contains(message + fix), "\(posted.body)")
    try agent.waitForErrors(message + fix)

    try desk.lab.startSound()
    try expectRepaired(desk, server, reportedIn: posted, message)
  }

  @Test(
    "if the only output disappears during a ring, that is reported, and the next output plays",
    arguments: servers
  )
  func gone(on server: Lab.Part) throws {
    let desk = try desk(server)
    // If the last real output is gone, the sound server must offer an output without a device.
    // PipeWire does this by itself; PulseAudio needs a module for it.
    if server == .sound { try pactl(desk, "load-module module-always-sink") }
    let agent = try ringRaised(desk)
    try removeSink(desk, server)
    let message = "No sound output found: nobody hears the alarm."
    let posted = try desk.lab.busWatch.waitForNotification { $0.body.contains(message) }
    try desk.wait("the bell") { agent.errors.contains("nothing is heard;") }
    #expect(try desk.diagnosis()["device"]?.message.hasPrefix("no sound output found") == true)

    try pactl(desk, "load-module module-null-sink sink_name=lab")
    try desk.lab.startRecorder()
    try expectRepaired(desk, server, reportedIn: posted, message)
  }

  /// Expects that the alarm is heard again, that its notification no longer shows `message`, and
  /// that Stop restores the volume of the new output. On PipeWire, the session manager gives the
  /// new output the raised volume of the lost one, so Stop must restore 20 %. PulseAudio remembers
  /// no volumes in this test, so the new output begins with 100 %.
  private func expectRepaired(
    _ desk: Desk, _ server: Lab.Part, reportedIn posted: PostedNotification, _ message: String
  ) throws {
    let back = Lab.now
    #expect(try desk.lab.recorder.waitForSound(after: back) < back + 2.5)
    _ = try desk.lab.busWatch.waitForNotification(since: posted.time) { !$0.body.contains(message) }
    try desk.belfry("stop")
    let expected = server == .sound ? "100" : "20"
    try desk.wait("the output to be as it was") { try volume(desk, "lab") == expected }
  }

  /// Rings an alarm on an output whose volume was 20 %, and waits until the sound server's session
  /// manager has saved the raised volume.
  private func ringRaised(_ desk: Desk) throws -> Program {
    try pactl(desk, "set-sink-volume lab 20%")
    let agent = try desk.startAgent()
    try desk.save(Desk.alarm("work", at: Second.ahead(3)))
    try desk.wait("the output to be raised") { try volume(desk, "lab") == "50" }
    desk.wait(until: Lab.now + 1.5)
    return agent
  }

  /// Removes the sound output `lab`, which the Lab has made.
  private func removeSink(_ desk: Desk, _ server: Lab.Part) throws {
    if server == .sound { return try pactl(desk, "unload-module module-null-sink") }
    let done = try desk.lab.run("pw-cli", "destroy", "lab")
    try #require(done.status == 0, "\(done.errors)")
  }

  @Test(
    "a stream that is muted during a ring is reported, and the next ring is heard",
    arguments: servers
  )
  func unmuted(on server: Lab.Part) throws {
    let desk = try desk(server)
    try pactl(desk, "set-sink-volume lab 20%")
    let agent = try desk.startAgent()
    let first = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: first))
    try desk.lab.recorder.waitForSound(after: first.epoch - 1)
    let named = try #require(try stream(desk)).text
    for word in [#""Belfry""#, #"media.role = "alarm""#, #"icon_name = "org.belfry.Belfry""#] {
      #expect(named.contains(word), "\(word): \(named)")
    }
    // The agent unmutes each stream once, before it raises the volume of the output. So after that,
    // it does not undo the mute below.
    try desk.wait("the output to be raised") { try volume(desk, "lab") == "50" }
    // The agent looks every half second whether the sound can be heard.
    desk.wait(until: Lab.now + 1.5)
    let message = "The sound of Belfry is muted in the volume control: nobody hears the alarm."
    try pactl(desk, "set-sink-input-mute \(try waitForStream(desk)) 1")
    _ = try desk.lab.busWatch.waitForNotification { $0.body.contains(message) }
    // A person who mutes the stream is awake, so the agent must not ring the bell (the PC speaker)
    // instead.
    #expect(!agent.errors.contains("nothing is heard;"))
    desk.wait(until: Lab.now + 1.5)  // The session manager needs a second to save "muted".
    try desk.belfry("stop")
    let begun = Lab.now
    #expect(try desk.diagnosis()["device"]?.state == "ok")

    let second = Second.ahead(3)
    try desk.save(Desk.alarm("again", at: second))
    let sound = try desk.lab.recorder.waitForSound(after: begun)
    #expect(isOnSecond(sound, second.epoch) && sound < second.epoch + 1)
    try desk.belfry("stop")
  }

  @Test(
    "a stream that stays muted is reported, and the bell rings",
    arguments: PipeWire.Way.allCases.map(Lab.Part.pipeWire))
  func muted(on server: Lab.Part) throws {
    let desk = try desk(server)
    let settings = "[agent]\nmixer = \"leave\"\n" + Desk.defaults
    let agent = try desk.startAgent()
    let first = Second.ahead(3)
    try desk.saveText(settings + Desk.alarm("work", at: first))
    try pactl(desk, "set-sink-input-mute \(try waitForStream(desk)) 1")
    desk.wait(until: max(first.epoch, Lab.now) + 1.5)
    try desk.belfry("stop")
    let line = try #require(try (desk.history(count: 1) as [Line]).first)
    #expect(line.notHeard == "muted" && line.late == nil, "\(line)")
    let found = try desk.diagnosis()
    #expect(found["device"]?.state == "error")
    #expect(
      found["device"]?.message
        == "Belfry is muted in the volume control, and stays muted during a ring")

    let begun = Lab.now
    let second = Second.ahead(3)
    try desk.saveText(settings + Desk.alarm("again", at: second))
    _ = try desk.lab.busWatch.waitForNotification(since: begun) {
      $0.body.contains("muted in the volume control")
    }
    try desk.wait("the bell") { agent.errors.contains("nothing is heard;") }
    let number = try waitForStream(desk)
    try pactl(desk, "set-sink-input-mute \(number) 0")
    try desk.lab.recorder.waitForSound(after: second.epoch)
    try desk.belfry("stop")
  }

  @Test(
    "an output without a device is reported, and a real output plays as soon as there is one",
    arguments: servers)
  func dummy(on server: Lab.Part) throws {
    let desk = try desk(server)
    // `auto_null` is PipeWire's and PulseAudio's name for the output that they make if there is no
    // sound device.
    try pactl(desk, "load-module module-null-sink sink_name=auto_null")
    try pactl(desk, "set-default-sink auto_null")
    // Run `belfry doctor` before the ring: a busy sound server may delay one of two streams.
    try desk.save(Desk.alarm("work", at: .ahead(600)))
    let found = try desk.diagnosis()
    #expect(found["device"]?.state == "error")
    #expect(
      found["device"]?.message == "no sound output found: nothing can be heard")
    let agent = try desk.startAgent()
    try desk.save(Desk.alarm("work", at: .ahead(3)))
    let message = "No sound output found: nobody hears the alarm."
    _ = try desk.lab.busWatch.waitForNotification { $0.body.contains(message) }
    try desk.wait("the bell") { agent.errors.contains("nothing is heard;") }
    try pactl(desk, "set-default-sink lab")
    let repaired = Lab.now
    // The recorder moves to the new default output, too. What it recorded before that does not
    // count.
    #expect(try desk.lab.recorder.waitForSound(after: repaired + 0.5) < repaired + 2.5)
    _ = try desk.lab.busWatch.waitForNotification(since: repaired) { !$0.body.contains(message) }
    try desk.belfry("stop")
    // The ring was heard only now, although the sound server had consumed its sound before.
    let line = try #require(try (desk.history(count: 1) as [Line]).first)
    let heard = Double(line.dueEpoch) + (line.late ?? 0)
    #expect(heard > repaired - 0.5 && heard < repaired + 2.5, "\(line)")
  }
}
