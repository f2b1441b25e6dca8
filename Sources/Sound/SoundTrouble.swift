// SPDX-License-Identifier: GPL-3.0-or-later
//
// The errors of playing a sound. `SoundWording.swift` in Doctor puts them into words.

import Glibc
import System

/// A problem with playing a sound. After it, the next file, the built-in tone or the next device is
/// tried.
public enum SoundTrouble: Error, Codable, Equatable, Sendable {
  case file(SoundFileError)
  /// The disk of the file at this path did not answer in time.
  case slowFile(String)
  case device(String, PCMError)
  /// The device with this name played nothing for two seconds.
  case stalled(String)
  /// The device with this name did not open within two seconds.
  case hung(String)
  case crashed
  /// `belfry-sound` cannot be started, for this reason.
  case notStarted(String)
  case mixer(ALSAFailure)

  /// The name of the device that failed; nil if the trouble is not that of a device.
  public var device: String? {
    switch self {
    case .device(let name, _), .stalled(let name), .hung(let name): name
    case .file, .slowFile, .crashed, .notStarted, .mixer: nil
    }
  }
}

/// Why a file cannot be played.
public enum SoundFileError: Error, Codable, Equatable, Sendable {
  /// The file is missing, or this user may not read it.
  case unreadable(path: String, SystemError)
  /// The path leads to a folder, pipe, socket or device.
  case notAFile(path: String)
  /// The file has no bytes or no samples.
  case empty(path: String)
  /// No sample in the first minute of the file reaches `Gain.softest`, so no one would hear it.
  case silent(path: String)
  /// libsndfile does not know the format, or the file is damaged; `text` comes from libsndfile.
  case undecodable(path: String, text: String)
  /// No device plays this rate or this number of channels.
  case unsuitable(path: String, rate: Int, channels: Int)
}

public enum PCMError: Error, Codable, Equatable, Sendable {
  /// The device does not open: no device has this name, another program is using it, or its sound
  /// server is not running.
  case unavailable(ALSAFailure)
  /// The device does not open because of this file of the user's ALSA configuration.
  case misconfigured(ALSAFailure, file: String)
  /// The device accepts neither the samples nor ALSA's conversion of them.
  case unsuitable(ALSAFailure)
  /// The device ran out of samples or was suspended. It plays on after it has been prepared, filled
  /// with samples and started again.
  case interrupted(ALSAFailure)
  /// The device failed while it played: it was unplugged, or its sound server is gone.
  case lost(ALSAFailure)
}

/// A call to ALSA or libpulse that failed.
public struct ALSAFailure: Error, Codable, Equatable, Sendable {
  public let call: String
  /// A negative errno.
  public let code: Int32
  /// The library's own text for the error.
  public let text: String

  package init(call: String, code: Int32, text: String) {
    (self.call, self.code, self.text) = (call, code, text)
  }

  /// Whether another program is using the device.
  public var isBusy: Bool { code == -EBUSY }
  /// Whether the sound server is not running.
  public var isRefused: Bool { code == -ECONNREFUSED || isOfPipeWire }
  /// Whether PipeWire is not running. Its ALSA plug-in reports that with a different code.
  public var isOfPipeWire: Bool { code == -EHOSTDOWN }
}
