// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides from which moment a sound is heard: its device has to play, and its output must not be
// muted or a stand-in. `Playback.swift` finds out when the device plays, `OutputWatch.swift` where
// the sound goes. The history stores the moment.

import Sound

/// Whether and when a sound is heard. Each moment is the time since the sound was ordered to play.
struct Hearing {
  /// When the device began to play; nil if it has not played yet.
  private var advancing: Duration?
  /// Whether the sound goes to an output that can be heard; nil until the output is known.
  private var isAudible: Bool?
  /// When the output could first be heard, or could be heard again.
  private var audible: Duration = .zero

  /// Records that the device began to play at `moment`. Returns the moment at which the sound is
  /// heard; nil if it is not heard, or if its output is not known yet.
  mutating func advanced(at moment: Duration) -> Duration? {
    advancing = moment
    return isAudible == true ? max(moment, audible) : nil
  }

  /// Records that the sound goes to `output` at `moment`. Returns the moment at which the sound is
  /// heard, if it was not heard before.
  mutating func changed(to output: Output, at moment: Duration) -> Duration? {
    let wasAudible = isAudible
    isAudible = output.silence == nil
    guard isAudible == true, wasAudible != true else { return nil }
    // The sound has gone to the first output from the beginning, although that is known only now.
    audible = wasAudible == nil ? .zero : moment
    return advancing.map { max($0, audible) }
  }
}
