// SPDX-License-Identifier: GPL-3.0-or-later
//
// Applies volume and fade-in to samples in memory: converts percent to amplitude. Mixers are not
// involved.

import Glibc

/// The gain, which depends on the time since the ring began.
///
/// The volume follows PulseAudio's cubic law (`pa_sw_volume_to_linear` in src/pulse/volume.c),
/// which PipeWire uses too: amplitude = (percent / 100)³. So 50 percent sounds half as loud, as in
/// the desktop's mixer. 100 leaves the samples unchanged, 0 is silent.
///
/// The fade-in is linear in decibels. It begins 40 dB below the volume that it ends at. It cannot
/// begin 40 dB below full scale, because a fade-in to a volume of 20 percent would then get softer.
public struct Gain: Sendable {
  /// No one hears a sample smaller than this, 60 dB below full scale.
  package static let softest: Float = 0.001

  private let full: Double
  /// The length of the fade-in in seconds.
  private let fadeIn: Double
  /// How many decibels below the volume the fade-in begins.
  private static let depth = 40.0

  /// `volume` is clamped to 0...100; a negative `fadeIn` counts as zero.
  package init(volume: Int, fadeIn: Duration) {
    full = pow(Double(min(max(volume, 0), 100)) / 100, 3)
    self.fadeIn = max(0, fadeIn / .seconds(1))
  }

  /// Whether no one hears a sound whose largest sample is `peak`, 0...1, in a ring that ends after
  /// `length`. For a ring that never ends, `length` is nil.
  public static func isSilent(
    peak: Float, volume: Int, fadeIn: Duration, within length: Duration?
  ) -> Bool {
    let gain = Gain(volume: volume, fadeIn: fadeIn)
    let loudest = length.map { gain.level(at: $0 / .seconds(1)) } ?? gain.full
    return peak * Float(loudest) < softest
  }

  /// Returns the factor for the samples, 0...1, at `time` seconds into the ring.
  func level(at time: Double) -> Double {
    guard time < fadeIn else { return full }
    return full * pow(10, -Gain.depth / 20 * (1 - max(0, time) / fadeIn))
  }

  /// Scales the first `frames` frames of `samples`, beginning at `time` seconds into the ring. The
  /// gain changes with every frame, so that the fade-in has no audible steps.
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
