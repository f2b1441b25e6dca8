// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything there is to know of the alarms at one moment, as values for the bus and for `--json`.
// The agent makes it of what it does; `belfry list` makes it of the files alone.

import Configuration
import Scheduling
import System

public struct Overview {
  public var configuration: Configuration
  public var schedule: Schedule
  public var zones: Zones
  public var now: Now

  public init(configuration: Configuration, schedule: Schedule, zones: Zones, now: Now) {
    (self.configuration, self.schedule, self.zones, self.now) =
      (configuration, schedule, zones, now)
  }

  public typealias Entry = Variant.Entry

  /// With the clock that the config asks for.
  public var wording: Wording { Wording(zones: zones, clock: configuration.agent.clock) }

  /// By time of day, then as in the config.
  public var alarmsByTime: [Alarm] {
    let alarms = configuration.alarms
    let times = alarms.map { clockTime($0.recurrence) }
    return alarms.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { alarms[$0] }
  }

  /// As `alarmsByTime` has them.
  public var alarms: [[Entry]] { alarmsByTime.map(alarm) }

  /// The same where there are no more than `count`; else of those that matter most now.
  public func alarms(atMost count: Int) -> [[Entry]] {
    guard configuration.alarms.count > count else { return alarms }
    return schedule.foremost(count).map(\.alarm)
      .sorted { clockTime($0.recurrence) < clockTime($1.recurrence) }.map(alarm)
  }

  /// What the clock shows today when it rings.
  private func clockTime(_ rule: Recurrence) -> CivilTime {
    let today = zones.civil(at: now.wall, in: rule.zone).date
    return rule.clockTime(on: today, in: zones) ?? .midnight
  }

  /// So many alarms from the place `first` of the config on, in its order.
  public func alarms(from first: Int, count: Int) -> [[Entry]] {
    configuration.alarms.dropFirst(first).prefix(count).map(alarm)
  }

  /// The one that is called so.
  public func alarm(_ id: String) -> [Entry]? {
    configuration.alarms.first { $0.id == id }.map(alarm)
  }

  /// What rings now, the longest ringing first.
  public var ringing: [[Entry]] {
    schedule.ringing.filter { $0.kind == .alarm }.map { open in
      let (ring, checks) = (open.ring, Int64(open.ring.checks))
      return named(open.id, open.label) + at(ring.due)
        + Variant.entries([
          "moved_from": ring.movedFrom.map { .int64($0.seconds) },
          "since": .string(zones.rfc3339(ring.since, in: nil)),
          "snoozes": .int64(Int64(ring.snoozes)), "can_snooze": .boolean(open.canSnooze),
          "rehearsal": open.isRehearsal ? .boolean(true) : nil,
          "checks": checks > 0 ? .int64(checks) : nil,
        ])
    }
  }

  /// The next ring of all; empty where none is to come.
  public var next: [Entry] { schedule.coming(1, in: zones).first.map(coming) ?? [] }

  /// A ring to come, as `belfry next --json` has it.
  public func coming(_ ring: ComingRing) -> [Entry] {
    named(ring.alarm.id, ring.alarm.label) + at(ring.at)
      + Variant.entries([
        "note": text(ring.note?.rawValue), "moved_from": ring.movedFrom.map { .int64($0.seconds) },
      ])
  }

  public var missed: [[Entry]] {
    schedule.missed.map { missed in
      named(missed.id, missed.label) + at(missed.due)
        + Variant.entries([
          "count": .int64(Int64(missed.count)), "reason": .string(missed.reason.rawValue),
          "timer": missed.isTimer ? .boolean(true) : nil,
        ])
    }
  }

  private func alarm(_ alarm: Alarm) -> [Entry] {
    let rule = alarm.recurrence
    let except = rule.except.ranges.map(\.text) + rule.calendars
    let entries =
      named(alarm.id, alarm.label) + dates(rule)
      + Variant.entries([
        "from": text(rule.from?.description), "except": except.isEmpty ? nil : .strings(except),
        "group": text(alarm.group), "timezone": text(rule.zone),
        "enabled": .boolean(alarm.enabled),
      ])
    // For one that is snoozed, `until` tells when that ends.
    let until = text(rule.until?.description)
    guard let entry = schedule.entry(alarm.id) else {
      return entries + Variant.entries(["until": until, "state": .string("off")])
    }
    // One on a day that was over when it was first seen waits for nothing.
    let paused = entry.pausedRing(at: now.wall, in: zones)
    let isOver = entry.state.phase == .scheduled && entry.next == nil && paused == nil
    let standing = Variant.entries([
      "state": .string(isOver ? "over" : entry.state.phase.name),
      "paused": paused.map { _ in .boolean(true) },
      "paused_until": text(paused?.until?.description),
      "paused_ring": text(paused.map { local($0.due) }),
      "paused_ring_epoch": paused.map { .int64($0.due.seconds) },
      "until": text(entry.snoozedUntil.map(local)) ?? until,
      "asks": text(entry.check.map { local($0.due) }),
      "asked": entry.check.map { .boolean($0.isAsked) },
      "rings_again": text(entry.check.map { local($0.end) }),
    ])
    return entries + standing + (entry.next.map { coming($0, of: entry) } ?? [])
  }

  private func dates(_ rule: Recurrence) -> [Entry] {
    var (days, every, date): ([String], String?, String?) = ([], nil, nil)
    switch rule.dates {
    case .days(let these): days = these.names
    case .every(let interval, let these): (days, every) = (these.names, interval.text)
    case .on(let day): date = day.description
    case .once: break
    }
    return Variant.entries([
      "time": .string(AlarmTime(rule).text), "city": text(rule.sun?.city),
      "days": days.isEmpty ? nil : .strings(days), "every": text(every), "date": text(date),
    ])
  }

  /// The next ring and, where that is skipped, the one after it.
  private func coming(_ next: Occurrence, of entry: Schedule.Entry) -> [Entry] {
    let then = entry.isSkipped ? entry.coming(1, in: zones).first?.at : nil
    return at(next.due)
      + Variant.entries([
        "note": text(next.note?.rawValue), "moved_from": next.movedFrom.map { .int64($0.seconds) },
        "skipped": entry.isSkipped ? .boolean(true) : nil, "then": text(then.map(local)),
        "then_epoch": then.map { .int64($0.seconds) },
      ])
  }

  /// As in the config, in its order.
  public var pauses: [[Entry]] { numberedPauses.map(Self.values) }

  func named(_ id: String, _ label: String?) -> [Entry] {
    Variant.entries(["id": .string(id), "label": .string(label ?? "")])
  }

  func at(_ instant: Instant) -> [Entry] {
    Variant.entries(["at": .string(local(instant)), "epoch": .int64(instant.seconds)])
  }

  private func local(_ instant: Instant) -> String { zones.rfc3339(instant, in: nil) }

  func text(_ text: String?) -> Variant? { text.map(Variant.string) }
}

extension AlarmState.Phase {
  fileprivate var name: String {
    switch self {
    case .scheduled: "scheduled"
    case .open(let ring): ring.name
    case .checking: "checking"
    case .over: "over"
    }
  }
}
