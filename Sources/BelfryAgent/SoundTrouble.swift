// SPDX-License-Identifier: GPL-3.0-or-later
//
// What went wrong with a sound, in words for the person who is about to hear another one.

import Configuration
import Desktop

extension Wording {
  public static func trouble(_ trouble: Player.Trouble) -> String {
    switch trouble {
    case .file(let error): file(error)
    case .device(let name, let error): device(name, error)
    case .stalled(let name): "The sound device \(name) plays nothing on; trying again."
    case .hung(.device(let name)): "The sound device \(name) does not answer; trying another way."
    case .hung(.file(let path)): "\(shown(path)) cannot be read in time."
    case .hung(.queue): "The sound system does not answer; trying another way."
    }
  }

  private static func file(_ error: SoundFileError) -> String {
    switch error {
    case .unreadable(let path, let error): "\(shown(path)) cannot be read: \(error.text)."
    case .notAFile(let path): "\(shown(path)) is no file."
    case .empty(let path): "\(shown(path)) holds no sound."
    case .undecodable(let path, let text): "\(shown(path)) is no sound that can be played: \(text)"
    case .unsuitable(let path, let rate, let channels):
      "\(shown(path)) has \(rate) samples a second in \(channels) channels, which no device plays."
    }
  }

  private static func device(_ name: String, _ error: PCMError) -> String {
    let (what, failure) =
      switch error {
      case .unavailable(let failure): ("cannot be opened", failure)
      case .unsuitable(let failure): ("does not take the sound", failure)
      case .interrupted(let failure): ("was interrupted", failure)
      case .lost(let failure): ("went away", failure)
      }
    return "The sound device \(name) \(what): \(failure.text)."
  }

  private static func shown(_ path: String) -> String { TerminalText.escaped(path) }
}
