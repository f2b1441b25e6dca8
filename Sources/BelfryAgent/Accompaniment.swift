// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes along with a ring: commands are run, media players paused, the output turned up, and all
// of it undone when the ring ends. It follows behind the sound, the notification and the record, and
// none of these ever waits for it. Next: `Hooks.swift`.

import Configuration
import Desktop
import Scheduling

/// One ring, from its begin to its answer.
struct Ringing: Hashable {
  /// Rung again after a snooze, it is another ring. (`since` is no part of it: it moves with a clock
  /// that is set.)
  struct Key: Hashable {
    var id: String
    var due: Instant
    var snoozes: Int
  }

  var key: Key
  var label: String?
  var settings: RingSettings
}

final class Accompaniment {
  private unowned let agent: Agent
  private let hooks: Hooks
  private let players: MediaPlayers
  private let lift: VolumeLift
  private var ringing: [Ringing.Key: Ringing] = [:]
  /// Whether the output may be turned up: at first nobody knows what an agent before this one left.
  private var isLifted = true

  init(_ agent: Agent, on bus: Bus) {
    self.agent = agent
    hooks = Hooks(folder: agent.locations.home)
    players = MediaPlayers(on: bus)
    lift = VolumeLift(record: agent.locations.mixer)
  }

  /// Brings all of it to what `schedule` says now.
  func follow(_ schedule: Schedule) {
    let now = rings(of: schedule)
    for (key, ended) in sorted(ringing) where now[key] == nil {
      hooks.end(key)
      start(outcome(of: key, in: schedule), ended)
    }
    for (key, begun) in sorted(now) where ringing[key] == nil { start(.ring, begun) }
    if now.isEmpty { players.resume() }
    ringing = now
    if case .playing = schedule.sound { return }
    if isLifted { lift.restore() }
    isLifted = false
  }

  /// The sound of `id` has begun, on a device whose mixer is `control`: only now may it get quiet
  /// around it.
  func soundBegan(_ id: String, control: String) {
    let settings = agent.configuration.agent
    if settings.pauseMedia { players.pause() }
    guard settings.mixer == .raise, let entry = agent.schedule.entry(id), let ring = entry.ring
    else { return }
    isLifted = true
    lift.raise(
      VolumeLift.Wish(
        control: control, floor: settings.mixerFloor, fadeIn: entry.alarm.ring.fadeIn,
        elapsed: max(.zero, Clock.now().wall - ring.since)))
  }

  /// The device of the sound is gone, or may be.
  func soundBroke() { if isLifted { lift.letGo() } }

  /// For the end of the program: undoes what can be undone in a second.
  func stop() {
    lift.restore()
    players.resumeBlindly()
    hooks.stop()
    lift.finish(within: .milliseconds(500))
  }

  private func rings(of schedule: Schedule) -> [Ringing.Key: Ringing] {
    var rings: [Ringing.Key: Ringing] = [:]
    for entry in schedule.entries {
      guard let ring = entry.ring else { continue }
      let key = Ringing.Key(id: entry.alarm.id, due: ring.due, snoozes: ring.snoozes)
      rings[key] = Ringing(key: key, label: entry.alarm.label, settings: entry.alarm.ring)
    }
    return rings
  }

  private func sorted(
    _ rings: [Ringing.Key: Ringing]
  ) -> [(key: Ringing.Key, value: Ringing)] {
    rings.sorted { ($0.key.due, $0.key.id) < ($1.key.due, $1.key.id) }
  }

  /// How a ring that is over has ended.
  private func outcome(of key: Ringing.Key, in schedule: Schedule) -> Hooks.Event {
    if schedule.entry(key.id)?.snoozedUntil != nil { return .snooze }
    let isMissed = schedule.missed.contains { $0.id == key.id && $0.dues.contains(key.due) }
    return isMissed ? .missed : .stop
  }

  private func start(_ event: Hooks.Event, _ ringing: Ringing) {
    hooks.start(event, ringing, due: agent.zones.rfc3339(ringing.key.due, in: nil))
  }
}
