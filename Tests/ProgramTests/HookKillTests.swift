// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what becomes of hooks, the commands that alarms run, if the agent is killed during rings.
// The next agent ends the commands that the killed agent started. Once every ring is stopped, no
// command is left. The environment variable `BELFRY_KILLS` sets how often the agent is killed at
// random moments, and `BELFRY_SEED` repeats the moments of an earlier run. `HookTests.swift` tests
// the environment variables of commands, and how commands end with a ring.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct HookKillTests {
  /// Returns the ids of the processes that hooks of this desk started and that still run, each with
  /// the event for which its hook was started.
  private func commands(_ desk: Desk) throws -> [(process: String, event: String)] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { process in
      guard Int32(process) != nil,
        // Do not use `String(contentsOfFile:)`: it reads only the first 4096 bytes of a file in
        // /proc.
        let file = FileHandle(forReadingAtPath: "/proc/\(process)/environ"),
        let bytes = try? file.readToEnd()
      else { return nil }
      let entries = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      guard entries.contains("BELFRY_LAB=\(desk.lab.folder.path)") else { return nil }
      let event = entries.first { $0.hasPrefix("BELFRY_EVENT=") }
      return event.map { (process, String($0.dropFirst(13))) }
    }
  }

  /// Returns the config line of a hook that runs a shell, which starts `sleep` in the background.
  /// Both run for minutes. If `isDeaf` is true, both ignore SIGTERM.
  private func hook(_ key: String, isDeaf: Bool = false) -> String {
    let trap = isDeaf ? #"trap "" TERM; "# : ""
    return
      "\(key) = [\"sh\", \"-c\", '\(trap)sleep 1000 & for i in $(seq 2000); do sleep 0.2; done']\n"
  }

  @Test
  func `the next agent ends a killed agent's commands, and starts them again during a ring`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let first = try desk.startAgent()
    try desk.save(
      Desk.alarm(
        "work", at: .ahead(2), hook("on_ring"),
        #"on_stop = ["sh", "-c", 'echo "$$" >>stopped; exec sleep 1000']"#),
      Desk.alarm("later", at: .ahead(1200), #"before = "30m""#, hook("on_before", isDeaf: true)))
    func count(_ event: String) throws -> Int {
      try commands(desk).filter { $0.event == event }.map(\.process).count
    }
    try desk.wait("the commands") { try count("ring") == 3 && count("before") == 3 }
    let old = Set(try commands(desk).map(\.process))
    try desk.crash(first)
    #expect(try count("ring") > 1 && count("before") > 1)
    try desk.startAgent()
    try desk.wait("the old to be gone") {
      try commands(desk).allSatisfy { $0.event == "ring" && !old.contains($0.process) }
        && count("ring") == 3
    }
    try desk.belfry("stop")
    try desk.wait("the ring to be over") { try count("ring") == 0 && count("stop") == 1 }
    // After a crash, the next agent does not run the command of `on_stop` a second time, and it
    // lets the command that is still running finish.
    try desk.crash(desk.agent)
    let again = Lab.now
    try desk.startAgent()
    desk.wait(until: again + 3)
    #expect(try count("stop") == 1)
    try desk.save()
    for command in try commands(desk) { kill(Int32(command.process)!, SIGKILL) }
  }

  @Test func `an agent does not end detached commands or the commands of another running agent`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let first = try desk.startAgent()
    try desk.save(
      Desk.alarm(
        "work", at: .ahead(2),
        // If reading the config takes long, the last agent rings with the stored settings. It must
        // not detach a second command.
        #"on_ring = ["sh", "-c", '[ -e a ] || { : >a; setsid sleep 1000 & }; sleep 1000; :']"#))
    try desk.wait("the commands") { try commands(desk).count == 3 }
    let other = try Desk(Lab(.bus))
    try other.startAgent()
    other.wait(until: Lab.now + 1)
    #expect(try commands(desk).count == 3)
    try desk.crash(first)
    try desk.save()
    try desk.startAgent()
    try desk.wait("the others to be gone") { try commands(desk).count == 1 }
    desk.wait(until: Lab.now + 2.5)
    #expect(try commands(desk).count == 1)
    for command in try commands(desk) { kill(Int32(command.process)!, SIGKILL) }
  }

  @Test
  func `after kills of the agent at random moments, no command is left once every ring is stopped`()
    throws
  {
    let kills = Chance.asked("BELFRY_KILLS") ?? 12
    var chance = Chance(seed: Chance.firstSeed)
    print("hooks: \(kills) kills, BELFRY_SEED=\(Chance.firstSeed)")
    let desk = try Desk(Lab(.bus))
    let first = Second.ahead(2)
    let settings = "ring_for = \"forever\"\non_stop = [\"true\"]\n"
    try desk.saveText(
      Desk.defaults + settings
        + (0..<40).map { number in
          let due = Second(epoch: first.epoch + Double(number * kills) / 40)
          return Desk.alarm(
            "a\(number)", at: due, #"before = "30m""#,
            hook("on_ring", isDeaf: number.isMultiple(of: 5)),
            number.isMultiple(of: 4) ? hook("on_before") : "")
        }.joined())
    for _ in 1...kills {
      let agent = try desk.lab.start("belfryd")
      var command: Program?
      desk.wait(until: Lab.now + Double(chance.number(0...1500)) / 1000)
      if chance.oneIn(3) {
        let words = [chance.pick(["stop", "snooze"]), "a\(chance.number(0...39))"]
        command = try desk.lab.start("belfry", arguments: words)
        desk.wait(until: Lab.now + Double(chance.number(0...300)) / 1000)
      }
      try desk.crash(agent)
      try command?.waitForExit()
    }
    try desk.lab.settleBus()
    let running = try commands(desk).count
    let agent = try desk.startAgent()
    try desk.belfry(["skip"] + (0..<40).map { "a\($0)" })
    try desk.wait("the last to ring") { Lab.now > first.epoch + Double(kills) }
    // `belfry stop` does not stop a snoozed alarm, which would ring again later.
    try desk.waitForStatus("no alarm to be snoozed") {
      $0.alarms.allSatisfy { $0.state != "snoozed" }
    }
    try desk.belfry("stop")
    try desk.wait("no command to be left") { try commands(desk).isEmpty }
    try desk.wait("no child to be left") { try desk.children(of: agent).isEmpty }
    print("hooks: \(running) processes were left by the last kill, none at the end")
  }
}
