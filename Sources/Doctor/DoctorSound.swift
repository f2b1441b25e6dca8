// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's look at the sound: devices that really play. Next: `DoctorSoundFiles.swift`.

import Configuration
import Files
import Language
import Presentation
import Scheduling
import Sound
import System

extension Doctor {
  func examineSound() {
    examineSounds()
    guard awaits(.device) else { return }
    var findings: [(String, DeviceProbe.Finding)] = []
    probe = DeviceProbe(
      devices, onFinding: { findings.append(($0, $1)) },
      onEnd: { [self] in
        found(device(findings))
        examineMixer(findings)
      })
  }

  /// Those of the agent, and of what has its own.
  private var devices: [String] {
    (configuration.agent.devices + rings.flatMap(\.1.devices)).unique
  }

  private func device(_ findings: [(String, DeviceProbe.Finding)]) -> Check {
    let outputs = findings.compactMap(\.1.output)
    let names = findings.filter { $0.1.output.map { $0.silence != .dummy } ?? false }
      .map { TerminalText.escaped($0.0) }
    let playing = Wording.list(names)
    if names.isEmpty, outputs.contains(where: { $0.silence == .dummy }) {
      return Check(
        .device, .error, tr("no sound output found: what is played goes nowhere"),
        mend: tr("connect one, or choose its profile; pactl list cards short tells what there is"))
    }
    if outputs.first(where: { $0.silence != .dummy })?.silence == .streamMuted {
      guard configuration.agent.mixer == .leave else {
        return Check(
          .device, .ok, tr("\(playing) plays; Belfry is muted there, but not while an alarm rings"))
      }
      return Check(
        .device, .error, tr("Belfry is muted in the volume control, and stays so"),
        mend: tr("set mixer = \"raise\" in [agent] of the config, or unmute it in a ring"))
    }
    let troubles = findings.compactMap { _, finding in
      if case .fails(let trouble) = finding { trouble } else { nil }
    }
    guard let trouble = troubles.first else {
      return Check(.device, .ok, tr("\(playing) played a second of silence"))
    }
    // It may be the agent that holds it.
    if troubles.contains(where: \.isBusy), !(agent?["ringing"]?.dictionaries ?? []).isEmpty {
      return Check(.device, .ok, tr("in use: an alarm rings"))
    }
    let words = troubles.map(words).joined(separator: tr("; ", context: "list"))
    if names.isEmpty {
      return Check(.device, .error, tr("nothing plays: \(words)"), mend: mend(trouble))
    }
    return Check(.device, .warning, tr("\(words); \(playing) plays"), mend: mend(trouble))
  }

  private func words(_ trouble: Player.Trouble) -> String {
    switch trouble {
    case .device(let name, .unavailable(let failure)), .device(let name, .unsuitable(let failure)):
      tr("\(TerminalText.escaped(name)) cannot be opened: \(failure.text)")
    case .device(let name, .interrupted(let failure)), .device(let name, .lost(let failure)):
      tr("\(TerminalText.escaped(name)) went away: \(failure.text)")
    case .stalled(let name): tr("\(TerminalText.escaped(name)) opens and plays nothing")
    case .hung(.device(let name)): tr("\(TerminalText.escaped(name)) does not answer")
    case .hung, .file, .crashed: Wording.trouble(trouble)
    }
  }

  private func mend(_ trouble: Player.Trouble) -> String {
    let isOfMemory =
      switch trouble {
      case .device(_, .unavailable(let failure)): failure.isOfMemory
      case .hung, .stalled, .crashed: Memory.isShort
      case .device, .file: false
      }
    if isOfMemory {
      return tr("close programs that use much memory, or raise the limit that ulimit -v shows")
    }
    switch trouble {
    case .device(_, .unavailable(let failure)) where failure.isRefused:
      return Wording.serverStart(after: failure)
    case .hung, .stalled: return Wording.serverStart(after: nil)
    case _ where trouble.isBusy: return tr("fuser -v /dev/snd/* tells which program has it")
    default: return tr("set device in [agent] of the config to one that aplay -L lists")
    }
  }
}

// MARK: - The mixer

extension Doctor {
  /// That of the device that would be heard.
  private func examineMixer(_ findings: [(String, DeviceProbe.Finding)]) {
    guard awaits(.mixer) else { return }
    guard let output = findings.lazy.compactMap(\.1.output).first else {
      return found(.mixer, .unknown, tr("no device plays"))
    }
    let control = output.control
    guard !control.isEmpty else { return found(.mixer, .unknown, tr("the device has none")) }
    let settings = configuration.agent
    let patience = MainLoop.after(.seconds(3)) { [self] in
      found(.mixer, .unknown, tr("\(TerminalText.escaped(control)) does not answer"))
    }
    // Not the one that decodes: it may take longer.
    Worker(name: "mixer").perform {
      let level = Result { () throws(ALSAFailure) in try OutputLevel(control: control) }
      Worker.onMain {
        withExtendedLifetime(patience) {}
        self.found(Self.mixer(level, control, settings))
      }
    }
  }

  static func mixer(
    _ result: Result<OutputLevel?, ALSAFailure>, _ control: String, _ settings: AgentSettings
  ) -> Check {
    let level: OutputLevel
    switch result {
    case .failure(let failure):
      return Check(.mixer, .unknown, tr("\(TerminalText.escaped(control)): \(failure.text)"))
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
        mend: set(control, level, unmuting: level.isMuted))
    }
    if percent < 10 {
      return Check(
        .mixer, .warning, tr("\(now): low"), mend: set(control, level, unmuting: false))
    }
    let isRaised = level.isMuted || level.percent ?? 100 < floor
    return Check(
      .mixer, .ok, isRaised ? tr("\(now); \(percent) % while an alarm rings") : now)
  }

  /// The command that turns up what is too low, and leaves the rest.
  private static func set(
    _ control: String, _ level: OutputLevel, unmuting: Bool
  ) -> String {
    let isLow = level.percent.map { $0 < 50 } ?? false
    guard let sink = Output.sink(of: control) else {
      return "amixer -D \(shell(control)) sset \(shell(level.element))"
        + (isLow ? " 50%" : "") + (unmuting ? " unmute" : "")
    }
    return [
      isLow ? "pactl set-sink-volume \(shell(sink)) 50%" : nil,
      unmuting ? "pactl set-sink-mute \(shell(sink)) 0" : nil,
    ].compactMap(\.self).joined(separator: "; ")
  }
}

extension DeviceProbe.Finding {
  /// Of one that plays.
  fileprivate nonisolated var output: Output? {
    if case .plays(let output) = self { output } else { nil }
  }
}

extension Player.Trouble {
  fileprivate nonisolated var isBusy: Bool {
    if case .device(_, .unavailable(let failure)) = self { failure.isBusy } else { false }
  }
}
