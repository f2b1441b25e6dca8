// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds commands that the agent left running when it was killed. Each command has a mark in its
// environment, which every process that it starts inherits. So nothing has to be stored, a command
// is marked before its first instruction, and no process is mistaken for another with the same id.
// `Command.swift` starts commands and ends them in the ordinary way.

import Glibc

/// Marks the commands that one process starts.
public nonisolated struct CommandMark: Sendable {
  /// The environment variable that holds the mark.
  static let variable = "BELFRY_AGENT"

  /// The id of the process that starts the commands, and the boot clock's reading when that process
  /// started. Together these identify a process until the machine is rebooted.
  private let process: Int32
  private let start: String
  /// The session of the process that starts the commands. A command in another session (`setsid`)
  /// was detached on purpose.
  private let session: String
  /// The folder of the agent's state. Agents with different folders leave each other's commands
  /// alone.
  private let folder: String

  /// Creates the mark of this process, which keeps its state in `folder`.
  public init(folder: String) {
    let own = ProcessStatus(getpid())
    (process, start, session) = (getpid(), own?.start ?? "", own?.session ?? "")
    self.folder = folder
  }

  /// The variables to add to a command's environment.
  public var variables: [String: String] {
    [Self.variable: "\(process) \(start) \(session) \(folder)"]
  }

  private init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4, let process = Int32(words[0]) else { return nil }
    self.process = process
    (start, session, folder) = (String(words[1]), String(words[2]), String(words[3]))
  }

  /// Whether the process that made this mark is gone.
  private var isOfTheDead: Bool { ProcessStatus(process)?.start != start }

  /// Returns the processes of commands that an earlier agent with the same folder left running when
  /// it was killed.
  ///
  /// Examines each process of the user. This takes milliseconds, but hangs if a process does not
  /// answer, so do not call it on the main loop.
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

/// A process of a command that a killed agent left running.
public nonisolated struct LeftCommand: Sendable {
  let process: Int32
  /// The environment that the process was started with.
  public let variables: [String: String]

  /// Asks the process to end, or kills it if `byForce`. The kernel hands out process ids in turn,
  /// so no other process has been given this id since `leftBehind` found it.
  public func end(byForce: Bool) { kill(process, byForce ? SIGKILL : SIGTERM) }

  fileprivate static var processes: [Int32] {
    SystemFile.names(in: "/proc").compactMap { Int32($0) }
  }

  /// Returns the environment of a process of this user; nil if the environment contains no mark.
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

  /// How many bytes to read at most. The kernel does not allow an environment this large.
  private static let longest = 8 << 20

  /// Returns the content of a file in /proc; nil if the file cannot be read, for example because
  /// the process belongs to another user.
  fileprivate static func contents(_ path: String) -> [UInt8]? {
    try? SystemFile.read(path, limit: longest)
  }
}

/// The fields of proc_pid_stat(5) that are needed here.
private nonisolated struct ProcessStatus {
  var session: String
  var start: String

  /// Reads the status of a process. Returns nil if the process is gone or is a zombie.
  init?(_ process: Int32) {
    guard let bytes = LeftCommand.contents("/proc/\(process)/stat"),
      // The name of the process comes before the fields, in parentheses. The name may itself
      // contain ")", so look for the last ")".
      let name = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = String(decoding: bytes[(name + 1)...], as: UTF8.self).split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    (session, start) = (String(fields[3]), String(fields[19]))
  }
}
