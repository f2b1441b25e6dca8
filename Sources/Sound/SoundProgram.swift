// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds and starts the program `belfry-sound`. Sound has a process of its own because a plug-in of
// the sound system may crash or hang, and because its libraries are unloaded with the process.
// Next: `SoundProcess.swift`, which plays sounds with the program, and `SoundCheck.swift`, which
// asks the program questions.

import CGLib
import Glibc
import Synchronization
import System

/// The file of the program `belfry-sound`. It is kept open: an upgrade puts a newer file in its
/// place, but the program must have the same version as the process that uses it.
nonisolated final class SoundProgram: Sendable {
  static let name = "belfry-sound"
  private let file = Mutex<OpenDescriptor?>(nil)

  struct Process: Sendable {
    var number: Int32
    /// The caller's end of the socket pair. The other end is the standard input of `belfry-sound`.
    var socket: PacketSocket
  }

  /// Opens the file, unless it is open already. In a build, the file is beside the running program.
  /// In an installation, it is in `lib/belfry` beside the folder of the running program.
  @discardableResult
  @Blocking func open() throws(SystemError) -> OpenDescriptor {
    if let open = file.withLock({ $0 }) { return open }
    let folder = Environment.programPath.map { Path.folder(of: $0) } ?? "."
    let places = [
      Path.join(folder, Self.name), Path.join(folder, "../lib/belfry/" + Self.name),
    ]
    guard let path = places.first(where: { Folder.hasFile($0) }) else {
      throw SystemError(Self.name, code: ENOENT)
    }
    let opened = try SystemFile.open(path, O_RDONLY)
    file.withLock { $0 = opened }
    return opened
  }

  /// - Parameters:
  ///   - record: The file with the volumes to restore.
  ///   - errors: The process's standard error.
  @Blocking func start(
    record: String, errors: Int32 = STDERR_FILENO
  ) throws(SystemError) -> Process {
    let file = try open()
    let (ours, theirs) = try PacketSocket.pair()
    defer { withExtendedLifetime((file, theirs)) {} }
    // The new process gets the file as its standard output, on which it prints nothing, and runs
    // the file from there.
    let launch = Launch(
      [Self.name, record], program: "/proc/self/fd/\(STDOUT_FILENO)", input: theirs.number,
      output: file.number, errors: errors)
    return Process(number: try launch.start(), socket: ours)
  }
}
