// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry-sound`, the process that plays sounds for the agent. It may be killed or replaced
// by an upgrade, and it always ends after the ring. `SoundSupervisorTests.swift` in ShellTests
// tests when the agent starts and kills this process. `SoundFaultTests.swift` tests sound servers
// that fail.

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
  func `the sound process starts before the ring, ends with it, and alone loads sound libraries`()
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
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due - 1), due))
    // On a busy machine, the agent may have given up the process that it started first.
    let second = try process(of: agent, desk, not: [first])
    let wait = ProcessorWait(desk.lab)
    kill(second, SIGKILL)
    let killed = Lab.now
    let silent = try desk.lab.recorder.waitForGap(after: killed, lasting: 0.02)
    let again = try desk.lab.recorder.waitForSound(after: silent + 0.01)
    #expect(again < killed + 1.5 + wait.seconds)
    try desk.belfry("stop")
    try expectNoneLeft(agent, desk)
    #expect(agent.isRunning)
  }

  @Test func `after two crashes the built-in tone plays, and the notification says why`() throws {
    let desk = try Desk()
    let agent = try desk.startAgent()
    let due = try ring(desk, in: 6)
    let first = try process(of: agent, desk)
    kill(first, SIGKILL)
    kill(try process(of: agent, desk, not: [first]), SIGKILL)
    try desk.lab.recorder.waitForSound(after: due - 1)
    _ = try desk.lab.busWatch.waitForNotification {
      $0.title == "Work"
        && $0.body.contains(
          "The sound system crashed; a plain tone plays instead.")
    }
    #expect(
      !desk.lab.busWatch.notifications(since: due - 1).contains {
        $0.body.contains("There is no sound")
      })
    try desk.belfry("stop")
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

  @Test func `a user cannot start the sound process by hand`() throws {
    let desk = try Desk(Lab(.bus))
    let done = try desk.lab.run("belfry-sound", "/nowhere")
    #expect(done.status == 64)
    #expect(done.errors == "belfry-sound: belfryd starts this program by itself\n")
  }
}
