// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many alarms in one schedule: each does what it would do alone, and what the schedule says of all
// of them is what a look at each would say.

import Lab
import Scheduling
import Testing

@Suite("Many alarms")
struct AgendaTests {
  private struct Crowd {
    var schedule = Schedule()
    var now = Now(wall: Instant(utc: "2026-03-24 00:00"), boot: .seconds(9), bootID: "0")
    let zones = TestZones()
    var chance: Chance
    var alarms: [Alarm]

    init(seed: UInt64, count: Int) {
      var chance = Chance(seed: seed)
      alarms = (0..<count).map { i in
        let time = "\(chance.number(0...23)):\(chance.number(0...59))"
        let days = chance.pick(["daily", "weekdays", "sat sun", "once", "tue", "2026-03-26"])
        return Alarm("\(i)", time, days) {
          $0.upcoming = chance.pick([.zero, .zero, .minutes(30), .hours(30)])
          $0.ringFor = chance.pick([.seconds(20), .minutes(10)])
          $0.unanswered = chance.pick([.snooze, .miss])
          $0.wake = chance.oneIn(3)
        }
      }
      self.chance = chance
    }

    mutating func apply(_ event: Event) -> [Effect] { schedule.apply(event, at: now, in: zones) }

    /// Goes to the next deadline before `end`; nil: there is none.
    mutating func goOn(until end: Instant) -> [Effect]? {
      guard let next = schedule.nextDeadline(after: now).wall, next <= end else { return nil }
      now.boot += next - now.wall
      now.wall = next
      return apply(.tick)
    }
  }

  @Test("Each rings when it would ring alone, whatever stands around it")
  func alone() {
    let crowd = Crowd(seed: Chance.firstSeed, count: 150)
    func rings(_ alarms: [Alarm]) -> Set<[String]> {
      var crowd = crowd
      var found: Set<[String]> = []
      var effects = crowd.apply(.configured(alarms))
      repeat {
        for case .post(.ringing(let id, _, let ring, _)) in effects {
          found.insert([id, "\(ring.since.microseconds)", "\(ring.snoozes)"])
        }
        effects = crowd.goOn(until: Instant(utc: "2026-03-31 00:00")) ?? []
      } while !effects.isEmpty
        || crowd.schedule.nextDeadline(after: crowd.now).wall
          .map { $0 <= Instant(utc: "2026-03-31 00:00") } ?? false
      return found
    }
    let together = rings(crowd.alarms)
    let apart = crowd.alarms.reduce(into: Set()) { $0.formUnion(rings([$1])) }
    #expect(together == apart, "BELFRY_SEED=\(Chance.firstSeed)")
    #expect(together.count > 300)
  }

  @Test("What comes first of all is what comes first of each")
  func first() {
    for seed in Chance.firstSeed..<(Chance.firstSeed + 2) {
      var crowd = Crowd(seed: seed, count: 300)
      _ = crowd.apply(.configured(crowd.alarms))
      for step in 0..<150 {
        _ = crowd.goOn(until: .distantFuture)
        let id = crowd.chance.pick(crowd.alarms).id
        let events = [Event.stop(id), .snooze(id, .minutes(90)), .skip(id), .skip(id), .unskip(id)]
        _ = crowd.apply(crowd.chance.pick(events))
        guard isRight(crowd) else {
          Issue.record("BELFRY_SEED=\(seed), step \(step)")
          return
        }
      }
    }
  }

  /// Compares with a look at each.
  private func isRight(_ crowd: Crowd) -> Bool {
    let (schedule, now) = (crowd.schedule, crowd.now)
    let starts = schedule.entries.enumerated().compactMap { i, entry in
      entry.nextStart.map { (start: $0, i: i, wakes: entry.alarm.ring.wake) }
    }
    .sorted { ($0.start, $0.i) < ($1.start, $1.i) }
    let wake = starts.filter(\.wakes)
      .compactMap { ring in
        [ring.start - .seconds(20), ring.start].first { $0 > now.wall }
      }.min()
    let asleep = starts.first { !$0.wakes && $0.start - Schedule.watchfulFor <= now.wall }
    let foremost = starts.prefix(7).map { schedule.entries[$0.i].alarm.id }
    let open = schedule.entries.filter { $0.ring != nil || $0.snoozedUntil != nil }.map(\.alarm.id)
    return schedule.nextStart(at: now) == starts.first?.start
      && schedule.nextEntry?.alarm.id == starts.first.map { schedule.entries[$0.i].alarm.id }
      && schedule.nextWake(.seconds(20), after: now) == wake
      && schedule.nextSleptThrough(isWoken: true, at: now)?.start == asleep?.start
      && schedule.openRings.map(\.id) == open
      && schedule.foremost(7).map(\.alarm.id) == open + foremost.filter { !open.contains($0) }
  }

  @Test("The coming rings are those of all alarms, in the order of their times")
  func coming() {
    var crowd = Crowd(seed: Chance.firstSeed, count: 200)
    _ = crowd.apply(.configured(crowd.alarms))
    for id in 0..<30 { _ = crowd.apply(.skip("\(id)")) }
    let coming = crowd.schedule.coming(40, in: crowd.zones)
    #expect(coming == Array(crowd.schedule.coming(400, in: crowd.zones).prefix(40)))
    #expect(coming.map(\.at) == coming.map(\.at).sorted() && coming.count == 40)
  }

  @Test("What is read anew keeps what alarms came to, wherever they stand in the file now")
  func configuredAnew() {
    var crowd = Crowd(seed: Chance.firstSeed, count: 200)
    _ = crowd.apply(.configured(crowd.alarms))
    for _ in 0..<100 { _ = crowd.goOn(until: .distantFuture) }
    for round in 0..<20 {
      var alarms = crowd.alarms
      switch round % 5 {
      case 0: alarms.shuffle(using: &crowd.chance)
      case 1: alarms.removeSubrange(0..<Int(crowd.chance.number(1...5)))
      case 2: alarms[Int(crowd.chance.number(0...100))].label = "\(round)"
      case 3: for i in alarms.indices { alarms[i].ring.volume = round }
      default: alarms.insert(Alarm("new \(round)", "12:00", "daily"), at: 7)
      }
      // What an agent would know that was started now.
      var fresh = Schedule(restoring: crowd.schedule.state)
      _ = fresh.apply(.configured(alarms), at: crowd.now, in: crowd.zones)
      _ = crowd.apply(.configured(alarms))
      crowd.alarms = alarms
      #expect(
        crowd.schedule.state == fresh.state, "BELFRY_SEED=\(Chance.firstSeed), round \(round)")
      #expect(
        crowd.schedule.entries == fresh.entries, "BELFRY_SEED=\(Chance.firstSeed), round \(round)")
      #expect(crowd.schedule.nextDeadline(after: crowd.now) == fresh.nextDeadline(after: crowd.now))
    }
  }

  @Test("A copy stays what it was while the schedule goes on")
  func copy() {
    var crowd = Crowd(seed: Chance.firstSeed, count: 200)
    _ = crowd.apply(.configured(crowd.alarms))
    let (copy, state) = (crowd.schedule, crowd.schedule.state)
    for _ in 0..<100 { _ = crowd.goOn(until: .distantFuture) }
    #expect(copy.state == state && crowd.schedule.state != state)
  }
}
