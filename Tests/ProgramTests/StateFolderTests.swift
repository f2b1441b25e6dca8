// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent with a state file or folder in bad condition: it starts, says what it found, keeps what
// it could not read, and rings.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct StateFolderTests {
  /// What is in the place of the state file.
  enum Memory: CaseIterable {
    case torn, truncated, foreign, binary, enormous, folder, pipe

    /// Makes it; for a shell in the state folder.
    var commands: String {
      switch self {
      case .torn: "printf 'version = 1\\nentries = 3\\n' >state.toml"
      case .truncated: "printf 'version = 1\\nentries = 1\\n\\n[[alarm]]\\nid = \"wo' >state.toml"
      case .foreign: "printf 'version = 99\\nentries = 0\\n' >state.toml"
      case .binary: "head -c 5000 /dev/urandom >state.toml"
      case .enormous: "truncate -s 100M state.toml"
      case .folder: "mkdir state.toml && touch state.toml/kept"
      case .pipe: "mkfifo state.toml"
      }
    }

    /// What the agent says of it.
    var complaint: String {
      switch self {
      case .torn: "state.toml:torn: 0 of 3 entries are there"
      case .truncated: "state.toml:5:"
      case .foreign: "state.toml:not a state of this version of Belfry"
      case .binary: "state.toml:not UTF-8"
      case .enormous: "state.toml is larger than 67108864 bytes"
      case .folder: "state.toml is a folder, not a file"
      case .pipe: "state.toml is a pipe, not a file"
      }
    }

    /// Succeeds where it was kept; for a shell in the state folder.
    var isKept: String {
      switch self {
      case .torn, .truncated, .foreign, .binary: "cmp state.toml.unreadable ../before"
      case .enormous: "test $(stat -c %s state.toml.unreadable) = 104857600"
      case .folder: "test -f state.toml.unreadable/kept"
      case .pipe: "test -p state.toml.unreadable"
      }
    }
  }

  private func shell(_ commands: String, on desk: Desk) throws -> Int32 {
    try desk.lab.run(
      "sh", "-c", "mkdir -p .local/state/belfry && cd .local/state/belfry && \(commands)"
    ).status
  }

  /// It rings at `due`, can be stopped, and is over then.
  private func expectRing(_ desk: Desk, at due: Second) throws {
    desk.wait(until: due.epoch)
    try desk.waitForStatus("it to ring") { $0.ringing.map(\.id) == ["work"] }
    #expect(try desk.belfry("stop work").output == "stopped work\n")
    #expect(try desk.status().state("work") == "over")
  }

  @Test(arguments: Memory.allCases)
  func `what it cannot read is said and kept, and it begins anew`(memory: Memory) throws {
    let desk = try Desk(Lab(.bus))
    #expect(try shell(memory.commands, on: desk) == 0)
    if memory != .pipe { #expect(try shell("cp -r state.toml ../before", on: desk) == 0) }
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due))
    let agent = try desk.startAgent()
    let said = try agent.waitForErrors(memory.complaint)
    #expect(said.contains("it is kept as"), "\(said)")
    #expect(try shell(memory.isKept, on: desk) == 0)
    try expectRing(desk, at: due)
    // It remembers again.
    try desk.crash(agent)
    let again = try desk.startAgent()
    #expect(try desk.status().state("work") == "over")
    #expect(!again.errors.contains("state.toml"), "\(again.errors)")
  }

  @Test func `a folder that others may look into is closed to them`() throws {
    let desk = try Desk(Lab(.bus))
    #expect(try shell("chmod 755 .", on: desk) == 0)
    try desk.saveText("")
    try desk.startAgent()
    #expect(try shell("test $(stat -c %a .) = 700", on: desk) == 0)
  }

  @Test func `a memory from a clock in 2099 silences nothing`() throws {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(3)
    let memory = """
      version = 1
      entries = 1
      [clock]
      boot_id = "another"
      boot_microseconds = 5000000
      wall = 2099-01-01T00:00:05.000000Z
      [[alarm]]
      id = "work"
      signature = "\(due.shown) \(due.date)"
      handled = 2099-01-01T00:00:00.000000Z
      """
    #expect(try shell("cat >state.toml <<'end'\n\(memory)\nend\n", on: desk) == 0)
    try desk.save(Desk.alarm("work", at: due))
    let agent = try desk.startAgent()
    try expectRing(desk, at: due)
    #expect(!agent.errors.contains("state.toml"), "\(agent.errors)")
  }

  @Test(arguments: [
    // A disk that takes not a byte more, for root too.
    "trap '' XFSZ; ulimit -f 0; exec belfryd",
    // A file system that takes no folder, for root too.
    "XDG_STATE_HOME=/sys exec belfryd",
  ])
  func `where nothing can be written it says so, and rings`(start: String) throws {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due))
    let started = Lab.now
    let agent = try desk.lab.start("bash", arguments: ["-c", start])
    try desk.waitForOwner(since: started)
    try agent.waitForErrors("the state is not saved: ")
    try expectRing(desk, at: due)
    #expect(agent.isRunning)
  }
}
