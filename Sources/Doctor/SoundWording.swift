// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts problems with a sound, a sound device or a mixer into words, for notifications and the
// doctor.

import Configuration
import Language
import Presentation
import Sound
import System

nonisolated extension Wording {
  public static func trouble(_ trouble: SoundTrouble) -> String { tr(message(trouble)) }

  /// Returns the command that makes a sound of a file that cannot be played; nil if no command can.
  public static func fix(_ trouble: SoundTrouble) -> String? {
    switch trouble {
    case .file(.undecodable(let path, _)), .file(.unsuitable(let path, _, _)):
      "belfry sounds add \(shell(path))"
    default: nil
    }
  }

  /// Returns the trouble for a notification, with the command that helps.
  public static func notice(_ trouble: SoundTrouble) -> String {
    guard let fix = fix(trouble) else { return self.trouble(trouble) }
    return tr("\(message(trouble)) To convert it: “\(fix)”")
  }

  /// Returns why the file of a sound cannot be played, and what to do about it, as a diagnostic
  /// says it. Nil if the file is not to blame.
  public static func problem(_ trouble: SoundTrouble) -> ReadingContext.SoundProblem? {
    guard case .file(let error) = trouble else { return nil }
    let hint =
      fix(trouble).map { Message("to convert it: \($0)") }
      ?? Message(
        "belfry sounds list shows all names; until this is fixed, the default sound plays")
    return (reason(error), hint)
  }

  private static func reason(_ error: SoundFileError) -> Message {
    func quoted(_ path: String) -> String { TerminalText.quoted(path) }
    switch error {
    case .unreadable(let path, let error):
      return Message("\(quoted(path)) cannot be read: \(error.text)")
    case .notAFile(let path): return Message("\(quoted(path)) is not a file")
    case .empty(let path): return Message("\(quoted(path)) holds no sound")
    case .silent(let path): return Message("\(quoted(path)) holds nothing but silence")
    case .undecodable(let path, let text):
      let words = text.hasSuffix(".") ? String(text.dropLast()) : text
      return Message("\(quoted(path)) is no sound that can be played: \(words)")
    case .unsuitable(let path, let rate, let channels):
      return Message(
        """
        \(quoted(path)) has \(rate) samples a second in \(channels) channels, which no device \
        plays
        """)
    }
  }

  public static func message(_ trouble: SoundTrouble) -> Message {
    switch trouble {
    case .file(let error): file(error)
    case .device(let name, let error): device(name, error)
    case .stalled(let name):
      Message("The sound device \(name) has stopped playing; trying again.")
    case .hung(let name):
      Message("The sound device \(name) does not answer; trying another way.")
    case .slowFile(let path): Message("\(shown(path)) cannot be read in time.")
    case .crashed: Message("The sound system crashed; trying again.")
    case .notStarted(let reason):
      Message("No sound can be played, because belfry-sound does not start: \(reason)")
    case .mixer(let failure): Message("The mixer cannot be read: \(failure.text).")
    }
  }

  /// Returns the message that says why no one can hear the sound although it is playing.
  public static func message(_ silence: Output.Silence) -> Message {
    switch silence {
    case .dummy: Message("No sound output found: nobody hears the alarm.")
    case .muted(let name): Message("\(shown(name)) is muted: nobody hears the alarm.")
    case .streamMuted:
      Message("The sound of Belfry is muted in the volume control: nobody hears the alarm.")
    }
  }

  private static func file(_ error: SoundFileError) -> Message {
    switch error {
    case .unreadable(let path, let error):
      Message("\(shown(path)) cannot be read: \(error.text).")
    case .notAFile(let path): Message("\(shown(path)) is not a file.")
    case .empty(let path): Message("\(shown(path)) holds no sound.")
    case .silent(let path): Message("\(shown(path)) holds nothing but silence.")
    case .undecodable(let path, let text):
      Message("\(shown(path)) is no sound that can be played: \(text)")
    case .unsuitable(let path, let rate, let channels):
      Message(
        """
        \(shown(path)) has \(rate) samples a second in \(channels) channels, which no device plays.
        """)
    }
  }

  private static func device(_ name: String, _ error: PCMError) -> Message {
    switch error {
    case .unavailable(let failure) where failure.isRefused:
      Message(
        """
        The sound device \(name) cannot be opened: its sound server does not run. In a terminal: \
        \(serverStart(after: failure))
        """)
    case .unavailable(let failure):
      Message("The sound device \(name) cannot be opened: \(failure.text).")
    case .misconfigured(let failure, let file):
      Message(
        "Because of \(shown(file)), the sound device \(name) cannot be opened: \(failure.text).")
    case .unsuitable(let failure):
      Message("The sound device \(name) does not take the sound: \(failure.text).")
    case .interrupted(let failure):
      Message("The sound device \(name) was interrupted: \(failure.text).")
    case .lost(let failure): Message("The sound device \(name) went away: \(failure.text).")
    }
  }

  /// Returns the command that restarts the session's sound server after it failed with `failure`.
  /// If both PipeWire's server for PulseAudio's programs and PulseAudio are installed, the session
  /// uses PipeWire if PipeWire has made its lock file.
  static func serverStart(after failure: ALSAFailure?) -> String {
    let replacesPulseAudio = Environment.hasProgram("pipewire-pulse")
    let isPipeWire =
      failure?.isOfPipeWire == true
      || replacesPulseAudio && (!Environment.hasProgram("pulseaudio") || hasPipeWireRun)
    guard isPipeWire else { return "pulseaudio --kill; pulseaudio --start" }
    let programs = ["pipewire", "wireplumber"] + (replacesPulseAudio ? ["pipewire-pulse"] : [])
    return Environment.hasUserManager
      ? "systemctl --user restart " + programs.joined(separator: " ")
      : "pkill 'pipewire|wireplumber'; " + programs.map { "\($0) &" }.joined(separator: " ")
  }

  private static var hasPipeWireRun: Bool {
    let folder = Environment.value("XDG_RUNTIME_DIR")
    return folder.map { SystemFile.names(in: $0).contains("pipewire-0.lock") } ?? false
  }

  private static func shown(_ path: String) -> String { TerminalText.escaped(path) }
}
