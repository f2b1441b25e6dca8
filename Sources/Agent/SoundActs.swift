// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the agent and `RingSound.swift` work together: the agent passes on what the schedule and the
// config say about the sound, and carries out what `RingSound` reports. Also sounds a chime unless
// it would disturb someone; `Chime.swift` in the core decides when a chime is due.

import Bus
import Configuration
import Notifications
import Persistence
import Scheduling
import Sound
import System

extension RingSound {
  /// A task for the agent: an order to pass on to the player, or news of the sound to react to.
  enum Act: Equatable {
    case prime(SoundRequest)
    /// `fadedFor` is how much of the fade-in has passed already.
    case play(SoundRequest, fadedFor: Duration)
    case stop
    /// The sound of this ring was started on the device. `file` is nil for the built-in tone.
    case began(String, device: String, file: String?)
    /// This alarm or timer has played this file, which is one of several that it may play.
    case played(String, by: String)
    /// The present sound has been heard since this moment.
    case heard(at: Instant)
    /// The present sound is not heard, for this reason.
    case notHeard(Unheard)
    /// The present sound was stopped, or another sound was ordered.
    case ended
    /// A sound has played for a second on an output that can be heard.
    case canBeHeard
    /// The sound goes to an output that has just been reported. It may be the same as before.
    case outputChanged
    /// `remark(on:)` has changed for this ring.
    case remarkChanged(String)
    /// Pause the media players: the ring has begun to sound, or they may be using its device.
    case pausePlayers
    /// Nothing is playing any more, so memory can be given back.
    case trimMemory
  }
}

extension Agent {
  /// Passes on the order of the schedule, for the devices that the config names now.
  func updateSound() {
    let order = schedule.sound
    ringSound.update(
      order, since: order.id.flatMap(schedule.openRing)?.ring.since,
      before: order.id.flatMap(schedule.lastSound), devices: configuration.agent.devices)
  }

  func perform(_ act: RingSound.Act) {
    switch act {
    case .prime(let request): sound.prime(request)
    case .play(let request, let elapsed): sound.play(request, fadedFor: elapsed)
    case .stop: sound.stop()
    case .began(let id, let device, let file):
      history.rings.soundBegan(id, device: device, file: file)
    case .played(let file, let id):
      if schedule.openRing(id)?.isRehearsal == false { noteSound(file, of: id) }
    case .heard(let moment): history.rings.heard(at: moment)
    case .notHeard(let reason): history.rings.notHeard(reason)
    case .ended: history.rings.soundEnded()
    case .canBeHeard: checkup.heard()
    case .outputChanged: updateVolume(isNew: true)
    case .remarkChanged(let id): updateNotification(Notice.Key(kind: .ringing, id: id))
    case .pausePlayers: pausePlayers()
    case .trimMemory: trimMemoryLater()
    }
  }

  /// Plays a sound of `settings` once, unless something is ringing or about to ring.
  func stroke(_ settings: RingSettings, isDiscreet: Bool = false) {
    guard schedule.ringing.isEmpty else { return }
    ringSound.stroke(settings, devices: configuration.agent.devices, isDiscreet: isDiscreet)
  }

  /// Sounds `chime` unless the notification server is set to do not disturb. A server that cannot
  /// tell counts as not set so. If its answer takes more than a second, the chime is skipped.
  func strike(_ chime: Chime) {
    let asked = Clock.now().boot
    let strike = { [weak self] (isQuiet: Bool) in
      if isQuiet { return Log.info("do not disturb is set: no chime") }
      guard let self, Clock.now().boot - asked < .seconds(1) else { return }
      var settings = configuration.defaults
      settings.sounds = chime.sounds
      stroke(settings, isDiscreet: true)
    }
    // A server that is not running cannot be set to do not disturb.
    guard let name = notifier.server?.name else { return strike(false) }
    DoNotDisturb.ask(name, on: bus) { strike($0?.isOn == true) }
  }
}
