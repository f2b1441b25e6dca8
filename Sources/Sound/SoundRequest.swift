// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands that the agent sends to `belfry-sound`, the reports that come back, and the bytes of
// both. `SoundProcess.swift` runs that program. Next: `SoundTrouble.swift`, the errors, and
// `Output.swift`, the outputs.

import Scheduling
import Values

/// A sound to play: which file, on which device, and how loud.
public struct SoundRequest: Codable, Equatable, Sendable {
  /// Paths of sound files or folders, tried in order. After them the built-in tone is tried. If a
  /// path is a folder, all sounds in it are tried, in random order.
  public var files: [String]
  /// The file that was heard last time. If it is in a folder of `files`, it is tried as the last
  /// file of that folder.
  public var before: String?
  /// The ALSA PCM names to try, in order. There is at least one name.
  public var devices: [String]
  /// Percent, 0...100, by PulseAudio's cubic law: see `Gain`.
  public var volume: Int
  /// How long the sound rises from 40 dB below `volume` to `volume`, linear in decibels.
  public var fadeIn: Duration
  /// If true, the sound repeats until `stop`, on any device that works. If false, it plays once.
  public var loops: Bool
  /// How much of the sound to play, faded out at the end; nil plays the whole sound.
  public var length: Duration?
  /// Whether to stay silent during a call.
  public var isDiscreet: Bool

  /// The limit for the total length of `files` as JSON, in bytes: about half a packet
  /// (net.core.wmem_default). With many long data folders, the request could not be sent.
  private static let room = 100_000

  /// Leaves out the last of `files` if not all of them fit into a packet.
  public init(
    files: [String], before: String? = nil, devices: [String] = ["default"], volume: Int = 100,
    fadeIn: Duration = .zero, loops: Bool = true, length: Duration? = nil,
    isDiscreet: Bool = false
  ) {
    var room = Self.room
    let fitting = files.prefix { path in
      room -= Value.string(path).json.utf8.count
      return room >= 0
    }
    (self.files, self.before) = (Array(fitting), before)
    self.devices = devices.isEmpty ? ["default"] : devices
    (self.volume, self.fadeIn, self.loops) = (volume, fadeIn, loops)
    (self.length, self.isDiscreet) = (length, isDiscreet)
  }
}

/// The device of one attempt to play.
public enum SoundDevice: Codable, Hashable, Sendable {
  case named(String)
  /// One of ALSA's own devices, by its position in `PCM.spares`. Positions past the end count from
  /// the first device again.
  case spare(Int)
}

public struct VolumeTarget: Codable, Equatable, Sendable {
  /// Belfry's stream at the sound server, if there is one, is unmuted as well.
  public var output: Output
  /// Percent. The mixer elements that are below this volume are raised to it, and all elements are
  /// unmuted.
  public var floor: Int
  /// How long the raise takes.
  public var fadeIn: Duration
  /// How much of `fadeIn` has already passed.
  public var elapsed: Duration

  public init(_ output: Output, floor: Int, fadeIn: Duration, elapsed: Duration) {
    (self.output, self.floor, self.fadeIn, self.elapsed) = (output, floor, fadeIn, elapsed)
  }
}

package enum SoundCommand: Codable, Equatable, Sendable {
  /// Open the device and decode the beginning of the sound.
  case prime(SoundRequest, SoundDevice)
  /// Play the sound that was primed last. `asked` is the boot clock's reading when the sound was
  /// ordered; `fadedFor` is how long the alarm had been ringing by then.
  case play(asked: Duration, fadedFor: Duration)
  case stop
  case raise(VolumeTarget, asked: Duration)
  case restore
  case answer(SoundQuestion)
}

/// A question of a command, such as `belfry doctor`. If the check fails, the answer is `.trouble`.
package enum SoundQuestion: Codable, Equatable, Sendable {
  /// Asks whether this device can play one second of silence. The reply is `.output`.
  case device(String)
  /// Asks whether one of ALSA's own devices can play one second of silence. The reply is `.output`.
  case spare
  /// How loud is the sound file at this path? The answer is `.peak`.
  case file(String)
  /// Can the sound file at this path be played? Only its beginning is decoded. The answer is
  /// `.peak`, the largest sample up to the first that can be heard.
  case beginning(String)
  /// At what volume is the output with this control? The answer is `.level`.
  case level(String)
}

public enum SoundReport: Codable, Equatable, Sendable {
  /// A device is open, and the beginning of the sound is decoded. `file` is nil for the built-in
  /// tone.
  case primed(device: String, file: String?)
  /// The device was started, or was started again after an error; it may not play yet. `control` is
  /// the ALSA control of the device's card. For a device without a card, `control` is the device's
  /// name.
  case started(device: String, control: String, file: String?)
  /// The sound is heard, since `delay` after `play` was called: the device plays, and its output
  /// can be heard. Reported again if the output could not be heard in between.
  case heard(delay: Duration)
  /// The output that the sound goes to; reported at once and whenever it changes.
  case output(Output)
  /// No one has been able to hear the sound for a second, for this reason. Nil means that the sound
  /// has played for a second and can be heard. Reported once, and again at each change.
  case unheard(Output.Silence?)
  /// An error during playback. The same error is not reported again until the sound has been heard.
  case trouble(SoundTrouble)
  /// A sound that plays once has been heard to its end.
  case finished

  // The following reports go to `SoundSupervisor` only.

  /// A sign of life: the device has played more of the sound, or the next file is being tried.
  case alive
  /// The volume has been set for the first time after `raise`, or could not be set.
  case raised
  /// The sound has ended because of `stop`.
  case stopped
  /// Nothing is left to play or to restore.
  case rest

  // The following reports answer a `SoundQuestion`.

  /// The largest sample, 0...1.
  case peak(Float)
  case level(OutputLevel?)
}

/// A command or a report as bytes, which are JSON. Both programs have the same version, so an
/// unknown message is a bug.
package struct SoundMessage<Body: Codable>: Codable {
  /// The number of the command, which each report about it repeats.
  package var number: Int
  package var body: Body

  package init(number: Int, body: Body) { (self.number, self.body) = (number, body) }

  package init(_ bytes: [UInt8]) throws(Malformed) {
    guard let text = String(validating: bytes, as: UTF8.self),
      let message = Value(json: text)?.decoded(Self.self)
    else { throw Malformed() }
    self = message
  }

  package var bytes: [UInt8] { Array(Value(encoding: self).json.utf8) }
}

/// The error for bytes that are no message, or that are a message of another type.
package struct Malformed: Error {}
