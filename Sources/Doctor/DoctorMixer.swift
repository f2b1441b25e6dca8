// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's check of the mixer: the output must not be muted or soft while an alarm rings.

import Configuration
import Language
import Presentation
import Sound
import System

extension Doctor {
  /// Returns the check of the mixer for the output on which an alarm would be heard. `control`
  /// identifies the mixer. It is nil if no device works, and empty if the device has no mixer.
  static func mixer(
    _ result: Result<OutputLevel?, SoundTrouble>, _ control: String?, _ settings: AgentSettings
  ) -> Check {
    guard let control else { return Check(.mixer, .unknown, tr("no sound device works")) }
    guard !control.isEmpty else { return Check(.mixer, .unknown, tr("the device has none")) }
    let level: OutputLevel
    switch result {
    case .failure(.mixer(let failure)):
      return Check(.mixer, .unknown, tr("\(TerminalText.escaped(control)): \(failure.text)"))
    case .failure:
      return Check(.mixer, .unknown, tr("\(TerminalText.escaped(control)) does not answer"))
    case .success(nil): return Check(.mixer, .ok, tr("the device has none"))
    case .success(let read?): level = read
    }
    let floor = settings.mixer == .raise ? settings.mixerFloor : 0
    let percent = max(level.percent ?? 100, floor)
    let isMuted = level.isMuted && settings.mixer == .leave
    let now = Wording.list(
      [level.isMuted ? tr("muted") : nil, level.percent.map { tr("\($0) %") }].compactMap(\.self))
    if isMuted || percent == 0 {
      return Check(
        .mixer, .error, tr("\(now), and stays so"),
        fix: set(control, level, unmuting: level.isMuted))
    }
    if percent < 10 {
      return Check(
        .mixer, .warning, tr("\(now): low"), fix: set(control, level, unmuting: false))
    }
    let isRaised = level.isMuted || level.percent ?? 100 < floor
    return Check(
      .mixer, .ok, isRaised ? tr("\(now); \(percent) % while an alarm rings") : now)
  }

  /// Returns the command that raises the volume of the output if it is too low and, if `unmuting`
  /// is true, unmutes the output.
  private static func set(
    _ control: String, _ level: OutputLevel, unmuting: Bool
  ) -> String {
    let isLow = level.percent.map { $0 < 50 } ?? false
    guard let sink = Output.sink(of: control) else {
      return "amixer -D \(Wording.shell(control)) sset \(Wording.shell(level.element))"
        + (isLow ? " 50%" : "") + (unmuting ? " unmute" : "")
    }
    return [
      isLow ? "pactl set-sink-volume \(Wording.shell(sink)) 50%" : nil,
      unmuting ? "pactl set-sink-mute \(Wording.shell(sink)) 0" : nil,
    ].compactMap(\.self).joined(separator: "; ")
  }
}
