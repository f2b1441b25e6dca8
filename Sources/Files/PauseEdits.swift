// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds and removes pauses in the config. Next: `ConfigEditor.swift`.

import Configuration
import Language
import Scheduling
import System
import TOML

extension ConfigEditor {
  /// Adds a pause after the existing ones. Returns the number of the new pause, and the alarms that
  /// it silences.
  public func add(_ pause: Pause, on disk: Disk) throws(Failure) -> (number: Int, alarms: [Alarm]) {
    try check(label: pause.label)
    let texts = [("group", pause.group), ("label", pause.label)]
    let settings =
      [Setting("from", date: pause.from)]
      + (pause.until.map { [Setting("until", date: $0)] } ?? [])
      + texts.compactMap { key, text in text.map { Setting(key, text: $0) } }
    let after = try revise(on: disk) { before throws(Failure) in
      let alarms = before.configuration.alarms
      if let group = pause.group, !alarms.contains(where: { $0.group == group }) {
        throw .missing(Self.unknown(group: group, among: alarms))
      }
      return [.add(to: "pause", [settings])]
    }
    let alarms = after.configuration.alarms.filter { $0.enabled && pause.isMeant(for: $0) }
    return (after.configuration.pauses.count, alarms)
  }

  /// The removed pauses with their former numbers, and the alarms of the config.
  public typealias RemovedPauses = (pauses: [(number: Int, pause: Pause)], alarms: [Alarm])

  /// Removes all pauses that cover `today`.
  public func resume(on today: CivilDate, on disk: Disk) throws(Failure) -> RemovedPauses {
    try removePauses(on: disk) { pauses in pauses.indices.filter { pauses[$0].covers(today) } }
  }

  /// Removes the pause at position `number`, counted from 1.
  public func removePause(_ number: Int, on disk: Disk) throws(Failure) -> RemovedPauses {
    try removePauses(on: disk) { pauses throws(Failure) in
      if number > 0, number <= pauses.count { return [number - 1] }
      throw .missing(
        pauses.isEmpty
          ? tr("there is no pause")
          : complaint(
            tr("there is no pause \(number)"), hint: Message("belfry pause list shows them")))
    }
  }

  /// Removes the pauses whose indices `choose` returns.
  private func removePauses(
    on disk: Disk, _ choose: ([Pause]) throws(Failure) -> [Int]
  ) throws(Failure) -> RemovedPauses {
    var removed: [(Int, Pause)] = []
    let after = try revise(on: disk) { before throws(Failure) in
      let pauses = before.configuration.pauses
      let places = try choose(pauses)
      removed = places.map { ($0 + 1, pauses[$0]) }
      if places.isEmpty { return [] }
      return [.remove(from: "pause", Set(places.map { before.pausePlaces[$0] }))]
    }
    return (removed, after.configuration.alarms)
  }

  /// Returns the message that no alarm is in this group, with a hint that names a similar group.
  public nonisolated static func unknown(group: String, among alarms: [Alarm]) -> String {
    let shown = TerminalText.quoted(group)
    let near = nearMatch(to: group, among: alarms.compactMap(\.group))
    return complaint(
      tr("no alarm is in the group \(shown)"), hint: near.map(Message.didYouMean))
  }
}
