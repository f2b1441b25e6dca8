// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's checks of the sound: the devices must really play, and every sound in use must
// decode and be loud enough to hear. Next: `DoctorMixer.swift`.

import Configuration
import Files
import Language
import Presentation
import Scheduling
import Sound
import System

extension Doctor {
  /// The tests of sounds, devices and the mixer, which run on other threads.
  struct SoundTest {
    fileprivate var sounds: BackgroundResult<[(String, SoundVerdict)]>?
    fileprivate var devices: BackgroundResult<DeviceFindings>?
    fileprivate var level: BackgroundResult<LevelFinding>?
  }

  fileprivate nonisolated struct DeviceFindings: Sendable {
    var devices: [(name: String, result: Result<Output, SoundTrouble>)]
    /// The output of the device that is used if none in the config works; nil if one works.
    var spare: Output?
    var stale: StaleServer?

    var outputs: [Output] { devices.compactMap { try? $0.result.get() } }
  }

  /// The mixer's name and its volume; see `mixer`.
  fileprivate typealias LevelFinding = (control: String?, Result<OutputLevel?, SoundTrouble>)

  /// Starts the tests that were asked for.
  func testSound() -> SoundTest {
    var test = SoundTest()
    if awaits(.sounds) {
      let (names, library) = (users.keys.sorted(), SoundLibrary(locations))
      test.sounds = BackgroundResult("sounds") { disk in
        names.map { name in
          (name, Result { () throws(SoundTrouble) in try library.peak(of: name, on: disk) })
        }
      }
    }
    guard awaits(.device) else { return test }
    // Test the devices one after another, because two of them may lead to the same card.
    let names = devices
    let devices = BackgroundResult("devices") { disk in
      var found = DeviceFindings(
        devices: names.map { name in
          (name, Result { () throws(SoundTrouble) in try SoundCheck.device(name, on: disk) })
        })
      if found.outputs.isEmpty { found.spare = SoundCheck.spare(on: disk) }
      found.stale = StaleServer(after: found.devices.compactMap(\.result.error), on: disk)
      return found
    }
    test.devices = devices
    test.level = BackgroundResult("mixer") { [timeLeft] disk in
      let found = devices.wait(within: timeLeft)
      let control = (found?.outputs.first ?? found?.spare)?.control
      let level = Result { () throws(SoundTrouble) in
        try control.flatMap { control throws(SoundTrouble) in
          control.isEmpty ? nil : try SoundCheck.level(of: control, on: disk)
        }
      }
      return (control, level)
    }
    return test
  }

  /// Waits for the results of the tests.
  func examine(_ test: SoundTest) {
    if let findings = test.devices?.wait(within: timeLeft) { found(device(findings)) }
    if let (control, level) = test.level?.wait(within: timeLeft) {
      found(Self.mixer(level, control, configuration.agent))
    }
    if let verdicts = test.sounds?.wait(within: timeLeft) {
      found(Self.sounds(verdicts, users, rings))
    }
  }

  private var devices: [String] {
    (configuration.agent.devices + rings.flatMap(\.1.devices)).unique
  }

  private func device(_ findings: DeviceFindings) -> Check {
    let (outputs, stale) = (findings.outputs, findings.stale)
    let names = findings.devices
      .filter { (try? $0.result.get()).map { $0.silence != .dummy } ?? false }
      .map { TerminalText.escaped($0.name) }
    let playing = Wording.list(names)
    if names.isEmpty, outputs.contains(where: { $0.silence == .dummy }) {
      return Check(
        .device, .error, tr("no sound output found: nothing can be heard"),
        fix: tr(
          "connect an output, or choose its profile; to list the cards: pactl list cards short"))
    }
    if outputs.first(where: { $0.silence != .dummy })?.silence == .streamMuted {
      guard configuration.agent.mixer == .leave else {
        return Check(
          .device, .ok, tr("\(playing) works; Belfry is muted there, but not while an alarm rings"))
      }
      return Check(
        .device, .error, tr("Belfry is muted in the volume control, and stays muted during a ring"),
        fix: tr("set mixer = \"raise\" in [agent] of the config, or unmute it while an alarm rings")
      )
    }
    let troubles = findings.devices.compactMap(\.result.error)
    guard let trouble = troubles.first else {
      if let stale {
        return Check(.device, .warning, tr("\(stale.words); \(playing) plays"), fix: unset)
      }
      return Check(.device, .ok, tr("\(playing) played a second of silence"))
    }
    // A busy device is no problem if the agent is using it for a ring.
    if troubles.contains(where: \.isBusy), isRinging {
      return Check(.device, .ok, tr("in use: an alarm or a timer is ringing"))
    }
    let words = (troubles.map(words) + [stale?.words].compactMap(\.self))
      .joined(separator: tr("; ", context: "list"))
    let fix = stale?.hasOther == true ? unset : fix(trouble)
    if names.isEmpty, findings.spare != nil {
      return Check(
        .device, .warning, tr("\(words); an alarm is heard late, on another device"), fix: fix)
    }
    if names.isEmpty { return Check(.device, .error, tr("nothing plays: \(words)"), fix: fix) }
    return Check(.device, .warning, tr("\(words); \(playing) plays"), fix: fix)
  }

  private var unset: String {
    tr("unset PULSE_SERVER where it is set, such as in ~/.profile, and log in again")
  }

  /// Whether an alarm or a timer is ringing, according to the agent.
  private var isRinging: Bool {
    let (alarms, timers) = (agent?["ringing"]?.dictionaries, agent?["timers"]?.dictionaries)
    return alarms?.isEmpty == false
      || timers?.contains { $0["state"]?.string == "ringing" } == true
  }

  private func words(_ trouble: SoundTrouble) -> String {
    switch trouble {
    case .device(let name, .unavailable(let failure)), .device(let name, .unsuitable(let failure)):
      tr("\(TerminalText.escaped(name)) cannot be opened: \(failure.text)")
    case .device(let name, .misconfigured(let failure, let file)):
      tr(
        """
        \(TerminalText.escaped(name)) cannot be opened because of \(TerminalText.escaped(file)): \
        \(failure.text)
        """)
    case .device(let name, .interrupted(let failure)), .device(let name, .lost(let failure)):
      tr("\(TerminalText.escaped(name)) went away: \(failure.text)")
    case .stalled(let name): tr("\(TerminalText.escaped(name)) opens and plays nothing")
    case .hung(let name): tr("\(TerminalText.escaped(name)) does not answer")
    case .notStarted(let reason): reason
    case .slowFile, .file, .crashed, .mixer: Wording.trouble(trouble)
    }
  }

  /// The fix if one of Belfry's own programs does not start.
  static var reinstall: String {
    tr("install Belfry again, with the packages that it depends on")
  }

  private func fix(_ trouble: SoundTrouble) -> String {
    switch trouble {
    case .device(_, .unavailable(let failure)) where failure.isRefused:
      return Wording.serverStart(after: failure)
    case .device(_, .misconfigured(_, let file)):
      let path = Wording.shell(file)
      return tr("correct this file, or set it aside: mv \(path) \(path).off")
    case .hung, .stalled: return Wording.serverStart(after: nil)
    case .notStarted: return Self.reinstall
    case _ where trouble.isBusy: return tr("fuser -v /dev/snd/* shows which program has it")
    default: return tr(#"set "device" in [agent] of the config to one that aplay -L lists"#)
    }
  }
}

/// The sound server that `PULSE_SERVER` names, if that server is not there.
private nonisolated struct StaleServer: Sendable {
  var name: String
  /// Whether the session has another sound server, at the usual socket.
  var hasOther: Bool

  /// - Parameter troubles: The problems with the devices. They decide about a server on another
  ///   host.
  init?(after troubles: [SoundTrouble], on disk: Disk) {
    guard let name = PulseServer.variable else { return nil }
    let isRefused = troubles.contains {
      if case .device(_, .unavailable(let failure)) = $0 {
        failure.isRefused && !failure.isOfPipeWire
      } else {
        false
      }
    }
    guard PulseServer.isGone(name, on: disk) ?? isRefused else { return nil }
    (self.name, hasOther) = (name, PulseServer.isAtUsualSocket(on: disk))
  }

  var words: String {
    tr("PULSE_SERVER is set to \(TerminalText.escaped(name)), where no sound server answers")
  }
}

extension SoundTrouble {
  fileprivate nonisolated var isBusy: Bool {
    if case .device(_, .unavailable(let failure)) = self { failure.isBusy } else { false }
  }
}

extension Doctor {
  private var users: [String: [String]] {
    var users: [String: [String]] = [SoundLibrary.defaultName: []]
    for (id, ring) in rings {
      for name in ring.soundNames { users[name, default: []].append(id) }
    }
    return users
  }

  var rings: [(id: String, RingSettings)] {
    configuration.alarms.filter(\.enabled).map { (id: $0.id, $0.ring) }
      + configuration.timers.map { (id: $0.name, $0.ring) }
  }

  /// Returns the result of the check for the first alarm or timer that is too soft to be heard; nil
  /// if there is none. A sound that is too soft is as bad as a missing sound.
  private static func tooSoft(
    _ rings: [(id: String, RingSettings)], _ verdicts: [(String, SoundVerdict)]
  ) -> Check? {
    for (id, ring) in rings {
      // If a ring has several sounds, the softest may be chosen.
      let peak =
        verdicts.lazy.filter { ring.soundNames.contains($0.0) }.compactMap { try? $0.1.get() }.min()
        ?? 1
      func isSilent(_ fadeIn: Duration) -> Bool {
        Gain.isSilent(
          peak: peak, volume: ring.volume, fadeIn: fadeIn, within: ring.ringFor)
      }
      let name = TerminalText.quoted(id)
      if isSilent(.zero) {
        return Check(
          .sounds, .error, tr("\(name) is too soft to be heard: its volume is \(ring.volume)"),
          fix: tr(#"set "volume" in the config"#))
      }
      guard let length = ring.ringFor, ring.fadeIn > length else { continue }
      return Check(
        .sounds, isSilent(ring.fadeIn) ? .error : .warning,
        tr("\(name) ends before it is loud: its \"fade_in\" is longer than its \"ring_for\""),
        fix: tr(#"set "fade_in" in the config"#))
    }
    return nil
  }

  private static func sounds(
    _ verdicts: [(String, SoundVerdict)], _ users: [String: [String]],
    _ rings: [(id: String, RingSettings)]
  ) -> Check {
    func names(_ sound: String) -> String {
      let users = users[sound] ?? []
      let shown = users.prefix(3).map { TerminalText.escaped($0) } + (users.count > 3 ? ["…"] : [])
      return users.isEmpty ? "" : " (\(Wording.list(shown)))"
    }
    let soft = tooSoft(rings, verdicts)
    if let soft, soft.state == .error { return soft }
    let troubles = verdicts.compactMap { name, verdict -> String? in
      switch verdict {
      case .success(nil): tr("There is no sound \(TerminalText.quoted(name) + names(name)).")
      case .success: nil
      case .failure(let trouble): Wording.trouble(trouble)
      }
    }
    for case .failure(.notStarted(let reason)) in verdicts.map(\.1) {
      return Check(.sounds, .error, tr("nothing plays: \(reason)"), fix: reinstall)
    }
    if !troubles.isEmpty {
      let fix = verdicts.lazy.compactMap { $0.1.error.flatMap(Wording.fix) }.first
      return Check(
        .sounds, .warning,
        tr("\(troubles.joined(separator: " ")) Another sound plays instead."),
        fix: fix ?? tr("belfry sounds lists all sounds"))
    }
    if let soft { return soft }
    let shown = Wording.list(verdicts.map { TerminalText.escaped($0.0) })
    return Check(.sounds, .ok, tr("\(shown): can be played to its end"))
  }
}

extension RingSettings {
  fileprivate nonisolated var soundNames: [String] {
    sounds.isEmpty ? [SoundLibrary.defaultName] : sounds
  }
}

/// The result of testing a sound: its largest sample, nil if there is no sound with that name, or
/// the reason why it cannot be played.
private typealias SoundVerdict = Result<Float?, SoundTrouble>

nonisolated extension SoundLibrary {
  /// Returns the largest sample of the file that the player would choose: the first file called
  /// `name` that can be played. Returns nil if there is no file with that name.
  fileprivate func peak(of name: String, on disk: Disk) throws(SoundTrouble) -> Float? {
    var failure: SoundTrouble?
    for path in candidates(name) {
      let files = Folder.hasFile(path, on: disk) ? [path] : SoundFolder.sounds(in: path, on: disk)
      // The player may choose any file of a folder, so the softest file counts.
      do throws(SoundTrouble) {
        if let softest = try peaks(of: files, on: disk).min() { return softest }
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return nil
  }

  /// Returns the largest sample of each file. If there are many files, only those that can be
  /// decoded in time are included.
  private func peaks(of files: [String], on disk: Disk) throws(SoundTrouble) -> [Float] {
    let patience = Duration.seconds(5)
    let deadline = ContinuousClock.now + patience
    var peaks: [Float] = []
    for file in files where peaks.isEmpty || ContinuousClock.now < deadline {
      peaks.append(try SoundCheck.peak(of: file, within: patience, on: disk))
    }
    return peaks
  }
}
