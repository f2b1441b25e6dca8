// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bytes of a sound file in memory. They are read once, before the ring, so a disk that hangs
// later does not silence the ring. `SoundFile.swift` decodes them.

import CGLib
import Glibc
import Sound
import System

nonisolated struct SoundContent: Sendable {
  let path: String
  /// A file in memory (`memfd_create`), because libsndfile reads from a descriptor.
  let descriptor: OpenDescriptor
  let isEmpty: Bool

  /// How many bytes are read at most, 64 MiB. That is six minutes of uncompressed stereo, and much
  /// more in a compressed format. Only the beginning of a larger file is played.
  private static let limit = 64 << 20

  /// The value of `MFD_CLOEXEC` in linux/memfd.h.
  private static let closeOnExec: UInt32 = 1

  /// Reads the regular file at `path`. Refuses a pipe or a device, because the program that writes
  /// there would decide when the alarm sounds.
  @Blocking init(_ path: String) throws(FileError) {
    let number = memfd_create("sound", Self.closeOnExec)
    guard number >= 0 else { throw .system(SystemError("memfd_create"), path: path) }
    let memory = OpenDescriptor(adopting: number)
    var size = 0
    try DurableFile.readPieces(path, atMost: Self.limit) { piece throws(SystemError) in
      size += piece.count
      try memory.write(piece)
    }
    (self.path, descriptor, isEmpty) = (path, memory, size == 0)
  }

  func rewind() { lseek(descriptor.number, 0, SEEK_SET) }
}

nonisolated extension SoundFileError {
  init(_ error: FileError, _ path: String) {
    switch error {
    case .system(let error, _): self = .unreadable(path: path, error)
    case .noAnswer: self = .unreadable(path: path, SystemError("open", code: ETIMEDOUT))
    case .notAFile, .tooLarge: self = .notAFile(path: path)
    }
  }
}
