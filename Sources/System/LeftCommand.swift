// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the commands that this program left running when it was killed. Each command has a mark in
// its environment, which all that it starts inherits. So nothing needs to be stored, a command is
// marked before its first instruction, and no process id can be mistaken for another's. How
// commands are started, and ended in the ordinary way, is in `Command.swift`.

import Glibc

/// Marks the commands of one process of this program.
public nonisolated struct CommandMark: Sendable {
  /// The variable of the environment that has the mark.
  static let variable = "BELFRY_AGENT"

  /// The process that starts the commands, and its start by the boot clock: until the machine
  /// starts again, the two together are no other process.
  private let process: Int32
  private let start: String
  /// A command with a session of its own (`setsid`) has been let go of on purpose.
  private let session: String
  /// Programs that keep their state in other folders leave each other's commands alone.
  private let folder: String

  /// Marks commands as started by this process, which keeps its state in `folder`.
  public init(folder: String) {
    let own = ProcessStatus(getpid())
    (process, start, session) = (getpid(), own?.start ?? "", own?.session ?? "")
    self.folder = folder
  }

  /// What a marked command has in its environment.
  public var variables: [String: String] {
    [Self.variable: "\(process) \(start) \(session) \(folder)"]
  }

  private init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4, let process = Int32(words[0]) else { return nil }
    self.process = process
    (start, session, folder) = (String(words[1]), String(words[2]), String(words[3]))
  }

  /// Whether the process that made the mark is gone.
  private var isOfTheDead: Bool { ProcessStatus(process)?.start != start }

  /// All processes of commands whose starter, another process for the same folder, is gone.
  ///
  /// Looks at each process of the user, which takes milliseconds, and may hang at one that hangs:
  /// not for the main loop.
  public func leftBehind() -> [LeftCommand] {
    LeftCommand.processes.compactMap { process in
      guard process != getpid(), let variables = LeftCommand.environment(of: process),
        let mark = variables[Self.variable].flatMap(CommandMark.init), mark.folder == folder,
        mark.isOfTheDead, ProcessStatus(process)?.session == mark.session
      else { return nil }
      return LeftCommand(process: process, variables: variables)
    }
  }
}

/// A process of a command that was left behind.
public nonisolated struct LeftCommand: Sendable {
  let process: Int32
  /// Its environment when it was started.
  public let variables: [String: String]

  /// Tells it to end, or kills it. Process ids are given out in turn: since it was found, no other
  /// process has got its own.
  public func end(byForce: Bool) { kill(process, byForce ? SIGKILL : SIGTERM) }

  fileprivate static var processes: [Int32] {
    SystemFile.names(in: "/proc").compactMap { Int32($0) }
  }

  /// The environment of a process of this user that has a mark; nil if it has none.
  fileprivate static func environment(of process: Int32) -> [String: String]? {
    guard let bytes = contents("/proc/\(process)/environ") else { return nil }
    let entries = bytes.split(separator: 0)
    let mark = Array("\(CommandMark.variable)=".utf8)
    guard entries.contains(where: { $0.starts(with: mark) }) else { return nil }
    let pairs = entries.map { entry in
      let parts = String(decoding: entry, as: UTF8.self).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// More than the kernel allows an environment to be.
  private static let longest = 8 << 20

  /// A file in /proc; nil if it cannot be read, as those of another user's process.
  fileprivate static func contents(_ path: String) -> [UInt8]? {
    try? SystemFile.read(path, limit: longest)
  }
}

/// What proc_pid_stat(5) says of a process.
private nonisolated struct ProcessStatus {
  var session: String
  var start: String

  /// Nil if it is gone, or ended and not waited for.
  init?(_ process: Int32) {
    guard let bytes = LeftCommand.contents("/proc/\(process)/stat"),
      // The name before it may hold anything.
      let name = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = String(decoding: bytes[(name + 1)...], as: UTF8.self).split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    (session, start) = (String(fields[3]), String(fields[19]))
  }
}
