// SPDX-License-Identifier: GPL-3.0-or-later
//
// Appends a line to the history for each ring: when it rang, how late, on which device, and how it
// ended. `Outcome.swift` in the core lists the ways in which a ring can end. If the history cannot
// be written, the ring goes on as usual.

import Configuration
import Persistence
import Scheduling
import System

final class History {
  private let writer: DurableWriter
  private let path: String
  /// Maps the id of each open ring to the time at which the ring was due.
  private var dues: [String: Instant] = [:]
  private var firstSounds:
    [String: (asked: Instant, delay: Duration, device: String, file: String?)] = [:]
  private var hasComplained = false

  init(_ writer: DurableWriter, path: String) { (self.writer, self.path) = (writer, path) }

  /// Records that the sound of the ring `id` was requested at `asked` and heard `delay` later.
  func heard(_ id: String, asked: Instant, delay: Duration, device: String, file: String?) {
    guard firstSounds[id] == nil else { return }
    firstSounds[id] = (asked, delay, device, file)
  }

  func began(_ ring: OpenRing, due: Instant) { dues[ring.id] = due }

  func ended(_ outcome: Outcome, _ zones: Zones) {
    defer { (dues[outcome.id], firstSounds[outcome.id]) = (nil, nil) }
    if outcome.rang?.isRehearsal != true, let line = line(outcome) {
      append(line.json(in: zones).text)
    }
  }

  private func line(_ outcome: Outcome) -> HistoryLine? {
    guard let answer = outcome.answer else { return nil }
    var line = HistoryLine(
      id: outcome.id, due: outcome.due, answer: answer, answered: outcome.at)
    (line.kind, line.label) = (outcome.kind, outcome.label)
    (line.snoozes, line.checks) = outcome.open.map { ($0.ring.snoozes, $0.ring.checks) } ?? (0, 0)
    guard let ring = outcome.rang?.ring else { return line }
    if !ring.isFirst { line.due = dues[outcome.id] ?? ring.since }
    line.rang = ring.since
    guard let first = firstSounds[outcome.id] else { return line }
    (line.device, line.sound) = (first.device, first.file ?? "tone")
    // A ring is first heard when its sound begins. But if the sound was requested much later than
    // the ring began, another ring was sounding, or the agent was restarted during the ring. In
    // that case, `rang` stays the time at which the ring began.
    if first.asked - ring.since < .seconds(2) { line.rang = first.asked + first.delay }
    return line
  }

  private func append(_ line: String) {
    writer.append(line, to: path, limit: HistoryText.limit) { [weak self] result in
      guard case .failure(let error) = result, let self, !hasComplained else { return }
      hasComplained = true
      Log.warning("the history is not kept: \(error)")
    }
  }
}
