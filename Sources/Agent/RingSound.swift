// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prepares, plays and silences the sound that the schedule asks for, and shows problems with the
// sound on the notification of the ring. `Announcement.swift` in the core decides which sound
// should be heard, `SoundProcess.swift` in Sound plays it. Also sounds a chime unless it would
// disturb someone; `Chime.swift` in the core decides when a chime is due.

import Bus
import Configuration
import Doctor
import Files
import Language
import Notifications
import Persistence
import Presentation
import Scheduling
import Sound
import System

final class RingSound {
  private unowned let agent: Agent
  private let sounds: SoundLibrary
  private let player: SoundProcess
  /// The sound of a ring that the schedule ordered last, and that the player prepares or plays; nil
  /// if the schedule ordered silence.
  private var current: Sounding?
  private var reported = Reported()
  /// A stroke is a sound that is played once, such as a chime. This timer ends the stroke; nil if
  /// no stroke is playing.
  private var stroke: Source?
  /// The sound file that was last heard for the timers of each preset. For alarms, the schedule
  /// stores the file that was last heard.
  private var lastOfTimers: [String?: String] = [:]

  private struct Sounding {
    var id: String
    var settings: RingSettings
    /// If the ring has several sounds, they are in a random order here. The request is kept, so
    /// that the sound that was prepared is the one that is played.
    var request: SoundRequest
    /// Whether the sound is to be heard; otherwise, it is only prepared.
    var isPlaying: Bool
    /// When the schedule last said so.
    var asked: Instant

    var order: SoundOrder { isPlaying ? .playing(id, settings) : .ready(id, settings) }
  }

  /// The reports of the player about the current sound.
  private struct Reported {
    var troubles: (file: String?, device: String?) = (nil, nil)
    /// Whether the sound process has crashed. After two crashes, it plays only the built-in tone.
    var hasCrashed = false
    /// The output through which the ring is heard; nil while no ring is heard.
    var output: Output?
    /// Why the sound cannot be heard although it is playing; nil if it can be heard. The
    /// notification shows this instead of `troubles`.
    var unheard: String?
    /// The device and the file of the sound that the player has begun; nil if it has begun none.
    var begun: (device: String, file: String?)?
  }

  var output: Output? { reported.output }

  init(_ agent: Agent, _ sounds: SoundLibrary, _ player: SoundProcess) {
    (self.agent, self.sounds, self.player) = (agent, sounds, player)
    player.onReport = { [weak self] in self?.handle($0) }
  }

  func stop() { player.stop() }

  /// The problem with the sound of the ring `id`, for its notification; nil if there is none, or if
  /// another ring is sounding.
  func remark(on id: String) -> String? {
    current?.isPlaying == true && current?.id == id ? remark : nil
  }

  private var remark: String? {
    if let unheard = reported.unheard { return unheard }
    let lines = [reported.troubles.file, reported.troubles.device].compactMap(\.self)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// Makes the player carry out the current order of `schedule`, on the devices that the config
  /// names now.
  func update(_ schedule: Schedule) {
    let order = schedule.sound
    let former = current
    guard
      order != former?.order ?? .silent || order.settings.map(devices) != former?.request.devices
    else { return }
    endStroke()
    let hadRemark = remark != nil
    switch order {
    case .silent:
      silence()
      agent.trimMemoryLater()
    case .ready(let id, let settings):
      // The player must be stopped before it prepares another sound.
      if former?.isPlaying == true { silence() }
      let sounding = sounding(id, settings, isPlaying: false)
      current = sounding
      player.prime(sounding.request)
    case .playing(let id, let settings):
      let sounding = sounding(id, settings, isPlaying: true)
      current = sounding
      if sounding.request != former?.request { forgetSound() }
      let elapsed = schedule.openRing(id).map { sounding.asked - $0.ring.since } ?? .zero
      player.play(sounding.request, fadedFor: max(.zero, elapsed))
      // If the player keeps playing the sound of another ring, it does not report that the sound of
      // this ring has begun. So note that here.
      recordBegun(sounding)
      if settings.volume == 0 { agent.history.rings.notHeard(.volume) }
      // A device that failed while the sound was prepared is not reported again.
      if reported.troubles.device != nil, reported.begun == nil { deviceFailed() }
      guard former?.isPlaying == true, hadRemark || remark != nil else { return }
      agent.updateNotification(Notice.Key(kind: .ringing, id: id))
    }
  }

  private func silence() {
    (current, reported) = (nil, Reported())
    agent.history.rings.soundEnded()
    player.stop()
  }

  /// Forgets what the player has reported about its sound, except for the output.
  private func forgetSound() {
    reported = Reported(output: reported.output)
    agent.history.rings.soundEnded()
  }

  /// Plays a sound of `settings` once, for two seconds, and fades it out. Does nothing while
  /// another stroke is playing, or while something is ringing or about to ring. If `discreet` is
  /// true, does nothing while the user is in a call either. A stroke that has not begun within two
  /// seconds is dropped. Problems with a stroke are only logged.
  func stroke(_ settings: RingSettings, discreet: Bool = false) {
    guard current == nil, agent.schedule.ringing.isEmpty, stroke == nil else { return }
    let request = SoundRequest(
      files: files(settings.sounds.shuffled()), devices: devices(settings),
      volume: settings.volume, loops: false, length: .seconds(2), isDiscreet: discreet)
    stroke = MainLoop.after(.seconds(2)) { [weak self] in self?.endStroke() }
    player.play(request)
  }

  private func endStroke() {
    guard stroke != nil else { return }
    stroke = nil
    player.stop()
    agent.trimMemoryLater()
  }

  /// Handles a report about the stroke. A stroke that has begun to sound is ended after six seconds
  /// at the latest, in case the device stops in the middle.
  private func strokeReported(_ report: SoundReport) {
    switch report {
    case .started: stroke = MainLoop.after(.seconds(6)) { [weak self] in self?.endStroke() }
    case .finished: endStroke()
    case .trouble(let trouble): Log.info("\(Wording.message(trouble))")
    default: break
    }
  }

  /// Returns the sound for a ring. If this is the current one, its request stays the same, except
  /// for the devices.
  private func sounding(_ id: String, _ settings: RingSettings, isPlaying: Bool) -> Sounding {
    let asked = Clock.now().wall
    if var current, current.id == id, current.settings == settings {
      current.request.devices = devices(settings)
      (current.isPlaying, current.asked) = (isPlaying, asked)
      return current
    }
    let before = lastHeard(of: id)
    let names = settings.sounds.shuffled(lastly: { name in
      before.map { sounds.leads(name, to: $0) } ?? false
    })
    let request = SoundRequest(
      files: files(names), before: before, devices: devices(settings),
      volume: settings.volume, fadeIn: settings.fadeIn)
    return Sounding(
      id: id, settings: settings, request: request, isPlaying: isPlaying, asked: asked)
  }

  /// Returns all possible paths of the sounds `names`. Only the first four names are used: each
  /// name has many possible paths, and the request to the sound process contains all of them.
  private func files(_ names: [String]) -> [String] {
    (names.prefix(4) + [SoundLibrary.defaultName]).flatMap(sounds.candidates)
  }

  /// Returns the devices that the config sets for the alarm or timer, then the devices for all
  /// rings, without duplicates.
  private func devices(_ settings: RingSettings) -> [String] {
    (settings.devices + agent.configuration.agent.devices).unique
  }

  private func lastHeard(of id: String) -> String? {
    agent.schedule.entry(id)?.state.sound
      ?? agent.schedule.timer(id).flatMap {
        lastOfTimers[$0.preset]
      }
  }

  /// Records that the sound was started. Does nothing if no sound was started.
  private func recordBegun(_ sounding: Sounding) {
    guard let begun = reported.begun else { return }
    agent.history.rings.soundBegan(sounding.id, device: begun.device, file: begun.file)
    remember(begun.file, of: sounding)
  }

  /// Whether the sound of a ring is playing, and its volume is not 0.
  private var isAudible: Bool { current?.isPlaying == true && current?.settings.volume != 0 }

  /// Pauses the media players if a ring should sound, because one of them may be using the device.
  private func deviceFailed() {
    recordNotHeard(.noDevice)
    if current?.isPlaying == true { agent.pausePlayers() }
  }

  /// Records in the history why the present sound is not heard.
  private func recordNotHeard(_ reason: Unheard) {
    if isAudible { agent.history.rings.notHeard(reason) }
  }

  /// If several files could have been heard, remembers which one was heard, so that the next ring
  /// uses another.
  private func remember(_ file: String?, of sounding: Sounding) {
    let (id, names) = (sounding.id, sounding.settings.sounds)
    guard let file, agent.schedule.openRing(id)?.isRehearsal == false,
      names.count > 1 || names.contains(where: { !sounds.candidates($0).contains(file) })
    else { return }
    if let timer = agent.schedule.timer(id) {
      lastOfTimers[timer.preset] = file
    } else {
      agent.noteSound(file, of: id)
    }
  }

  /// Handles a report of the player, and updates the ring's notification if the problems changed.
  private func handle(_ report: SoundReport) {
    if stroke != nil { return strokeReported(report) }
    let (before, known) = (remark, reported.troubles)
    switch report {
    case .trouble(.file(.unreadable(_, let error))) where error.isMissing: return
    case .trouble(let trouble):
      switch trouble {
      case .file, .slowFile: reported.troubles.file = Wording.notice(trouble)
      default:
        if trouble == .crashed { reported.hasCrashed = true }
        reported.troubles.device = Wording.trouble(trouble)
        (reported.output, reported.begun) = (nil, nil)
        deviceFailed()
      }
      if reported.troubles != known { Log.warning("\(Wording.message(trouble))") }
    case .primed(let device, let file): recordStandIn(file, on: device, report)
    case .output(let new):
      reported.output = new
      agent.updateVolume(isNew: true)
      if let silence = new.silence { recordNotHeard(Unheard(silence)) }
    case .unheard(let silence):
      if let silence { Log.warning("\(Wording.message(silence))") } else { agent.checkup.heard() }
      reported.unheard = silence.map { tr(Wording.message($0)) }
    case .started(let device, _, let file):
      recordStandIn(file, on: device, report)
      reported.begun = (device, file)
      agent.pausePlayers()
      if let current, current.isPlaying { recordBegun(current) }
    case .heard(let delay) where isAudible:
      guard let current else { break }
      // The sound may have been ordered for another ring before `asked`.
      agent.history.rings.heard(at: min(current.asked + delay, Clock.now().wall))
    default: return
    }
    if remark != before, let current, current.isPlaying {
      agent.updateNotification(Notice.Key(kind: .ringing, id: current.id))
    }
  }

  /// Notes which problems remain now that the sound plays `file` on `device`. If the config does
  /// not name the device, the problem of those that it names is shown on.
  private func recordStandIn(_ file: String?, on device: String, _ report: SoundReport) {
    let isNamed = current.map { devices($0.settings).contains(device) } ?? true
    reported.troubles = (standIn(for: file), isNamed ? nil : reported.troubles.device)
    Log.debug("\(report)")
  }

  private func standIn(for file: String?) -> String? {
    if file == nil, reported.hasCrashed {
      return reported.troubles.file
        ?? tr("The sound system crashed; a plain tone plays instead.")
    }
    guard let names = current?.settings.sounds, !names.isEmpty else { return nil }
    if let file, names.contains(where: { sounds.leads($0, to: file) }) { return nil }
    if let trouble = reported.troubles.file { return trouble }
    let quoted = Wording.list(names.map(TerminalText.quoted))
    return file == nil
      ? tr("There is no sound \(quoted); a plain tone plays instead.")
      : tr("There is no sound \(quoted); \(SoundLibrary.defaultName) plays instead.")
  }
}

extension Unheard {
  fileprivate init(_ silence: Output.Silence) {
    self =
      switch silence {
      case .dummy: .noOutput
      case .muted, .streamMuted: .muted
      }
  }
}

extension Agent {
  /// Sounds `chime` unless the notification server is set to do not disturb. Skips the chime if
  /// finding that out takes more than a second. Sounds it if the server cannot tell.
  func strike(_ chime: Chime) {
    let asked = Clock.now().boot
    let strike = { [weak self] (isQuiet: Bool) in
      if isQuiet { return Log.info("do not disturb is set: no chime") }
      guard let self, Clock.now().boot - asked < .seconds(1) else { return }
      var settings = configuration.defaults
      settings.sounds = chime.sounds
      ringSound.stroke(settings, discreet: true)
    }
    // A server that is not running cannot be set to do not disturb.
    guard let name = notifier.server?.name else { return strike(false) }
    DoNotDisturb.ask(name, on: bus) { strike($0?.isOn == true) }
  }
}
