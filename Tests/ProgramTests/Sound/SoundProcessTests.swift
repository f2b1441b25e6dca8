// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the separate process that plays sound: it may crash, hang, be killed or fail to start, and
// it always ends with the ring. `SoundSupervisorTests.swift` of ShellTests tests each decision
// about the process. `SoundFaultTests.swift` tests faults of devices.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SoundProcessTests {
  private func ring(
    _ desk: Desk, in seconds: Double = 4, _ settings: String = ""
  ) throws -> Epoch {
    let due = Second.ahead(seconds)
    try desk.saveText(settings + Desk.defaults + Desk.alarm("work", at: due, #"label = "Work""#))
    return due.epoch
  }

  /// Waits until the agent has a sound process that is not among `others`, and returns its id.
  private func process(of agent: Program, _ desk: Desk, not others: [Int32] = []) throws -> Int32 {
    try Lab.ask(for: "a sound process", seen: agent.errors) {
      try desk.soundProcess(of: agent).flatMap { others.contains($0) ? nil : $0 }
    }
  }

  private func expectNoneLeft(_ agent: Program, _ desk: Desk) throws {
    try desk.wait("the sound process to leave") { try desk.soundProcess(of: agent) == nil }
  }

  @Test
  func `the sound process comes before the ring and ends with it, with libraries of its own`()
    throws
  {
    let desk = try Desk()
    let agent = try desk.startAgent()
    #expect(try desk.soundProcess(of: agent) == nil)
    let due = try ring(desk)
    let process = try process(of: agent, desk)
    #expect(Lab.now < due)
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due - 1), due))
    #expect(try desk.maps(process).contains("libpulse"))
    try desk.belfry("stop")
    try expectNoneLeft(agent, desk)
    #expect(try !desk.maps(agent.pid).contains("libpulse"))
  }

  @Test
  func `if the sound process is killed before or during a ring, the alarm is heard again at once`()
    throws
  {
    let desk = try Desk()
    let agent = try desk.startAgent()
    let due = try ring(desk, in: 6)
    let first = try process(of: agent, desk)
    kill(first, SIGKILL)
    let second = try process(of: agent, desk, not: [first])
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due - 1), due))
    kill(second, SIGKILL)
    let killed = Lab.now
    try desk.lab.recorder.waitForSilence(lasting: 0.02)
    #expect(try desk.lab.recorder.waitForSound(after: killed + 0.1) < killed + 1.5)
    try desk.belfry("stop")
    try expectNoneLeft(agent, desk)
    #expect(agent.isRunning)
  }

  @Test func `a plug-in that crashes costs its device, and not the agent`() throws {
    let desk = try Desk()
    try desk.lab.addCrashingDevice("broken")
    let agent = try desk.startAgent()
    let due = try ring(desk, "[agent]\ndevice = [\"broken\", \"default\"]\n")
    let posted = try desk.waitForNotification("Work")
    #expect(isOnSecond(posted.time, due))
    #expect(try desk.lab.recorder.waitForSound(after: due - 1) < due + 4)
    try agent.waitForErrors("the sound process is lost: signal 6")
    #expect(agent.isRunning)
    try desk.belfry("stop")
    try expectNoneLeft(agent, desk)
  }

  @Test func `if no sound process can be started the bell rings, and the notification says why`()
    throws
  {
    let desk = try Desk()
    let installed = Lab.programs.appendingPathComponent("belfryd").resolvingSymlinksInPath()
    let program = desk.lab.folder.appendingPathComponent("belfryd")
    try FileManager.default.copyItem(at: installed, to: program)
    let agent = try desk.startAgent(program: program.path)
    let due = try ring(desk)
    let reason = "No sound can be played, because belfry-sound does not start: "
    _ = try desk.lab.busWatch.waitForNotification { $0.text.contains(reason) }
    try agent.waitForErrors("nothing is heard;")
    #expect(try isOnSecond(desk.waitForNotification("Work").time, due))
    // Now belfry-sound is installed beside the agent's program.
    try FileManager.default.copyItem(
      at: Lab.programs.appendingPathComponent("belfry-sound").resolvingSymlinksInPath(),
      to: desk.lab.folder.appendingPathComponent("belfry-sound"))
    let there = Lab.now
    #expect(try desk.lab.recorder.waitForSound(after: due - 1) < there + 3)
    try desk.belfry("stop")
    try expectNoneLeft(agent, desk)
  }

  @Test func `an upgrade of the sound process does not change a running agent`() throws {
    let desk = try Desk()
    for name in ["belfryd", "belfry-sound"] {
      try FileManager.default.copyItem(
        at: Lab.programs.appendingPathComponent(name).resolvingSymlinksInPath(),
        to: desk.lab.folder.appendingPathComponent(name))
    }
    let agent = try desk.startAgent(
      program: desk.lab.folder.appendingPathComponent("belfryd").path)
    let program = desk.lab.folder.appendingPathComponent("belfry-sound")
    try FileManager.default.removeItem(at: program)
    try Data("#!/bin/false\n".utf8).write(to: program)
    let due = try ring(desk)
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due - 1), due))
    try desk.belfry("stop")
    try expectNoneLeft(agent, desk)
  }

  @Test func `a sound process that gives no sign of life is replaced`() throws {
    let desk = try Desk()
    let agent = try desk.startAgent()
    let due = try ring(desk)
    kill(try process(of: agent, desk), SIGSTOP)
    #expect(try desk.lab.recorder.waitForSound(after: due - 1, within: 20) < due + 6)
    try desk.belfry("stop")
    try expectNoneLeft(agent, desk)
  }

  @Test func `if the agent is killed, its sound process ends`() throws {
    let desk = try Desk()
    let agent = try desk.startAgent()
    let due = try ring(desk)
    let process = try process(of: agent, desk)
    try desk.lab.recorder.waitForSound(after: due - 1)
    agent.kill()
    let killed = Lab.now
    #expect(try desk.lab.recorder.waitForSilence(after: killed) < killed + 1.5)
    try desk.wait("it to leave") { !FileManager.default.fileExists(atPath: "/proc/\(process)") }
  }

  @Test func `the sound process cannot be started by hand`() throws {
    let desk = try Desk(Lab(.bus))
    let done = try desk.lab.run("belfry-sound", "/nowhere")
    #expect(done.status == 64)
    #expect(done.errors == "belfry-sound: belfryd starts this program by itself\n")
  }
}

extension Lab {
  /// Adds an ALSA device whose plug-in crashes the process that opens it.
  fileprivate func addCrashingDevice(_ name: String) throws {
    try addDevices("pcm_type.crash { lib \"\(try crashingPlugin())\" }\npcm.\(name) { type crash }")
  }

  private func crashingPlugin() throws -> String {
    let (source, plugin) = (
      folder.appendingPathComponent("crash.c"), folder.appendingPathComponent("crash.so")
    )
    try """
    #include <stdlib.h>
    int _snd_pcm_crash_open(void) { abort(); }
    char __snd_pcm_crash_open_dlsym_pcm_001;
    """.write(to: source, atomically: true, encoding: .utf8)
    // Swift's own folder contains a C compiler, so use the `PATH` of the test run.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let built = try run(
      "clang", "-shared", "-fPIC", "-o", plugin.path, source.path, environment: ["PATH": path],
      within: 60)
    try #require(built.status == 0, "\(built.errors)")
    return plugin.path
  }
}
