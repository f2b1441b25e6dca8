// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reducer: it takes an event and the time, and returns the effects to carry out. Only this type
// decides when something rings. It reads no clock and carries out no effect itself. Next:
// `OccurrenceLife.swift`, which leads an occurrence of an alarm through its states.

public struct Schedule: Sendable, Equatable {
  /// The alarms that are switched on, in the order of the config.
  public internal(set) var entries: [Entry] = []
  /// The index in `entries` of each alarm, by its id.
  var places: [String: Int] = [:]
  public internal(set) var missed: [Missed]
  /// The timers, in the order in which they were started.
  public internal(set) var timers: [Timer]
  public internal(set) var recents: [RecentTimer]
  public internal(set) var stopwatch: Stopwatch
  var timerSettings = TimerSettings()
  /// The sound file that was last heard for the timers of each preset. It is not saved.
  private var soundsOfTimers: [String?: String] = [:]
  /// Whether the screen is locked; nil if that is not known.
  var isLocked: Bool?
  var rehearsal: Rehearsal?
  /// The upcoming rings for which `Effect.before` has been returned, by the ids of their alarms.
  var preparing: [String: OpenRing.Key] = [:]
  var chimes: [Chime] = []
  public internal(set) var stroke: Stroke?
  /// The states of alarms that are not in `entries`: all alarms before the first config is read,
  /// alarms that are switched off, and alarms that have left the config a short time ago.
  var remembered: [String: AlarmState]
  /// The rules of the alarms that are switched off.
  var switchedOff: [String: Recurrence] = [:]
  /// The ends of rings since the last picture: see `Announcement.swift`.
  var endings: [Outcome] = []
  /// For each ringing timer that was renamed since the last picture, the effect `renamed`.
  var renamings: [Effect] = []
  /// The timers with `pause_players` that ended since the last picture. For each,
  /// `Effect.pausePlayers` is still to be returned.
  var quietEnds: [TimerNotice] = []
  /// The endings of rings that were missed without ringing. They are held back while the clock may
  /// still be corrected.
  var withheld: [Outcome] = []
  /// The snoozes that ended since the last picture: the id of the alarm or timer, and when its
  /// snooze ended.
  var snoozeEnds: [String: Instant] = [:]
  /// The facts that the last `persist` effect has saved. Before the first such effect, these are
  /// the facts that were restored.
  private var saved: Lasting
  private var lastSeen: Now?
  /// When a config was last read, by this agent or the one before; nil if none was ever read.
  private(set) var lastLook: Instant?
  /// A doubt about the clock, which may still be corrected. During a doubt, conclusions drawn from
  /// the clock, such as missed rings, are not shown.
  private var doubt: Doubt?
  private(set) var shown = Picture()
  private(set) var isConfigured = false

  /// How long before a ring its sound is prepared.
  public static let readyAhead: Duration = .seconds(2)
  public static let hushFor: Duration = .seconds(60)
  /// If the setting `late` is shorter than this, this length counts instead. The agent always
  /// handles an alarm slightly after it is due, so with a shorter `late` an alarm could be missed.
  public static let promptness: Duration = .seconds(5)
  /// The start of 2026. A clock that shows an earlier time has not been set. By such a clock, no
  /// occurrence becomes due; only rings and checks that have begun go on.
  public static let earliestPlausible = Instant(seconds: 1_767_225_600)
  /// How far back the schedule looks for missed rings of a repeating alarm, except for the first
  /// one. If the machine was off for years, or the clock jumped to 2099, no one wants a list of
  /// every ring.
  public static let lookBack: Duration = .hours(35 * 24)
  /// After the clock is set back, an occurrence that rang or was skipped may lie ahead again. If it
  /// is at most this far ahead, it does not ring again. If it is further ahead, it rings again,
  /// because the clock was wrong when it rang or was skipped.
  public static let staysSettled: Duration = .hours(1)
  /// The greatest number of entries in the list of missed rings. One entry holds all rings that one
  /// alarm missed for one reason.
  public static let missedKept = 50

  /// Creates a schedule from a saved state. Nothing happens before the first `configured` event.
  public init(restoring state: State = State()) {
    remembered = state.alarms
    missed = state.missed
    (timers, recents, stopwatch) = (state.timers, state.recents, state.stopwatch)
    lastSeen = state.clock
    lastLook = lastSeen?.wall
    saved = Lasting(
      entries: [], remembered: remembered, missed: missed, timers: timers, recents: recents,
      stopwatch: stopwatch, clock: lastSeen)
  }

  /// Adds a saved state that was read only after the schedule had begun without it. What happened
  /// meanwhile has priority: an alarm that has rung, or whose rings the user has skipped or moved,
  /// keeps its present state. The timers of both go on; a saved timer whose id is taken gets
  /// another one. The next event must be `configured`: it handles all other alarms as if the agent
  /// had just started.
  public mutating func recall(_ state: State, at now: Now) {
    let clock = ClockChange(from: state.clock, to: now)
    var former = Schedule(restoring: state)
    saved = former.saved
    former.count(to: now, clock, isDoubted: isDoubted(at: now))
    addSaved(former.timers)
    remembered = state.alarms.mapValues { clock.carried($0) }
    for entry in entries where entry.state.isTouched { remembered[entry.alarm.id] = entry.state }
    (entries, places, isConfigured) = ([], [:], false)
    let own = missed
    missed = state.missed
    for missed in own { record(missed) }
    if recents.isEmpty { recents = state.recents }
    if stopwatch.isReset { stopwatch = former.stopwatch }
  }

  public var state: State {
    var state = State()
    state.alarms = remembered
    state.alarms.reserveCapacity(remembered.count + entries.count)
    for entry in entries { state.alarms[entry.alarm.id] = entry.state }
    state.missed = missed
    (state.timers, state.recents, state.stopwatch) = (timers, recents, stopwatch)
    state.clock = lastSeen
    return state
  }

  private var lasting: Lasting {
    Lasting(
      entries: entries, remembered: remembered, missed: missed, timers: timers, recents: recents,
      stopwatch: stopwatch, clock: lastSeen)
  }

  public var sound: SoundOrder { shown.sound }

  public var isRinging: Bool { shown.isRinging }

  public func notice(_ key: Notice.Key) -> Notice? { shown.notices[key] }

  public func entry(_ id: String) -> Entry? { places[id].map { entries[$0] } }

  /// Applies `event` at `now` and returns the effects to carry out, in order. An event has no
  /// effect if its alarm does not exist, or is in a state to which the event does not apply. First
  /// come the effects of elapsed time, including their `persist`. Then come the effects of the
  /// user's answer, with a `persist` of their own.
  public mutating func apply(
    _ event: Event, at now: Now, in zones: some ZoneRules
  ) -> [Effect] {
    let clock = ClockChange(from: lastSeen, to: now)
    let absence = Absence(clock, isFresh: !isConfigured)
    guard isConfigured || event.isConfigured else { return [] }
    carry(by: clock)
    if case .configured(let alarms, let saved, let timerSettings, let chimes) = event {
      if let alarms {
        configure(alarms, since: beginning(of: saved, at: now.wall), at: now, zones)
        lastLook = now.wall
        endRehearsal(unlessIn: alarms, at: now.wall)
      }
      (self.timerSettings, self.chimes) = (timerSettings, chimes)
      renameTimers()
      isConfigured = true
    }
    if case .locked(let isLocked) = event { self.isLocked = isLocked }
    forgetLeft(at: now.wall, zones)
    let last = lastSeen
    lastSeen = now
    doubt = Doubt.after(clock, at: now, before: doubt)
    count(to: now, clock, isDoubted: isDoubted(at: now))
    advance(
      to: now.wall, clock, absence, isRezoned: event == .zonesChanged || clock.wasUnset, zones)
    if now.wall.isPlausible { takeBackFutureMissed(at: now.wall) }
    advanceTimers(to: now, absence)
    advanceRehearsal(to: now)
    let warning = warningStroke(since: last, at: now)
    let chime = strike(at: now, clock, zones)
    var effects = draw(at: now, .time)
    // A stroke (a short sound that plays once) would not be heard over another sound that is
    // playing or about to play. It must not sound during a silenced ring either.
    if sound == .silent, !shown.isRinging {
      effects.insert(
        contentsOf: warning.map { [.stroke($0)] } ?? chime.map { [.chime($0)] } ?? [], at: 0)
    }
    if event == .tick { return effects }
    answer(event, at: now, zones)
    return effects + draw(at: now, .answer)
  }

  /// Records that the alarm or timer `id` was heard with the sound `file`. An alarm or timer with
  /// several sounds plays another one next time.
  public mutating func noteSound(_ file: String, of id: String) {
    if let timer = timer(id) { soundsOfTimers[timer.preset] = file }
    guard let place = places[id], entries[place].state.sound != file else { return }
    entries[place].state.sound = file
  }

  /// Returns the sound file with which the alarm `id`, or a timer of the same preset as the timer
  /// `id`, was last heard; nil if none is known.
  public func lastSound(of id: String) -> String? {
    entry(id)?.state.sound ?? timer(id).flatMap { soundsOfTimers[$0.preset] }
  }

  /// Returns the earliest moment on each clock at which the event `tick` could change anything.
  /// Both moments are strictly later than `now`, which must be the time of the last event.
  public func nextDeadline(after now: Now) -> Deadline {
    let awaitsReady = shown.sound == .silent
    var deadline = Deadline(
      wall: entries.compactMap { $0.nextMoment(after: now.wall, awaitsReady: awaitsReady) }.min(),
      boot: doubtEnds(after: now))
    deadline.consider(wall: stroke?.at)
    deadline.consider(wall: nextForgotten)
    deadline.consider(boot: rehearsal?.end)
    let countdowns = countdowns(at: now)
    for (i, timer) in timers.enumerated() {
      let moments = timer.nextMoments(
        after: now, settings(of: timer), showsCountdown: countdowns.contains(i),
        awaitsReady: awaitsReady && !endsQuietly(timer))
      deadline.consider(wall: moments.wall, boot: moments.boot)
      if let warning = warning(of: timer), warning > now.boot { deadline.consider(boot: warning) }
    }
    return deadline
  }

  /// The boot time at which the doubt about the clock ends, if something waits for it: missed rings
  /// that are not shown yet, timers or a stopwatch to be corrected, or alarms while the clock is
  /// unset. Otherwise nil.
  private func doubtEnds(after now: Now) -> Duration? {
    let isHeldBack =
      !missed.isEmpty || (now.wall.isPlausible ? awaitsReckoning : isAlarmSet)
    return isHeldBack && isDoubted(at: now) ? doubt?.end : nil
  }

  private func isDoubted(at now: Now) -> Bool { doubt.map { now.boot < $0.end } ?? false }

  /// Advances every alarm to `now`. Also handles changed time zones, and a clock that was set back.
  /// If the clock is unset, changed zones are handled when it is set.
  private mutating func advance(
    to now: Instant, _ clock: ClockChange, _ absence: Absence, isRezoned: Bool,
    _ zones: some ZoneRules
  ) {
    for i in entries.indices {
      var absence = absence
      if now.isPlausible {
        if clock.isBack || entries[i].state.isAhead(of: now) { retreat(i, to: now, zones) }
        if let due = entries[i].unsettledEarlyRing(at: now) {
          entries[i].state.markSettled(due)
        }
        if isRezoned { absence = resolveAnew(i, at: now, absence, zones) }
      }
      advance(i, to: now, absence, zones)
    }
  }

  /// Shifts what has a length, such as a snooze, by as much as the clock was set.
  private mutating func carry(by clock: ClockChange) {
    guard clock.step != .zero else { return }
    for i in entries.indices {
      entries[i].state = clock.carried(entries[i].state)
    }
    remembered = remembered.mapValues { clock.carried($0) }
  }
}

// MARK: - Sound and notices

extension Schedule {
  /// Computes what the user should hear and see at `now`. Returns the effects that make the user
  /// hear and see this.
  private mutating func draw(at now: Now, _ cause: Picture.Cause) -> [Effect] {
    followLock(at: now)
    let isDoubted = isDoubted(at: now)
    let preparations = takeBackPreparations(at: now.wall) + prepare(at: now)
    let picture = picture(at: now, isDoubted: isDoubted)
    let turns = takeEndings(isDoubted) + renamings + begun(picture) + preparations
    var lasting = lasting
    let isUnsaved = lasting.isUnsaved(since: saved)
    if !isUnsaved { lasting.clock = saved.clock }
    defer { (shown, saved, quietEnds, renamings) = (picture, lasting, [], []) }
    return quietEnds.map(Effect.pausePlayers)
      + picture.effects(since: shown, cause, persist: isUnsaved, turns)
  }

  private func picture(at now: Now, isDoubted: Bool) -> Picture {
    var picture = Picture(isRaised: false)
    var sounding: (isSilent: Int, since: Instant, order: SoundOrder)?
    var coming: (start: Instant, order: SoundOrder)?
    func listen(_ id: String, _ settings: RingSettings, _ ring: Ring?, _ start: Instant?) {
      // A ring whose volume is 0 is only meant to be seen, so it must not silence another ring.
      let isSilent = settings.volume == 0 ? 1 : 0
      if let ring, ring.hushedUntil == nil,
        (isSilent, ring.since) < sounding.map({ ($0.isSilent, $0.since) }) ?? (2, .distantFuture)
      {
        sounding = (isSilent, ring.since, .playing(id, settings))
      }
      if let start, start - Self.readyAhead <= now.wall, start < coming?.start ?? .distantFuture {
        coming = (start, .ready(id, settings))
      }
    }
    for entry in entries {
      for notice in entry.notices(at: now.wall) { picture.add(notice) }
      if let check = entry.check, check.lookedAt != nil, !check.isAsked {
        picture.upChecks.insert(entry.alarm.id)
      }
      let start = now.wall.isPlausible ? entry.possibleStart : nil
      listen(entry.alarm.id, entry.alarm.ring, entry.ring, start)
    }
    let countdowns = countdowns(at: now)
    for (i, timer) in timers.enumerated() {
      if !timer.isCountingDown || countdowns.contains(i) {
        picture.add(.timer(notice(of: timer, at: now)))
      }
      if let notice = endingNotice(of: timer, at: now) { picture.add(notice) }
      listen(timer.id, settings(of: timer), timer.ring, ringStart(of: timer, at: now))
    }
    if let rehearsal {
      let (alarm, ring) = (rehearsal.alarm, rehearsal.ring)
      picture.add(.rehearsal(id: alarm.id, label: alarm.label, ring: ring))
      listen(alarm.id, alarm.ring, ring, nil)
    }
    if !isDoubted {
      if !missed.isEmpty { picture.add(.missed(missed)) }
      if !now.wall.isPlausible, isAlarmSet { picture.add(.clockUnset) }
    }
    picture.sound = sounding?.order ?? coming?.order ?? .silent
    picture.rings = Set(ringing.map(\.key))
    return picture
  }
}
