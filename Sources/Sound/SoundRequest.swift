// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be asked of the sound, and what is reported of it. These are values only: the program
// `belfry-sound` plays, and `SoundProcess.swift` runs that program. Next: `SoundTrouble.swift`, the
// errors, and `Output.swift`, the outputs.

import Scheduling

/// What to play, where, and how loud.
public nonisolated struct SoundRequest: Codable, Equatable, Sendable {
  /// Paths, tried in order; after them the built-in tone. Of a folder all sounds in it are tried,
  /// in random order.
  public var files: [String]
  /// The file that was heard before: of a folder it is tried last.
  public var before: String?
  /// ALSA PCM names, tried in order; at least one.
  public var devices: [String]
  /// Percent, 0...100, by PulseAudio's cubic law: see `Gain`.
  public var volume: Int
  /// How long it rises from 40 dB below `volume` to `volume`, linear in decibels.
  public var fadeIn: Duration
  /// Plays until stopped, by any means; otherwise once.
  public var loops: Bool
  /// Plays this much of it, and fades it out.
  public var length: Duration?
  /// Stays silent if a call is on.
  public var isDiscreet: Bool

  public init(
    files: [String], before: String? = nil, devices: [String] = ["default"], volume: Int = 100,
    fadeIn: Duration = .zero, loops: Bool = true, length: Duration? = nil,
    isDiscreet: Bool = false
  ) {
    (self.files, self.before) = (files, before)
    self.devices = devices.isEmpty ? ["default"] : devices
    (self.volume, self.fadeIn, self.loops) = (volume, fadeIn, loops)
    (self.length, self.isDiscreet) = (length, isDiscreet)
  }

  /// Whether someone waits to hear it.
  var isToBeHeard: Bool { loops && volume > 0 }
}

/// The device of one attempt to play.
public nonisolated enum SoundDevice: Codable, Hashable, Sendable {
  /// An ALSA PCM name that was asked for.
  case named(String)
  /// One of ALSA's own devices, by its place in `PCM.spares`, which is counted round.
  case spare(Int)
}

/// What the volume of an output should be brought to.
public nonisolated struct VolumeTarget: Codable, Equatable, Sendable {
  /// Which mixer: see `Output.control`.
  public var control: String
  /// The stream that is unmuted with it, if the sound server knows it.
  public var stream: OutputStream?
  /// Percent; what is below is raised to it, and what is mute is unmuted.
  public var floor: Int
  /// How long the raise takes, and how much of that is over.
  public var fadeIn: Duration
  public var elapsed: Duration

  public init(
    control: String, stream: OutputStream? = nil, floor: Int, fadeIn: Duration, elapsed: Duration
  ) {
    (self.control, self.stream, self.floor) = (control, stream, floor)
    (self.fadeIn, self.elapsed) = (fadeIn, elapsed)
  }
}

public nonisolated enum SoundReport: Codable, Equatable, Sendable {
  /// A device is open, and the beginning of the sound is decoded. `file` is nil for the built-in
  /// tone.
  case primed(device: String, file: String?)
  /// Sound begins, or begins again after trouble, `delay` after `play` was called. `control` is the
  /// name of the device's ALSA control, if it has one.
  case started(device: String, control: String, file: String?, delay: Duration)
  /// Which output the sound goes to; reported at once, and whenever it changes.
  case output(Output)
  /// For a second it has been playing, and nobody hears it, for this reason; nil: it is heard
  /// again.
  case unheard(Output.Silence?)
  /// Reported once, until sound has begun again.
  case trouble(SoundTrouble)
  /// The sound, asked to play once, has been heard to its end.
  case finished

  // What follows is between `belfry-sound` and `SoundSupervisor` alone.

  /// The sign of life: the thread that plays has written a period, or goes on to the next file.
  case alive
  /// The volume was set for the first time after `raise`, or could not be.
  case raised
  /// It is silent, as it was told.
  case stopped
  /// Nothing plays, and the volume is as it was found: nothing is left to do.
  case rest

  // Answers to a `SoundQuestion`.

  case peak(Float)
  case level(OutputLevel?)
}
