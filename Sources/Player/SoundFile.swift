// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decodes a sound file piece by piece with libsndfile: WAV, FLAC, Ogg Vorbis, Opus, MP3 and others.
// The file is read into memory once, before the ring, so a disk that hangs later does not silence
// the ring. `MPEGSound.swift` prepares MP3 files, `SoundSource.swift` repeats the sound, and
// `Playback.swift` plays it.

import CGLib
import CSndfile
import Glibc
import Scheduling
import Sound
import System

/// An open sound file (`SNDFILE`), read from its start as interleaved samples in -1...1. Only one
/// thread at a time may use it.
final class SoundFile {
  let path: String
  /// Frames per second, 4000...192000: the rates that ALSA's converters accept on every device.
  let rate: Int
  /// The number of channels, 1 or 2. A file with more channels is mixed down to two.
  let channels: Int
  /// How many frames the header promises; a damaged file may have fewer.
  let frameCount: Int

  private let file: OpaquePointer
  private let fileChannels: Int
  private var surround: [Float] = []

  /// Reads the header of `content` (`sf_open`).
  init(_ content: SoundContent) throws(SoundFileError) {
    let path = content.path
    if content.isEmpty { throw .empty(path: path) }
    var info = SF_INFO()
    // Let libsndfile open the file in memory again. If it got the descriptor itself (`sf_open_fd`),
    // it would close that of a damaged file, although SF_FALSE forbids it. `content` would then
    // close the number a second time, when it may already belong to another file or to the device.
    let again = "/proc/self/fd/\(content.descriptor.number)"
    guard let file = sf_open(again, Int32(SFM_READ), &info) else {
      throw .undecodable(path: path, text: String(cString: sf_strerror(nil)))
    }
    (self.file, self.path) = (file, path)
    (rate, fileChannels) = (Int(info.samplerate), Int(info.channels))
    (channels, frameCount) = (min(fileChannels, 2), Int(info.frames))
    guard (4000...192_000).contains(rate), (1...32).contains(fileChannels) else {
      throw .unsuitable(path: path, rate: rate, channels: fileChannels)
    }
    guard frameCount > 0 else { throw .empty(path: path) }
  }

  deinit { sf_close(file) }

  /// Reads `count` frames into `samples`, from frame `start` on (`sf_readf_float`). Returns how
  /// many frames were read; fewer than `count` only at the end of the file.
  func read(
    into samples: inout [Float], at start: Int, count: Int
  ) throws(SoundFileError) -> Int {
    precondition(start >= 0 && count >= 0 && (start + count) * channels <= samples.count)
    guard fileChannels <= 2 else {
      return try readMixed(into: &samples, at: start, count: count)
    }
    let frames = samples.withUnsafeMutableBufferPointer {
      $0.baseAddress.map { sf_readf_float(file, $0 + start * channels, sf_count_t(count)) } ?? 0
    }
    return try checked(frames, of: count)
  }

  /// Goes back to the first frame (`sf_seek`).
  func rewind() throws(SoundFileError) {
    guard sf_seek(file, 0, SEEK_SET) == 0 else { throw damage() }
  }

  /// Mixes more than two channels down to two. The first two are left and right in every format;
  /// the others are added to both sides, 3 dB lower. The sum is scaled so that it cannot clip.
  private func readMixed(
    into samples: inout [Float], at start: Int, count: Int
  ) throws(SoundFileError) -> Int {
    if surround.count < count * fileChannels {
      surround = [Float](repeating: 0, count: count * fileChannels)
    }
    let frames = try checked(sf_readf_float(file, &surround, sf_count_t(count)), of: count)
    let share = Float(0.5).squareRoot()
    let scale = 1 / (1 + share * Float(fileChannels - 2))
    for frame in 0..<frames {
      let first = frame * fileChannels
      var others: Float = 0
      for channel in 2..<fileChannels { others += surround[first + channel] }
      samples[(start + frame) * 2] = (surround[first] + share * others) * scale
      samples[(start + frame) * 2 + 1] = (surround[first + 1] + share * others) * scale
    }
    return frames
  }

  private func checked(_ frames: sf_count_t, of count: Int) throws(SoundFileError) -> Int {
    if frames < count, sf_error(file) != SF_ERR_NO_ERROR { throw damage() }
    return Int(frames)
  }

  private func damage() -> SoundFileError {
    .undecodable(path: path, text: String(cString: sf_strerror(file)))
  }
}

extension SoundFile {
  /// Throws `.silent` if nothing can be heard in the first minute of `content`. Uses a decoder of
  /// its own, because not every decoder returns to the first sample correctly: see
  /// `FileSource.open`. Returns the largest sample up to the first that can be heard.
  @discardableResult
  static func requireSound(in content: SoundContent) throws(SoundFileError) -> Float {
    let file = try SoundFile(content)
    let peak = try file.peak { $0 < Gain.softest && $1 < 60 * file.rate }
    if peak < Gain.softest { throw .silent(path: content.path) }
    return peak
  }

  /// The largest sample of the file at `path`, 0...1. Waits at most `patience` for the disk, then
  /// decodes at most the first minute of sound for `requireSound`. Unless `beginning` is true, then
  /// decodes the whole file, or what can be decoded within `patience`.
  static func peak(
    of path: String, beginning: Bool = false, patience: Duration, on disk: Disk
  ) throws(SoundFileError) -> Float {
    let content: SoundContent
    do throws(FileError) {
      content = try Patience(patience).wait(for: path, on: disk) { disk throws(FileError) in
        try SoundContent(path, on: disk)
      }
    } catch { throw SoundFileError(error, path) }
    let begun = try requireSound(in: content)
    if beginning { return begun }
    let deadline = ContinuousClock.now + patience
    return try SoundFile(content).peak { _, _ in ContinuousClock.now < deadline }
  }

  /// Reads block by block, and returns the largest sample. After each block, calls `goesOn` with
  /// the largest sample and the number of frames so far. Stops when `goesOn` returns false, or at
  /// the end of the file.
  private func peak(while goesOn: (Float, Int) -> Bool) throws(SoundFileError) -> Float {
    let block = 4096
    var samples = [Float](repeating: 0, count: block * channels)
    var (peak, total, frames): (Float, Int, Int) = (0, 0, 0)
    repeat {
      frames = try read(into: &samples, at: 0, count: block)
      for sample in samples[..<(frames * channels)] { peak = max(peak, abs(sample)) }
      total += frames
    } while frames == block && goesOn(peak, total)
    guard total > 0 else { throw .empty(path: path) }
    return peak
  }
}

struct SoundContent: Sendable {
  let path: String
  /// A file in memory (`memfd_create`), because libsndfile reads files. For a file that is larger
  /// than `limit`, the file itself.
  let descriptor: OpenDescriptor
  let isEmpty: Bool

  /// The size in bytes of the largest file that is read into memory, 64 MiB. That is six minutes of
  /// uncompressed stereo, and much more in a compressed format. A larger file is read while it
  /// plays.
  private static let limit = 64 << 20

  /// The value of `MFD_CLOEXEC` in linux/memfd.h.
  private static let closeOnExec: UInt32 = 1

  /// Reads the regular file at `path`. Refuses a pipe or a device, because the program that writes
  /// there would decide when the alarm sounds.
  init(_ path: String, on disk: Disk) throws(FileError) {
    self.path = path
    if let size = DurableFile.size(of: path, on: disk), size > Self.limit {
      (descriptor, isEmpty) = (try Self.file(path, on: disk), false)
      return
    }
    let memory = try Self.memory(path)
    var size = 0
    try DurableFile.readPieces(path, atMost: Self.limit, on: disk) { piece throws(SystemError) in
      size += piece.count
      try memory.write(piece)
    }
    isEmpty = size == 0
    descriptor = try Self.frames(memory, size, path) ?? memory
  }

  private static func memory(_ path: String) throws(FileError) -> OpenDescriptor {
    let number = memfd_create("sound", closeOnExec)
    guard number >= 0 else { throw .system(SystemError("memfd_create"), path: path) }
    return OpenDescriptor(adopting: number)
  }

  private static func file(_ path: String, on disk: Disk) throws(FileError) -> OpenDescriptor {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard number >= 0 else { throw .system(SystemError("open"), path: path) }
    let file = OpenDescriptor(adopting: number)
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notAFile(path: path, isFolder: false)
    }
    return file
  }

  /// Returns a file in memory that has only the frames of an MP3 file, the first `size` bytes of
  /// `content`. Returns nil if they are no MP3 file.
  private static func frames(
    _ content: OpenDescriptor, _ size: Int, _ path: String
  ) throws(FileError) -> OpenDescriptor? {
    guard size > 0, let begin = mmap(nil, size, PROT_READ, MAP_PRIVATE, content.number, 0),
      begin != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    defer { munmap(begin, size) }
    let bytes = UnsafeRawBufferPointer(start: begin, count: size)
    guard let sound = MPEGSound(bytes) else { return nil }
    let memory = try memory(path)
    do throws(SystemError) {
      try memory.write(sound.first)
      for range in sound.ranges {
        for begin in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
          try memory.write(Array(bytes[begin..<min(begin + (1 << 20), range.upperBound)]))
        }
      }
    } catch { throw .system(error, path: path) }
    return memory
  }
}

extension SoundFileError {
  init(_ error: FileError, _ path: String) {
    switch error {
    case .system(let error, _): self = .unreadable(path: path, error)
    case .noAnswer: self = .unreadable(path: path, SystemError("open", code: ETIMEDOUT))
    case .replaced: self = .unreadable(path: path, SystemError("open", code: ESTALE))
    case .notAFile, .tooLarge: self = .notAFile(path: path)
    }
  }
}
