// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps for each ring when it was heard, or why it was not heard, and makes the ring's line of the
// history when it ends. One sound plays for everything that is ringing, so all rings are heard when
// that sound is heard. `RingSound.swift` reports what becomes of the sound, and `History.swift`
// writes the lines.

import Persistence
import Scheduling

nonisolated struct HeardRings {
  private enum Hearing {
    case since(Instant)
    case not(Unheard)
  }

  private struct Source {
    var id: String
    var device: String
    var file: String?
  }

  /// A ring that has not ended yet.
  private struct Open {
    var due: Instant
    var hearing: Hearing
    /// The first sound that was heard and was this ring's own; before that, the present one.
    var source: Source?

    /// Applies what is known of the present sound. Once the ring has been heard, it stays so.
    mutating func update(_ id: String, _ hearing: Hearing, _ source: Source?) {
      let own = source?.id == id ? source : nil
      switch (self.hearing, hearing) {
      case (.since, _): self.source = self.source ?? own
      case (.not, .not(.early)): self.source = own ?? self.source
      case (.not, _): (self.hearing, self.source) = (hearing, own ?? self.source)
      }
    }
  }

  private var open: [String: Open] = [:]
  /// Whether the present sound is heard.
  private var hearing = Hearing.not(.early)
  /// The present sound, once its device was started.
  private var source: Source?

  /// Records that the sound for the ring `id` was started on `device`. `file` is nil for the
  /// built-in tone.
  mutating func soundBegan(_ id: String, device: String, file: String?) {
    source = Source(id: id, device: device, file: file)
    update()
  }

  /// Records that the present sound has been heard since `moment`.
  mutating func heard(at moment: Instant) {
    if case .not = hearing { hearing = .since(moment) }
    update()
  }

  /// Records that the present sound is not heard, for this reason.
  mutating func notHeard(_ reason: Unheard) {
    // A device that fails is the lesser news if the sound has gone to an output that no one hears.
    if case .not(let known) = hearing, reason == .noDevice, known != .early { return }
    hearing = .not(reason)
    update()
  }

  /// Records that the present sound was stopped, or that another sound was ordered.
  mutating func soundEnded() { (hearing, source) = (.not(.early), nil) }

  /// Records that `ring`, which was due at `due`, is ringing.
  mutating func began(_ ring: OpenRing, due: Instant, now: Instant) {
    // A ring that goes on under another id is known already.
    if open[ring.id] != nil {
      open[ring.id]?.due = due
      return
    }
    // A ring that began some time ago was heard under an earlier agent, as far as is known.
    let isResumed = now - ring.ring.since > .seconds(2)
    open[ring.id] = Open(due: due, hearing: isResumed ? .since(ring.ring.since) : .not(.early))
    open[ring.id]?.update(ring.id, hearing, source)
  }

  /// Records that the ring `id` goes on as `new`.
  mutating func renamed(_ id: String, to new: String) {
    open[new] = open.removeValue(forKey: id)
    if source?.id == id { source?.id = new }
  }

  /// Returns the history's line for a ring that has ended; nil if it is a rehearsal.
  mutating func ended(_ outcome: Outcome) -> HistoryLine? {
    let open = open.removeValue(forKey: outcome.id)
    guard outcome.rang?.isRehearsal != true else { return nil }
    var line = HistoryLine(
      id: outcome.id, due: outcome.due, answer: outcome.answer, answered: outcome.at)
    (line.kind, line.label, line.length) = (outcome.kind, outcome.label, outcome.length)
    (line.snoozeCount, line.checks) =
      outcome.open.map { ($0.ring.snoozeCount, $0.ring.checks) } ?? (0, 0)
    guard let ring = outcome.rang?.ring else { return line }
    if !ring.isFirst { line.due = open?.due ?? ring.since }
    line.rang = ring.since
    guard let open else { return line }
    switch open.hearing {
    // The sound may have begun before this ring, for another ring.
    case .since(let moment): line.rang = max(moment, ring.since)
    case .not(let reason): line.unheard = reason
    }
    if let source = open.source {
      (line.device, line.sound) = (source.device, source.file ?? "tone")
    }
    return line
  }

  private mutating func update() {
    for id in open.keys { open[id]?.update(id, hearing, source) }
  }
}
