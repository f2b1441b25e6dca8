// SPDX-License-Identifier: GPL-3.0-or-later
//
// What else is done while something rings: commands are run, media players paused, the output
// turned up, and all of it is undone when the ring ends. It comes after the sound, the notification
// and the record, as the core's `Announcement.swift` has it, and none of these ever waits for it.
// Next: `Hooks.swift`.

import Bus
import Configuration
import Files
import Presentation
import Scheduling
import Sound
import System

final class RingActions {
  private unowned let agent: Agent
  private let hooks: Hooks
  private let players: MediaPlayers
  /// What rings, as one of them.
  let ringPlayer: RingPlayer
  private let sound: SoundProcess
  /// Whether the output is turned up, as an agent before this one may have left it.
  private var isLifted = true

  init(_ agent: Agent, _ sound: SoundProcess, on bus: Bus) {
    (self.agent, self.sound) = (agent, sound)
    hooks = Hooks(folder: agent.locations.home, state: agent.locations.stateFolder)
    players = MediaPlayers(on: bus)
    ringPlayer = RingPlayer(agent, on: bus)
    players.onChange = { [weak self] in self?.ringPlayer.tell() }
  }

  func isAhead(_ ring: OpenRing) { start(.before, ring) }
  func isNotAhead(_ ring: OpenRing.Key) { hooks.end(ring, .before) }
  func began(_ ring: OpenRing) { start(.ring, ring) }

  func ended(_ outcome: Outcome) {
    guard let ring = outcome.rang else { return }
    hooks.end(ring.key, .ring)
    switch outcome.answer {
    case .snoozed: start(.snooze, ring)
    case .missed: start(.missed, ring)
    case .stopped, .restarted, .removed, nil: start(.stop, ring)
    }
  }

  private func start(_ event: Hooks.Event, _ ring: OpenRing) {
    hooks.start(event, ring, due: Moment(ring.ring.due, agent.zones))
  }

  /// Something is heard: only now may it get quiet around it.
  func soundBegan() {
    if agent.configuration.agent.pauseMedia { players.pause() }
  }

  func followPlayers() {
    if agent.schedule.ringing.isEmpty { players.resume() }
  }

  /// Turns the output up while an alarm rings and something is heard, be it a timer's sound;
  /// `isNew`: through another output than before.
  func followMixer(isNew: Bool = false) {
    let settings = agent.configuration.agent
    guard let alarm = agent.schedule.raising, let output = agent.ringSound.output,
      settings.mixer == .raise
    else {
      if isLifted { sound.restore() }
      isLifted = false
      return
    }
    guard isNew || !isLifted else { return }
    isLifted = true
    sound.raise(
      VolumeTarget(
        control: output.control, stream: output.stream, floor: settings.mixerFloor,
        fadeIn: alarm.settings.fadeIn, elapsed: max(.zero, Clock.now().wall - alarm.ring.since)))
  }

  /// For the end of the program: undoes what can be undone in a second.
  func stop() {
    sound.restore()
    players.resumeBlindly()
    hooks.stop()
    sound.finish(within: .milliseconds(500))
  }
}
