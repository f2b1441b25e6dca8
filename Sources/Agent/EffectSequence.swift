// SPDX-License-Identifier: GPL-3.0-or-later
//
// Carries out the effects of an event in the order that the core gives: saving the state, the
// sound, the notifications, and everything else that accompanies a ring. This file decides nothing;
// the order comes from `Announcement.swift` in the core.

import Bus
import Language
import Notifications
import Presentation
import Scheduling
import System

/// The effects of one event, in order. The effect `persist` saves the state, and the effects after
/// it wait until the state is on the disk. They wait only a moment, because a person who has
/// pressed a button expects a quick reaction.
final class EffectSequence {
  private var effects: ArraySlice<Effect>
  private let carryOut: (Effect) -> Void
  private let save: (_ done: @escaping (FileError?) -> Void) -> Void
  private let done: (EffectSequence, FileError?) -> Void
  private var patience: Source?
  /// How many saves of the state have begun and are not finished yet.
  private var writes = 0
  private var problem: FileError?

  private static let patience: Duration = .milliseconds(150)

  /// - Parameters:
  ///   - carryOut: Carries out one effect, without waiting for anything.
  ///   - save: Saves the state. Calls its argument once: with nil when the state is on the disk, or
  ///     with the error if saving fails or takes too long.
  ///   - done: Called once, with this sequence, when all effects have been carried out and the
  ///     state is on the disk, or with the error. A crash must not undo an action that was reported
  ///     as done without an error.
  init(
    _ effects: [Effect], carryOut: @escaping (Effect) -> Void,
    save: @escaping (_ done: @escaping (FileError?) -> Void) -> Void,
    then done: @escaping (EffectSequence, FileError?) -> Void
  ) {
    (self.effects, self.carryOut, self.save, self.done) = (effects[...], carryOut, save, done)
  }

  func goOn() {
    patience = nil
    while let effect = effects.popFirst() {
      if effect == .persist { return persist() }
      carryOut(effect)
    }
    if writes == 0 { done(self, problem) }
  }

  /// Carries out the remaining effects at once, without calling `done`. Use this at the end of the
  /// program.
  func finish() {
    patience = nil
    while let effect = effects.popFirst() { carryOut(effect) }
  }

  private func persist() {
    writes += 1
    patience = MainLoop.after(Self.patience) { self.goOn() }
    save { problem in
      self.writes -= 1
      self.problem = problem
      if self.writes == 0 { self.goOn() }
    }
  }
}

extension Agent {
  /// Carries out `effects`, and calls `done` as `EffectSequence` does.
  func carryOut(_ effects: [Effect], then done: ((FileError?) -> Void)?) {
    let sequence = EffectSequence(effects, carryOut: carryOut(_:), save: remember) {
      [self] sequence, problem in
      sequences.removeAll { $0 === sequence }
      done?(problem)
    }
    sequences.append(sequence)
    sequence.goOn()
  }

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .sound: updateSound()
    case .stroke(let settings): stroke(settings)
    case .chime(let chime): strike(chime)
    case .notice(let key): updateNotification(key)
    case .persist: remember()
    case .ended(let outcome):
      history.ended(outcome, zones)
      if let ring = outcome.rang { ringActions.ended(ring, outcome.answer, zones) }
      if outcome.answer == .stopped, schedule.entry(outcome.id)?.check != nil {
        upCheck.stopped(outcome.id, system: machine.bus)
      }
    case .began(let ring, let due):
      history.rings.began(ring, due: due, now: Clock.now().wall)
      ringActions.start(.ring, ring, zones)
    case .renamed(let ring, let id):
      history.rings.renamed(ring.id, to: id)
      ringActions.ended(ring, nil, zones)
    case .before(let ring): ringActions.start(.before, ring, zones)
    case .takenBack(let ring): ringActions.hooks.end(ring, .before)
    case .checkUp(let id):
      if let check = schedule.entry(id)?.check { upCheck.check(id, check, system: machine.bus) }
    case .mixer: updateVolume()
    case .players: if schedule.ringing.isEmpty { ringActions.players.resume() }
    case .pausePlayers(let timer):
      ringActions.players.pauseForGood()
      notify("players") { $0.playersPaused(timer) }
    case .tray:
      ringActions.feedback.update(schedule.sound.isPlaying)
      tray.update(trayContent)
      ringActions.mediaControls.update(
        MediaControls.Track(of: schedule, in: wording, at: Clock.now().wall))
    case .changed:
      onChange?()
      trimMemoryLater()
    }
  }

  func updateNotification(_ key: Notice.Key) {
    guard let notice = schedule.notice(key) else { return notifier.withdraw(key.text) }
    let content = wording.notification(
      notice, remark: ringSound.remark(on: key.id), now: Clock.now().wall)
    post(content, as: key.text)
  }
}
