// SPDX-License-Identifier: GPL-3.0-or-later
//
// What else is done while something rings: commands are run, media players paused, the output turned up,
// and all of it is undone when the ring ends. It comes after the sound, the notification and the record,
// and none of these ever waits for it. Next: `Hooks.swift`.

import Bus
import Configuration
import Files
import Scheduling
import Sound
import System

extension OpenRing {
  /// Tells one ring, from its begin to its answer, from others. Rung again after a snooze it is
  /// another. `since` is no part of it, nor when a timer was over: these move with a clock that is
  /// set.
  struct Key: Hashable {
    var id: String
    var due: Instant?
    var snoozes: Int
  }

  var key: Key { Key(id: id, due: kind == .alarm ? ring.due : nil, snoozes: ring.snoozes) }
}

final class RingActions {
  private unowned let agent: Agent
  private let hooks: Hooks
  private let players: MediaPlayers
  private let lift: SoundProcess
  private let bus: Bus
  private var ringing: [OpenRing] = []
  /// While something rings, it is to be seen when the screen is.
  private var screen: Bus.Subscription?
  /// What is heard through which output; nil while nothing is.
  private var output: Output?
  /// Whether the output is turned up; nil at first, when an agent before this one may have left it so.
  private var isLifted: Bool?

  init(_ agent: Agent, _ lift: SoundProcess, on bus: Bus) {
    (self.agent, self.lift, self.bus) = (agent, lift, bus)
    hooks = Hooks(folder: agent.locations.home)
    players = MediaPlayers(on: bus)
  }

  /// Brings all of it to what `schedule` says now.
  func follow(_ schedule: Schedule) {
    let now = schedule.ringing
    let (keys, known) = (Set(now.map(\.key)), Set(ringing.map(\.key)))
    for ended in ringing where !keys.contains(ended.key) {
      hooks.end(ended.key)
      start(outcome(of: ended, in: schedule), ended)
    }
    for begun in now where !known.contains(begun.key) { start(.ring, begun) }
    if now.isEmpty {
      players.resume()
      screen = nil
    } else if screen == nil {
      screen = ScreenLock.whenOver(on: bus) { [weak agent] in agent?.lookAgain() }
    }
    ringing = now
    if case .playing = schedule.sound {} else { output = nil }
    followMixer()
  }

  /// Something is heard: only now may it get quiet around it.
  func soundBegan() {
    if agent.configuration.agent.pauseMedia { players.pause() }
  }

  /// It is heard through `output`, which may be another than before.
  func soundIsHeard(through output: Output) {
    let isNew = output.control != self.output?.control || output.stream != self.output?.stream
    self.output = output
    if isNew { followMixer(isNew: true) }
  }

  /// Turns the output up while an alarm rings and something is heard, be it a timer's sound.
  private func followMixer(isNew: Bool = false) {
    let settings = agent.configuration.agent
    let alarm = agent.schedule.ringing.first { $0.kind == .alarm && $0.ring.hushedUntil == nil }
    guard let output, let alarm, settings.mixer == .raise else {
      if isLifted != false { lift.restore() }
      isLifted = false
      return
    }
    guard isNew || isLifted != true else { return }
    isLifted = true
    lift.raise(
      VolumeLift.Target(
        control: output.control, stream: output.stream, floor: settings.mixerFloor,
        fadeIn: alarm.settings.fadeIn, elapsed: max(.zero, Clock.now().wall - alarm.ring.since)))
  }

  /// The device of the sound is gone, or may be.
  func soundBroke() {
    output = nil
    if isLifted == true { lift.letGo() }
  }

  /// For the end of the program: undoes what can be undone in a second.
  func stop() {
    lift.restore()
    players.resumeBlindly()
    hooks.stop()
    lift.finish(within: .milliseconds(500))
  }

  /// How a ring that is over has ended.
  private func outcome(of ended: OpenRing, in schedule: Schedule) -> Hooks.Event {
    if schedule.openRing(ended.id)?.snoozedUntil != nil { return .snooze }
    let isMissed = schedule.missed.contains {
      $0.id == ended.id && $0.dues.contains(ended.ring.due)
    }
    return isMissed ? .missed : .stop
  }

  private func start(_ event: Hooks.Event, _ ring: OpenRing) {
    hooks.start(event, ring, due: agent.zones.rfc3339(ring.ring.due, in: nil))
  }
}
