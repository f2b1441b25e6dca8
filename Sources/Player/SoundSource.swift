// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the player reads its samples from, once or in a loop: a file as it is decoded, or samples in
// memory. Next: `SoundFile.swift`, the decoder, and `Stream.swift`, the reader.

import Sound

/// A stream of interleaved samples in -1...1. Not for two threads at a time.
nonisolated protocol SoundSource: AnyObject {
  /// The file that it plays; nil for the tone.
  var path: String? { get }
  /// Frames per second.
  var rate: Int { get }
  /// 1 or 2.
  var channels: Int { get }
  /// Reads `count` frames to the start of `samples` and returns how many it read: fewer than asked
  /// only at the end of a source that does not loop.
  func read(into samples: inout [Float], count: Int) throws(SoundFileError) -> Int
  /// Goes back to the first frame.
  func rewind() throws(SoundFileError)
}

/// Samples in memory, once or in a loop.
nonisolated final class Clip: SoundSource {
  let path: String?
  let rate: Int
  let channels: Int
  private let samples: [Float]
  private let loops: Bool
  /// Index in `samples` of what comes next.
  private var position = 0

  /// `samples` is interleaved, of one frame or more.
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

  func rewind() { position = 0 }
}

/// The beginning of another source, faded out.
nonisolated final class Stroke: SoundSource {
  private let source: any SoundSource
  /// Frames to come of it, and how many of these are faded.
  private var left: Int
  private let fade: Int
  private let length: Int

  /// `length` of it, or less where it is shorter; the second half is faded out.
  init(of source: any SoundSource, length: Duration) {
    self.source = source
    self.length = max(1, Int(length / .seconds(1) * Double(source.rate)))
    (left, fade) = (self.length, self.length / 2)
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

  func rewind() throws(SoundFileError) {
    try source.rewind()
    left = length
  }
}

/// A file from start to end, and, where it `loops`, from the start again in the same buffer, so
/// that no time passes between its last sample and its first.
nonisolated final class FileSource: SoundSource {
  private let file: SoundFile
  private let loops: Bool

  fileprivate init(_ file: SoundFile, loops: Bool) { (self.file, self.loops) = (file, loops) }

  /// What plays `content`: already decoded if it is shorter than a second, because seeking back
  /// hundreds of times a second costs more than decoding, and libsndfile 1.2 goes back wrongly in
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
      // One that was emptied meanwhile would loop here for ever.
      guard frames > 0 else { throw .empty(path: file.path) }
      total += frames
    }
    return total
  }

  func rewind() throws(SoundFileError) { try file.rewind() }
}
