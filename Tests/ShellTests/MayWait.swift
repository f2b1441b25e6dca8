// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets tests call functions that may wait for a disk, because a test may wait on its own thread.
// Each function in this file calls the function with the same name in System or Player.

@testable import Player
@testable import Sound
@testable import System

nonisolated enum DurableFile {
  static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    try Disk.here { disk throws(FileError) in
      try System.DurableFile.read(path, limit: limit, on: disk)
    }
  }

  static func tail(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
    try Disk.here { disk throws(FileError) in
      try System.DurableFile.tail(path, atMost: limit, on: disk)
    }
  }

  static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    try Disk.here { disk throws(FileError) in
      try System.DurableFile.replace(path, with: bytes, on: disk)
    }
  }

  static func append(
    _ line: String, to path: String, limit: Int = .max
  ) throws(FileError) {
    try Disk.here { disk throws(FileError) in
      try System.DurableFile.append(line, to: path, limit: limit, on: disk)
    }
  }

  static func closeFolder(_ path: String) throws(FileError) {
    try Disk.here { disk throws(FileError) in try System.DurableFile.closeFolder(path, on: disk) }
  }
}

nonisolated enum SharedFile {
  typealias Failure = System.SharedFile.Failure

  static func revise<Refusal: Error>(
    _ path: String, limit: Int, _ edit: ([UInt8]?) throws(Refusal) -> [UInt8]?
  ) throws(Failure<Refusal>) {
    try Disk.here { disk throws(Failure<Refusal>) in
      try System.SharedFile.revise(path, limit: limit, on: disk, edit)
    }
  }
}

nonisolated func status(of path: String) throws(FileError) -> FileStatus {
  try Disk.here { disk throws(FileError) in try FileStatus(of: path, on: disk) }
}

nonisolated func content(of path: String) throws(SoundFileError) -> SoundContent {
  do throws(FileError) {
    return try Disk.here { disk throws(FileError) in try SoundContent(path, on: disk) }
  } catch { throw SoundFileError(error, path) }
}

nonisolated func source(
  of path: String, loops: Bool
) throws(SoundFileError) -> any SoundSource {
  try FileSource.open(content(of: path), loops: loops)
}

nonisolated func source(
  of path: String, within patience: Duration
) throws(SoundTrouble) -> any SoundSource {
  try Disk.here { disk throws(SoundTrouble) in
    try FileSource.open(path, loops: true, within: Patience(patience), on: disk)
  }
}

nonisolated func soundFile(_ path: String) throws(SoundFileError) -> SoundFile {
  try SoundFile(content(of: path))
}

nonisolated func loudest(of path: String, patience: Duration) throws(SoundFileError) -> Float {
  try Disk.here { disk throws(SoundFileError) in
    try SoundFile.peak(of: path, patience: patience, on: disk)
  }
}
