// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changes, enables, disables and removes alarms in the config. If several alarms are edited at
// once, either all of them are changed or none. Enabling a one-time alarm that will not ring again
// writes the date of its next ring. The config alone then says when it rings, so the agent need not
// be running.

import Configuration
import Language
import Scheduling
import System
import TOML

extension ConfigEditor {
  public typealias Setting = TOMLEdit.Setting

  public struct Outcome: Sendable {
    /// The ids of the edited alarms after the edit. For removed alarms, the ids before the edit.
    public var ids: [String]
    /// Other alarms that have no `id` in the config, and whose id has changed because of the edit.
    public var renamed: [Renamed] = []
    /// The config after the edit. If alarms were removed, this is the config before the edit.
    public var reading: Reading
    public var schedule: Schedule
    /// The ids of edited alarms that ring as they did before: they have an error, or were removed
    /// while an error hides the id of an alarm.
    public var former: Set<String> = []
    public var warnings: [Diagnostic] = []
  }

  public struct Renamed: Hashable, Sendable {
    public var before: String
    public var now: String
  }

  // MARK: - Changing

  public func change(
    _ id: String, _ settings: [Setting], on disk: Disk
  ) throws(Failure) -> Outcome {
    try check(label: settings.text("label"))
    return try outcome(on: disk) { before throws(Failure) in
      let place = try places(of: [id], in: before, on: disk)[0]
      if let new = settings.text("id"), new != id, before.reading.alarmPlaces[new] != nil {
        throw Self.taken(new)
      }
      let rule = before.alarm(place)?.recurrence
      var settings = settings.compactMap { setting in
        setting.key == "except"
          ? setting.without(rule?.except ?? ExceptedDays(), rule?.calendars.map(\.name) ?? [])
          : setting
      }
      settings = replaced(settings, before.alarm(place)?.recurrence.dates) + settings
      let after = try apply([.change(of: "alarm", at: place, settings)], to: before)
      return Edited(
        after: after.isFloating(place) ? try armed([place], after) : after,
        ids: [after.id(place) ?? id], meant: [place], warnings: after.complaints)
    }
  }

  /// Returns the settings that remove the keys which cannot be combined with `settings`. Before the
  /// edit, the alarm rings on `dates`.
  private func replaced(_ settings: [Setting], _ dates: Recurrence.Dates?) -> [Setting] {
    var keys: [String] = []
    if settings.sets("date") { keys += ["days", "every", "from", "until"] }
    if settings.sets("days") || settings.sets("every") { keys.append("date") }
    if settings.text("every").flatMap({ Interval.parse($0) })?.unit == .days { keys.append("days") }
    if settings.sets("days"), case .every(let interval, _) = dates, interval.unit == .days {
      keys.append("every")
    }
    return keys.filter { key in !settings.contains { $0.key == key } }.map(Setting.init(removing:))
  }

  /// Switches alarms on or off. Switching on a one-time alarm that will not ring again makes it
  /// ring once more.
  public func setEnabled(_ ids: [String], _ flag: Bool, on disk: Disk) throws(Failure) -> Outcome {
    try outcome(on: disk) { before throws(Failure) in
      let ids = ids.unique
      let places = try places(of: ids, in: before, on: disk)
      let changed = places.filter { before.alarm($0)?.enabled != flag }
      let edits = changed.map {
        TOMLEdit.change(of: "alarm", at: $0, [Setting("enabled", flag: flag)])
      }
      // An alarm with an error can be switched off, but not on.
      let after =
        flag
        ? try armed(places, apply(edits, to: before))
        : try unjudged(edits, before)
      return Edited(after: after, ids: ids, meant: Set(places))
    }
  }

  /// Sets the date of each one-time alarm that is over to the next date on which it can ring. An
  /// alarm whose date is in the future keeps that date: its ring was only skipped, and `unskip`
  /// undoes that.
  func armed(_ places: [Int], _ config: ConfigSnapshot) throws(Failure) -> ConfigSnapshot {
    let edits = places.compactMap { place -> TOMLEdit? in
      guard let alarm = config.alarm(place), isOver(alarm) else { return nil }
      var rule = alarm.recurrence
      if case .on = rule.dates, rule.next(after: now.wall, in: Zones()) != nil { return nil }
      rule.dates = .once
      return rule.next(after: now.wall, in: Zones()).map {
        .change(of: "alarm", at: place, [Setting("date", date: $0.date)])
      }
    }
    return try apply(edits, to: config)
  }

  private func isOver(_ alarm: Alarm) -> Bool {
    !alarm.recurrence.repeats && schedule(of: [alarm.unpaused]).entry(alarm.id)?.isOver ?? false
  }

  // MARK: - Removing

  public func remove(_ ids: [String], on disk: Disk) throws(Failure) -> Outcome {
    try remove(on: disk) { before throws(Failure) in Set(try places(of: ids, in: before, on: disk))
    }
  }

  /// Removes all one-time alarms that will not ring again.
  public func removeDone(on disk: Disk) throws(Failure) -> Outcome {
    try remove(on: disk) { before throws(Failure) in
      let once = before.reading.configuration.alarms.filter { !$0.recurrence.repeats }
        .map(\.unpaused)
      let (schedule, zones) = (schedule(of: once), Zones())
      let places = before.reading.alarmPlaces
      let done = once.filter { alarm in
        if alarm.enabled { return schedule.entry(alarm.id)?.isOver ?? false }
        // A switched-off alarm counts as one that will not ring again if its date is in the past.
        guard case .on = alarm.recurrence.dates else { return false }
        return alarm.recurrence.next(after: now.wall, in: zones) == nil
      }
      return Set(done.compactMap { places[$0.id] })
    }
  }

  private func remove(
    on disk: Disk, _ choose: (ConfigSnapshot) throws(Failure) -> Set<Int>
  ) throws(Failure) -> Outcome {
    try outcome(on: disk) { before throws(Failure) in
      let places = try choose(before)
      let edits: [TOMLEdit] = places.isEmpty ? [] : [.remove(from: "alarm", places)]
      return Edited(
        after: try apply(edits, to: before), ids: places.sorted().compactMap(before.id),
        meant: places, isRemoval: true)
    }
  }

  // MARK: - Common parts

  struct Edited {
    var after: ConfigSnapshot
    var ids: [String]
    /// The indices that the edited alarms had before the edit.
    var meant: Set<Int> = []
    var isRemoval = false
    var warnings: [Diagnostic] = []
  }

  func outcome(
    on disk: Disk, _ make: (ConfigSnapshot) throws(Failure) -> Edited
  ) throws(Failure) -> Outcome {
    try perform(on: disk) { before throws(Failure) in
      let made = try make(before)
      let shown = (made.isRemoval ? before : made.after).reading
      let ids = Set(made.ids)
      let alarms = shown.configuration.alarms.filter { ids.contains($0.id) }
      let doubtful = made.isRemoval ? ids : ids.intersection(shown.faultyAlarms)
      let former = doubtful.isEmpty ? [] : ringing(beside: made.after.reading, on: disk)
      let outcome = Outcome(
        ids: made.ids, renamed: try others(before, made), reading: shown,
        schedule: schedule(of: alarms),
        former: doubtful.intersection(former), warnings: made.warnings)
      return (made.after, outcome)
    }
  }

  /// Returns the alarms that were not edited but whose ids have changed. The state of an alarm is
  /// stored under its id, so an alarm with a new id may get the state of another alarm. Throws if
  /// an alarm would ring at another time because of this.
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
      else {
        throw .refused(
          complaint(
            tr("\(other.before) would be called \(other.now) then, the id of another alarm"),
            hint: Message(
              "first give it an id of its own: belfry edit \(other.before) --id \(other.before)")))
      }
    }
    return renamed
  }

  static func taken(_ id: String) -> Failure {
    .refused(
      complaint(
        tr("an alarm is called \(TerminalText.quoted(id)) already"),
        hint: Message("choose another id")))
  }

  /// Throws if the label is too long. When a config with such a label is read, the label is cut
  /// instead.
  func check(label: String?) throws(Failure) {
    guard label?.utf8.count ?? 0 > Identity.longestLabel else { return }
    throw .refused(tr("a label has at most \(Identity.longestLabel) bytes"))
  }

  private func places(
    of ids: [String], in config: ConfigSnapshot, on disk: Disk
  ) throws(Failure) -> [Int] {
    let known = config.reading.alarmPlaces
    return try ids.map { id throws(Failure) in
      if let place = known[id] { return place }
      if ringing(beside: config.reading, on: disk).contains(id) {
        throw .refused(
          complaint(
            tr(
              """
              \(id) is not in the file, and rings as it did before, because an error hides the id \
              of an alarm
              """), hint: Message("belfry config check shows what is wrong")))
      }
      throw .missing(Self.unknown(id: id, among: known.keys.sorted()))
    }
  }

  /// Returns the ids of the alarms that are in force and switched on, if the file was read as
  /// `reading` and errors in it keep former settings in force; otherwise nothing.
  private func ringing(beside reading: Reading, on disk: Disk) -> Set<String> {
    guard reading.hasErrors, let former = StateFile.settings(locations, Patience(), on: disk) else {
      return []
    }
    let inForce = former.replaced(by: reading, in: ConfigFile.contextOfCopies).configuration
    return Set(inForce.alarms.filter(\.enabled).map(\.id))
  }
}

extension Schedule.Entry {
  /// For a one-time alarm: whether it will not ring again.
  var isOver: Bool { wanted == nil && ring == nil && snoozedUntil == nil && check == nil }
}

extension ConfigSnapshot {
  /// The indices of the alarms that have an id.
  var places: [Int] { reading.alarmNames.indices.filter { id($0) != nil } }

  /// Whether the alarm has no date or days, so that it rings only once, at the next occurrence of
  /// its time.
  func isFloating(_ place: Int) -> Bool {
    if case .once? = alarm(place)?.recurrence.dates { true } else { false }
  }
}

extension [TOMLEdit.Setting] {
  func sets(_ key: String) -> Bool { contains { $0.key == key && $0.isSet } }

  func text(_ key: String) -> String? { first { $0.key == key }?.text }
}
