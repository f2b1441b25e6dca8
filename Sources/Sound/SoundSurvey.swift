// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sound file decoded from its first sample to its last, as a ring would: what a look at its header
// cannot tell. It plays nothing. For a worker: it takes as long as the decoder.

import Scheduling

/// What a sound file holds.
public nonisolated struct SoundSurvey: Equatable, Sendable {
  public var length: Duration
  /// The largest sample, 0...1.
  public var peak: Float
  /// False where it is longer than there was patience for.
  public var isWhole: Bool

  /// Quieter than 60 dB below full scale is not heard.
  public var isSilent: Bool { isWhole && peak < 0.001 }

  /// The same of a ring of a sound of `peak`, that ends after `length`; nil: for ever.
  public static func isSilent(
    peak: Float, volume: Int, fadeIn: Duration, within length: Duration?
  ) -> Bool {
    Double(peak) * Gain(volume: volume, fadeIn: fadeIn).loudest(within: length) < 0.001
  }

  /// Decodes the file at `path`, and gives up on the rest of it after `patience`.
  public init(path: String, patience: Duration) throws(SoundFileError) {
    let file = try SoundFile(path: path)
    let block = 16_384
    var samples = [Float](repeating: 0, count: block * file.channels)
    var (total, peak): (Int, Float) = (0, 0)
    let deadline = ContinuousClock.now + patience
    var isWhole = false
    repeat {
      let frames = try file.read(into: &samples, at: 0, count: block)
      for sample in samples[..<(frames * file.channels)] { peak = max(peak, abs(sample)) }
      total += frames
      isWhole = frames < block
    } while !isWhole && ContinuousClock.now < deadline
    guard total > 0 else { throw .empty(path: path) }
    (self.peak, self.isWhole) = (peak, isWhole)
    length = .milliseconds(total * 1000 / file.rate)
  }
}
