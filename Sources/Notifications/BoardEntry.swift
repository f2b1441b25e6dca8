// SPDX-License-Identifier: GPL-3.0-or-later
//
// One notification on the board: what is wanted, what the server has, and how soon it may be shown
// again. It calls nobody. Next: NotificationBoard.swift, which brings the two together.

import CGLib
import Scheduling
import System

/// What is wanted under an id, and what the server has.
nonisolated struct BoardEntry {
  /// Nil: nothing.
  var wanted: NotificationContent?
  var revision = 0
  /// The revision by which it came to be wanted: unlike the last one, it stays what it is.
  var turn = 0
  /// Whether the server is still to be told.
  var isDue = true
  /// Whether the server has room for it beside what is more urgent.
  var hasPlace = true
  var shown: Notification?
  /// What of `wanted` the server was told last.
  var rendition: NotificationContent?
  /// What the server calls it, 0 for nothing. Without `shown` it is one that nobody listens to any
  /// more, to be replaced or closed.
  var number: Int32 = 0
  /// An earlier process left it: it may be wanted in a moment.
  var isInherited = false
  /// A button was pressed: that was the verdict, and the server may close it at any moment.
  var isAnswered = false
  /// The user has clicked on it to see its buttons.
  var isOpened = false
  /// It is to be shown anew, though nothing in it has changed.
  var mustReturn = false
  /// Set while signals may still come that the server sent before it replaced the former one.
  var barrier: Worker.Delayed?
  /// What becomes of it after a while as it is.
  var later: Worker.Delayed?
  /// What tells it from others of the same text that are shown.
  var twin = 0
  /// When it was last shown, on the monotonic clock in microseconds.
  var shownAt: gint64?
  /// How much later it may be shown anew.
  var pause = BoardEntry.pause
  /// Whether the server refused it the last time.
  var isRefused = false

  /// How often one id is shown anew at most: a server that closes at once must not make us spin.
  static let pause = Duration.seconds(1)
  /// How seldom at least, where the server puts it away each time. What rings is never gone for long.
  private var longestPause: Duration { isRinging ? .seconds(2) : .seconds(32) }

  var isRinging: Bool { wanted?.isRinging == true }

  /// What comes before others where not all have a place: what rings, what the user has opened, and
  /// last what only counts down.
  var rank: (Int, Int) {
    let kind = isRinging ? 0 : isOpened ? 1 : wanted?.steadyBody == nil ? 2 : 3
    return (kind, turn)
  }

  /// Has it shown anew, though nothing in it has changed.
  mutating func showAnew() {
    mustReturn = true
    isDue = true
  }

  /// It was taken from the screen, and is to come back, though not at once: by then it may not be
  /// wanted any more, as the countdown of what rings now.
  mutating func putAway(at time: gint64) {
    (shown, number, isDue, shownAt) = (nil, 0, true, time)
  }

  /// Whether `rendition` is something else than what is shown. A banner that passes by itself may
  /// pass.
  func isOutdated(by rendition: NotificationContent) -> Bool {
    guard var shown = self.rendition else { return true }
    if shown.urgency == .normal, rendition.urgency == .low { shown.urgency = .low }
    return shown != rendition
  }

  /// How long it must not be shown anew, or nil.
  var rest: Duration? {
    guard let shownAt else { return nil }
    let rest = pause - .microseconds(g_get_monotonic_time() - shownAt)
    return rest > .zero ? rest : nil
  }

  /// What the pause becomes when the server puts it away: twice as long where it did so soon.
  func pause(after reason: Notifier.CloseReason) -> Duration {
    guard reason == .expired, let shownAt,
      .microseconds(g_get_monotonic_time() - shownAt) < longestPause
    else { return Self.pause }
    return min(pause * 2, longestPause)
  }
}
