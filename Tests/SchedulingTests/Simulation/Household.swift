// SPDX-License-Identifier: GPL-3.0-or-later
//
// Simulates a machine with alarms and an agent, in virtual time. Most tests of the schedule use it.
// Each act returns its effects on sound, screen and disk as lines of text, with the time; `done`
// has all effects. Times are written as `07:30` for today, `tue 07:30` for the next Tuesday, or
// with a whole date.

import Scheduling
import Testing

extension Deadline {
  /// Returns the time on the wall clock at which the agent must wake up: when the wall clock shows
  /// `wall` or the elapsed time reaches `boot`, whichever comes first. Nil if the agent waits for
  /// nothing.
  func earliest(at now: Now) -> Instant? {
    let running = boot.map { now.wall + ($0 - now.boot) }
    return wall.map { min($0, running ?? $0) } ?? running
  }
}

struct Household {
  private(set) var schedule = Schedule()
  private(set) var zones: TestZones
  private(set) var now: Now
  private var alarms: [Alarm]
  private let timers: TimerSettings
  private let chimes: [Chime]
  /// When the config was saved; nil: the agent does not know.
  private var saved: Instant?
  /// The state that the agent saved last.
  private(set) var disk = State()
  /// All effects of the agent so far, in order.
  private(set) var done: [String] = []
  private var outcomes: [Outcome] = []

  /// Starts an agent that has no saved state.
  init(
    _ alarms: [Alarm] = [], timers: TimerSettings = TimerSettings(), chimes: [Chime] = [],
    at text: String, in zone: String = "Europe/Berlin"
  ) {
    zones = TestZones(machine: zone)
    (self.timers, self.chimes) = (timers, chimes)
    now = Now(wall: Instant(utc: "2026-01-01 00:00"), boot: .seconds(100), bootID: "first")
    self.alarms = alarms
    now.wall = instant(text)
    _ = apply(configured)
  }

  init(_ alarm: Alarm, at text: String, in zone: String = "Europe/Berlin") {
    self.init([alarm], at: text, in: zone)
  }

  func instant(_ text: String) -> Instant {
    var words = text.split(separator: " ")
    let time = CivilTime(words.removeLast())
    var date = zones.civil(at: now.wall, in: nil).date
    if let word = words.first {
      if let weekday = Weekday(word) {
        repeat { date = date.adding(days: 1) } while date.weekday != weekday
      } else {
        date = CivilDate(word)
      }
    }
    guard let resolved = zones.resolve(CivilDateTime(date, time), in: nil) else {
      fatalError("there is no \(text)")
    }
    return resolved.instant
  }

  /// How each ring ended, such as `work mon 07:30: stopped`.
  var history: [String] {
    let narrator = Narrator(zones: zones)
    return outcomes.map { narrator.text($0) }
  }

  /// How long the timer of each ring in `history` ran, such as `0:05:00`.
  var lengths: [String?] { outcomes.map { $0.length?.text } }

  mutating func noteSound(_ file: String, of id: String) { schedule.noteSound(file, of: id) }

  func phase(_ id: String) -> AlarmState.Phase? { schedule.entry(id)?.state.phase }
  var tomorrow: CivilDate { zones.civil(at: now.wall, in: nil).date.adding(days: 1) }
  var next: String? { deadline.map { Narrator(zones: zones).time($0) } }
  /// What the alarms and timers require of the machine if it is woken 20 seconds before a ring.
  var wakePlan: WakePlan { schedule.wakePlan(.seconds(20), at: now) }
  var nextWake: String? { wakePlan.nextWake.map { Narrator(zones: zones).time($0) } }
  var deadline: Instant? { schedule.nextDeadline(after: now).earliest(at: now) }
  /// Returns the next `count` rings of all alarms. A moved ring is shown with its original time as
  /// well.
  func coming(_ count: Int) -> String {
    let narrator = Narrator(zones: zones)
    return schedule.coming(count, in: zones).map { ring in
      narrator.time(ring.at) + (ring.movedFrom.map { " from \(narrator.time($0))" } ?? "")
    }.joined(separator: ", ")
  }

  private var configured: Event {
    .configured(alarms, saved: saved, timers: timers, chimes: chimes)
  }
}

// MARK: - Acts

extension Household {
  /// Applies an event to the schedule and returns its effects as text.
  mutating func apply(_ event: Event) -> [String] {
    let narrator = Narrator(zones: zones)
    return schedule.apply(event, at: now, in: zones).compactMap { effect in
      let text = "\(narrator.time(now.wall)) \(narrator.text(effect, of: schedule))"
      done.append(text)
      switch effect {
      case .persist: disk = schedule.state
      case .sound, .stroke, .chime, .notice, .before, .takenBack, .checkUp, .pausePlayers: break
      case .ended(let outcome):
        outcomes.append(outcome)
        return nil
      case .began, .renamed, .mixer, .players, .tray, .changed: return nil
      }
      return text
    }
  }

  /// Lets time go by until `text`, and wakes the agent at each of its deadlines.
  mutating func wait(until text: String) -> [String] {
    let end = instant(text)
    var story: [String] = []
    while let deadline, deadline <= end {
      pass(deadline - now.wall)
      story += apply(.tick)
    }
    pass(end - now.wall)
    return story
  }

  /// Lets time go by until `moment`, and wakes the agent once, at the end.
  mutating func wait(for moment: Instant) -> [String] {
    pass(moment - now.wall)
    return apply(.tick)
  }

  /// Suspends the machine until `text`. After the sleep, the agent sees `event` first.
  mutating func sleep(until text: String, then event: Event = .tick) -> [String] {
    pass(instant(text) - now.wall)
    return apply(event)
  }

  /// Kills the agent and starts it again at the time `text`, with the saved state.
  mutating func restart(
    at text: String, with alarms: [Alarm]? = nil, saved: String? = nil
  ) -> [String] {
    self.saved = saved.map { instant($0) }
    pass(instant(text) - now.wall)
    self.alarms = alarms ?? self.alarms
    schedule = Schedule(restoring: disk)
    return apply(configured)
  }

  /// Turns the machine off and on again. The agent starts at the time `text`, `boot` after the
  /// machine.
  mutating func reboot(
    at text: String, synchronized isSynchronized: Bool = true, after boot: Duration = .seconds(60)
  ) -> [String] {
    now.wall = instant(text)
    now.isSynchronized = isSynchronized
    (now.boot, now.bootID) = (boot, now.bootID + "+")
    schedule = Schedule(restoring: disk)
    return apply(configured)
  }

  /// Turns the machine off and on again. At the time `text`, an agent starts that cannot read the
  /// saved state. Returns this state.
  mutating func rebootUnread(at text: String) -> State {
    let unread = disk
    disk = State()
    _ = reboot(at: text)
    return unread
  }

  /// Lets the agent read a saved state that it could not read when it started.
  mutating func recall(_ state: State) -> [String] {
    schedule.recall(state, at: now)
    return apply(configured)
  }

  /// Lets `time` go by without a tick, and then sets the clock.
  mutating func setClock(to text: String, after time: Duration = .zero) -> [String] {
    pass(time)
    now.wall = instant(text)
    return apply(.tick)
  }

  /// Lets time go by until `text` while the agent sleeps, and then changes the machine's zone.
  mutating func move(to zone: String, at text: String? = nil) -> [String] {
    if let text { pass(instant(text) - now.wall) }
    zones.machine = zone
    return apply(.zonesChanged)
  }

  /// Lets time go by until `text` while the agent sleeps, and then changes the config.
  mutating func configure(
    _ alarms: [Alarm], at text: String? = nil, saved: String? = nil
  ) -> [String] {
    self.saved = saved.map { instant($0) }
    if let text { pass(instant(text) - now.wall) }
    self.alarms = alarms
    return apply(configured)
  }

  /// Deletes the state that the agent saved.
  mutating func forget() { disk = State() }

  /// Sets whether a time service keeps the wall clock right.
  mutating func synchronize(_ isSynchronized: Bool) { now.isSynchronized = isSynchronized }

  mutating func rehearse(_ id: String) -> [String] {
    alarms.first { $0.id == id }.map { apply(.rehearse($0)) } ?? []
  }
  mutating func stop(_ id: String) -> [String] { apply(.stop(id)) }
  /// Waits until the time `text` and stops the ring of `id`, without returning the effects.
  mutating func stop(_ id: String, at text: String) {
    _ = wait(until: text)
    _ = stop(id)
  }
  mutating func snooze(_ id: String, _ length: Duration = .minutes(10)) -> [String] {
    apply(.snooze(id, length))
  }
  mutating func hush(_ id: String) -> [String] { apply(.hush(id)) }
  mutating func skip(_ id: String, _ rings: SkippedRings = .next(1)) -> [String] {
    apply(.skip(id, rings))
  }
  mutating func move(_ id: String, _ time: String) -> [String] {
    apply(.move(id, CivilTime(time)))
  }
  mutating func unskip(_ id: String) -> [String] { apply(.unskip(id)) }
  mutating func acknowledge() -> [String] { apply(.acknowledgeMissed) }

  mutating func start(
    _ id: String, _ duration: Duration, label: String? = nil, preset: String? = nil
  ) -> [String] {
    let timer = RecentTimer(duration: duration, label: label, preset: preset)
    return apply(.startTimer(TimerOrder(id: id, timer)))
  }
  mutating func timer(_ id: String, _ act: TimerAct) -> [String] { apply(.timer(id, act)) }
  mutating func stopwatch(_ act: StopwatchAct) -> [String] { apply(.stopwatch(act)) }

  /// Returns all effects of `act` as text, without days and times.
  mutating func steps(_ act: (inout Household) -> [String]) -> [String] {
    done = []
    _ = act(&self)
    return done.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
  }

  private mutating func pass(_ duration: Duration) {
    precondition(duration >= .zero, "a story does not go back in time")
    now.wall = now.wall + duration
    now.boot += duration
  }
}
