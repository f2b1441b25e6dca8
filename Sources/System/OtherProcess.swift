// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the name of a process that this program did not start, and ends that process. The caller
// knows its process id. Next: `Command.swift`, for processes that this program starts.

import Glibc

public nonisolated struct OtherProcess: Equatable, Sendable {
  public let number: Int32

  public init(_ number: Int32) { self.number = number }

  /// The name of the file that the process runs, cut to 15 bytes (proc_pid_comm(5)); nil if there
  /// is no such process. Any user may read this name, which is not true of the file's full path.
  public var name: String? { SystemFile.line("/proc/\(number)/comm") }

  public func end(atOnce: Bool) throws(SystemError) {
    guard kill(number, atOnce ? SIGKILL : SIGTERM) == 0 else { throw SystemError("kill") }
  }
}
