// SPDX-License-Identifier: GPL-3.0-or-later
//
// Explores a small world completely: every order of a few events, breadth first, to a certain
// depth. The random stories of the other tests reach deeper, but not every order. A violation
// prints the shortest sequence of events that leads to it. `BELFRY_STATES=1000000` explores until
// so many different states have been seen; the release build of the core does this in a minute or
// two: `Tests/run --core -c release --filter Exploration`.

import Scheduling
import TestData
import Testing

/// A daily alarm, an alarm that rings once, a timer, and the machine on which they ring.
private struct SmallWorld {
  var schedule = Schedule()
  var zones = TestZones()
  var now = Now(wall: Instant(utc: "2026-11-23 05:50"), boot: .seconds(60), bootID: "0")
  /// The state that was saved last.
  var disk = State()
  var isOn = true
  var isLater = false
  /// The rings of the daily alarm that were stopped, as they were saved.
  var stopped: Set<Instant> = []
  var hasSetClock = false

  /// The moments of a day at which something changes, in seconds after midnight in UTC.
  static let moments: [Int64] = [
    5 * 3600 + 3300, 6 * 3600, 6 * 3600 + 300, 6 * 3600 + 600,
    6 * 3600 + 1200, 7 * 3600,
  ]

  init() {
    _ = apply(configured)
    disk = schedule.state
  }

  private var configured: Event {
    var work = Alarm.quiet("work", isLater ? "07:05" : "07:00")
    work.ring.ringFor = .minutes(5)
    work.enabled = isOn
    return .configured([work, .quiet("nap", "07:05", "once")])
  }

  mutating func apply(_ event: Event) -> [Effect] {
    let effects = schedule.apply(event, at: now, in: zones)
    if effects.contains(.persist) { disk = schedule.state }
    return effects
  }

  /// Lets time go by until the next of `moments`.
  mutating func pass() {
    let second = now.wall.seconds % 86_400
    let next = Self.moments.first { $0 > second } ?? Self.moments[0] + 86_400
    now.wall = now.wall + .seconds(next - second)
    now.boot += .seconds(next - second)
  }

  mutating func act(_ act: Act) {
    switch act {
    case .wait:
      pass()
      _ = apply(.tick)
    case .sleep:
      pass()
      pass()
      _ = apply(.tick)
    case .stop(let id):
      let due = schedule.entry(id)?.state.phase.isOpen
      _ = apply(.stop(id))
      if id == "work", let due, disk == schedule.state { stopped.insert(due) }
    case .snooze(let id): _ = apply(.snooze(id, .minutes(10)))
    case .skip(let id): _ = apply(.skip(id))
    case .unskip: _ = apply(.unskip("work"))
    case .move: _ = apply(.move("work", CivilTime("07:20")))
    case .start:
      _ = apply(.startTimer(TimerOrder(id: "tea", RecentTimer(duration: .minutes(10)))))
    case .disable, .edit:
      if act == .disable { isOn.toggle() } else { isLater.toggle() }
      stopped = []
      _ = apply(configured)
    case .setClock(let span):
      hasSetClock = true
      now.wall = now.wall + span
      _ = apply(.tick)
    case .travel:
      zones.machine = zones.machine == "Europe/Berlin" ? "Europe/London" : "Europe/Berlin"
      _ = apply(.zonesChanged)
    case .restart:
      schedule = Schedule(restoring: disk)
      _ = apply(configured)
    }
  }

  enum Act: Hashable {
    case wait, sleep
    case stop(String)
    case snooze(String)
    case skip(String)
    case unskip, move, start, disable,
      edit
    case setClock(Duration)
    case travel, restart
  }

  static let acts: [Act] = [
    .wait, .sleep, .stop("work"), .stop("nap"), .stop("tea"), .snooze("work"), .snooze("tea"),
    .skip("work"), .skip("nap"), .unskip, .move, .start, .disable, .edit,
    .setClock(.hours(-1)), .setClock(.hours(1)), .travel, .restart,
  ]

  /// Whether `act` can change anything. Leaves out acts that are without effect, and a clock that
  /// is set a second time.
  func allows(_ act: Act) -> Bool {
    switch act {
    case .stop(let id), .snooze(let id): schedule.openRing(id) != nil
    case .skip(let id): schedule.entry(id)?.next != nil && schedule.entry(id)?.isSkipped == false
    case .unskip: schedule.entry("work").map { $0.isSkipped || !$0.state.moves.isEmpty } ?? false
    case .move: schedule.entry("work")?.next != nil
    case .start: schedule.timers.isEmpty
    case .setClock: !hasSetClock
    case .wait, .sleep, .disable, .edit, .travel, .restart: true
    }
  }

  /// Two worlds with the same key have the same future.
  var key: Int {
    var hasher = Hasher()
    hasher.combine(schedule.state)
    hasher.combine(disk)
    hasher.combine(now)
    hasher.combine(zones.machine)
    hasher.combine([isOn, isLater, hasSetClock])
    hasher.combine(stopped)
    return hasher.finalize()
  }
}

extension AlarmState.Phase {
  /// When the ring was due that is ringing or snoozed; nil if there is none.
  fileprivate var isOpen: Instant? { if case .open(let ring) = self { ring.due } else { nil } }
}

@Suite("Exploration of a small world") struct ExplorationTests {
  /// Returns which sentence is not true of `world`, which `act` has made from `before`.
  private func violation(_ world: SmallWorld, _ act: SmallWorld.Act, after before: SmallWorld)
    -> String?
  {
    let (schedule, now) = (world.schedule, world.now)
    let deadline = schedule.nextDeadline(after: now)
    if deadline.wall.map({ $0 <= now.wall }) ?? false
      || deadline.boot.map({ $0 <= now.boot }) ?? false
    {
      return "a deadline is later than now"
    }
    var ticked = world
    let effects = ticked.apply(.tick)
    if !effects.isEmpty || ticked.schedule.state != schedule.state {
      return "a tick without elapsed time changes nothing"
    }
    if let due = schedule.entry("work")?.state.phase.isOpen, world.stopped.contains(due),
      !world.hasSetClock
    {
      return "a ring whose stop was saved does not ring again"
    }
    if world.disk != schedule.state,
      world.disk.alarms != schedule.state.alarms
        || world.disk.timers != schedule.state.timers
    {
      return "the state is saved after each change"
    }
    switch act {
    case .wait, .sleep:
      for id in ["work", "nap"] {
        if let fault = fault(of: id, in: world, after: before) { return fault }
      }
    default: break
    }
    // From a part of the worlds, let time go by alone.
    return world.key % 64 == 0 ? silence(world) : nil
  }

  /// A ring that became due between `before` and `world` rings, or is in the list of missed rings.
  private func fault(of id: String, in world: SmallWorld, after before: SmallWorld) -> String? {
    guard let wanted = before.schedule.entry(id)?.wanted?.due, wanted <= world.now.wall else {
      return nil
    }
    let state = world.schedule.entry(id)?.state
    let rings = state?.phase.isOpen.map { $0 >= wanted } ?? false
    let isMissed = world.schedule.missed.contains {
      $0.id == id && $0.dues.contains { $0 >= wanted }
    }
    return rings || isMissed
      ? nil : "a ring of \(id) that is due begins, or is missed with a reason"
  }

  /// If the daily alarm is on, its next ring that is not skipped begins by ticks alone.
  private func silence(_ world: SmallWorld) -> String? {
    guard world.isOn, let wanted = world.schedule.entry("work")?.wanted?.due else { return nil }
    var (world, ticks) = (world, 0)
    let end = wanted + .hours(1)
    var ringing = world.schedule.openRing("work")?.ring
    while let next = world.schedule.nextDeadline(after: world.now).earliest(at: world.now),
      next < end, ticks < 300
    {
      let step = next - world.now.wall
      (world.now.wall, world.now.boot) = (next, world.now.boot + step)
      _ = world.apply(.tick)
      ticks += 1
      let ring = world.schedule.openRing("work")?.ring
      if let ring, ring.due != ringing?.due { return nil }
      ringing = ring ?? ringing
    }
    return "the next ring is reached by ticks alone"
  }

  @Test("Every order of events keeps what is promised")
  func everyOrder() {
    let most: Int = Chance.asked("BELFRY_STATES") ?? 6000
    var seen: Set<Int> = []
    var frontier: [(world: SmallWorld, path: [SmallWorld.Act])] = [(SmallWorld(), [])]
    var depth = 0
    while seen.count < most, !frontier.isEmpty {
      depth += 1
      var next: [(world: SmallWorld, path: [SmallWorld.Act])] = []
      for (world, path) in frontier {
        for act in SmallWorld.acts where world.allows(act) {
          var after = world
          after.act(act)
          guard seen.insert(after.key).inserted else { continue }
          if let violation = violation(after, act, after: world) {
            Issue.record("not true: \(violation); after \(path + [act])")
            return
          }
          if seen.count < most { next.append((after, path + [act])) }
        }
        if seen.count >= most { break }
      }
      frontier = next
    }
    print("exploration: \(seen.count) different states, depth \(depth)")
    #expect(seen.count >= most)
  }
}
