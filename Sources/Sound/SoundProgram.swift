// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program `belfry-sound`: where it is, and how it is started. It is a process of its own
// because a plug-in of the sound system may crash or hang, and because what it loads is gone with
// it. Next: `SoundProcess.swift`, which plays through it, and `SoundCheck.swift`, which asks it.

import CGLib
import Glibc
import Synchronization
import System

/// The file of the program, held open: an upgrade puts a newer one in its place, and the program
/// must be of the same version as whoever talks to it.
nonisolated final class SoundProgram: Sendable {
  static let name = "belfry-sound"
  private let file = Mutex<OpenDescriptor?>(nil)

  /// A started process, and our end of the socket that is its standard input.
  struct Process: Sendable {
    var number: Int32
    var socket: OpenDescriptor
  }

  /// Opens the file, unless that is done. It is beside the program that this is, where a build has
  /// it, or in `lib/belfry` beside that folder, where it is installed.
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
  ///   - record: The file that remembers what the output was set to.
  ///   - errors: What takes the process's standard error.
  @Blocking func start(
    record: String, errors: Int32 = STDERR_FILENO
  ) throws(SystemError) -> Process {
    let file = try open()
    let (ours, theirs) = try PacketSocket.pair()
    defer { withExtendedLifetime(theirs) {} }
    // The file is passed as standard output, which nothing is written to: there it has a name that
    // the new process can run.
    let launch = Launch(
      [Self.name, record], program: "/proc/self/fd/\(STDOUT_FILENO)", input: theirs.number,
      output: file.number, errors: errors)
    return Process(number: try launch.start(), socket: ours)
  }
}
