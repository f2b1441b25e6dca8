// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sound of what rings: what the schedule wants heard is made ready, played and silenced, and
// what goes wrong with it is said on the notification of what rings. What is to be heard is decided
// in the core's `Announcement.swift`, how it is played in Sound's `SoundProcess.swift`.

import Configuration
import Doctor
import Files
import Language
import Presentation
import Scheduling
import Sound
import System

final class RingSound {
  private unowned let agent: Agent
  private let sounds: SoundLibrary
  private let player: SoundProcess
  private let reserve = DescriptorReserve()
  /// What the player was last told.
  private var heard: SoundOrder = .silent
  /// While a stroke plays: when that is given up.
  private var stroke: Source?
  /// When that was.
  private var asked = Clock.now().wall
  /// What was chosen for the ring that it was told of: where several sounds may ring, what was made
  /// ready is what plays.
  private var drawn: (id: String, settings: RingSettings, request: SoundRequest)?
  /// The file that was heard last of each preset's timers; of alarms the schedule knows.
  private var lastOfTimers: [String?: String] = [:]
  /// What is wrong with the sound file and with the device of what rings now, for its notification.
  private var troubles: (file: String?, device: String?)
  /// What is heard through which output; nil while nothing is.
  private(set) var output: Output?
  /// Why nobody hears it, though it plays: that comes before what is wrong with it.
  private var unheard: String?

  init(_ agent: Agent, _ sounds: SoundLibrary, _ player: SoundProcess) {
    (self.agent, self.sounds, self.player) = (agent, sounds, player)
    player.onReport = { [weak self] in self?.take($0) }
  }

  func stop() { player.stop() }

  /// What the user should know of the sound of the alarm or timer `id`, if that is what is heard.
  func remark(on id: String) -> String? {
    if case .playing(id, _) = heard { unheard ?? remark } else { nil }
  }

  private var remark: String? {
    let lines = [troubles.file, troubles.device].compactMap(\.self)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// Brings the player to what `schedule` wants heard.
  func follow(_ schedule: Schedule) {
    let order = schedule.sound
    guard order != heard else { return }
    endStroke()
    // A player that plays is not made ready for anything else.
    if case .playing = heard, case .ready = order {
      (troubles, drawn) = ((nil, nil), nil)
      player.stop()
    }
    (heard, asked, unheard) = (order, Clock.now().wall, nil)
    if case .playing = order {} else { output = nil }
    if order == .silent { reserve.fill() } else { reserve.release() }
    switch order {
    case .silent:
      (troubles, drawn) = ((nil, nil), nil)
      player.stop()
      agent.settle()
    case .ready(let id, let settings): player.prime(request(id, settings))
    case .playing(let id, let settings):
      let elapsed = schedule.openRing(id).map { asked - $0.ring.since } ?? .zero
      player.play(request(id, settings), fadedFor: max(.zero, elapsed))
    }
  }

  /// A second or two of that sound, once, faded out; none where anything else is to be heard, nor,
  /// if it is to be `discreet`, in a call. What has not begun within two seconds is dropped, and
  /// what goes wrong with it is told nobody.
  func stroke(_ settings: RingSettings, discreet: Bool = false) {
    guard heard == .silent, agent.schedule.ringing.isEmpty, stroke == nil else { return }
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
    agent.settle()
  }

  /// It begins; a device that stops in the middle does not hold it up for ever.
  private func strokeReported(_ report: SoundReport) {
    switch report {
    case .started: stroke = MainLoop.after(.seconds(6)) { [weak self] in self?.endStroke() }
    case .finished: endStroke()
    case .trouble(let trouble): Log.info("\(Wording.message(trouble))")
    default: break
    }
  }

  private func request(_ id: String, _ settings: RingSettings) -> SoundRequest {
    if let drawn, drawn.id == id, drawn.settings == settings { return drawn.request }
    let before = lastHeard(of: id)
    let names = settings.sounds.shuffled(lastly: { name in
      before.map { sounds.leads(name, to: $0) } ?? false
    })
    let request = SoundRequest(
      files: files(names), before: before, devices: devices(settings),
      volume: settings.volume, fadeIn: settings.fadeIn)
    drawn = (id, settings, request)
    return request
  }

  /// Where a name may be is many paths, and all go to the sound process at once: of many names a
  /// few are tried.
  private func files(_ names: [String]) -> [String] {
    (names.prefix(4) + [SoundLibrary.defaultName]).flatMap(sounds.candidates)
  }

  /// Its own before those of the agent, each once.
  private func devices(_ settings: RingSettings) -> [String] {
    (settings.devices + agent.configuration.agent.devices).unique
  }

  private func lastHeard(of id: String) -> String? {
    agent.schedule.entry(id)?.state.sound
      ?? agent.schedule.timer(id).flatMap {
        lastOfTimers[$0.preset]
      }
  }

  /// Remembers what is heard where another time it is to be another.
  private func remember(_ file: String?, of id: String) {
    guard let file, agent.schedule.openRing(id)?.isRehearsal == false,
      let names = heard.settings?.sounds,
      names.count > 1 || names.contains(where: { !sounds.candidates($0).contains(file) })
    else { return }
    if let timer = agent.schedule.timer(id) {
      lastOfTimers[timer.preset] = file
    } else {
      agent.noteSound(file, of: id)
    }
  }

  /// What went wrong with the sound is told on the notification of what rings, once.
  private func take(_ report: SoundReport) {
    if stroke != nil { return strokeReported(report) }
    let before = (remark: remark, unheard: unheard)
    switch report {
    case .trouble(.file(.unreadable(_, let error))) where error.isMissing: return
    case .trouble(let trouble):
      switch trouble {
      case .file, .slowFile: troubles.file = Wording.trouble(trouble)
      default:
        troubles.device = Wording.trouble(trouble)
        output = nil
      }
      if remark != before.remark { Log.warning("\(Wording.message(trouble))") }
    case .primed(_, let file): follow(file, report)
    case .output(let new):
      let isNew = new.control != output?.control || new.stream != output?.stream
      output = new
      if isNew { agent.ringActions?.followMixer(isNew: true) }
    case .unheard(let silence):
      if let silence { Log.warning("\(Wording.message(silence))") }
      unheard = silence.map { tr(Wording.message($0)) }
    case .started(let device, _, let file, let delay):
      follow(file, report)
      agent.ringActions?.soundBegan()
      guard case .playing(let id, _) = heard else { break }
      agent.history.heard(id, asked: asked, delay: delay, device: device, file: file)
      remember(file, of: id)
      agent.checkup.heard()
    default: return
    }
    if (remark, unheard) != before, case .playing(let id, _) = heard {
      agent.follow(Notice.Key(kind: .ringing, id: id))
    }
  }

  private func follow(_ file: String?, _ report: SoundReport) {
    troubles = (standIn(for: file), nil)
    Log.debug("\(report)")
  }

  /// Why it is not the sound that was asked for that plays, if it is not.
  private func standIn(for file: String?) -> String? {
    guard let names = heard.settings?.sounds, !names.isEmpty else { return nil }
    if let file, names.contains(where: { sounds.leads($0, to: file) }) { return nil }
    if let trouble = troubles.file { return trouble }
    let quoted = Wording.list(names.map(TerminalText.quoted))
    return file == nil
      ? tr("There is no sound \(quoted); a plain tone plays instead.")
      : tr("There is no sound \(quoted); \(SoundLibrary.defaultName) plays instead.")
  }
}
