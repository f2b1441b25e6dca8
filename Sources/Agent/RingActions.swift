// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything that accompanies a ring: runs the user's commands, pauses media players, raises the
// volume and makes a phone vibrate, and undoes all of this when the ring ends. `Announcement.swift`
// in the core puts these actions after the sound, the notification and the saving of the state,
// which therefore never wait for them. Next: `Hooks.swift`.

import Bus
import Configuration
import Files
import Presentation
import Scheduling
import Sound
import System

final class RingActions {
  let hooks: Hooks
  let players: MediaPlayers
  let mediaControls: MediaControls
  let feedback: Feedback
  /// The process that plays for all parts of the agent.
  let sound: SoundProcess
  private var isLifted = false

  /// `perform` carries out the operation of a media key.
  init(
    on bus: Bus, _ locations: Locations, icon: String,
    perform: @escaping MediaControls.Perform
  ) {
    let sound = SoundProcess(record: locations.mixer)
    self.sound = sound
    hooks = Hooks(folder: locations.home, state: locations.stateFolder) {
      SessionVariables.ask(on: bus, or: locations.display, $0)
    }
    players = MediaPlayers(on: bus)
    feedback = Feedback(on: bus, application: BusInterface.name)
    mediaControls = MediaControls(on: bus, icon: icon, perform: perform)
    players.onChange = { [weak self] in self?.mediaControls.announceSoon() }
    // An agent that was killed may have left the volume raised. If so, restore it.
    Worker.once("mixer") { [weak self, record = locations.mixer] disk in
      guard Folder.hasFile(record, on: disk) else { return }
      Worker.onMain { if self?.isLifted == false { sound.restore() } }
    }
  }

  /// Ends the commands of the ring, and runs those of `on_stop`. `answer` is nil if the ring goes
  /// on under another id.
  func ended(_ ring: OpenRing, _ answer: Outcome.Ending?, _ zones: Zones) {
    hooks.end(ring.key, .ring)
    switch answer {
    case .snoozed: start(.snooze, ring, zones)
    case .missed: start(.missed, ring, zones)
    case .stopped, .restarted, .removed, nil: start(.stop, ring, zones)
    }
  }

  func start(_ event: Hooks.Event, _ ring: OpenRing, _ zones: Zones) {
    hooks.start(event, ring, due: Moment(ring.ring.due, zones))
  }

  /// Raises the volume to `target`, or restores it if `target` is nil. `isNew` means that a sound
  /// process has just reported its output. The volume is raised again then, because output and
  /// process may be new. Within one process, this changes no volume that a person has set.
  func updateVolume(_ target: VolumeTarget?, isNew: Bool) {
    guard let target else {
      if isLifted { sound.restore() }
      isLifted = false
      return
    }
    guard isNew || !isLifted else { return }
    isLifted = true
    sound.raise(target)
  }

  /// Restores the volume, resumes the paused players, asks commands to end, and ends the sound and
  /// the vibration. This takes about a second. Use this at the end of the program.
  func stop() {
    sound.restore()
    feedback.update(false)
    players.resumeBlindly()
    hooks.stop()
    sound.finish(within: .milliseconds(500))
  }
}

extension VolumeTarget {
  /// Returns the volume for `alarm`, which is `Schedule.raising`. Nil if no volume is raised: no
  /// alarm needs it, or no sound is playing through an `output`. The sound may be the sound of a
  /// timer that is ringing as well.
  init?(for alarm: OpenRing?, _ settings: AgentSettings, on output: Output?, at now: Instant) {
    guard settings.mixer == .raise, let alarm, let output else { return nil }
    self.init(
      output, floor: settings.mixerFloor, fadeIn: alarm.settings.fadeIn,
      elapsed: max(.zero, now - alarm.ring.since))
  }
}

// MARK: - In the agent

extension Agent {
  /// Pauses media players. Called when the sound of the ring begins, and not before, so that there
  /// is no silence before the ring; or when its device fails.
  func pausePlayers() {
    if configuration.agent.pauseMedia { ringActions.players.pause() }
  }

  /// Raises the volume while an alarm is ringing and the agent is playing a sound, and restores it
  /// otherwise. For `isNew`, see `RingActions.updateVolume`.
  func updateVolume(isNew: Bool = false) {
    let target = VolumeTarget(
      for: schedule.raising, configuration.agent, on: ringSound.output, at: Clock.now().wall)
    ringActions.updateVolume(target, isNew: isNew)
  }
}
