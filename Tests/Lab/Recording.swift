// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stores recorded sound, with the time at which each sample was played, and searches it. Next:
// `Recorder.swift`, which fills it.

import Foundation

/// The samples of a sound card's monitor, with their times on the system clock.
///
/// The null sink runs on the system clock, so frame i is played at t0 + i / rate. Each read of the
/// monitor gives an estimate of t0. On a busy machine a read may be late, but it is never early, so
/// the smallest estimate of all reads from 2 s before to 2 s after is used. One fragment is added,
/// because the sink renders that much ahead of the clock. Measured against a player that logs its
/// writes, the recorded times are between 1 ms before and 5 ms after the write.
struct Recording {
  /// Frames per second; a frame is a left and a right sample.
  static let rate = 48_000
  static let channels = 2
  /// How many milliseconds of sound the server is asked to send at a time.
  static let fragment = 5

  private struct Piece {
    let read: Epoch
    let frames: Range<Int>
    /// The largest absolute value of a sample in this piece.
    let peak: Int

    /// When frame 0 was played, if the program read this piece without delay.
    var origin: Epoch { read - Double(frames.upperBound) / Double(Recording.rate) }
  }

  private var unread = Data()
  private var samples: [Int16] = []
  private var pieces: [Piece] = []

  var frameCount: Int { samples.count / Self.channels }

  /// The time at which the last recorded frame was played.
  var end: Epoch {
    pieces.isEmpty ? -.infinity : origin(at: pieces.count - 1) + seconds(frameCount)
  }

  /// Stores the bytes that were read at `time`: signed 16 bit samples, left and right in turn.
  mutating func take(_ data: Data, at time: Epoch) {
    unread += data
    let frameSize = Self.channels * MemoryLayout<Int16>.size
    let whole = unread.prefix(unread.count / frameSize * frameSize)
    guard !whole.isEmpty else { return }
    let firstFrame = frameCount
    var peak = 0
    whole.withUnsafeBytes { bytes in
      let new = bytes.bindMemory(to: Int16.self)
      samples += new
      // An idle sink gives only zeros. memcmp finds that much faster than a loop in a debug build.
      let isZero =
        bytes[0] == 0 && memcmp(bytes.baseAddress!, bytes.baseAddress! + 1, bytes.count - 1) == 0
      if !isZero { peak = new.reduce(0) { max($0, abs(Int($1))) } }
    }
    unread = Data(unread.dropFirst(whole.count))
    pieces.append(Piece(read: time, frames: firstFrame..<frameCount, peak: peak))
  }

  /// Returns the time of the first frame at `start` or later with a sample above `level` decibels.
  func firstSound(after start: Epoch, above level: Double) -> Epoch? {
    let threshold = Self.sample(level)
    for index in firstPiece(readAt: start)..<pieces.count where pieces[index].peak > threshold {
      let origin = origin(at: index)
      let loud = pieces[index].frames.first {
        origin + seconds($0) >= start && isLoud($0, threshold)
      }
      if let loud { return origin + seconds(loud) }
    }
    return nil
  }

  /// Returns the time of the last frame before `end` with a sample above `level` decibels.
  func lastSound(before end: Epoch, above level: Double) -> Epoch? {
    let threshold = Self.sample(level)
    for index in pieces.indices.reversed() where pieces[index].peak > threshold {
      let origin = origin(at: index)
      let loud = pieces[index].frames.last { origin + seconds($0) < end && isLoud($0, threshold) }
      if let loud { return origin + seconds(loud) }
    }
    return nil
  }

  /// Returns the end of the last sound before the first stretch of `seconds` without sound at
  /// `start` or later, or `start` if nothing is heard before that stretch; nil if there is no such
  /// stretch yet.
  func gap(after start: Epoch, lasting seconds: Double, above level: Double) -> Epoch? {
    let threshold = Self.sample(level)
    let length = Int(seconds * Double(Self.rate))
    let first = frame(at: start)
    var next = first
    // The sound before frame `next` is known. Look backwards, because sound is usually found at
    // once, and the frames before that sound need not be examined.
    while next + length <= frameCount {
      guard let loud = (next..<next + length).last(where: { isLoud($0, threshold) }) else {
        return next == first ? start : start + self.seconds(next - first)
      }
      next = loud + 1
    }
    return nil
  }

  /// Returns the samples played between two times.
  func samples(from start: Epoch, to end: Epoch) -> ArraySlice<Int16> {
    let first = frame(at: start)
    return samples[first * Self.channels..<max(first, frame(at: end)) * Self.channels]
  }

  private func isLoud(_ frame: Int, _ threshold: Int) -> Bool {
    samples[frame * Self.channels..<(frame + 1) * Self.channels].contains {
      abs(Int($0)) > threshold
    }
  }

  /// Returns the number of the frame that was played at `time`, or of the nearest recorded frame.
  private func frame(at time: Epoch) -> Int {
    guard let last = pieces.indices.last else { return 0 }
    let offset = time - origin(at: min(firstPiece(readAt: time), last))
    return Int(min(max(0, offset * Double(Self.rate)), Double(frameCount)))
  }

  private func origin(at index: Int) -> Epoch {
    let read = pieces[index].read
    let near = firstPiece(readAt: read - 2)..<firstPiece(readAt: read + 2)
    return pieces[near].reduce(.infinity) { min($0, $1.origin) } + Double(Self.fragment) / 1000
  }

  /// Returns the index of the first piece that was read at `time` or later.
  private func firstPiece(readAt time: Epoch) -> Int {
    var range = pieces.startIndex..<pieces.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        pieces[middle].read < time
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  private func seconds(_ frames: Int) -> Double { Double(frames) / Double(Self.rate) }

  /// Returns the value of a sample at `level` decibels. Full scale is 0 decibels, so `level` is
  /// negative.
  private static func sample(_ level: Double) -> Int { Int(0x1p15 * pow(10, level / 20)) }
}
