// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a user wants of alarms, as edits of the config: change, enable, disable, remove. An alarm
// that rings once and is over is armed anew by its date, so that the config alone says when it
// rings and the agent need not run. All of it or nothing.

import Configuration
import Language
import Scheduling
import System
import TOML

@Blocking extension ConfigEditor {
  public typealias Setting = TOMLEdit.Setting

  /// What became of the alarms that were meant.
  public struct Outcome: Sendable {
    /// What they are called now; of those that were removed, what they were called.
    public var ids: [String]
    /// Others that are called otherwise now, since they have no id of their own.
    public var renamed: [Renamed] = []
    /// The config after the edit; of a removal, as it was before.
    public var reading: Reading
    /// Of these alarms alone, by that config.
    public var schedule: Schedule
    /// About what was asked for; it was done all the same.
    public var warnings: [Diagnostic] = []
  }

  public struct Renamed: Hashable, Sendable {
    public var before: String
    public var now: String
  }

  // MARK: - Changing

  /// Changes the alarm that is called `id`.
  public func change(
    _ id: String, _ settings: [Setting], spelled: @escaping (String) -> String = { $0 }
  ) throws(Failure) -> Outcome {
    try check(label: settings.text("label"))
    return try outcome { before throws(Failure) in
      let place = try places(of: [id], in: before)[0]
      if let new = settings.text("id"), new != id, before.reading.alarmPlaces[new] != nil {
        throw .taken(new)
      }
      let rule = before.alarm(place)?.recurrence
      var settings = settings.compactMap { setting in
        setting.key == "except"
          ? setting.without(rule?.except ?? ExceptedDays(), rule?.calendars.map(\.name) ?? [])
          : setting
      }
      settings = replaced(settings, before.alarm(place)?.recurrence.dates) + settings
      var after = try apply(
        [.change(of: "alarm", at: place, settings)], to: before, spelled: spelled)
      let warnings = after.complaints
      if after.isFloating(place) { after = try armed([place], after) }
      return Edited(
        after: after, ids: [after.id(place) ?? id], meant: [place], warnings: warnings)
    }
  }

  /// Takes out what `settings` take the place of, in an alarm that has these `dates`.
  private func replaced(_ settings: [Setting], _ dates: Recurrence.Dates?) -> [Setting] {
    func isInDays(_ every: String?) -> Bool { every?.lowercased().contains("d") ?? false }
    var keys: [String] = []
    if settings.sets("date") { keys += ["days", "every", "from", "until"] }
    if settings.sets("days") || settings.sets("every") { keys.append("date") }
    if isInDays(settings.text("every")) { keys.append("days") }
    if settings.sets("days"), case .every(let interval, _) = dates, interval.unit == .days {
      keys.append("every")
    }
    return keys.filter { key in !settings.contains { $0.key == key } }.map(Setting.init(removing:))
  }

  /// Switches alarms on or off. One that rings once and is over rings at the next such time.
  public func setEnabled(_ ids: [String], _ flag: Bool) throws(Failure) -> Outcome {
    try outcome { before throws(Failure) in
      let ids = ids.unique
      let places = try places(of: ids, in: before)
      let changed = places.filter { before.alarm($0)?.enabled != flag }
      // One with an error can be switched off, too.
      var after = try unjudged(
        changed.map { .change(of: "alarm", at: $0, [Setting("enabled", flag: flag)]) }, before)
      if flag { after = try armed(places, after) }
      return Edited(after: after, ids: ids, meant: Set(places))
    }
  }

  /// Gives alarms that are over the date of their next time.
  func armed(_ places: [Int], _ config: ConfigSnapshot) throws(Failure) -> ConfigSnapshot {
    let edits = places.compactMap { place -> TOMLEdit? in
      guard let alarm = config.alarm(place), isOver(alarm) else { return nil }
      var rule = alarm.recurrence
      rule.dates = .once
      return rule.next(after: now.wall, in: Zones()).map {
        .change(of: "alarm", at: place, [Setting("date", date: $0.date)])
      }
    }
    return try apply(edits, to: config)
  }

  /// Whether the alarm rings once, and will not any more.
  private func isOver(_ alarm: Alarm) -> Bool {
    !alarm.recurrence.repeats && schedule(of: [alarm.unpaused]).entry(alarm.id)?.isOver ?? false
  }

  // MARK: - Removing

  public func remove(_ ids: [String]) throws(Failure) -> Outcome {
    try remove { before throws(Failure) in Set(try places(of: ids, in: before)) }
  }

  /// Removes the alarms that ring once and are over.
  public func removeDone() throws(Failure) -> Outcome {
    try remove { before throws(Failure) in
      let once = before.reading.configuration.alarms.filter { !$0.recurrence.repeats }
        .map(\.unpaused)
      let (schedule, zones) = (schedule(of: once), Zones())
      let places = before.reading.alarmPlaces
      let done = once.filter { alarm in
        if alarm.enabled { return schedule.entry(alarm.id)?.isOver ?? false }
        // What is off is over where its day is past.
        guard case .on = alarm.recurrence.dates else { return false }
        return alarm.recurrence.next(after: now.wall, in: zones) == nil
      }
      return Set(done.compactMap { places[$0.id] })
    }
  }

  private func remove(
    _ choose: (ConfigSnapshot) throws(Failure) -> Set<Int>
  ) throws(Failure) -> Outcome {
    try outcome { before throws(Failure) in
      let places = try choose(before)
      let edits: [TOMLEdit] = places.isEmpty ? [] : [.remove(from: "alarm", places)]
      return Edited(
        after: try apply(edits, to: before), ids: places.sorted().compactMap(before.id),
        meant: places, isRemoval: true)
    }
  }

  // MARK: - What all of them do

  /// What an edit gives.
  struct Edited {
    var after: ConfigSnapshot
    /// What the alarms that were meant are called then.
    var ids: [String]
    /// Where they stood before.
    var meant: Set<Int> = []
    var isRemoval = false
    /// About the alarms that were meant.
    var warnings: [Diagnostic] = []
  }

  func outcome(
    _ make: (ConfigSnapshot) throws(Failure) -> Edited
  ) throws(Failure) -> Outcome {
    var ids: [String] = []
    var former: [String] = []
    var warnings: [Diagnostic] = []
    var renamed: [Renamed] = []
    var shown = Reading()
    try perform { before throws(Failure) in
      let made = try make(before)
      shown = (made.isRemoval ? before : made.after).reading
      (ids, former) = (made.ids, made.meant.compactMap(before.id))
      warnings = made.warnings
      renamed = try others(before, made)
      return made.after
    }
    let meant = Set(ids)
    let alarms = shown.configuration.alarms.filter { meant.contains($0.id) }
    return Outcome(
      ids: ids, renamed: renamed, reading: shown,
      schedule: schedule(of: alarms, knowing: former), warnings: warnings)
  }

  /// The alarms that nobody meant and that are called otherwise now. They must stand as they did:
  /// what is remembered goes by the name.
  private func others(_ before: ConfigSnapshot, _ made: Edited) throws(Failure) -> [Renamed] {
    var renamed: [Renamed] = []
    var removed = 0
    for place in before.places {
      if made.meant.contains(place) {
        removed += made.isRemoval ? 1 : 0
        continue
      }
      guard let id = before.id(place), let new = made.after.id(place - removed), new != id
      else { continue }
      renamed.append(Renamed(before: id, now: new))
    }
    if renamed.isEmpty { return [] }
    let old = schedule(of: before.reading.configuration.alarms)
    let new = schedule(of: made.after.reading.configuration.alarms)
    for other in renamed {
      let (old, now) = (old.entry(other.before), new.entry(other.now))
      guard old?.next == now?.next, old?.ring == now?.ring, old?.isSkipped == now?.isSkipped,
        old?.snoozedUntil == now?.snoozedUntil, old?.check == now?.check
      else { throw .confused(other.now, with: other.before) }
    }
    return renamed
  }

  /// One that stands in a file is cut where it is too long; one that is asked for is refused.
  func check(label: String?) throws(Failure) {
    guard label?.utf8.count ?? 0 > Identity.longestLabel else { return }
    throw .refused(tr("a label has at most \(Identity.longestLabel) bytes"))
  }

  private func places(of ids: [String], in config: ConfigSnapshot) throws(Failure) -> [Int] {
    let known = config.reading.alarmPlaces
    return try ids.map { id throws(Failure) in
      guard let place = known[id] else {
        throw .notFound(id, nearest: nearMatch(to: id, among: known.keys.sorted()))
      }
      return place
    }
  }
}

nonisolated extension Schedule.Entry {
  /// Of an alarm that rings once: nothing of it is to come, or is wanted.
  var isOver: Bool { wanted == nil && ring == nil && snoozedUntil == nil && check == nil }
}

nonisolated extension ConfigSnapshot {
  /// Of the alarms that have a name, in the order of the list.
  var places: [Int] { reading.alarmNames.indices.filter { id($0) != nil } }

  /// Whether the alarm rings once, on no day in particular.
  func isFloating(_ place: Int) -> Bool {
    if case .once? = alarm(place)?.recurrence.dates { true } else { false }
  }
}

nonisolated extension [TOMLEdit.Setting] {
  func sets(_ key: String) -> Bool { contains { $0.key == key && $0.isSet } }

  func text(_ key: String) -> String? { first { $0.key == key }?.text }
}
