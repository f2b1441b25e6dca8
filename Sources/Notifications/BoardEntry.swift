// SPDX-License-Identifier: GPL-3.0-or-later
//
// One notification on the board: what is wanted, what the server has, and how soon it may be posted
// again. It decides nothing. Next: Board.swift, which does.

import Scheduling

/// What is wanted under an id, and what the server has of it.
nonisolated struct BoardEntry: Hashable {
  /// What the server has.
  enum State: Hashable {
    /// Nothing.
    case absent
    case shown(Shown)
    /// Nothing more is to be done about posting `revision`: the user has pressed a button, after
    /// which a server may close it or not; or the server gave no number, and showing it again and
    /// again would be worse.
    case finished(revision: Int, number: UInt32)
    /// A notification that nobody listens to, to be replaced; or closed if it is not wanted by
    /// then.
    case orphaned(number: UInt32, until: Instant)
  }

  struct Shown: Hashable {
    /// What the server calls it.
    var number: UInt32
    var revision: Int
    var content: NotificationContent
    /// Which one it is of several with the same text, from 0.
    var copy: Int
    /// When it is to be posted anew, though nothing in it has changed.
    var again: Instant?
    /// Whether signals may still come that the server sent before it took this in the place of the
    /// former one, with the same number.
    var isSettled: Bool
  }

  /// Nil: nothing.
  var wanted: NotificationContent?
  var revision = 0
  /// The revision by which it came to be wanted: unlike the last one, it stays what it is.
  var turn = 0
  var state = State.absent
  /// Until when it shows its buttons, since the user has clicked on it to see them.
  var openUntil: Instant?
  /// Whether one notification stands for it and others.
  var isGathered = false
  /// How many are passed over on the buttons of the one that stands for others.
  var firstGathered = 0
  /// When it was last shown, or gave way to another.
  var shownAt = Instant.distantPast
  /// How much later it may be shown anew.
  var backOff = BoardEntry.shortestBackOff
  /// How often in a row the server refused it, and when it last did.
  var refusals = 0
  var refusedAt = Instant.distantPast

  /// How often one id is shown anew at most: a server that closes at once must not make us spin.
  static let shortestBackOff = Duration.seconds(1)
  /// When to try again after a second refusal. The first may come of being too soon: Plasma takes
  /// the same text again after a second.
  static let refusedBackOff = Duration.seconds(5)
  /// How long what rings waits for a server at most.
  static let ringBackOff = Duration.seconds(2)

  /// How long it waits at most where the server puts it away each time.
  private var longestBackOff: Duration { isRinging ? Self.ringBackOff : .seconds(32) }

  var isRinging: Bool { wanted?.isRinging == true }

  /// What the server calls it, 0 for nothing, as in `replaces_id`.
  var number: UInt32 {
    switch state {
    case .absent: 0
    case .shown(let shown): shown.number
    case .finished(_, let number), .orphaned(let number, _): number
    }
  }

  var shown: Shown? {
    guard case .shown(let shown) = state else { return nil }
    return shown
  }

  /// What comes before others where not all have a place: what rings, what the user has opened, and
  /// last what only counts down.
  var rank: (Int, Int) {
    let kind = isRinging ? 0 : openUntil != nil ? 1 : wanted?.steadyBody == nil ? 2 : 3
    return (kind, turn)
  }

  /// In which order they are posted: what rings first, then by the revisions.
  var order: (Int, Int) { (isRinging ? 0 : 1, revision) }

  /// The earliest moment at which it may be posted.
  var earliest: Instant {
    let refused = refusals > 1 ? Self.refusedBackOff : Self.shortestBackOff
    let again = refusals > 0 ? refusedAt + min(refused, longestBackOff) : .distantPast
    return shown == nil ? max(again, shownAt + min(backOff, longestBackOff)) : again
  }

  /// The first moment after `time` at which something may have to be done about it, though nothing
  /// happens. It makes no list: it is asked of each entry with each event.
  func deadline(after time: Instant) -> Instant {
    var first = Instant.distantFuture
    func consider(_ moment: Instant?) {
      if let moment, moment > time { first = min(first, moment) }
    }
    consider(openUntil)
    if wanted != nil { consider(earliest) }
    switch state {
    case .shown(let shown): consider(shown.again)
    case .orphaned(_, let until): consider(until)
    case .absent, .finished: break
    }
    return first
  }

  /// The server has put it away, for `reason`: it may come back later each time, if that was soon.
  mutating func lengthenBackOff(_ reason: Notifier.CloseReason, _ now: Instant) {
    let isSoon = reason == .expired && now - shownAt < longestBackOff
    backOff = isSoon ? min(backOff * 2, longestBackOff) : Self.shortestBackOff
  }
}

nonisolated extension BoardEntry.Shown {
  /// Whether `rendition` is something else. A banner that passes by itself may pass.
  func isOutdated(by rendition: NotificationContent) -> Bool {
    var content = content
    if content.urgency == .normal, rendition.urgency == .low { content.urgency = .low }
    return content != rendition
  }
}
