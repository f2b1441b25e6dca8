// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reducer: an event and the time go in, what is to be done comes out. It decides when something
// rings, and nothing else does. It reads no clock and performs nothing. The state table of one
// occurrence is `advance`; what is heard and seen for a state is `picture`.

public enum Event: Hashable, Sendable {
  /// Time went by, or the clock was set.
  case tick
  /// The machine's time zone, or the rules of one, are other than before.
  case zonesChanged
  /// The alarms as the config now has them.
  case configured([Alarm])
  /// Ends what rings or is snoozed.
  case stop(String)
  /// From now on; of what is snoozed already too.
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
  /// An alarm, where it stands, and its next occurrence so far as it is known.
  public struct Entry: Sendable, Equatable {
    public internal(set) var alarm: Alarm
    public internal(set) var state: AlarmState
    /// The first occurrence that is still to come; while one rings, the one after it.
    public internal(set) var next: Occurrence?

    /// How it rings, if it does now.
    public var ring: Ring? { if case .ringing(let ring) = state.phase { ring } else { nil } }
    /// When it rings again, if it is snoozed.
    public var snoozedUntil: Instant? {
      if case .snoozed(_, let until) = state.phase { until } else { nil }
    }
  }

  /// In the order of the config; disabled alarms have none.
  public internal(set) var entries: [Entry] = []
  public internal(set) var missed: [Missed]
  /// What was remembered of alarms until the first config is read.
  var remembered: [String: AlarmState]
  private var lastSeen: Now?
  private var shown = Picture()
  private var isFresh = true

  /// How long before it is due a sound is made ready.
  public static let readyAhead: Duration = .seconds(2)
  public static let hushFor: Duration = .seconds(60)
  /// A clock that shows less (2026-01-01) was never set: nothing is decided by it.
  public static let earliestPlausible = Instant(seconds: 1_767_225_600)
  /// How far back a repeating alarm's missed rings are looked for, one by one.
  public static let lookBack: Duration = .hours(35 * 24)
  /// Kinds of missed rings remembered until they are acknowledged.
  public static let missedKept = 50

  /// Goes on from what was remembered; nothing happens before the first event.
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

  public func entry(_ id: String) -> Entry? { entries.first { $0.alarm.id == id } }

  /// Takes in `event` and says what to do, in that order. Events for alarms that are not there, or
  /// not in a state for it, change nothing.
  public mutating func apply(
    _ event: Event, at now: Now, in zones: some ZoneRules
  ) -> [Effect] {
    let step = clockStep(now)
    var changed = false
    shiftElapsed(by: step, &changed)
    let reason = awayReason(event, step: step)
    lastSeen = now
    switch event {
    case .configured(let alarms): configure(alarms, at: now.wall, zones, &changed)
    case .zonesChanged: for i in entries.indices { entries[i].findNext(zones) }
    case .acknowledgeMissed:
      changed = changed || !missed.isEmpty
      missed = []
    case .tick, .stop, .snooze, .hush, .skip, .unskip: break
    }
    if now.wall >= Self.earliestPlausible {
      for i in entries.indices { advance(i, to: now.wall, reason, zones, &changed) }
    }
    answer(event, at: now.wall, zones, &changed)
    if case .configured = event { isFresh = false }
    let picture = picture(at: now.wall)
    defer { shown = picture }
    return picture.effects(since: shown, persist: changed)
  }

  /// The earliest moment at which a tick could change anything: strictly later than `now`, or nil.
  public func nextDeadline(after now: Now) -> Instant? {
    guard now.wall >= Self.earliestPlausible else { return nil }
    var earliest: Instant?
    for entry in entries {
      for moment in entry.moments() where moment > now.wall && moment < earliest ?? .distantFuture {
        earliest = moment
      }
    }
    return earliest
  }
}

// MARK: - The clocks

extension Schedule {
  /// By how much the wall clock was set since the last event, told by the boot clock beside it.
  private func clockStep(_ now: Now) -> Duration {
    guard let last = lastSeen, last.bootID == now.bootID else { return .zero }
    let step = (now.wall - last.wall) - (now.boot - last.boot)
    // Reading the two clocks takes a moment, and slewing moves both alike.
    return abs(step) < .milliseconds(100) ? .zero : step
  }

  /// Ringing and snoozing take time, not clock time: they move with a clock that is set.
  private mutating func shiftElapsed(by step: Duration, _ changed: inout Bool) {
    guard step != .zero else { return }
    for i in entries.indices {
      let phase = entries[i].state.phase.shifted(by: step)
      changed = changed || phase != entries[i].state.phase
      entries[i].state.phase = phase
    }
    remembered = remembered.mapValues { state in
      var state = state
      state.phase = state.phase.shifted(by: step)
      return state
    }
  }

  /// Why an occurrence that is found due too late could not ring.
  private func awayReason(_ event: Event, step: Duration) -> Missed.Reason {
    if isFresh { return step > .seconds(1) ? .clockSet : .off }
    if step > .seconds(1) { return .clockSet }
    return event == .zonesChanged ? .zoneChanged : .asleep
  }
}

private func abs(_ d: Duration) -> Duration { d < .zero ? .zero - d : d }

extension AlarmState.Phase {
  fileprivate func shifted(by step: Duration) -> Self {
    func shift(_ ring: Ring) -> Ring {
      var ring = ring
      ring.since = ring.since + step
      ring.hushedUntil = ring.hushedUntil.map { $0 + step }
      return ring
    }
    return switch self {
    case .scheduled, .over: self
    case .ringing(let ring): .ringing(shift(ring))
    case .snoozed(let ring, let until): .snoozed(shift(ring), until: until + step)
    }
  }
}

// MARK: - What is heard and seen

extension Schedule {
  private func picture(at now: Instant) -> Picture {
    var picture = Picture()
    var sounding: (since: Instant, entry: Entry)?
    var coming: (start: Instant, entry: Entry)?
    for entry in entries {
      let (id, label) = (entry.alarm.id, entry.alarm.label)
      switch entry.state.phase {
      case .ringing(let ring):
        picture.show(
          .ringing(id: id, label: label, ring: ring, snooze: entry.alarm.ring.snooze))
        if ring.hushedUntil == nil, ring.since < sounding?.since ?? .distantFuture {
          sounding = (ring.since, entry)
        }
      case .snoozed(_, let until): picture.show(.snoozed(id: id, label: label, until: until))
      case .scheduled:
        if let next = entry.next, next.due != entry.state.skipped,
          entry.alarm.ring.upcoming > .zero, next.due - entry.alarm.ring.upcoming <= now
        {
          picture.show(.upcoming(id: id, label: label, due: next.due))
        }
      case .over: break
      }
      if let start = entry.nextStart, start - Self.readyAhead <= now,
        start < coming?.start ?? .distantFuture
      {
        coming = (start, entry)
      }
    }
    if !missed.isEmpty { picture.show(.missed(missed)) }
    if let (_, entry) = sounding {
      picture.sound = .playing(entry.alarm.id, entry.alarm.ring)
    } else if let (_, entry) = coming, now >= Self.earliestPlausible {
      picture.sound = .ready(entry.alarm.id, entry.alarm.ring)
    }
    return picture
  }
}

extension Picture {
  fileprivate mutating func show(_ notice: Notice) { notices[notice.key] = notice }
}
