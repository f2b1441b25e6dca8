// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that alarms ring even if the disk is slow, or the session bus hangs or dies. Each test
// checks what a person would notice. `NotificationFaultTests.swift` tests notification servers that
// misbehave, and `StateFolderTests.swift` tests a damaged state file and a full disk.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SessionFaultTests {
  /// The beginning of a command line that runs another command with its own mounts; nil if that is
  /// not allowed here. Root can make mounts directly. Other users can make them in their own user
  /// namespace.
  static let apart: [String]? = {
    let ways = [
      ["unshare", "--mount"],
      ["unshare", "--user", "--map-current-user", "--keep-caps", "--mount"],
    ]
    let lab = try? Lab()
    return ways.first { way in
      let program = try? lab?.start(
        way[0], arguments: way.dropFirst() + ["mount", "-t", "tmpfs", "none", "/mnt"])
      return (try? program?.waitForExit()) == .status(0)
    }
  }()

  /// strace(1) makes each `fsync` of the agent take a second, as on a disk that another program
  /// keeps busy.
  @Test func `on a slow disk, Stop silences an alarm at once, and a crash does not undo the stop`()
    throws
  {
    let desk = try Desk()
    // On this slow disk, saving folders, state and settings at the first start takes ten seconds.
    let due = Second.ahead(14)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    let started = Lab.now
    let tracer = try desk.lab.start(
      "strace",
      arguments: [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e",
        "inject=fsync:delay_enter=1000000", "belfryd",
      ])
    try desk.waitForOwner(since: started)
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    let agent = try desk.status().agent.pid
    let asked = Lab.now
    #expect(try desk.belfry("stop work").output == "stopped work\n")
    let answered = Lab.now
    kill(agent, SIGKILL)
    try tracer.waitForExit()
    #expect(Lab.now - asked > 1)
    // The reply waited for the disk, but the silence did not.
    #expect(try desk.lab.recorder.waitForSilence(after: asked) < answered - 0.2)
    try desk.startAgent()
    #expect(try desk.status().state("work") == "over")
  }

  /// strace(1) makes the agent wait for three seconds whenever it opens the state.
  @Test func `a state on a slow disk is read late, and no timer is lost`() throws {
    let desk = try Desk()
    try desk.save()
    let first = try desk.startAgent()
    try desk.belfry("timer 1h --label Tea")
    try desk.wait("the timer in the state") { desk.state.contains("Tea") }
    try desk.crash(first)
    let started = Lab.now
    let path = desk.lab.home.appendingPathComponent(".local/state/belfry/state.toml").path
    let tracer = try desk.lab.start(
      "strace",
      arguments: [
        "-f", "-qq", "-o", "/dev/null", "-P", path, "-e", "trace=openat", "-e",
        "inject=openat:delay_enter=3000000", "belfryd",
      ])
    try desk.waitForOwner(since: started)
    try desk.waitForStatus("the timer") { $0.timers.count == 1 }
    #expect(Lab.now - started > 3)
    kill(try desk.status().agent.pid, SIGKILL)
    try tracer.waitForExit()
  }

  @Test
  func `if the bus dies during a ring, the sound ends, and the next session goes on ringing`()
    throws
  {
    let desk = try Desk(Lab(.bus, .sound))
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due), Desk.alarm("tea", at: Second(epoch: due.epoch + 60)))
    let agent = try desk.startAgent()
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 1), due.epoch))
    let died = Lab.now
    try desk.lab.stopBus()
    #expect(try agent.waitForExit() == .status(1))
    #expect(Lab.now < died + 3)
    #expect(try desk.lab.recorder.waitForSilence(after: died) < died + 1.5)
    try agent.waitForErrors("the session bus is gone")

    try desk.lab.startBus()
    let restarted = Lab.now
    try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: restarted)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
    #expect(try desk.status().state("tea") == "scheduled")
  }

  @Test
  func `if the bus hangs, an alarm rings on its second, and can be stopped when the bus continues`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    try desk.startAgent()
    desk.lab.bus.suspend()
    defer { desk.lab.bus.resume() }
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 1), due.epoch))
    desk.lab.bus.resume()
    let posted = try desk.waitForNotification("Work")
    try desk.lab.press("stop", on: posted)
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
  }
}
