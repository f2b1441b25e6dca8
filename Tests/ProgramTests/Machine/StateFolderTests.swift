// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the agent with a state file or folder that is damaged or cannot be written. The agent
// starts, reports the problem, keeps a copy of a file that it cannot read, and rings its alarms.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct StateFolderTests {
  private func shell(_ commands: String, on desk: Desk) throws -> Int32 {
    try desk.lab.run(
      "sh", "-c", "mkdir -p .local/state/belfry && cd .local/state/belfry && \(commands)"
    ).status
  }

  /// Expects that the alarm rings at `due` and can be stopped. If `isSaved` is false, expects that
  /// `belfry stop` reports that the stop was not saved.
  private func expectRing(_ desk: Desk, at due: Second, isSaved: Bool = true) throws {
    desk.wait(until: due.epoch)
    try desk.waitForStatus("it to ring") { $0.ringing.map(\.id) == ["work"] }
    let answer = try desk.belfry("stop work")
    #expect(answer.output == (isSaved ? "stopped work\n" : ""))
    #expect(answer.status == (isSaved ? 0 : 1))
    #expect(answer.errors.hasPrefix(isSaved ? "" : "belfry: done, but not saved, so a restart"))
    // The hint to make room on the disk must be shown only if the disk is full, because otherwise
    // it would not help.
    let isFull = answer.errors.contains("No space left") || answer.errors.contains("too large")
    let isHinted = answer.errors.contains("\nhint: free some disk space, or run belfry doctor; ")
    #expect(isSaved || isHinted == isFull, "\(answer.errors)")
    #expect(isSaved || answer.errors.contains("run belfry doctor; Belfry saves as soon as "))
    #expect(try desk.status().state("work") == "over")
  }

  /// `DurableFileTests.swift` tests other obstacles in the place of the state file, and
  /// `StateTextTests.swift` tests every error in the text of a state file.
  @Test
  func `a state file that cannot be read is reported and kept, and the agent starts without it`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let torn = #"version = 1\nentries = 1\n\n[[alarm]]\nid = "wo"#
    #expect(try shell("printf '\(torn)' | tee state.toml >before", on: desk) == 0)
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due))
    let agent = try desk.startAgent()
    let said = try agent.waitForErrors("state.toml: line 5 ")
    #expect(said.contains("the old file is kept as"), "\(said)")
    #expect(try shell("cmp state.toml.unreadable before", on: desk) == 0)
    try expectRing(desk, at: due)
    // The agent renamed the unreadable file, so that it can save its state again. After a crash,
    // the next agent therefore knows that the alarm was stopped.
    try desk.crash(agent)
    let again = try desk.startAgent()
    #expect(try desk.status().state("work") == "over")
    #expect(!again.errors.contains("state.toml"), "\(again.errors)")
  }

  @Test(arguments: [
    // This limit acts like a disk that accepts no byte, not even from root.
    "ulimit -f 0; exec belfryd",
    // /sys is a file system that accepts no new folder, not even from root.
    "XDG_STATE_HOME=/sys exec belfryd",
  ])
  func `if the state cannot be saved, the agent reports that, and the alarm still rings`(
    start: String
  ) throws {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due))
    let started = Lab.now
    let agent = try desk.lab.start("bash", arguments: ["-c", start])
    try desk.waitForOwner(since: started)
    try agent.waitForErrors("the state is not saved: ")
    try expectRing(desk, at: due, isSaved: false)
    #expect(agent.isRunning)
  }

  // MARK: - A disk that is gone

  /// Starts the agent with its state folder on a disk that is also mounted at `~/disk`.
  @Test(.enabled(if: mayMount, "a disk is mounted by root alone"))
  func `nothing is written to the folder below a state folder whose disk is unmounted`() throws {
    let desk = try Desk(Lab(.notifications))
    try desk.save(Desk.alarm("far", at: .ahead(7200)))
    let started = Lab.now
    let agent = try desk.lab.start(
      "unshare",
      arguments: [
        "-m", "sh", "-c",
        """
        mkdir -p disk .local/state/belfry && mount -t tmpfs none disk &&
        mount --bind disk .local/state/belfry && exec belfryd
        """,
      ])
    try desk.waitForOwner(since: started)
    try desk.waitForStatus("the alarm") { $0.alarms.map(\.id) == ["far"] }
    try desk.wait("the state") {
      try inside(agent, of: desk, "test -e disk/settings.toml").status == 0
    }

    #expect(try inside(agent, of: desk, "umount --lazy .local/state/belfry").status == 0)
    let answer = try desk.belfry("skip far")
    #expect(answer.status == 1 && answer.output.isEmpty)
    #expect(
      answer.errors.hasPrefix(
        "belfry: done, but not saved, so a restart will undo it: \(desk.lab.home.path)"
          + "/.local/state/belfry is another folder now; its disk may be unmounted\n"))
    let notice = try desk.waitForNotification("The state of alarms cannot be saved")
    // Commands keep the user's key there.
    let names = try inside(agent, of: desk, "ls -A .local/state/belfry").output
    #expect(Set(names.split(separator: "\n")).isSubset(of: ["key"]), "\(names)")

    #expect(try inside(agent, of: desk, "mount --bind disk .local/state/belfry").status == 0)
    try agent.waitForErrors("the state is saved again")
    #expect(try desk.waitForClosing(of: notice) == 3)
    let saved = try inside(agent, of: desk, "cat disk/state.toml").output
    #expect(saved.contains("skipped = "))
  }

  @Test func `a state folder that was removed is made again`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.save(Desk.alarm("far", at: .ahead(7200)))
    let agent = try desk.startAgent()
    #expect(try shell("rm -r ../belfry", on: desk) == 0)
    #expect(try desk.belfry("skip far").status == 0)
    #expect(desk.state.contains("skipped = "))
    // A second agent still finds the first one.
    let second = try desk.lab.start("belfryd")
    #expect(try second.waitForExit() == .status(0))
    #expect(agent.isRunning)
  }

  // MARK: - A full disk

  /// Whether this process may mount a disk in its own mount namespace, so that other programs do
  /// not see it.
  private nonisolated static var mayMount: Bool {
    getuid() == 0
      && (try? Lab().run("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt").status) == 0
  }

  /// Starts the agent with its state folder on a full disk. Only the agent and commands that
  /// `inside` runs can see this disk.
  private func startWithFullDisk(_ desk: Desk) throws -> Program {
    let started = Lab.now
    let agent = try desk.lab.start(
      "unshare",
      arguments: [
        "-m", "sh", "-c",
        """
        mkdir -p .local/state/belfry && cd .local/state/belfry &&
        mount -t tmpfs -o size=64k none . && cd "$PWD" && head -c 64k /dev/zero >filler
        cd && exec belfryd
        """,
      ])
    try desk.waitForOwner(since: started)
    return agent
  }

  private func inside(_ agent: Program, of desk: Desk, _ words: String) throws -> (
    status: Int32, output: String, errors: String
  ) {
    try desk.lab.run("nsenter", "-t", "\(agent.pid)", "-m", "-w", "sh", "-c", words)
  }

  @Test(.enabled(if: mayMount, "a disk is mounted by root alone"))
  func `on a full disk, commands report that they are not saved, and are saved once there is room`()
    throws
  {
    let desk = try Desk(Lab(.notifications))
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm("work", at: due), Desk.alarm("nap", at: due), Desk.alarm("far", at: .ahead(7200)))
    let agent = try startWithFullDisk(desk)
    let notice = try desk.waitForNotification("The state of alarms cannot be saved")
    #expect(notice.body.hasPrefix("A restart would forget what was stopped or snoozed: write "))
    desk.wait(until: due.epoch)
    try desk.waitForStatus("both to ring") { $0.ringing.count == 2 }
    for command in ["stop work", "snooze nap 10m", "skip far", "timer 1h"] {
      let answer = try desk.belfry(command)
      #expect(answer.status == 1 && answer.output.isEmpty, "\(command): \(answer)")
      #expect(
        answer.errors.hasPrefix(
          "belfry: done, but not saved, so a restart will undo it: write "))
      #expect(
        answer.errors.hasSuffix(
          "No space left on device\n"
            + "hint: free some disk space, or run belfry doctor; Belfry saves as soon as it can\n"))
    }
    // The commands took effect, although they could not be saved.
    let status = try desk.status()
    #expect(status.ringing.isEmpty)
    #expect(status.state("work") == "over" && status.state("nap") == "snoozed")
    let doctor = try inside(agent, of: desk, "belfry doctor")
    #expect(
      doctor.output.contains(
        "cannot be written, so a restart loses snoozes, skips and timers: No space left"))
    #expect(doctor.output.contains("df -h \(desk.lab.home.path)/.local/state/belfry"))

    // As soon as there is room, the agent saves the state by itself, without another change.
    #expect(try inside(agent, of: desk, "rm .local/state/belfry/filler").status == 0)
    try agent.waitForErrors("the state is saved again")
    #expect(try desk.waitForClosing(of: notice) == 3)
    try desk.wait("the ring that was stopped meanwhile") {
      try inside(agent, of: desk, "cat .local/state/belfry/history.jsonl").output
        .contains(#""id":"work""#)
    }
    let saved = try inside(agent, of: desk, "cat .local/state/belfry/state.toml").output
    #expect(saved.contains("phase = \"snoozed\"") && saved.contains("skipped = "))
    #expect(try desk.belfry("unskip far").status == 0)
    try desk.wait("the settings") {
      try inside(agent, of: desk, "cat .local/state/belfry/settings.toml").output.contains("far")
    }
  }
}
