// SPDX-License-Identifier: GPL-3.0-or-later
//
// What rang when, how late, on what, and what became of it: a line in the history for each ring, on
// the disk a moment after the answer. What became of it is told by `Outcome.swift` in the core. A
// history that cannot be written costs no ring.

import Configuration
import Persistence
import Scheduling
import System

final class History {
  private let writer: DurableWriter
  private let path: String
  /// When what is snoozed is due again; kept while it rings.
  private var snoozeEnds: [String: Instant] = [:]
  private var firstSounds: [String: FirstSound] = [:]
  private var hasComplained = false

  private struct FirstSound {
    var asked: Instant
    var delay: Duration
    var device: String
    var file: String?
  }

  init(_ writer: DurableWriter, path: String) { (self.writer, self.path) = (writer, path) }

  /// What rings under `id`, asked for at `asked`, was heard `delay` later.
  func heard(_ id: String, asked: Instant, delay: Duration, device: String, file: String?) {
    guard firstSounds[id] == nil else { return }
    firstSounds[id] = FirstSound(asked: asked, delay: delay, device: device, file: file)
  }

  /// Records what `outcomes` tell, of what was under way `before`.
  func record(
    _ outcomes: [Outcome], since before: Schedule.Underway, at now: Instant, _ zones: Zones
  ) {
    for item in before.items {
      if let until = item.snoozedUntil { snoozeEnds[item.id] = until }
    }
    for outcome in outcomes {
      let line = line(outcome, at: now)
      (snoozeEnds[outcome.id], firstSounds[outcome.id]) = (nil, nil)
      append(line.json(in: zones).text)
    }
  }

  private func line(_ outcome: Outcome, at now: Instant) -> HistoryLine {
    var line = HistoryLine(
      id: outcome.id, due: outcome.due, answer: outcome.answer, answered: now)
    (line.kind, line.label) = (outcome.kind, outcome.label)
    guard let ring = outcome.ring else { return line }
    line.snoozes = ring.snoozes
    if ring.snoozes > 0 { line.due = snoozeEnds[outcome.id] ?? ring.since }
    line.rang = ring.since
    guard let first = firstSounds[outcome.id] else { return line }
    (line.device, line.sound) = (first.device, first.file ?? "tone")
    // Asked for later, it was not the first to be heard: another rang before it, or the agent was
    // started again in the middle.
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
