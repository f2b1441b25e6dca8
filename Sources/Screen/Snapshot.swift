// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's status as values to draw. Whatever the bus brings is taken: what is absent or of
// another type shows as nothing, and nothing here fails. Next: `Summary.swift` and `WatchView.swift`,
// which show it.

import Configuration
import Language
import Presentation
import Scheduling
import System

public nonisolated struct Snapshot: Sendable {
  /// What rings, alarm or timer.
  public struct Ringing: Sendable {
    public var id: String
    public var label: String
    public var since: Instant?
    public var snoozes: Int64
    /// Whether it can be snoozed, or once more.
    public var canSnooze: Bool
  }

  public struct Alarm: Sendable {
    public var id: String
    public var label: String
    public var state: String
    public var next: Instant?
    public var until: Instant?
    public var isSkipped: Bool
    /// The ring after one that is skipped.
    public var then: Instant?
    /// Whether the next ring is at another time than its own.
    public var isMoved: Bool
    /// It was stopped, and rings again unless the user is up.
    public var check: StopCheck?
    /// Whether a pause takes its next ring.
    public var isPaused: Bool
    /// The last day of that; nil: until the pause is removed.
    public var pausedUntil: CivilDate?
  }

  public struct Missed: Sendable {
    public var id: String
    public var label: String
    public var at: Instant?
    public var count: Int64
    public var reason: Scheduling.Missed.Reason?
    /// Whether those of `at` are said.
    var seconds: Wording.Seconds
  }

  public struct Timer: Sendable {
    public enum State: String, Sendable { case running, paused, ringing, snoozed }
    public var id: String
    public var label: String
    public var preset: String
    public var state: State
    public var length: Duration
    /// As of the moment that the status is of.
    public var left: Duration
    public var overtime: Duration
    public var ends: Instant?
    public var round: Round?
  }

  public struct Stopwatch: Sendable {
    public struct Lap: Sendable {
      public var number: Int64
      public var split: Duration
      public var total: Duration
      public var mark: String
    }
    public var isRunning: Bool
    /// As of the moment that the status is of.
    public var elapsed: Duration
    public var laps: [Lap]
  }

  public struct City: Sendable {
    public var label: String
    /// Seconds that clocks there are ahead of those here; nil where nobody knows the place.
    public var offset: Int64?
  }

  /// When it was so.
  public var asOf: Now
  public var ringing: [Ringing]
  public var alarms: [Alarm]
  /// Those that take the next ring of an alarm.
  public var pauses: [Pause]
  public var missed: [Missed]
  public var timers: [Timer]
  public var stopwatch: Stopwatch?
  public var cities: [City]
  public var problems: [String]
  public var clock: AgentSettings.Clock
  public var config: String

  /// - Parameter status: what `Status` answered at `asOf`.
  public init(_ status: Variant, asOf: Now, _ zones: Zones) {
    func rows<Row>(_ key: String, _ row: (Variant) -> Row?) -> [Row] {
      (status[key]?.dictionaries ?? []).compactMap { row(.dictionary($0)) }
    }
    self.asOf = asOf
    ringing = rows("ringing") { Ringing($0, zones) }
    alarms = rows("alarms") { Alarm($0, zones) }
    pauses = rows("pauses") { Pause($0) }
    missed = rows("missed") { Missed($0) }
    timers = rows("timers") { Timer($0) }
    stopwatch = status["stopwatch"].flatMap { Stopwatch($0) }
    cities = rows("clocks") { City($0) }
    problems = status["agent"]?["problems"]?.strings ?? []
    clock = status["agent"]?["clock"]?.string.flatMap(AgentSettings.Clock.init) ?? .automatic
    config = status["agent"]?["config"]?.string ?? tr("the config")
  }
}

nonisolated extension Snapshot {
  /// Alarms with a ring to come, the earliest first: the end of a snooze, the next occurrence or, where
  /// there is none, that at which it rings again unless the user is up.
  public var coming: [(alarm: Alarm, at: Instant)] {
    alarms.compactMap { alarm in
      if alarm.state == "snoozed", let until = alarm.until { return (alarm, until) }
      guard alarm.state == "scheduled" || alarm.state == "checking" else { return nil }
      return (alarm.isSkipped ? alarm.then : alarm.next ?? alarm.check?.end).map { (alarm, $0) }
    }.sorted { $0.1 < $1.1 }
  }

  /// Those that ring now, those with a ring to come, and behind them what has none and may have one
  /// again: the last one is skipped, the alarm is paused until somebody ends that, or it is off.
  public var listed: [(alarm: Alarm, at: Instant?)] {
    alarms.filter(\.isRinging).map { ($0, nil) } + coming.map { ($0.alarm, $0.at) }
      + alarms.filter { $0.isLastSkipped || $0.isSilenced || $0.isOff }.map { ($0, nil) }
  }

  /// Whether pauses take the next ring of every alarm that is on.
  public var isAllPaused: Bool {
    let on = alarms.filter { !$0.isOff && $0.state != "over" }
    return !on.isEmpty && on.allSatisfy(\.isPaused)
  }

  /// What a timer still has to run at `now`; by the wall clock where its end is known, since the
  /// agent moves that when the clock is set.
  public func left(of timer: Timer, at now: Now) -> Duration {
    guard timer.state == .running else { return timer.left }
    let left = timer.ends.map { $0 - now.wall } ?? timer.left - (now.boot - asOf.boot)
    return max(.zero, left)
  }

  /// By how much a ringing timer is over at `now`.
  public func overtime(of timer: Timer, at now: Now) -> Duration {
    max(.zero, timer.ends.map { now.wall - $0 } ?? timer.overtime + (now.boot - asOf.boot))
  }

  /// What the stopwatch shows at `now`. It counts by the boot clock, so that setting the wall clock
  /// does not move it.
  public func elapsed(at now: Now) -> Duration {
    guard let stopwatch else { return .zero }
    return max(
      .zero, stopwatch.isRunning ? stopwatch.elapsed + (now.boot - asOf.boot) : stopwatch.elapsed)
  }
}

// MARK: - From the bus

nonisolated extension Variant {
  fileprivate func text(_ key: String) -> String { self[key]?.string ?? "" }

  /// A moment under `key`, RFC 3339; `epoch` tells it too, where the key is `at`.
  fileprivate func instant(_ key: String, _ zones: Zones) -> Instant? {
    if key == "at", let epoch { return epoch }
    return self[key]?.string.flatMap { InstantText.parse($0, in: nil, zones) }
  }

  fileprivate var epoch: Instant? { self["epoch"]?.int64.map { Instant(seconds: $0) } }

  /// Seconds, whole or not.
  fileprivate func seconds(_ key: String) -> Duration? {
    switch self[key] {
    case .int64(let seconds): .seconds(max(-Self.most, min(seconds, Self.most)))
    case .double(let seconds) where seconds.isFinite:
      .seconds(max(-Double(Self.most), min(seconds, Double(Self.most))))
    default: nil
    }
  }

  /// Longer than anybody waits, and short enough to reckon with.
  private static var most: Int64 { DurationText.longest.wholeSeconds }
}

nonisolated extension Snapshot.Ringing {
  fileprivate init(_ row: Variant, _ zones: Zones) {
    (id, label) = (row.text("id"), row.text("label"))
    since = row.instant("since", zones)
    snoozes = row["snoozes"]?.int64 ?? 0
    canSnooze = row["can_snooze"]?.boolean ?? true
  }
}

nonisolated extension Snapshot.Alarm {
  fileprivate init(_ row: Variant, _ zones: Zones) {
    (id, label, state) = (row.text("id"), row.text("label"), row.text("state"))
    next = row.instant("at", zones)
    until = row.instant("until", zones)
    isSkipped = row["skipped"]?.boolean ?? false
    then = row.instant("then", zones)
    isMoved = row["moved_from"] != nil
    check = row.instant("asks", zones).map { asks in
      StopCheck(
        stopped: asks, due: asks,
        lookedAt: row.instant("rings_again", zones).map { $0 - StopCheck.patience },
        isAsked: row["asked"]?.boolean ?? false)
    }
    isPaused = row["paused"]?.boolean ?? false
    pausedUntil = CivilDate(row.text("paused_until"))
  }
}

nonisolated extension Snapshot.Alarm {
  public var isOff: Bool { state == "off" }
  var isRinging: Bool { state == "ringing" }
  /// Paused without an end.
  var isSilenced: Bool { isPaused && next == nil && state == "scheduled" }
  var isLastSkipped: Bool { isSkipped && then == nil && state != "snoozed" }

  /// Whether the seconds of its ring `at` that time are said: the end of a snooze, and that at which it
  /// rings again unless the user is up, were counted.
  func seconds(_ at: Instant) -> Wording.Seconds {
    state == "snoozed" || at == check?.end ? .near : .given
  }
}

nonisolated extension Pause {
  /// Nil for what has no first day.
  fileprivate init?(_ row: Variant) {
    guard let from = CivilDate(row.text("from")) else { return nil }
    self.init(
      from: from, until: CivilDate(row.text("until")), group: row["group"]?.string,
      label: row["label"]?.string)
  }
}

nonisolated extension Snapshot.Missed {
  fileprivate init(_ row: Variant) {
    (id, label, at) = (row.text("id"), row.text("label"), row.epoch)
    count = row["count"]?.int64 ?? 1
    reason = row["reason"]?.string.flatMap(Scheduling.Missed.Reason.init)
    seconds = row["timer"]?.boolean == true ? .near : .given
  }
}

nonisolated extension Snapshot.Timer {
  fileprivate init?(_ row: Variant) {
    guard let state = State(rawValue: row.text("state")) else { return nil }
    self.state = state
    (id, label, preset) = (row.text("id"), row.text("label"), row.text("preset"))
    length = max(.zero, row.seconds("length") ?? .zero)
    left = max(.zero, row.seconds("left") ?? .zero)
    overtime = row.seconds("overtime") ?? .zero
    ends = row.epoch
    round = row["round"]?.int64.map {
      Round(Int(clamping: $0), of: row["rounds"]?.int64.map { Int(clamping: $0) })
    }
  }

  /// Its label, or the preset that it was made of, or its length; and the round that it is in.
  @MainActor public var name: String {
    Wording.name([label, preset].first { !$0.isEmpty } ?? DurationText.format(length), round)
  }
}

nonisolated extension Snapshot.Stopwatch {
  /// Nil for one that was not started.
  fileprivate init?(_ row: Variant) {
    isRunning = row.text("state") == "running"
    guard isRunning || row.text("state") == "stopped" else { return nil }
    elapsed = row.seconds("elapsed") ?? .zero
    laps = (row["laps"]?.dictionaries ?? []).map { Lap(.dictionary($0)) }
  }
}

nonisolated extension Snapshot.Stopwatch.Lap {
  fileprivate init(_ row: Variant) {
    number = row["lap"]?.int64 ?? 0
    split = row.seconds("split") ?? .zero
    total = row.seconds("total") ?? .zero
    mark = row.text("mark")
  }
}

nonisolated extension Snapshot.City {
  fileprivate init(_ row: Variant) {
    label = ["label", "city", "timezone"].lazy.map { row.text($0) }.first { !$0.isEmpty } ?? ""
    // No clocks are further apart; nor may a sum with it overflow.
    offset = row["offset"]?.int64.map { max(-100_000, min($0, 100_000)) }
  }

  /// What clocks there show.
  func civil(from here: CivilDateTime) -> CivilDateTime? {
    offset.map { CivilDateTime(localSeconds: here.localSeconds + $0) }
  }

  /// By how many days the date there is ahead.
  private func days(from here: CivilDateTime) -> Int {
    guard let there = civil(from: here) else { return 0 }
    return there.date.daysSinceEpoch - here.date.daysSinceEpoch
  }
}

extension Snapshot.City {
  /// `tomorrow`; nothing where it is the same day.
  func day(from here: CivilDateTime) -> String {
    let days = days(from: here)
    return days == 0 ? "" : Wording.day(days)
  }

  /// `+5 h 45 min`; nothing for a place that shares our time.
  var distance: String {
    guard let offset, offset != 0 else { return "" }
    return (offset < 0 ? "-" : "+") + Wording.span(.seconds(Int64(clamping: offset.magnitude)))
  }
}
