// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ringtone of last resort. It is made in memory, so it plays even if no sound file can be read
// or decoded. The real ringtones are in the folder Sounds.

import Glibc

/// Makes a tone of two alternating notes, a fourth apart. There are five notes in a second, with a
/// short rest after every four. The tone is urgent enough to wake someone, and softer than a plain
/// beep.
nonisolated enum Tone {
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
