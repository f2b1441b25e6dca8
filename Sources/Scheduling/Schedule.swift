// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reducer: an event and the time go in, what is to be done comes out. It decides when something
// rings, and nothing else does. It reads no clock and performs nothing. Next: the state table of
// one occurrence in `OccurrenceLife.swift`.

public struct Schedule: Sendable, Equatable {
  /// In the order of the config; disabled alarms have none.
  public internal(set) var entries: [Entry] = []
  /// Where in `entries` the alarm of an id is.
  var places: [String: Int] = [:]
  public internal(set) var missed: [Missed]
  /// In the order in which they were started.
  public internal(set) var timers: [Timer]
  public internal(set) var recents: [RecentTimer]
  public internal(set) var stopwatch: Stopwatch
  var timerSettings = TimerSettings()
  var rehearsal: Rehearsal?
  /// The rings to come of which `Effect.before` was said, by their alarms.
  var preparing: [String: OpenRing.Key] = [:]
  var chimes: [Chime] = []
  /// The next of them.
  public internal(set) var stroke: Stroke?
  /// What is remembered of alarms that are not in `entries`: until the first config is read, while
  /// they are off, and for a while after they have left the config.
  var remembered: [String: AlarmState]
  /// The alarms that have left the config, and when they are forgotten by the boot clock: a file
  /// that is written slowly, or that a full disk cut short, may have lost them for a moment only.
  var left: [String: Duration] = [:]
  /// How rings have ended since the last picture was drawn.
  var endings: [Outcome] = []
  /// The same of rings that never rang, held back while the clock may be put right.
  var withheld: [Outcome] = []
  /// When snoozes were over that have ended since then, by the ids of what rings.
  var snoozeEnds: [String: Instant] = [:]
  /// Whether `state` differs from what was last to be made durable.
  var isUnsaved = false
  private var lastSeen: Now?
  /// While it lasts the clock may still be put right, and nobody is told what it makes seem so.
  private var doubt: Doubt?
  private(set) var shown = Picture()
  private(set) var isConfigured = false

  /// How long before it is due a sound is made ready.
  public static let readyAhead: Duration = .seconds(2)
  public static let hushFor: Duration = .seconds(60)
  /// A tick comes a little after the deadline that it was armed for: found due no longer ago than
  /// this, an alarm rings whatever its `late` says.
  public static let promptness: Duration = .seconds(5)
  /// A clock that shows less (2026-01-01) was never set: nothing is decided by it.
  public static let earliestPlausible = Instant(seconds: 1_767_225_600)
  /// How far back a repeating alarm's missed rings are looked for, one by one: after years, or a
  /// leap to 2099, nobody wants to know of each.
  public static let lookBack: Duration = .hours(35 * 24)
  /// When the clock is set back, a ring that was dealt with and lies ahead again by no more than
  /// this stays dealt with. A ring further ahead is still to come: what the user answered there was
  /// a ring of a clock that was wrong.
  public static let staysSettled: Duration = .hours(1)
  /// Kinds of missed rings remembered until they are acknowledged.
  public static let missedKept = 50

  /// Goes on from what was remembered; nothing happens before the alarms are known.
  public init(restoring state: State = State()) {
    remembered = state.alarms
    missed = state.missed
    (timers, recents, stopwatch) = (state.timers, state.recents, state.stopwatch)
    lastSeen = state.clock
  }

  /// What must survive, now.
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

  /// What is to be heard now.
  public var sound: SoundOrder { shown.sound }

  /// Whether anything rings: `ringing` without making that list.
  public var isRinging: Bool { shown.isRinging }

  /// The notice of that key, if it is to be on the screen now.
  public func notice(_ key: Notice.Key) -> Notice? { shown.notices[key] }

  public func entry(_ id: String) -> Entry? { places[id].map { entries[$0] } }

  /// Takes in `event` and says what to do, in that order. Events for alarms that are not there, or
  /// not in a state for it, change nothing. What time did comes first, complete with its record;
  /// then what the user answered, with its own.
  public mutating func apply(
    _ event: Event, at now: Now, in zones: some ZoneRules
  ) -> [Effect] {
    let clock = ClockChange(from: lastSeen, to: now)
    let absence = Absence(clock, isFresh: !isConfigured)
    if case .configured(let alarms, let timerSettings, let chimes) = event {
      if let alarms {
        configure(alarms, at: now, zones)
        endRehearsal(unlessIn: alarms, at: now.wall)
      }
      (self.timerSettings, self.chimes) = (timerSettings, chimes)
      renameTimers(at: now.wall)
      isConfigured = true
    }
    guard isConfigured else { return [] }
    if case .removed(let ids) = event { forget(Set(ids), at: now) }
    forget(Set(left.filter { $0.value <= now.boot }.keys), at: now)
    let last = lastSeen
    lastSeen = now
    doubt = Doubt.after(clock, at: now, before: doubt)
    count(to: now, clock, isDoubted: isDoubted(at: now))
    carry(by: clock)
    if now.wall.isPlausible {
      switch event {
      case .zonesChanged: advanceAll(to: now.wall, clock, absence, isRezoned: true, zones)
      case .configured,
        _ where clock.isOdd:
        advanceAll(to: now.wall, clock, absence, isRezoned: false, zones)
      default: for i in entries.stirring(at: now.wall) { advance(i, to: now.wall, absence, zones) }
      }
    }
    advanceTimers(to: now, absence)
    advanceRehearsal(to: now)
    let warning = warningStroke(since: last, at: now)
    let chime = strike(at: now, clock.isOdd, zones)
    var effects = draw(at: now, .time)
    // Over what is heard or about to be it would not be heard itself.
    if sound == .silent, !shown.isRinging {
      effects.insert(
        contentsOf: warning.map { [.stroke($0)] } ?? chime.map { [.chime($0)] } ?? [], at: 0)
    }
    return answer(event, at: now, zones) ? effects + draw(at: now, .answer) : effects
  }

  /// The alarm `id` was heard with the sound of `file`: where several may ring, the next is
  /// another.
  public mutating func noteSound(_ file: String, of id: String) {
    guard let place = places[id], entries[place].state.sound != file else { return }
    entries[place].state.sound = file
    isUnsaved = true
  }

  /// The earliest moment at which a tick could change anything: strictly later than `now`, which is
  /// that of the last event.
  public func nextDeadline(after now: Now) -> Deadline {
    let awaitsReady = shown.sound == .silent
    var deadline = Deadline(
      wall: nextAlarmMoment(after: now, awaitsReady), boot: doubtEnds(after: now))
    if let stroke { deadline.consider(wall: stroke.at) }
    if let end = left.values.min() { deadline.consider(boot: end) }
    if let rehearsal { deadline.consider(boot: rehearsal.end) }
    let countdowns = countdowns(at: now)
    for (i, timer) in timers.enumerated() {
      let moments = timer.nextMoments(
        after: now, settings(of: timer), showsCountdown: countdowns.contains(i),
        awaitsReady: awaitsReady)
      deadline.consider(moments)
      if let warning = warning(of: timer), warning > now.boot { deadline.consider(boot: warning) }
    }
    return deadline
  }

  private func nextAlarmMoment(after now: Now, _ awaitsReady: Bool) -> Instant? {
    guard now.wall.isPlausible else { return nil }
    return entries.lazy.compactMap { $0.nextMoment(after: now.wall, awaitsReady: awaitsReady) }
      .min()
  }

  /// When what was held back is to be told, if there is any.
  private func doubtEnds(after now: Now) -> Duration? {
    let isHeldBack =
      !missed.isEmpty || (now.wall.isPlausible ? awaitsReckoning : isAlarmSet)
    return isHeldBack && isDoubted(at: now) ? doubt?.end : nil
  }

  private func isDoubted(at now: Now) -> Bool { doubt.map { now.boot < $0.end } ?? false }

  /// As long as the clock does nothing but go on, nothing becomes of an alarm that is quiet: this
  /// is for the events after which any may have changed.
  private mutating func advanceAll(
    to now: Instant, _ clock: ClockChange, _ absence: Absence, isRezoned: Bool,
    _ zones: some ZoneRules
  ) {
    for i in entries.indices {
      if clock.isBack || entries[i].state.isAhead(of: now) { retreat(i, to: now, zones) }
      let absence = isRezoned ? resolveAnew(i, at: now, absence, zones) : absence
      if entries[i].quietUntil <= now { advance(i, to: now, absence, zones) }
    }
  }

  private mutating func carry(by clock: ClockChange) {
    guard clock.step != .zero else { return }
    for i in entries.indices {
      let phase = clock.carried(entries[i].state.phase)
      guard phase != entries[i].state.phase else { continue }
      entries[i].state.phase = phase
      isUnsaved = true
    }
  }
}

// MARK: - What is heard and seen

extension Schedule {
  /// Brings what is shown up to date.
  private mutating func draw(at now: Now, _ cause: Picture.Cause) -> [Effect] {
    let isDoubted = isDoubted(at: now)
    let preparations = takeBackPreparations(at: now.wall) + prepare(at: now)
    let picture = picture(at: now, isDoubted: isDoubted)
    let turns = takeEndings(isDoubted) + begun(picture) + preparations
    defer { (shown, isUnsaved) = (picture, false) }
    return picture.effects(since: shown, cause, persist: isUnsaved, turns)
  }

  private func picture(at now: Now, isDoubted: Bool) -> Picture {
    var picture = Picture(isRaised: false)
    var sounding: (since: Instant, order: SoundOrder)?
    var coming: (start: Instant, order: SoundOrder)?
    func listen(_ id: String, _ settings: RingSettings, _ ring: Ring?, _ start: Instant?) {
      if let ring, ring.hushedUntil == nil, ring.since < sounding?.since ?? .distantFuture {
        sounding = (ring.since, .playing(id, settings))
      }
      if let start, start - Self.readyAhead <= now.wall, start < coming?.start ?? .distantFuture {
        coming = (start, .ready(id, settings))
      }
    }
    for i in entries.stirring(at: now.wall) {
      for notice in entries[i].notices(at: now.wall) { picture.show(notice) }
      if let check = entries[i].check, check.lookedAt != nil, !check.isAsked {
        picture.looks.insert(entries[i].alarm.id)
      }
      let start = now.wall.isPlausible ? entries[i].possibleStart : nil
      listen(entries[i].alarm.id, entries[i].alarm.ring, entries[i].ring, start)
    }
    let countdowns = countdowns(at: now)
    for (i, timer) in timers.enumerated() {
      if timer.isShown(countdowns.contains(i)) { picture.show(.timer(notice(of: timer, at: now))) }
      if let notice = endingNotice(of: timer, at: now) { picture.show(notice) }
      listen(timer.id, settings(of: timer), timer.ring, timer.start(at: now))
    }
    if let rehearsal {
      let (alarm, ring) = (rehearsal.alarm, rehearsal.ring)
      picture.show(.rehearsal(id: alarm.id, label: alarm.label, ring: ring))
      listen(alarm.id, alarm.ring, ring, nil)
    }
    if !isDoubted {
      if !missed.isEmpty { picture.show(.missed(missed)) }
      if !now.wall.isPlausible, isAlarmSet { picture.show(.clockUnset) }
    }
    picture.sound = sounding?.order ?? coming?.order ?? .silent
    if picture.isRinging { picture.rings = Set(ringing.map(\.key)) }
    return picture
  }
}
