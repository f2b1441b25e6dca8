// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can go wrong with a sound. The words for it are in `SoundWording.swift` in Doctor.

import Glibc
import System

public nonisolated enum SoundTrouble: Error, Codable, Equatable, Sendable {
  /// This file will not be heard; the next one, or the tone, takes its place.
  case file(SoundFileError)
  /// The disk of this file did not answer in time; the next one, or the tone, takes its place.
  case slowFile(String)
  /// The device of this name failed; the next one is tried.
  case device(String, PCMError)
  /// The device of this name was started and played nothing for two seconds; the next one is tried.
  case stalled(String)
  /// The device of this name did not open within two seconds; the next one is tried.
  case hung(String)
  /// The process that played crashed; another one is started.
  case crashed
  /// `belfry-sound` cannot be started, for this reason.
  case notStarted(String)
  /// A mixer cannot be read.
  case mixer(ALSAFailure)
}

/// Why a file gives no sound. Every case names the file.
public nonisolated enum SoundFileError: Error, Codable, Equatable, Sendable {
  /// It is missing, or not ours to read.
  case unreadable(path: String, SystemError)
  /// A directory, FIFO, socket or device.
  case notAFile(path: String)
  /// It has no bytes, or decodes to no samples.
  case empty(path: String)
  /// Nobody would hear it: no sample of it exceeds `Gain.softest`.
  case silent(path: String)
  /// libsndfile does not know the format, or met damage; `text` is its own.
  case undecodable(path: String, text: String)
  /// It decodes to what no device can be asked to play.
  case unsuitable(path: String, rate: Int, channels: Int)
}

public nonisolated enum PCMError: Error, Codable, Equatable, Sendable {
  /// It does not open: there is none of this name, another program has it, its server is down.
  case unavailable(ALSAFailure)
  /// It opens, and takes neither our samples nor ALSA's conversion of them.
  case unsuitable(ALSAFailure)
  /// It ran dry or was suspended; `prepare`, fill and `start` it again.
  case interrupted(ALSAFailure)
  /// It failed in the middle: unplugged, or its server went away. Close it.
  case lost(ALSAFailure)
}

/// What ALSA said: the function that failed, its negative errno, and `snd_strerror`'s text.
public nonisolated struct ALSAFailure: Error, Codable, Equatable, Sendable {
  public let call: String
  public let code: Int32
  public let text: String

  package init(call: String, code: Int32, text: String) {
    (self.call, self.code, self.text) = (call, code, text)
  }

  /// Another program has it.
  public var isBusy: Bool { code == -EBUSY }
  /// There is too little memory, whatever the sound server does.
  public var isOfMemory: Bool { code == -ENOMEM }
  /// The sound server that it leads to is not there.
  public var isRefused: Bool { code == -ECONNREFUSED || isOfPipeWire }
  /// PipeWire's own plug-in says it this way.
  public var isOfPipeWire: Bool { code == -EHOSTDOWN }
}
