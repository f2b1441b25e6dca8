// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the agent tells `belfry-sound`. Next: `SoundSupervisor.swift`, which decides what is said.

/// What is to be done with the sound, or with the output's volume.
package nonisolated enum SoundCommand: Codable, Equatable, Sendable {
  case prime(SoundRequest, SoundDevice)
  /// `asked` is the reading of the boot clock when it was asked for, `fadedFor` how long it had
  /// been ringing by then.
  case play(SoundRequest, SoundDevice, asked: Duration, fadedFor: Duration)
  case stop
  case raise(VolumeTarget, asked: Duration)
  case restore
  case answer(SoundQuestion)
}

/// What the doctor wants to know.
package nonisolated enum SoundQuestion: Codable, Equatable, Sendable {
  /// Whether a device plays: it is given a second of silence. Answered with `.output` or
  /// `.trouble`.
  case device(String)
  /// How loud the sound file at a path is. Answered with `.peak` or `.trouble`.
  case file(String)
  /// What an output is set to. Answered with `.level` or `.trouble`.
  case level(String)
}
