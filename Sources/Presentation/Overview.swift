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
      named(open.id, open.label) + at(open.ring.due) + moved(from: open.ring.movedFrom) + [
        Entry("since", .string(zones.rfc3339(open.ring.since, in: nil))),
        Entry("snoozes", .int64(Int64(open.ring.snoozes))),
        Entry("can_snooze", .boolean(open.canSnooze)),
      ] + (open.isRehearsal ? [Entry("rehearsal", .boolean(true))] : [])
        + (open.ring.checks > 0 ? [Entry("checks", .int64(Int64(open.ring.checks)))] : [])
    }
  }

  /// The next ring of all; empty where none is to come.
  public var next: [Entry] { schedule.coming(1, in: zones).first.map(coming) ?? [] }

  /// A ring to come, as `belfry next --json` has it.
  public func coming(_ ring: ComingRing) -> [Entry] {
    named(ring.alarm.id, ring.alarm.label) + at(ring.at) + optional("note", ring.note?.rawValue)
      + moved(from: ring.movedFrom)
  }

  public var missed: [[Entry]] {
    schedule.missed.map { missed in
      [Entry("id", .string(missed.id)), Entry("label", .string(missed.label ?? ""))]
        + at(missed.due) + [
          Entry("count", .int64(Int64(missed.count))),
          Entry("reason", .string(missed.reason.rawValue)),
        ] + (missed.isTimer ? [Entry("timer", .boolean(true))] : [])
    }
  }

  private func alarm(_ alarm: Alarm) -> [Entry] {
    let rule = alarm.recurrence
    var entries =
      named(alarm.id, alarm.label) + [Entry("time", .string(AlarmTime(rule).text))]
      + optional("city", rule.sun?.city)
    switch rule.dates {
    case .days(let days): entries.append(Entry("days", .strings(days.names)))
    case .every(let interval, let days):
      if !days.isEmpty { entries.append(Entry("days", .strings(days.names))) }
      entries.append(Entry("every", .string(interval.text)))
    case .on(let date): entries.append(Entry("date", .string(date.description)))
    case .once: break
    }
    entries += optional("from", rule.from?.description)
    let except = rule.except.ranges.map(\.text) + rule.calendars
    if !except.isEmpty {
      entries.append(Entry("except", .strings(except)))
    }
    entries += optional("group", alarm.group)
    entries += optional("timezone", rule.zone) + [Entry("enabled", .boolean(alarm.enabled))]
    // For one that is snoozed, `until` tells when that ends.
    let until = optional("until", rule.until?.description)
    guard let entry = schedule.entry(alarm.id) else {
      return entries + until + [Entry("state", .string("off"))]
    }
    // One on a day that was over when it was first seen waits for nothing.
    let isOver =
      entry.state.phase == .scheduled && entry.next == nil
      && !entry.isPaused(at: now.wall, in: zones)
    entries.append(Entry("state", .string(isOver ? "over" : entry.state.phase.name)))
    entries +=
      entry.snoozedUntil.map { [Entry("until", .string(zones.rfc3339($0, in: nil)))] } ?? until
    if let check = entry.check {
      entries += [
        Entry("asks", .string(zones.rfc3339(check.due, in: nil))),
        Entry("asked", .boolean(check.isAsked)),
        Entry("rings_again", .string(zones.rfc3339(check.end, in: nil))),
      ]
    }
    guard let next = entry.next else { return entries }
    entries += at(next.due) + optional("note", next.note?.rawValue) + moved(from: next.movedFrom)
    guard entry.isSkipped else { return entries }
    entries.append(Entry("skipped", .boolean(true)))
    guard let then = entry.coming(1, in: zones).first?.at else { return entries }
    return entries + [
      Entry("then", .string(zones.rfc3339(then, in: nil))),
      Entry("then_epoch", .int64(then.seconds)),
    ]
  }

  /// As in the config, in its order.
  public var pauses: [[Entry]] {
    configuration.pauses.map { pause in
      [Entry("from", .string(pause.from.description))]
        + optional("until", pause.until?.description) + optional("group", pause.group)
        + optional("label", pause.label)
    }
  }

  private func named(_ id: String, _ label: String?) -> [Entry] {
    [Entry("id", .string(id)), Entry("label", .string(label ?? ""))]
  }

  func at(_ instant: Instant) -> [Entry] {
    [
      Entry("at", .string(zones.rfc3339(instant, in: nil))),
      Entry("epoch", .int64(instant.seconds)),
    ]
  }

  private func moved(from before: Instant?) -> [Entry] {
    before.map { [Entry("moved_from", .int64($0.seconds))] } ?? []
  }

  private func optional(_ key: String, _ value: String?) -> [Entry] {
    value.map { [Entry(key, .string($0))] } ?? []
  }
}

extension AlarmState.Phase {
  fileprivate var name: String {
    switch self {
    case .scheduled: "scheduled"
    case .ringing: "ringing"
    case .snoozed: "snoozed"
    case .checking: "checking"
    case .over: "over"
    }
  }
}
