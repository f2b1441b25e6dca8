// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds and ends processes that this process did not start: commands that the agent left running
// when it was killed, and the agent that a new agent replaces. Each command has a mark in its
// environment, which every process that it starts inherits. So no list of processes has to be
// stored, and a command is marked before its first instruction. `Command.swift` starts commands and
// ends them in the ordinary way.

import Glibc
import Language

public struct CommandMark: Sendable {
  private static let variable = "BELFRY_AGENT"
  /// How many bytes of an environment to read at most. The kernel allows no larger environment.
  private static let longest = 8 << 20

  /// The folder of the agent's state. Agents with different folders leave each other's commands
  /// alone.
  private let folder: String

  public init(folder: String) { self.folder = folder }

  /// The environment variables by which a later agent recognizes a command that is still running.
  /// The mark in them consists of the id of this process, the id of its session, and `folder`.
  public var variables: [String: String] {
    [Self.variable: "\(getpid()) \(getsid(0)) \(folder)"]
  }

  /// Ends the processes of commands that an earlier agent with the same folder left running. Asks
  /// them to end (SIGTERM), or kills them if `byForce`. Spares a process if `isSpared` returns true
  /// for its environment. Returns how many processes got a signal.
  ///
  /// Examines each process of the user. This takes milliseconds, but hangs if a process does not
  /// answer, so do not call it on the main loop.
  public func endLeftBehind(
    byForce: Bool, sparing isSpared: ([String: String]) -> Bool
  ) -> Int {
    let left = SystemFile.names(in: "/proc").compactMap { Int32($0) }.filter { process in
      guard let variables = environment(of: process), isLeftBehind(process, variables) else {
        return false
      }
      return !isSpared(variables)
    }
    for process in left { kill(process, byForce ? SIGKILL : SIGTERM) }
    return left.count
  }

  private func isLeftBehind(_ process: Int32, _ variables: [String: String]) -> Bool {
    let mark = variables[Self.variable]?.split(
      separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard let mark, mark.count == 3 else { return false }
    // A command in another session (`setsid`) was detached on purpose.
    return mark[2] == folder && Int32(mark[0]) != getpid() && Int32(mark[1]) == getsid(process)
  }

  /// Returns the environment of a process; nil if the environment has no mark of a command, or
  /// cannot be read because the process belongs to another user.
  private func environment(of process: Int32) -> [String: String]? {
    let bytes = try? SystemFile.read("/proc/\(process)/environ", limit: Self.longest)
    let entries = bytes?.split(separator: 0) ?? []
    let mark = Array("\(Self.variable)=".utf8)
    guard entries.contains(where: { $0.starts(with: mark) }) else { return nil }
    let pairs = entries.map { entry in
      let parts = String(decoding: entry, as: UTF8.self).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

public struct OtherProcess: Equatable, Sendable {
  public let number: Int32

  public init(_ number: Int32) { self.number = number }

  /// The name of the file that the process runs, cut to 15 bytes (proc_pid_comm(5)); nil if there
  /// is no such process. Any user may read this name, but not the file's full path.
  public var name: String? { SystemFile.line("/proc/\(number)/comm") }

  /// Whether the process runs a file called `program`. The file decides, because a process can give
  /// itself any name; if the file cannot be read, as for another user's process, the name decides.
  public func isProgram(_ program: String) -> Bool {
    guard let path = SystemFile.link(at: "/proc/\(number)/exe") else { return name == program }
    // The kernel adds this mark after an upgrade has replaced the file.
    let file = OutsideText.names(in: path).last ?? ""
    return file == program || file == "\(program) (deleted)"
  }

  /// Kills the process if `atOnce` is true (SIGKILL), otherwise asks it to end (SIGTERM). Does not
  /// wait for its end.
  public func end(atOnce: Bool) throws(SystemError) {
    guard kill(number, atOnce ? SIGKILL : SIGTERM) == 0 else { throw SystemError("kill") }
  }
}
