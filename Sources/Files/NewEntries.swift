// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds imported entries to the config in one edit. An entry is left out if the config already has
// it, or if it has an error. An error in a setting that has nothing to do with when an alarm rings
// costs only that setting. Next: `ConfigEditor.swift`.

import Configuration
import Language
import Scheduling
import System
import TOML

extension ConfigEditor {
  /// An `[[alarm]]`, `[[timer]]` or `[[clock]]` to add to the config.
  public struct NewEntry: Hashable, Sendable {
    public var list: String
    public var settings: [Setting]
    /// The id or name of the entry, once it is known.
    public var id: String?

    public init(_ list: String, _ settings: [Setting]) {
      (self.list, self.settings) = (list, settings)
    }

    /// The name of the entry in lists of imported entries.
    public var name: String {
      for key in ["label", "name", "city", "timezone", "time"] {
        guard let setting = settings.first(where: { $0.key == key }) else { continue }
        if let name = setting.text ?? setting.value?.text { return name }
      }
      return list
    }

    public var text: String {
      let lines = settings.compactMap { setting in
        setting.value.map { "\(TOMLText.key(setting.key)) = \($0.text)" }
      }
      return "[[\(list)]]\n" + lines.map { $0 + "\n" }.joined()
    }
  }

  /// Entries, grouped by whether they are added, already present or refused.
  public struct Sorting: Sendable {
    public var new: [NewEntry] = []
    public var present: [NewEntry] = []
    /// Entries that cannot be added, each with the reason.
    public var refused: [(NewEntry, String)] = []
    /// Settings that are left out of an entry, because their values are not allowed: the name of
    /// the entry, the key, and the reason.
    public var reduced: [(name: String, key: String, reason: String)] = []
    /// Warnings about new entries, each with the name of its entry.
    public var warnings: [(name: String, warning: String)] = []
  }

  /// Adds those of `entries` that are valid and not yet in the config, all of them or none.
  public func add(_ entries: [NewEntry], on disk: Disk) throws(Failure) -> Sorting {
    var sorting = Sorting()
    try revise(on: disk) { before throws(Failure) in
      sorting = sorted(entries, before, on: disk)
      return sorting.new.map(\.list).unique.map { list in
        .add(to: list, sorting.new.filter { $0.list == list }.map(\.settings))
      }
    }
    return sorting
  }

  private func sorted(_ entries: [NewEntry], _ before: Reading, on disk: Disk) -> Sorting {
    var sorting = Sorting()
    var known = Set(Likeness.all(of: before.configuration))
    // The state of an alarm is stored under its id, so a new alarm must not get the id of an alarm
    // that existed before.
    var ids = Set(before.alarmNames.compactMap(\.self)).union(state.alarms.keys)
    var names = Set(before.configuration.timers.map(\.name)).union(before.faultyTimers)
    let (context, zones) = (context(on: disk), Zones())
    for var entry in entries {
      var reading = Configuration.read(Array(entry.text.utf8), file: "", in: context)
      while let (index, reason) = Self.expendable(in: entry, reading) {
        let key = entry.settings.remove(at: index).key
        sorting.reduced.append((entry.name, key, reason))
        reading = Configuration.read(Array(entry.text.utf8), file: "", in: context)
      }
      let read = reading.configuration
      entry.id = read.alarms.first?.id ?? read.timers.first?.name ?? read.clocks.first?.name
      if let fault = reading.diagnostics.first(where: { $0.severity == .error }) {
        sorting.refused.append((entry, Failure.words(fault)))
      } else if let likeness = Likeness.all(of: read).first, known.contains(likeness) {
        sorting.present.append(entry)
      } else if let alarm = read.alarms.first,
        alarm.recurrence.next(after: now.wall, in: zones) == nil
      {
        sorting.refused.append((entry, tr("it would never ring again")))
      } else {
        if let alarm = read.alarms.first {
          let id = Self.free(alarm.id, &ids)
          entry.id = id
          if id != alarm.id { entry.settings.insert(Setting("id", text: id), at: 0) }
        }
        if let timer = read.timers.first {
          let name = Self.free(timer.name, &names)
          // `Import.addTimer` puts the key `name` first.
          (entry.id, entry.settings[0]) = (name, Setting("name", text: name))
        }
        sorting.warnings += reading.diagnostics.map { (entry.name, Failure.words($0)) }
        known.formUnion(Likeness.all(of: read))
        sorting.new.append(entry)
      }
    }
    return sorting
  }

  /// The settings without which an alarm still rings at the same times.
  private static let expendable: Set<String> = [
    "label", "sound", "volume", "fade_in", "snooze", "ring_for", "late", "upcoming",
  ]

  /// Returns the index of a setting that has an error and can be left out, and what is wrong with
  /// it. Nil if there is none.
  private static func expendable(
    in entry: NewEntry, _ reading: Reading
  ) -> (index: Int, reason: String)? {
    for fault in reading.diagnostics where fault.severity == .error {
      // The first line of the entry's text is its heading, and each setting has a line.
      let index = fault.line - 2
      if entry.settings.indices.contains(index), expendable.contains(entry.settings[index].key) {
        return (index, Failure.words(fault))
      }
    }
    return nil
  }

  /// Returns `name`, with a number if the name is already in `taken`, and adds the result to
  /// `taken`.
  static func free(_ name: String, _ taken: inout Set<String>) -> String {
    let free = numbered(name) { taken.contains($0) }
    taken.insert(free)
    return free
  }
}

/// The properties by which two entries are compared. Two entries that share a likeness count as the
/// same entry.
private enum Likeness: Hashable {
  case alarm(AlarmTime, Recurrence.Dates, String?, String?, CivilDate?, CivilDate?)
  case timer(String, Duration)
  case clock(String)

  /// Returns the likenesses of all entries. The first likeness of an entry describes the entry
  /// itself. The others describe entries that count as present because of this entry: if there is a
  /// timer `Tea-2`, an import need not add a timer `Tea` with the same length.
  static func all(of entries: Configuration) -> [Likeness] {
    entries.alarms.flatMap(all) + entries.timers.flatMap(all)
      + entries.clocks.map { .clock($0.name) }
  }

  private static func all(of alarm: Alarm) -> [Likeness] {
    let (rule, time) = (alarm.recurrence, AlarmTime(alarm.recurrence))
    let own = Likeness.alarm(time, rule.dates, alarm.label, rule.zone, rule.from, rule.until)
    // An alarm with a date may come from an earlier import without a date: Belfry wrote the date
    // when the alarm was enabled again. So it also counts as an alarm without a date.
    let once = Likeness.alarm(time, .once, alarm.label, rule.zone, nil, nil)
    return rule.repeats ? [own] : rule.dates == .once ? [once] : [own, once]
  }

  private static func all(of timer: TimerPreset) -> [Likeness] {
    var likenesses = [Likeness.timer(timer.name, timer.duration)]
    // `Tea-2` is the name that an import gives to the second timer with the name `Tea`.
    if let dash = timer.name.lastIndex(of: "-"), Int(timer.name[dash...].dropFirst()) != nil {
      likenesses.append(.timer(String(timer.name[..<dash]), timer.duration))
    }
    return likenesses
  }
}
