// SPDX-License-Identifier: GPL-3.0-or-later
//
// Appends a line to the history for each ring when it ends. `HeardRings.swift` makes the lines, and
// `Outcome.swift` in the core lists the ways in which a ring can end.

import Files
import Persistence
import Scheduling
import System

/// Writes the lines of the history. If that fails, the ring goes on as usual, and the line is
/// written later: with the next line, or when the state is saved again.
final class History {
  var rings = HeardRings()
  private let writer: DurableWriter
  private let path: String
  /// The lines that are not on the disk yet, oldest first.
  private var lines: [String] = []
  private var isWriting = false
  private var hasComplained = false
  /// How many lines wait at most; further ones are lost.
  private static let mostLines = 1000

  init(_ writer: DurableWriter, path: String) { (self.writer, self.path) = (writer, path) }

  func ended(_ outcome: Outcome, _ zones: Zones) {
    guard let line = rings.ended(outcome) else { return }
    if lines.count < Self.mostLines { lines.append(line.json(in: zones)) }
    write()
  }

  /// Writes the lines that are not on the disk yet.
  func write() {
    guard !isWriting, !lines.isEmpty else { return }
    isWriting = true
    let (count, text) = (lines.count, lines.joined(separator: "\n"))
    writer.append(text, to: path, limit: HistoryText.limit) { [weak self] result in
      guard let self else { return }
      isWriting = false
      switch result {
      case .success:
        lines.removeFirst(count)
        hasComplained = false
        write()
      case .failure(let error):
        if !hasComplained { Log.warning("the history is not kept: \(error)") }
        hasComplained = true
      }
    }
  }
}
