// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sources of samples for the player: a file while it is decoded, samples in memory, or the
// built-in tone for when no file can be played. Each source plays once or in a loop. Next:
// `SoundFile.swift`, the decoder, and `Stream.swift`, the reader.

import Glibc
import Sound
import Synchronization
import System

/// A sequence of interleaved samples in -1...1. Only one thread at a time may use a source.
protocol SoundSource: AnyObject {
  /// The file that the samples come from; nil for the built-in tone.
  var path: String? { get }
  /// Frames per second.
  var rate: Int { get }
  var channels: Int { get }
  /// Reads the next `count` frames to the start of `samples`. Returns how many frames were read;
  /// fewer than `count` only at the end of a source that does not loop.
  func read(into samples: inout [Float], count: Int) throws(SoundFileError) -> Int
}

/// A source that plays samples in memory, once or in a loop.
final class Clip: SoundSource {
  let path: String?
  let rate: Int
  let channels: Int
  private let samples: [Float]
  private let loops: Bool
  /// The index in `samples` of the next sample.
  private var position = 0

  /// `samples` must contain at least one frame.
  init(_ samples: [Float], path: String?, rate: Int, channels: Int, loops: Bool) {
    precondition(samples.count >= channels)
    (self.samples, self.path, self.rate) = (samples, path, rate)
    (self.channels, self.loops) = (channels, loops)
  }

  func read(into samples: inout [Float], count: Int) -> Int {
    let wanted = count * channels
    let available = loops ? wanted : min(wanted, self.samples.count - position)
    for index in 0..<available {
      if position == self.samples.count { position = 0 }
      samples[index] = self.samples[position]
      position += 1
    }
    return available / channels
  }
}

/// The beginning of another source, faded out.
final class BellStroke: SoundSource {
  private let source: any SoundSource
  private var left: Int
  /// How many frames are faded at the end.
  private let fade: Int

  /// Plays the first part of `source`, of the given `length`. Fades out the second half of that
  /// part.
  init(of source: any SoundSource, length: Duration) {
    self.source = source
    left = max(1, Int(length / .seconds(1) * Double(source.rate)))
    fade = left / 2
  }

  var path: String? { source.path }
  var rate: Int { source.rate }
  var channels: Int { source.channels }

  func read(into samples: inout [Float], count: Int) throws(SoundFileError) -> Int {
    let frames = try source.read(into: &samples, count: min(count, left))
    for frame in 0..<frames where left - frame < fade {
      let factor = Float(left - frame - 1) / Float(fade)
      for channel in 0..<channels { samples[frame * channels + channel] *= factor * factor }
    }
    left -= frames
    return frames
  }
}

/// A source that plays a file from start to end. If it `loops`, the first sample follows the last
/// sample in the same buffer, so the loop has no gap.
final class FileSource: SoundSource {
  private let file: SoundFile
  private let loops: Bool

  fileprivate init(_ file: SoundFile, loops: Bool) { (self.file, self.loops) = (file, loops) }

  /// Reads the file at `path` and decodes its beginning, on a thread of its own. Throws `.slowFile`
  /// if `patience` ends before that, because the disk or the decoder may hang.
  static func open(
    _ path: String, loops: Bool, within patience: Patience, on disk: Disk
  ) throws(SoundTrouble) -> any SoundSource {
    let opened: Result<Opened, SoundFileError>
    do throws(FileError) {
      opened = try patience.wait(for: path, on: disk) { disk throws(FileError) in
        let content = try SoundContent(path, on: disk)
        return Result { () throws(SoundFileError) in
          Opened(try open(content, loops: loops))
        }
      }
    } catch .noAnswer {
      throw .slowFile(path)
    } catch {
      throw .file(SoundFileError(error, path))
    }
    do { return try opened.get().take() } catch { throw .file(error) }
  }

  /// Passes a source from the thread that has opened it to the thread that plays it.
  private final class Opened: Sendable {
    private let source: Mutex<(any SoundSource)?>

    init(_ source: sending any SoundSource) { self.source = Mutex(source) }

    /// Call this only once: the source then belongs to the caller.
    func take() -> any SoundSource {
      let taken = source.withLock { source in
        let taken = source
        source = nil
        return taken
      }
      guard let taken else { preconditionFailure("an opened source is taken once") }
      return taken
    }
  }

  /// Opens `content`. A file shorter than a second is decoded into memory, because seeking back
  /// hundreds of times a second costs more than decoding, and libsndfile 1.2 seeks back wrongly in
  /// an Opus file of one packet.
  static func open(
    _ content: SoundContent, loops: Bool
  ) throws(SoundFileError) -> any SoundSource {
    let path = content.path
    try SoundFile.requireSound(in: content)
    let file = try SoundFile(content)
    guard file.frameCount < file.rate else { return FileSource(file, loops: loops) }
    var samples = [Float](repeating: 0, count: file.frameCount * file.channels)
    let frames = try file.read(into: &samples, at: 0, count: file.frameCount)
    guard frames > 0 else { throw .empty(path: path) }
    return Clip(
      Array(samples.prefix(frames * file.channels)), path: path, rate: file.rate,
      channels: file.channels, loops: loops)
  }

  var path: String? { file.path }
  var rate: Int { file.rate }
  var channels: Int { file.channels }

  func read(into samples: inout [Float], count: Int) throws(SoundFileError) -> Int {
    var total = try file.read(into: &samples, at: 0, count: count)
    while loops, total < count {
      try file.rewind()
      let frames = try file.read(into: &samples, at: total, count: count - total)
      // A file without frames would loop here forever.
      guard frames > 0 else { throw .empty(path: file.path) }
      total += frames
    }
    return total
  }
}

/// Makes a tone of two alternating notes, a fourth apart. Each note lasts 200 ms, and a rest of
/// 200 ms follows every four notes. The tone is urgent enough to wake someone, and softer than a
/// plain beep.
enum Tone {
  /// Frames per second.
  private static let rate = 48_000

  static func source(loops: Bool) -> Clip {
    let pair = note(784) + note(1046.5)
    let rest = [Float](repeating: 0, count: rate / 5)
    return Clip(pair + pair + rest, path: nil, rate: rate, channels: 1, loops: loops)
  }

  /// Returns 200 ms of a note of `frequency` Hz with two soft overtones. A rise of 4 ms avoids a
  /// click. The decay reaches zero at the end, so that notes and loops join without a seam.
  private static func note(_ frequency: Double) -> [Float] {
    let count = rate / 5
    return (0..<count).map { frame in
      let time = Double(frame) / Double(rate)
      let phase = 2 * Double.pi * frequency * time
      let wave = sin(phase) + 0.35 * sin(2 * phase) + 0.15 * sin(3 * phase)
      let attack = min(1, time / 0.004)
      let decay = exp(-6 * time) * (1 - Double(frame) / Double(count))
      return Float(0.6 * wave * attack * decay)
    }
  }
}
