// SPDX-License-Identifier: GPL-3.0-or-later
//
// Entries that come from another program, as one edit of the config. What is there already is not
// written again, and what the config would not take is not written at all. Next:
// `ConfigEditor.swift`.

import Configuration
import Language
import Scheduling
import System
import TOML

nonisolated extension ConfigEditor {
  /// An `[[alarm]]`, `[[timer]]` or `[[clock]]`.
  public struct NewEntry: Hashable, Sendable {
    public var list: String
    public var settings: [Setting]

    public init(_ list: String, _ settings: [Setting]) {
      (self.list, self.settings) = (list, settings)
    }

    /// What it is called among others.
    public var name: String {
      for key in ["label", "name", "city", "timezone", "time"] {
        guard let setting = settings.first(where: { $0.key == key }) else { continue }
        if let name = setting.text ?? setting.value?.text { return name }
      }
      return list
    }

    /// As it stands in a config.
    public var text: String {
      let lines = settings.compactMap { setting in
        setting.value.map { "\(TOMLText.key(setting.key)) = \($0.text)" }
      }
      return "[[\(list)]]\n" + lines.map { $0 + "\n" }.joined()
    }
  }

  /// What becomes of new entries.
  public struct Sorting: Sendable {
    public var new: [NewEntry] = []
    public var present: [NewEntry] = []
    /// And why.
    public var refused: [(NewEntry, String)] = []
  }

  /// What `add` would do.
  public func preview(_ entries: [NewEntry]) throws(Failure) -> Sorting {
    let reading = ConfigFile.read(locations.config, name: name, sounds: SoundLibrary(locations))
    if let reading, !reading.isTOML, let fault = reading.diagnostics.first { throw .config(fault) }
    return sorted(entries, reading ?? Reading())
  }

  /// Writes those that are new, all of them or none.
  public func add(_ entries: [NewEntry]) throws(Failure) -> Sorting {
    var sorting = try preview(entries)
    // Nor is a config begun for nothing.
    if sorting.new.isEmpty { return sorting }
    try revise { before throws(Failure) in
      sorting = sorted(entries, before)
      return sorting.new.map { .add(to: $0.list, $0.settings) }
    }
    return sorting
  }

  private func sorted(_ entries: [NewEntry], _ before: Reading) -> Sorting {
    var sorting = Sorting()
    var known = before.configuration
    // State goes by the name: nobody is to come into that of another, be he gone.
    var ids = Set(before.alarmNames.compactMap(\.self)).union(state.alarms.keys)
    var names = Set(known.timers.map(\.name)).union(before.faultyTimers)
    let context = context
    for var entry in entries {
      let reading = Configuration.read(Array(entry.text.utf8), file: "", in: context)
      let read = reading.configuration
      if let fault = reading.diagnostics.first(where: { $0.severity == .error }) {
        sorting.refused.append((entry, Failure.words(fault)))
      } else if known.has(read) {
        sorting.present.append(entry)
      } else if let alarm = read.alarms.first,
        alarm.recurrence.next(after: now.wall, in: Zones()) == nil
      {
        sorting.refused.append((entry, tr("it would never ring again")))
      } else {
        if let alarm = read.alarms.first {
          let id = Self.free(alarm.id, "-", &ids)
          if id != alarm.id { entry.settings.insert(Setting("id", text: id), at: 0) }
        }
        if let timer = read.timers.first {
          entry.settings[0] = Setting("name", text: Self.free(timer.name, " ", &names))
        }
        known.alarms += read.alarms
        known.timers += read.timers
        known.clocks += read.clocks
        sorting.new.append(entry)
      }
    }
    return sorting
  }

  /// `name`, or that with the first number that makes it one of its own.
  private static func free(_ name: String, _ joint: String, _ taken: inout Set<String>) -> String {
    var (free, count) = (name, 2)
    while !taken.insert(free).inserted {
      free = "\(name)\(joint)\(count)"
      count += 1
    }
    return free
  }
}

nonisolated extension Configuration {
  /// Whether the one entry of `other` is here: an alarm of that time, those days and that label, a
  /// timer of that name and length, a clock of that place.
  fileprivate func has(_ other: Configuration) -> Bool {
    if let alarm = other.alarms.first {
      return alarms.contains { $0.label == alarm.label && $0.recurrence.isLike(alarm.recurrence) }
    }
    if let timer = other.timers.first {
      return timers.contains { present in
        guard present.duration == timer.duration else { return false }
        let rest = present.name.dropFirst(timer.name.count)
        // "Tea 2" is the second one of that name.
        return present.name == timer.name
          || present.name.hasPrefix(timer.name + " ") && Int(rest.dropFirst()) != nil
      }
    }
    return clocks.contains { $0.place == other.clocks.first?.place }
  }
}

nonisolated extension Recurrence {
  /// One that rings once may have been given its day since.
  fileprivate func isLike(_ new: Recurrence) -> Bool {
    if case .once = new.dates { return time == new.time && zone == new.zone && !repeats }
    return time == new.time && dates == new.dates && zone == new.zone && from == new.from
      && until == new.until
  }
}
