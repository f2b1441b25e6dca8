// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything that accompanies a ring: runs the user's commands, pauses media players and raises the
// volume, and undoes all of this when the ring ends. `Announcement.swift` in the core puts these
// actions after the sound, the notification and the saving of the state, which therefore never wait
// for them. Next: `Hooks.swift`.

import Bus
import Configuration
import Files
import Presentation
import Scheduling
import Sound
import System

final class RingActions {
  private unowned let agent: Agent
  let hooks: Hooks
  let players: MediaPlayers
  let mediaControls: MediaControls
  private let sound: SoundProcess
  private var isLifted = false

  init(_ agent: Agent, _ sound: SoundProcess) {
    (self.agent, self.sound) = (agent, sound)
    hooks = Hooks(folder: agent.locations.home, state: agent.locations.stateFolder) {
      [bus = agent.bus, path = agent.locations.display] in
      SessionVariables.ask(on: bus, or: path, $0)
    }
    players = MediaPlayers(on: agent.bus)
    mediaControls = MediaControls(agent)
    players.onChange = { [weak self] in self?.mediaControls.announceSoon() }
    // An agent that was killed may have left the volume raised. If so, restore it.
    Worker.once("mixer") { [weak self, record = agent.locations.mixer] in
      guard Folder.hasFile(record) else { return }
      Worker.onMain { if self?.isLifted == false { sound.restore() } }
    }
  }

  /// Ends the commands of the ring, and runs those of `on_stop`. `answer` is nil if the ring goes
  /// on under another id.
  func ended(_ ring: OpenRing, _ answer: Outcome.Ending?) {
    hooks.end(ring.key, .ring)
    switch answer {
    case .snoozed: start(.snooze, ring)
    case .missed: start(.missed, ring)
    case .stopped, .restarted, .removed, nil: start(.stop, ring)
    }
  }

  func start(_ event: Hooks.Event, _ ring: OpenRing) {
    hooks.start(event, ring, due: Moment(ring.ring.due, agent.zones))
  }

  /// Pauses media players. Called when the sound of the ring begins, and not before, so that there
  /// is no silence before the ring; or when its device fails.
  func pausePlayers() {
    if agent.configuration.agent.pauseMedia { players.pause() }
  }

  func followPlayers() {
    if agent.schedule.ringing.isEmpty { players.resume() }
  }

  /// Raises the volume while an alarm is ringing and the agent is playing a sound, which may be the
  /// sound of a timer that is ringing as well. Otherwise restores the volume. `isNew` means that a
  /// sound process has just reported its output. The volume is raised again then, because output
  /// and process may be new. Within one process, this changes no volume that a person has set.
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
        output, floor: settings.mixerFloor, fadeIn: alarm.settings.fadeIn,
        elapsed: max(.zero, Clock.now().wall - alarm.ring.since)))
  }

  /// Restores the volume, resumes the paused players, asks commands to end, and ends the sound.
  /// This takes about a second. Use this at the end of the program.
  func stop() {
    sound.restore()
    players.resumeBlindly()
    hooks.stop()
    sound.finish(within: .milliseconds(500))
  }
}
