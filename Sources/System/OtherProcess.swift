// SPDX-License-Identifier: GPL-3.0-or-later
//
// A process that this program did not start, by its number: what it is called, and how to end it.
// Next: `Command.swift`, for processes that this program starts.

import Glibc

public nonisolated struct OtherProcess: Equatable, Sendable {
  public let number: Int32

  public init(_ number: Int32) { self.number = number }

  /// The name of the file that it runs, at most 15 bytes of it (proc_pid_comm(5)); nil if there is
  /// no such process. Unlike the path of that file, any user may read it.
  public var name: String? { SystemFile.line("/proc/\(number)/comm") }

  /// Asks it to leave, or ends it at once (`kill`).
  public func end(atOnce: Bool) throws(SystemError) {
    guard kill(number, atOnce ? SIGKILL : SIGTERM) == 0 else { throw SystemError("kill") }
  }
}
