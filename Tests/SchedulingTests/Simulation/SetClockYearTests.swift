// SPDX-License-Identifier: GPL-3.0-or-later
//
// Simulates a year in which the clock is set forward, back and right again at random, and checks
// what the user sees. Every ring that is due while the clock is right must ring or be listed as
// missed. `BELFRY_YEARS` sets the number of years, and `BELFRY_SEED` repeats a run.

import Scheduling
import TestData
import Testing

@Suite("A year with a clock that is set")
struct SetClockYearTests {
  @Test("No ring is lost, repeated or silently left out")
  func years() {
    let years = Chance.asked("BELFRY_YEARS") ?? UInt64(3)
    var counts = WanderingYear.Counts()
    for seed in Chance.firstSeed..<(Chance.firstSeed + years) {
      var year = WanderingYear(seed: seed)
      let faults = year.play()
      #expect(faults.isEmpty, "BELFRY_SEED=\(seed)\n\(faults.prefix(5).joined(separator: "\n"))")
      if !faults.isEmpty { return }
      counts.add(year.counts)
    }
    print(
      "years with a clock that is set: seeds \(Chance.firstSeed)..<\(Chance.firstSeed + years),",
      counts
    )
  }
}

private struct WanderingYear {
  struct Counts: CustomStringConvertible {
    var (rings, missed, again, leftOut, settings, restarts) = (0, 0, 0, 0, 0, 0)

    mutating func add(_ more: Counts) {
      (rings, missed, again) = (rings + more.rings, missed + more.missed, again + more.again)
      (leftOut, settings) = (leftOut + more.leftOut, settings + more.settings)
      restarts += more.restarts
    }

    var description: String {
      "\(rings) rings, \(again) of them to come once more, \(missed) missed, \(leftOut) left out, "
        + "the clock set \(settings) times, \(restarts) restarts"
    }
  }

  private struct Occurrence: Hashable {
    var id: String
    var due: Instant
  }

  private(set) var counts = Counts()
  private let alarms: [Alarm]
  private let zones: TestZones
  private let calendar = Calendar()
  private var chance: Chance
  private var schedule = Schedule()
  private var disk = State()
  private var now: Now
  /// By how much the clock is ahead of the true time; zero if the clock is right.
  private var wrong: Duration = .zero
  /// The occurrences that rang, each with the true time of its ring. If the clock is set back so
  /// far that an occurrence will come again, the test removes it here.
  private var rang: [Occurrence: Instant] = [:]
  /// The occurrences that were shown as missed and will not come again.
  private var told: Set<Occurrence> = []
  /// The occurrences that are ringing. They stay here when the agent is restarted: the ring goes
  /// on.
  private var heard: Set<Occurrence> = []
  private var faults: [String] = []

  init(seed: UInt64) {
    var chance = Chance(seed: seed)
    zones = TestZones(machine: chance.pick(Story.zones))
    alarms = [
      ("work", "07:30", "weekdays"), ("late", "23:55", "daily"), ("nap", "02:30", "sat sun"),
    ]
    .map { id, time, days in
      Alarm(id, time, days) {
        $0.upcoming = .zero
        $0.ringFor = .minutes(2)
        $0.unanswered = .miss
      }
    }
    now = Now(wall: Instant(utc: "2026-01-10 12:00"), boot: .seconds(100), bootID: "0")
    now.isSynchronized = false
    self.chance = chance
  }

  private var truth: Instant { now.wall - wrong }

  /// Simulates the year and returns the errors that the test found.
  mutating func play() -> [String] {
    apply(.configured(alarms))
    let end = now.wall + .hours(24 * 365)
    while truth < end {
      live(for: chance.seconds(3600...(10 * 86_400)))
      // The clock is now wrong for minutes or days. It is set up to three times before it is right
      // again.
      for _ in 0..<chance.number(1...3) {
        let limit = chance.pick([700, 7200, 86_400, 4 * 86_400] as [Int64])
        setClock(wrongBy: chance.seconds(-limit...limit))
        let longest = chance.pick([600, 20_000, 2 * 86_400] as [Int64])
        live(for: chance.seconds(60...longest))
      }
      setClock(wrongBy: .zero)
    }
    live(for: .hours(24 * 5))
    judge(until: end)
    return faults
  }

  // MARK: - Events

  private mutating func live(for time: Duration) {
    let end = truth + time
    while let next = schedule.nextDeadline(after: now).earliest(at: now), next - wrong <= end {
      pass(next - now.wall)
      apply(.tick)
      let id = chance.pick(alarms).id
      if chance.oneIn(2), schedule.entry(id)?.ring != nil { apply(.stop(id)) }
      if chance.oneIn(9) { restart() }
    }
    pass(end - truth)
    if chance.oneIn(4) { restart() }
  }

  private mutating func pass(_ time: Duration) {
    (now.wall, now.boot) = (now.wall + time, now.boot + time)
  }

  private mutating func setClock(wrongBy other: Duration) {
    counts.settings += 1
    now.wall = now.wall + (other - wrong)
    wrong = other
    if chance.oneIn(4) { restart() } else { apply(.tick) }
    // These rings will not come, because they have already rung. The user can list them.
    for settled in schedule.settledAhead(of: now.wall, in: zones) {
      counts.leftOut += 1
      let ring = Occurrence(id: settled.alarm.id, due: settled.due)
      if rang[ring] == nil { blame(ring, "is left out, and never rang") }
    }
  }

  private mutating func restart() {
    counts.restarts += 1
    schedule = Schedule(restoring: disk)
    apply(.configured(alarms))
  }

  private mutating func apply(_ event: Event) {
    if schedule.apply(event, at: now, in: zones).contains(.persist) { disk = schedule.state }
    let ringing = Set(schedule.ringing.map { Occurrence(id: $0.id, due: $0.ring.due) })
    for ring in ringing.subtracting(heard) { began(ring) }
    heard = ringing
    for missed in schedule.missed {
      told.formUnion(missed.dues.map { Occurrence(id: missed.id, due: $0) })
    }
    release()
  }

  /// Removes rings that are more than an hour ahead of the clock, and missed rings that are ahead
  /// of the clock, because these rings will come again.
  private mutating func release() {
    let ahead = rang.keys.filter { $0.due > now.wall + .hours(1) }
    counts.again += ahead.count
    for ring in ahead { rang[ring] = nil }
    told = told.filter { $0.due <= now.wall }
  }

  private mutating func began(_ ring: Occurrence) {
    counts.rings += 1
    if let before = rang[ring] { blame(ring, "rang at \(before.utc), and again") }
    rang[ring] = truth
  }

  // MARK: - Checks

  /// Checks that every occurrence that was due either rang or was listed as missed.
  private mutating func judge(until end: Instant) {
    counts.missed = told.count
    let begin = Instant(utc: "2026-01-10 12:00")
    for alarm in alarms {
      for due in calendar.dues(alarm.recurrence, in: zones.machine).map(\.instant)
      where due > begin && due < end {
        let ring = Occurrence(id: alarm.id, due: due)
        if rang[ring] == nil, !told.contains(ring) { blame(ring, "neither rang nor was missed") }
      }
    }
  }

  private mutating func blame(_ ring: Occurrence, _ fault: String) {
    faults.append("\(ring.id) of \(ring.due.utc) in \(zones.machine): \(fault) (\(truth.utc))")
  }
}
