// SPDX-License-Identifier: GPL-3.0-or-later
//
// How loud: the law from percent to amplitude, and the fade-in. It changes samples in memory and
// touches no mixer.

import Glibc

/// The gain over the time since the ring began.
///
/// Volume is PulseAudio's cubic law (`pa_sw_volume_to_linear` in src/pulse/volume.c), which
/// PipeWire shares: amplitude = (percent / 100)³. So a percent here sounds as a percent in the
/// desktop's own mixer does, and half way feels like half as loud. 100 leaves the samples as they
/// are, 0 is silent.
///
/// The fade is linear in decibels from 40 dB below the volume up to it. (Counted from full scale
/// instead, it would start above a volume of 20 percent.)
public nonisolated struct Gain: Sendable {
  /// Quieter than 60 dB below full scale is not heard.
  package static let softest: Float = 0.001

  private let full: Double
  /// Seconds.
  private let fadeIn: Double
  /// dB below the volume at which the fade begins.
  private static let depth = 40.0

  /// `volume` is clamped to 0...100, a negative `fadeIn` counts as none.
  package init(volume: Int, fadeIn: Duration) {
    full = pow(Double(min(max(volume, 0), 100)) / 100, 3)
    self.fadeIn = max(0, fadeIn / .seconds(1))
  }

  /// Whether nobody hears a ring of a sound of `peak`, 0...1, that ends after `length`; nil: it
  /// never ends.
  public static func isSilent(
    peak: Float, volume: Int, fadeIn: Duration, within length: Duration?
  ) -> Bool {
    let gain = Gain(volume: volume, fadeIn: fadeIn)
    let loudest = length.map { gain.level(at: $0 / .seconds(1)) } ?? gain.full
    return peak * Float(loudest) < softest
  }

  /// Amplitude factor, 0...1, at `time` seconds into the ring.
  func level(at time: Double) -> Double {
    guard time < fadeIn else { return full }
    return full * pow(10, -Gain.depth / 20 * (1 - max(0, time) / fadeIn))
  }

  /// Scales the first `frames` frames of `samples`, of which the first sounds at `time`: the gain
  /// moves with every frame, so that the fade has no steps to hear.
  package func apply(
    to samples: inout [Float], frames: Int, channels: Int, rate: Int, at time: Double
  ) {
    let fading = min(frames, max(0, Int(((fadeIn - time) * Double(rate)).rounded(.up))))
    if fading > 0 {
      let ratio = pow(10, Gain.depth / 20 / fadeIn / Double(rate))
      var gain = level(at: time)
      for frame in 0..<fading {
        for channel in 0..<channels { samples[frame * channels + channel] *= Float(gain) }
        gain = min(full, gain * ratio)
      }
    }
    guard full != 1 else { return }
    for sample in fading * channels..<frames * channels { samples[sample] *= Float(full) }
  }
}
