// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reducer: an event and the time go in, what is to be done comes out. It decides when something
// rings, and nothing else does. It reads no clock and performs nothing. Next: the state table of
// one occurrence in `OccurrenceLife.swift`.

public enum Event: Hashable, Sendable {
  /// Time went by, or the clock was set.
  case tick
  /// The machine's time zone, or the rules of one, are other than before.
  case zonesChanged
  /// The alarms as the config now has them. Before the first of these nothing happens. Alarms of
  /// the ids in `keeping` cannot be read for now: what is remembered of them stays.
  case configured([Alarm], keeping: Set<String> = [])
  /// Ends what rings or is snoozed.
  case stop(String)
  /// From now on; of what is snoozed already too. A length of zero or less changes nothing.
  case snooze(String, Duration)
  /// Silences what rings for a while, so that the user can decide.
  case hush(String)
  /// The next occurrence is not wanted, or is wanted after all.
  case skip(String)
  case unskip(String)
  /// The user has read what was missed.
  case acknowledgeMissed
}

public struct Schedule: Sendable, Equatable {
  /// In the order of the config; disabled alarms have none.
  public internal(set) var entries: [Entry] = []
  /// Where in `entries` the alarm of an id is.
  var places: [String: Int] = [:]
  public internal(set) var missed: [Missed]
  /// What was remembered of alarms until the first config is read.
  var remembered: [String: AlarmState]
  /// Whether `state` differs from what was last to be made durable.
  var isUnsaved = false
  private var lastSeen: Now?
  /// While it lasts the clock may still be put right, and nobody is told what it makes seem so.
  private var doubt: Doubt?
  private var shown = Picture()
  private var isConfigured = false

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
  /// Kinds of missed rings remembered until they are acknowledged.
  public static let missedKept = 50

  /// Goes on from what was remembered; nothing happens before the alarms are known.
  public init(restoring state: State = State()) {
    remembered = state.alarms
    missed = state.missed
    lastSeen = state.clock
  }

  /// What must survive, now.
  public var state: State {
    var state = State()
    state.alarms = remembered
    for entry in entries { state.alarms[entry.alarm.id] = entry.state }
    state.missed = missed
    state.clock = lastSeen
    return state
  }

  /// What is to be heard now.
  public var sound: SoundOrder { shown.sound }

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
    if case .configured(let alarms, let unread) = event {
      configure(alarms, keeping: unread, at: now.wall, zones)
      isConfigured = true
    }
    guard isConfigured else { return [] }
    lastSeen = now
    doubt = Doubt.after(clock, at: now, before: doubt)
    carry(by: clock)
    if now.wall.isPlausible { advance(to: now.wall, clock, absence, event == .zonesChanged, zones) }
    let effects = draw(at: now, .time)
    return answer(event, at: now.wall) ? effects + draw(at: now, .answer) : effects
  }

  /// The earliest moment at which a tick could change anything: strictly later than `now`, which is
  /// that of the last event, or nil.
  public func nextDeadline(after now: Now) -> Instant? {
    let telling = doubtEnds(after: now)
    guard now.wall.isPlausible else { return telling }
    let awaitsReady = shown.sound == .silent
    var earliest = telling
    for i in entries.indices {
      if let moment = entries[i].nextMoment(after: now.wall, awaitsReady: awaitsReady),
        moment < earliest ?? .distantFuture
      {
        earliest = moment
      }
    }
    return earliest
  }

  /// When what was held back is to be told, if there is any.
  private func doubtEnds(after now: Now) -> Instant? {
    guard let doubt, now.boot < doubt.end, !missed.isEmpty || !now.wall.isPlausible && isSet else {
      return nil
    }
    return now.wall + (doubt.end - now.boot)
  }

  private mutating func advance(
    to now: Instant, _ clock: ClockChange, _ absence: Absence, _ isRezoned: Bool,
    _ zones: some ZoneRules
  ) {
    for i in entries.indices {
      if clock.isBack || entries[i].state.handled > now { retreat(i, to: now, zones) }
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
    let picture = picture(at: now.wall, doubted: doubt.map { now.boot < $0.end } ?? false)
    defer { (shown, isUnsaved) = (picture, false) }
    return picture.effects(since: shown, cause, persist: isUnsaved)
  }

  private func picture(at now: Instant, doubted isDoubted: Bool) -> Picture {
    var picture = Picture()
    var sounding: (since: Instant, index: Int)?
    var coming: (start: Instant, index: Int)?
    for i in entries.indices where entries[i].quietUntil <= now {
      for notice in entries[i].notices(at: now) { picture.show(notice) }
      if let ring = entries[i].ring, ring.hushedUntil == nil,
        ring.since < sounding?.since ?? .distantFuture
      {
        sounding = (ring.since, i)
      }
      if let start = entries[i].nextStart, start - Self.readyAhead <= now,
        start < coming?.start ?? .distantFuture
      {
        coming = (start, i)
      }
    }
    if !isDoubted {
      if !missed.isEmpty { picture.show(.missed(missed)) }
      if !now.isPlausible, isSet { picture.show(.clockUnset) }
    }
    if let (_, i) = sounding {
      picture.sound = .playing(entries[i].alarm.id, entries[i].alarm.ring)
    } else if let (_, i) = coming, now.isPlausible {
      picture.sound = .ready(entries[i].alarm.id, entries[i].alarm.ring)
    }
    return picture
  }
}
