// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides what the player has to play, and what the player's reports mean for the ring: since when
// it has been heard, or why it is not heard. `Announcement.swift` in the core decides which sound
// should be heard, `SoundProcess.swift` in Sound plays it. Next: `SoundActs.swift`, what the agent
// does because of it.

import Doctor
import Files
import Language
import Persistence
import Presentation
import Scheduling
import Sound
import System

final class RingSound {
  private let sounds: SoundLibrary
  private let onAct: (Act) -> Void
  /// The sound of a ring that the schedule ordered last, and that the player prepares or plays; nil
  /// if the schedule ordered silence.
  private var current: Sounding?
  private var reported = Reported()
  /// A stroke is a sound that is played once, such as a chime. This timer ends the stroke; nil if
  /// no stroke is playing.
  private var stroke: Source?

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

  init(_ sounds: SoundLibrary, onAct: @escaping (Act) -> Void) {
    (self.sounds, self.onAct) = (sounds, onAct)
  }

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

  /// Makes the player carry out `order`. Does nothing if the order and the devices are as before.
  ///
  /// - Parameters:
  ///   - start: When the ring that is to be heard began.
  ///   - before: The sound file with which the alarm or timer was last heard.
  ///   - shared: The devices for all rings, which are tried after those of the alarm or timer.
  func update(
    _ order: SoundOrder, since start: Instant?, before: String?, devices shared: [String]
  ) {
    let former = current
    guard
      order != former?.order ?? .silent
        || former.map({ Self.devices($0.settings, shared) }) != former?.request.devices
    else { return }
    endStroke()
    let hadRemark = remark != nil
    switch order {
    case .silent:
      silence()
      onAct(.trimMemory)
    case .ready(let id, let settings):
      // The player must be stopped before it prepares another sound.
      if former?.isPlaying == true { silence() }
      let sounding = sounding(id, settings, before: before, shared, isPlaying: false)
      current = sounding
      onAct(.prime(sounding.request))
    case .playing(let id, let settings):
      let sounding = sounding(id, settings, before: before, shared, isPlaying: true)
      current = sounding
      if sounding.request != former?.request { forgetSound() }
      let elapsed = start.map { sounding.asked - $0 } ?? .zero
      onAct(.play(sounding.request, fadedFor: max(.zero, elapsed)))
      // If the player keeps playing the sound of another ring, it does not report that the sound of
      // this ring has begun. So note that here.
      recordBegun(sounding)
      if settings.volume == 0 { onAct(.notHeard(.volume)) }
      // A device that failed while the sound was prepared is not reported again.
      if reported.troubles.device != nil, reported.begun == nil { deviceFailed() }
      if former?.isPlaying == true, hadRemark || remark != nil { onAct(.remarkChanged(id)) }
    }
  }

  private func silence() {
    (current, reported) = (nil, Reported())
    onAct(.ended)
    onAct(.stop)
  }

  /// Forgets what the player has reported about its sound, except for the output.
  private func forgetSound() {
    reported = Reported(output: reported.output)
    onAct(.ended)
  }

  /// Plays a sound of `settings` once, for two seconds, and fades it out. Does nothing while
  /// another sound is playing or prepared. If `isDiscreet` is true, does nothing while the user is
  /// in a call either. A stroke that has not begun within two seconds is dropped. Problems with a
  /// stroke are only logged.
  func stroke(_ settings: RingSettings, devices shared: [String], isDiscreet: Bool) {
    guard current == nil, stroke == nil else { return }
    let request = SoundRequest(
      files: files(settings.sounds.shuffled()), devices: Self.devices(settings, shared),
      volume: settings.volume, loops: false, length: .seconds(2), isDiscreet: isDiscreet)
    stroke = MainLoop.after(.seconds(2)) { [weak self] in self?.endStroke() }
    onAct(.play(request, fadedFor: .zero))
  }

  private func endStroke() {
    guard stroke != nil else { return }
    stroke = nil
    onAct(.stop)
    onAct(.trimMemory)
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
  private func sounding(
    _ id: String, _ settings: RingSettings, before: String?, _ shared: [String], isPlaying: Bool
  ) -> Sounding {
    let (asked, devices) = (Clock.now().wall, Self.devices(settings, shared))
    if var current, current.id == id, current.settings == settings {
      current.request.devices = devices
      (current.isPlaying, current.asked) = (isPlaying, asked)
      return current
    }
    let names = settings.sounds.shuffled(lastly: { name in
      before.map { sounds.leads(name, to: $0) } ?? false
    })
    let request = SoundRequest(
      files: files(names), before: before, devices: devices, volume: settings.volume,
      fadeIn: settings.fadeIn)
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
  private static func devices(_ settings: RingSettings, _ shared: [String]) -> [String] {
    (settings.devices + shared).unique
  }

  /// Reports that the sound was started. Does nothing if no sound was started.
  private func recordBegun(_ sounding: Sounding) {
    guard let begun = reported.begun else { return }
    onAct(.began(sounding.id, device: begun.device, file: begun.file))
    recordPlayed(begun.file, by: sounding)
  }

  /// Whether the sound of a ring is playing, and its volume is not 0.
  private var isAudible: Bool { current?.isPlaying == true && current?.settings.volume != 0 }

  /// Pauses the media players if a ring should sound, because one of them may be using the device.
  private func deviceFailed() {
    recordNotHeard(.noDevice)
    if current?.isPlaying == true { onAct(.pausePlayers) }
  }

  /// Reports why the present sound is not heard.
  private func recordNotHeard(_ reason: Unheard) { if isAudible { onAct(.notHeard(reason)) } }

  /// If several files could have been heard, reports which one was heard, so that the next ring
  /// uses another.
  private func recordPlayed(_ file: String?, by sounding: Sounding) {
    let names = sounding.settings.sounds
    guard let file,
      names.count > 1 || names.contains(where: { !sounds.candidates($0).contains(file) })
    else { return }
    onAct(.played(file, by: sounding.id))
  }

  /// Handles a report of the player.
  func handle(_ report: SoundReport) {
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
      onAct(.outputChanged)
      if let silence = new.silence { recordNotHeard(Unheard(silence)) }
    case .unheard(let silence):
      if let silence { Log.warning("\(Wording.message(silence))") } else { onAct(.canBeHeard) }
      reported.unheard = silence.map { tr(Wording.message($0)) }
    case .started(let device, _, let file):
      recordStandIn(file, on: device, report)
      reported.begun = (device, file)
      onAct(.pausePlayers)
      if let current, current.isPlaying { recordBegun(current) }
    case .heard(let delay) where isAudible:
      guard let current else { break }
      // The sound may have been ordered for another ring before `asked`.
      onAct(.heard(at: min(current.asked + delay, Clock.now().wall)))
    default: return
    }
    if remark != before, let current, current.isPlaying { onAct(.remarkChanged(current.id)) }
  }

  /// Notes which problems remain now that the sound plays `file` on `device`. If the config does
  /// not name the device, the problem of those that it names is shown on.
  private func recordStandIn(_ file: String?, on device: String, _ report: SoundReport) {
    let isNamed = current?.request.devices.contains(device) ?? true
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
