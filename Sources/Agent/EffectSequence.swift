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
  private let agent: Agent
  private var effects: ArraySlice<Effect>
  private let done: ((FileError?) -> Void)?
  private var patience: Source?
  /// How many saves of the state have begun and are not finished yet.
  private var writes = 0
  private var problem: FileError?

  private static let patience: Duration = .milliseconds(150)

  /// `done` is called when all effects have been carried out and the state is on the disk, or with
  /// the error if saving failed or took too long. A crash must not undo an action that was reported
  /// as done without an error.
  init(_ effects: [Effect], of agent: Agent, then done: ((FileError?) -> Void)?) {
    (self.agent, self.effects, self.done) = (agent, effects[...], done)
  }

  func goOn() {
    patience = nil
    while let effect = effects.popFirst() {
      if effect == .persist { return persist() }
      agent.carryOut(effect)
    }
    if writes == 0 { done?(problem) }
  }

  /// Carries out the remaining effects at once, without calling `done`. Use this at the end of the
  /// program.
  func finish() {
    patience = nil
    while let effect = effects.popFirst() { agent.carryOut(effect) }
  }

  private func persist() {
    writes += 1
    if writes == 1 { agent.sequences.append(self) }
    patience = MainLoop.after(Self.patience) { self.goOn() }
    agent.remember { problem in
      self.writes -= 1
      self.problem = problem
      guard self.writes == 0 else { return }
      self.agent.sequences.removeAll { $0 === self }
      self.goOn()
    }
  }
}

extension Agent {
  fileprivate func carryOut(_ effect: Effect) {
    switch effect {
    case .sound: ringSound.update(schedule)
    case .stroke(let settings): ringSound.stroke(settings)
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
