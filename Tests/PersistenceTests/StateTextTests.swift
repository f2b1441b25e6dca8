// SPDX-License-Identifier: GPL-3.0-or-later

import Persistence
import Scheduling
import TestData
import Testing

/// A state with every phase of an alarm and every optional part.
let fullState: State = {
  func instant(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000 + 123_456) }
  var state = State()
  state.clock = Now(
    wall: instant(1_795_256_459), boot: .microseconds(98_765), bootID: "b00t",
    isSynchronized: false)
  var ring = Ring(due: instant(1_795_256_400), since: instant(1_795_256_401))
  ring.snoozeCount = 1_000_000
  ring.autoSnoozeCount = 1
  func alarm(_ phase: AlarmState.Phase) -> AlarmState {
    var alarm = AlarmState(signature: "07:30 12345 Asia/Seoul", handled: instant(1_795_000_000))
    alarm.phase = phase
    return alarm
  }
  state.alarms["work"] = alarm(.scheduled)
  state.alarms["출근"] = alarm(.over)
  func snoozed(_ ring: Ring) -> Ring {
    var ring = ring
    ring.snoozedUntil = instant(1_795_257_000)
    return ring
  }
  state.alarms["a \"quoted\" \\ id\u{7}"] = alarm(.open(snoozed(ring)))
  state.alarms["up"] = alarm(
    .checking(
      ring,
      StopCheck(
        stopped: instant(1_795_256_500), due: instant(1_795_256_800), lookedAt: nil, isAsked: false)
    ))
  ring.checks = 2
  ring.lastSnooze = .minutes(5)
  state.alarms["up?"] = alarm(
    .checking(
      ring,
      StopCheck(
        stopped: instant(1_795_256_500), due: instant(1_795_256_800),
        lookedAt: instant(1_795_256_801), isAsked: true)))
  ring.hushedUntil = instant(1_795_256_461)
  ring.movedFrom = instant(1_795_250_000)
  var silenced = ring
  silenced.isSilenceSpent = true
  var ringing = alarm(.open(silenced))
  ringing.settled = [instant(1_795_170_000), instant(1_795_256_400)]
  ringing.handledDate = CivilDate(year: 2026, month: 11, day: 21)
  func date(_ day: Int) -> CivilDate { CivilDate(daysSinceEpoch: day) }
  ringing.left = instant(1_795_256_402)
  ringing.sound = "/rooster \"1\".ogg"
  ringing.prepared = instant(1_795_256_400)
  ringing.bedtimeClosed = instant(1_795_256_400)
  ringing.skipped = date(20_811)...date(20_811)
  ringing.moves = [
    date(20_811): CivilDateTime(date(20_812), .midnight),
    date(20_819): CivilDateTime(
      date(20_819), CivilTime(hour: 8, minute: 15, second: 1) ?? .midnight),
  ]
  state.alarms["train"] = ringing
  for (id, signature) in [("a1", "09:00 once"), ("a2", "09:00 once"), ("a3", "10:00 67")] {
    state.alarms[id] = AlarmState(signature: signature, handled: instant(1_795_000_001))
    state.alarms[id]?.skipped = date(20_811)...date(20_820)
  }
  state.missed = [
    Missed(id: "gym", label: nil, dues: [instant(1_795_100_000)], reason: .off),
    Missed(
      id: "work", label: "Work\n\u{1B}[31m",
      dues: [instant(1_795_100_000), instant(1_795_186_400)],
      reason: .clockSet),
    Missed(id: "tea", label: nil, dues: [instant(1)], reason: .asleep, isTimer: true),
  ]
  func timer(_ id: String, _ phase: Timer.Phase) -> Timer {
    Timer(id: id, duration: .seconds(240), phase: phase)
  }
  state.timers = [
    timer("tea", .running(until: BootMoment(.microseconds(-1)))),
    timer("10m", .running(until: BootMoment(.seconds(9), startAsIf: instant(1_795_256_000)))),
    timer("달걀", .paused(left: .microseconds(59_999_999))),
    timer("1h", .open(snoozed(ring))),
    timer("\"", .open(ring)),
  ]
  state.timers[0].label = "Tea\n"
  state.timers[0].preset = "tea"
  state.timers[0].sound = "/a b.wav"
  state.timers[0].length = Timer.longest
  state.timers[2].isCountdownClosed = true
  state.timers[2].isWaiting = true
  var chain = Chain(id: "tea", first: "tea")
  state.timers[0].chain = chain
  (chain.label, chain.sound, chain.round, chain.hasGoneOn) = ("Tea \"", "a.ogg", 3, true)
  state.timers[1].chain = chain
  state.recents = [
    RecentTimer(duration: .seconds(240), label: "Tea\n"),
    RecentTimer(
      duration: .seconds(60), until: CivilTime(hour: 20, minute: 20, second: 15), label: nil),
    RecentTimer(duration: Timer.longest, until: CivilTime(hour: 20, minute: 20), label: nil),
    RecentTimer(duration: .seconds(1), label: nil, preset: "tea", sound: "~/a \"b\".ogg"),
  ]
  state.stopwatch.phase = .running(since: BootMoment(.seconds(-5)))
  state.stopwatch.laps = [.milliseconds(1), .milliseconds(1), .seconds(86_400)]
  return state
}()

@Test func `a state that is written is read back`() {
  for state in [State(), fullState] {
    let (read, problems) = StateText.parse(Array(StateText.render(state).utf8))
    #expect(read == state)
    #expect(problems.isEmpty)
  }
}

@Test func `groups of equal alarms, which earlier releases wrote, are read`() {
  let text = """
    version = 1
    entries = 2

    [[alarm]]
    handled = 2026-11-18T11:06:41.000000Z
    phase = "over"
    alike = [
      ["07:30 67", "a"],
      ["15:00 once", "b", "c"],
    ]

    [[alarm]]
    id = "d"
    signature = "15:00 once"
    handled = 2026-11-18T11:06:42.000000Z
    """
  let (state, problems) = StateText.parse(Array(text.utf8))
  var over = AlarmState(signature: "07:30 67", handled: Instant(seconds: 1_795_000_001))
  over.phase = .over
  var once = over
  once.signature = "15:00 once"
  let last = AlarmState(signature: "15:00 once", handled: Instant(seconds: 1_795_000_002))
  #expect(problems.isEmpty && state.alarms == ["a": over, "b": once, "c": once, "d": last])
}

@Test func `a stopwatch that is stopped is read back`() {
  var state = State()
  for laps in [[], [Duration.seconds(1)]] {
    state.stopwatch.phase = .stopped(at: .seconds(2))
    state.stopwatch.laps = laps
    let (read, problems) = StateText.parse(Array(StateText.render(state).utf8))
    #expect(read == state && problems.isEmpty)
  }
}

@Test func `running timers and a running stopwatch are not read without the saved clock`() {
  var state = fullState
  state.clock = nil
  let (read, problems) = StateText.parse(Array(StateText.render(state).utf8))
  #expect(read.timers.map(\.id) == ["달걀", "1h", "\""])
  #expect(read.stopwatch == Stopwatch() && problems.count == 3)
}

@Test func `a moment that TOML cannot write becomes the first or the last one that it can`() {
  var state = State()
  state.alarms["far"] = AlarmState(signature: "", handled: .distantFuture)
  state.alarms["old"] = AlarmState(signature: "", handled: .distantPast)
  let read = StateText.parse(Array(StateText.render(state).utf8)).state
  #expect(read.alarms["far"]?.handled == Instant(seconds: 253_402_300_799))
  #expect(read.alarms["old"]?.handled == Instant(seconds: -62_135_596_800))
}

@Test func `a state that is cut short anywhere has a problem, and no field gets another value`() {
  let text = Array(StateText.render(fullState).utf8)
  for length in 0..<(text.count - 1) {
    let (read, problems) = StateText.parse(Array(text.prefix(length)))
    #expect(!problems.isEmpty, "cut after \(length) bytes")
    for (id, alarm) in read.alarms {
      // If the text is cut inside an entry, the last fields of the entry may be lost. But no other
      // field may get another value.
      #expect(fullState.alarms[id]?.signature == alarm.signature)
      #expect(fullState.alarms[id]?.handled == alarm.handled)
    }
  }
}

/// The states in `Problems.txt`, each with the problem that must be reported.
private let problems: [(text: String, problem: String)] =
  table("Problems.txt").split(separator: "\n\n").dropFirst().map { block in
    let lines = block.split(separator: "\n")
    return (lines.dropLast().joined(separator: "\n"), String(lines[lines.count - 1].dropFirst(4)))
  }

@Test func `a problem with a state is reported with its place`() {
  #expect(problems.count > 15)
  let others = [
    ("", "not a state file of Belfry"), ("version = 1\nentries = ", "line 2 is not valid TOML"),
  ]
  for (text, problem) in problems + others {
    let found = StateText.parse(Array(text.utf8)).problems.map(\.description)
    #expect(found == [problem], "\(text)")
  }
}

@Test(arguments: [0, 1])
func `of what is longer than any list that is kept, the end counts, or nothing`(excess: Int) {
  func read(_ change: (inout State) -> Void) -> State {
    var state = State()
    change(&state)
    return StateText.parse(Array(StateText.render(state).utf8)).state
  }
  func instants(_ count: Int) -> [Instant] { (1...count).map { Instant(seconds: Int64($0)) } }
  func alarm(_ change: (inout AlarmState) -> Void) -> AlarmState? {
    read { state in
      var alarm = AlarmState(signature: "07:30 once", handled: Instant(seconds: 0))
      change(&alarm)
      state.alarms["a"] = alarm
    }.alarms["a"]
  }
  let settled = instants(AlarmState.settledKept + excess)
  #expect(alarm { $0.settled = settled }?.settled == Array(settled.dropFirst(excess)))
  let days = (1...AlarmState.movesKept + excess).map { CivilDate(daysSinceEpoch: $0) }
  let moves = Dictionary(uniqueKeysWithValues: days.map { ($0, CivilDateTime($0, .midnight)) })
  #expect(alarm { $0.moves = moves }?.moves == (excess == 0 ? moves : nil))
  let dues = instants(Missed.duesKept + excess)
  let missed = read { $0.missed = [Missed(id: "a", label: nil, dues: dues, reason: .off)] }.missed
  #expect(missed.map(\.dues) == [Array(dues.dropFirst(excess))])
  let laps = (1...Stopwatch.lapsKept + excess).map { Duration.seconds($0) }
  #expect(read { $0.stopwatch.laps = laps }.stopwatch.laps == (excess == 0 ? laps : []))
}

@Test func `a moment may have any offset from UTC`() {
  for time in ["09:00:00Z", "10:30:00+01:30", "04:00:00.000000-05:00"] {
    let text = """
      version = 1
      entries = 1
      [[alarm]]
      id = "a"
      signature = ""
      handled = 2026-11-21T\(time)
      """
    let state = StateText.parse(Array(text.utf8)).state
    #expect(state.alarms["a"]?.handled == Instant(seconds: 1_795_251_600))
  }
}

@Test func `an entry that cannot be read does not affect other entries`() {
  let text = """
    version = 1
    entries = 2
    [[alarm]]
    id = "bad"
    [[alarm]]
    id = "good"
    signature = "07:30 once"
    handled = 2026-11-21T09:00:00.000000Z
    """
  let (state, problems) = StateText.parse(Array(text.utf8))
  #expect(state.alarms.keys.sorted() == ["good"])
  #expect(problems.map(\.description) == ["line 3 has no valid signature"])
}

@Test func `bytes that are not text are not a state`() {
  #expect(StateText.parse([0xFF, 0xFE]).problems.map(\.description) == ["not UTF-8"])
  #expect(StateText.parse(Array("version = ".utf8)).problems.count == 1)
}
