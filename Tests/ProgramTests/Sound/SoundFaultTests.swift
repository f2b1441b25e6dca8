// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests sound servers that are absent or hang, and very many rings. Each test checks what a person
// would notice: alarms are seen and heard on time, and Stop silences them. `OutputTests.swift`
// tests sound servers that crash, and `SoundFileFaultTests.swift` tests damaged sound files.

import Foundation
import Lab
import Testing

@Suite(.realServersFirst) struct SoundFaultTests {
  /// Returns a desk whose config has `devices`, an alarm due in about `seconds`, and another alarm
  /// two seconds later. If `hasServer` is true, a second sound server is running on it.
  private func desk(
    devices: String, hasServer: Bool = true, in seconds: Double = 3
  ) throws -> (desk: Desk, due: Epoch, server: SecondSoundServer?) {
    let desk = try Desk()
    let server = hasServer ? try SecondSoundServer(desk.lab) : nil
    let due = Second.ahead(seconds)
    try desk.saveText(
      "[agent]\ndevice = \(devices)\n" + Desk.defaults
        + Desk.alarm("work", at: due, #"label = "Work""#)
        + Desk.alarm("other", at: Second(epoch: due.epoch + 2), #"label = "Other""#))
    return (desk, due.epoch, server)
  }

  /// Expects that the notifications of both alarms came on time.
  private func expectSeen(_ desk: Desk, _ due: Epoch) throws {
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due))
    #expect(isOnSecond(try desk.waitForNotification("Other").time, due + 2))
  }

  /// Expects that `belfry stop` silences both alarms at once, and that they do not ring again.
  private func expectStop(_ desk: Desk) throws {
    let asked = Lab.now
    #expect(try desk.belfry("stop").output == "stopped work\nstopped other\n")
    let answered = Lab.now
    #expect(answered - asked < 3)
    #expect(try desk.lab.recorder.waitForSilence(after: answered) < answered + 1)
    #expect(try desk.status().ringing.isEmpty)
  }

  @Test func `without a sound server, an alarm is shown on time, and heard once a server starts`()
    throws
  {
    let (desk, due, _) = try desk(devices: #""second""#, hasServer: false)
    try desk.startAgent()
    try expectSeen(desk, due)
    _ = try desk.lab.busWatch.waitForNotification {
      $0.text.contains("\nThe sound device second cannot be opened: its sound server does not run.")
    }
    let server = try SecondSoundServer(desk.lab)
    let there = Lab.now
    #expect(try desk.lab.recorder.waitForSound(after: due - 1) < there + 2.5)
    try expectStop(desk)
    withExtendedLifetime(server) {}
  }

  @Test func `an ALSA file of the user that breaks the device is named by the ring and the doctor`()
    throws
  {
    let desk = try Desk(Lab(.bus, .sound))
    try desk.startNotificationServer()
    try desk.lab.write("pcm.!default { type hw card 31 }", to: ".asoundrc")
    let file = desk.lab.folder.appendingPathComponent("user.conf")
    try """
    <\(desk.lab.folder.path)/asound.conf>
    pcm.!pulse { type pulse }
    @hooks [ { func load files [ "~/.asoundrc" ] errors false } ]
    """.write(to: file, atomically: true, encoding: .utf8)
    desk.lab.setVariable("ALSA_CONFIG_PATH", file.path)
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due))
    let culprit = "\(desk.lab.home.path)/.asoundrc"
    let message = "Because of \(culprit), the sound device default cannot be opened: "
    _ = try desk.lab.busWatch.waitForNotification { $0.text.contains(message) }
    try desk.lab.recorder.waitForSound(after: due.epoch)
    // The notification names the file also while another device plays.
    desk.wait(until: Lab.now + 1)
    let last = try #require(desk.lab.busWatch.notifications().last)
    #expect(last.text.contains(message), "\(last.text)")
    try desk.belfry("stop")
    let device = try #require(try desk.diagnosis()["device"])
    #expect(device.state == "warning", "\(device)")
    #expect(
      device.message.hasPrefix("default cannot be opened because of \(culprit): ")
        && device.message.hasSuffix("; an alarm is heard late, on another device"), "\(device)")
    #expect(device.fix?.hasSuffix("mv \(culprit) \(culprit).off") == true, "\(device)")
  }

  @Test func `if the only sound server hangs, notifications and commands do not wait for it`()
    throws
  {
    let (desk, due, second) = try desk(devices: #""second""#)
    let server = try #require(second)
    let agent = try desk.startAgent()
    server.hang()
    try expectSeen(desk, due)
    try expectStop(desk)
    // Let the server continue: the alarms are stopped, so nothing may be heard.
    server.goOn()
    desk.wait(until: Lab.now + 1.5)
    #expect(desk.lab.recorder.isSilent(from: due - 1, to: Lab.now))

    let again = Second.ahead(3)
    try desk.saveText(
      "[agent]\ndevice = \"second\"\n" + Desk.defaults + Desk.alarm("again", at: again))
    try desk.lab.recorder.waitForSound(after: again.epoch - 0.5)
    server.hang()
    desk.wait(until: Lab.now + 1)
    let told = Lab.now
    agent.terminate()
    #expect(try agent.waitForExit() == .status(0))
    #expect(Lab.now - told < 3, "\(agent.errors)")
  }

  @Test func `if a sound server hangs during a ring, the next device plays`() throws {
    let (desk, due, second) = try desk(devices: #"["second", "default"]"#)
    let server = try #require(second)
    try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: due - 1)
    try expectSeen(desk, due)
    server.hang()
    let hung = Lab.now
    try desk.lab.recorder.waitForGap(after: hung)
    #expect(try desk.lab.recorder.waitForSound(after: hung + 1) < hung + 7)
    try expectStop(desk)
  }

  @Test func `if a device with a mixer plays nothing at first, its volume is still raised fully`()
    throws
  {
    let desk = try Desk()
    let server = try SecondSoundServer(desk.lab)
    defer { withExtendedLifetime(server) {} }
    func pactl(_ command: String, _ value: String...) throws -> String {
      let words = [command, "second"] + value
      let asked = try desk.lab.start(
        "pactl", arguments: words,
        environment: ["PULSE_SERVER": "unix:\(desk.lab.folder.path)/second"])
      try #require(asked.waitForExit() == .status(0), "\(words): \(asked.errors)")
      return asked.output
    }
    _ = try pactl("set-sink-volume", "20%")
    _ = try pactl("suspend-sink", "1")
    try desk.saveText(
      "[agent]\ndevice = \"second\"\n" + Desk.defaults
        + Desk.alarm("work", at: .ahead(3), #"fade_in = "9s""#))
    let agent = try desk.startAgent()
    var processes: Set<Int32> = []
    // The first two sound processes report the output, but play nothing.
    try desk.wait("the third sound process") {
      if let process = try desk.soundProcess(of: agent) { processes.insert(process) }
      return processes.count == 3
    }
    _ = try pactl("suspend-sink", "0")
    try desk.wait("the output to be raised") { try pactl("get-sink-volume").contains(" 50%") }
    try desk.belfry("stop")
    try desk.wait("the output to be as it was") { try pactl("get-sink-volume").contains(" 20%") }
  }

  @Test
  func `a hundred alarms in one second are all shown, run their hooks, and can be stopped`()
    throws
  {
    // Do not use the notification server dunst: it draws all notifications again for each new one,
    // and takes eight seconds for a hundred.
    let desk = try Desk(Lab(.bus, .sound))
    try desk.startNotificationServer()
    let due = Second.ahead(4)
    try desk.saveText(
      Desk.defaults + #"on_ring = ["sh", "-c", "echo $BELFRY_ID >>rung; exec sleep 1000"]"#
        + "\n" + #"on_stop = ["sh", "-c", "echo $BELFRY_ID >>stopped"]"# + "\n"
        + (0..<100).map { Desk.alarm("a\($0)", at: due, "label = \"A \($0)\"") }.joined())
    let agent = try desk.startAgent()
    #expect(
      isOnSecond(
        try desk.lab.recorder.waitForSound(after: due.epoch - 1), due.epoch))
    let last = try desk.waitForNotification("A 99")
    #expect(last.time < due.epoch + 3, "\(last.time - due.epoch) s")
    #expect(desk.lab.busWatch.notifications().filter { $0.time >= due.epoch }.count >= 100)
    #expect(try desk.status().ringing.count == 100)

    let asked = Lab.now
    try desk.belfry("stop")
    let called = try #require(desk.lab.busWatch.calls("Stop", since: asked).first).time
    #expect(try desk.lab.recorder.waitForSilence(after: called) < called + 1.5)
    let all = Set((0..<100).map { "a\($0)" })
    try desk.wait("all hooks to have run") { Set(desk.lines("stopped")) == all }
    // The ring may end before each command of `on_ring` has started, but half of them must have.
    #expect(desk.lines("rung").count >= 50)
    try desk.wait("no hook to be left") { try desk.children(of: agent).isEmpty }
  }

  /// The same alarms ring many times in a row, as if the agent had been running for a long time.
  @Test func `after many rings, the agent uses no more memory and file descriptors than before`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.saveText(
      Desk.defaults + "on_ring = [[\"true\"], [\"nothing\"]]\non_stop = [\"echo\", \"stopped\"]\n"
        + (0..<3).map { Desk.alarm("a\($0)", at: due) }.joined())
    let agent = try desk.startAgent()
    // Returns, in kilobytes, the memory that the agent does not share with its sound process.
    func memory() throws -> Int {
      let text = try String(contentsOfFile: "/proc/\(agent.pid)/smaps_rollup", encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
      return try #require(line?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent.pid)/fd").count
    }
    var seen: [(kilobytes: Int, descriptors: Int)] = []
    var begun = due.epoch - 1
    for number in 1...18 {
      try desk.lab.recorder.waitForSound(after: begun)
      let asked = Lab.now
      // Before the measurements below, the snooze is longer, so that they are made in silence.
      #expect(try desk.belfry("snooze \(number.isMultiple(of: 3) ? 5 : 3)s").status == 0)
      begun = try desk.lab.recorder.waitForGap(after: asked, lasting: 0.5) + 0.1
      if number.isMultiple(of: 3) {
        try desk.wait("its hooks to end") { try desk.children(of: agent).isEmpty }
        seen.append((try memory(), try descriptors()))
      }
    }
    print("memory in kB and descriptors, every \(3 * 3) rings: \(seen)")
    let (first, last) = (seen[1...2].map(\.kilobytes).max()!, seen[4...5].map(\.kilobytes).min()!)
    #expect(last < first + 300, "\(seen)")
    #expect(seen.last!.descriptors <= seen[1].descriptors + 2, "\(seen)")
  }
}
