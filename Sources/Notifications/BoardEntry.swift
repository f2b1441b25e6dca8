// SPDX-License-Identifier: GPL-3.0-or-later
//
// One notification on the board: its wanted content, its state on the server, and how soon it may
// be posted again. The decisions are made in Board.swift; read that next.
//
// | `State`  | the notification          | what happens                              | next     |
// | -------- | ------------------------- | ----------------------------------------- | -------- |
// | absent   | is not on the screen      | posted                                    | shown    |
// |          |                           | posted, but the server gave no number     | finished |
// | shown    | is on the screen          | posted again with other content           | shown    |
// |          |                           | the user presses a button                 | finished |
// |          |                           | the user opens it by a click              | orphaned |
// |          |                           | closed, withdrawn, or the server is gone  | absent   |
// |          |                           | closed while a replacement is on its way  | orphaned |
// | finished | has done its work         | posted again with another revision        | shown    |
// |          |                           | the server is gone                        | absent   |
// | orphaned | may be on the screen, and | posted in its place                       | shown    |
// |          | has to be replaced        | closed, unless one is wanted in 2 seconds | absent   |

import Scheduling

/// The notification that is wanted under one id, and its state on the server.
struct BoardEntry: Hashable {
  enum State: Hashable {
    case absent
    case shown(Shown)
    /// Nothing more is posted for `revision`. Either the user has pressed a button, after which the
    /// server may or may not close the notification; or the server gave no number, and showing the
    /// notification again and again would be worse.
    case finished(revision: Int, number: UInt32)
    /// A notification on the screen that has to be replaced, for example because an earlier process
    /// left it. If no notification with the same id is wanted before `until`, it is closed.
    case orphaned(number: UInt32, until: Instant)
  }

  struct Shown: Hashable {
    var post: Board.Post
    var number: UInt32
    /// When to post the notification again even if it has not changed; nil for never.
    var again: Instant?
    /// Whether all signals that the server sent before this post have arrived. Until then, a signal
    /// with the number of this notification may be about the notification that it replaced.
    var isSettled: Bool
    /// Until when the notification may be in the server's only banner, which an update would show
    /// again; nil if an update would not.
    var bannerUntil: Instant?
  }

  var wanted: NotificationContent?
  var revision = 0
  /// The revision with which the notification became wanted. Later updates do not change this
  /// number.
  var turn = 0
  var state = State.absent
  /// The urgency with which the notification was last posted.
  var urgencyShown = NotificationContent.Urgency.low
  /// Until when the notification shows its buttons after the user has clicked on it; nil if it is
  /// not open.
  var openUntil: Instant?
  /// Whether one shared notification stands for this one and others; see Gathering.swift.
  var isGathered = false
  /// For the shared notification only: how many of the notifications in it to skip before the one
  /// that gets the first button.
  var firstGathered = 0
  /// When the notification was last shown, or was closed to make room for another.
  var shownAt = Instant.distantPast
  /// How long to wait before showing the notification again.
  var backOff = BoardEntry.shortestBackOff
  /// How many times in a row the server has refused the notification.
  var refusals = 0
  var refusedAt = Instant.distantPast

  /// The shortest time between two posts of one id. Without it, a server that closes each post at
  /// once would keep this process busy.
  static let shortestBackOff = Duration.seconds(1)
  /// How long to wait after a second refusal. The first refusal may only mean that the post came
  /// too soon: Plasma accepts the same text again after a second. If nothing is ringing, the board
  /// also waits this long before it asks a failed server again.
  static let refusedBackOff = Duration.seconds(5)
  /// The longest wait before the board tries again to show the notification of a ring.
  static let ringBackOff = Duration.seconds(2)
  /// How long GNOME Shell leaves a banner of normal urgency on the screen, with some time to spare.
  static let bannerTime = Duration.seconds(10)

  /// The longest wait before posting a notification that the server keeps removing.
  private var longestBackOff: Duration { isRinging ? Self.ringBackOff : .seconds(32) }

  var isRinging: Bool { wanted?.isRinging == true }

  /// The server's number of the notification, or 0 if there is none, as in the standard's
  /// `replaces_id`.
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

  /// The order in which notifications get a place on a server that does not have room for all:
  /// rings, then notifications that the user has opened, then others, and countdowns last.
  var rank: (Int, Int) {
    let kind = isRinging ? 0 : openUntil != nil ? 1 : wanted?.steadyBody == nil ? 2 : 3
    return (kind, turn)
  }

  var order: (Int, Int) { (isRinging ? 0 : 1, revision) }

  /// The earliest moment at which the notification may be posted.
  var earliest: Instant {
    let refused = refusals > 1 ? Self.refusedBackOff : Self.shortestBackOff
    let again = refusals > 0 ? refusedAt + min(refused, longestBackOff) : .distantPast
    return shown == nil ? max(again, shownAt + min(backOff, longestBackOff)) : again
  }

  /// Returns the first moment after `time` at which the entry needs attention even without an
  /// event. This function is called for each entry at each event, so it does not build a list.
  func deadline(after time: Instant) -> Instant {
    var first = Instant.distantFuture
    func consider(_ moment: Instant?) {
      if let moment, moment > time { first = min(first, moment) }
    }
    consider(openUntil)
    if wanted != nil { consider(earliest) }
    switch state {
    case .shown(let shown):
      consider(shown.again)
      consider(shown.bannerUntil)
    case .orphaned(_, let until): consider(until)
    case .absent, .finished: break
    }
    return first
  }

  /// Call this when the server has removed the notification for `reason`. If the notification
  /// expired soon after it was shown, the wait before it is shown again is doubled.
  mutating func lengthenBackOff(_ reason: Notifier.CloseReason, _ now: Instant) {
    let isSoon = reason == .expired && now - shownAt < longestBackOff
    backOff = isSoon ? min(backOff * 2, longestBackOff) : Self.shortestBackOff
  }
}

extension BoardEntry.Shown {
  /// Returns whether `rendition` differs from the notification on the screen. A change of only the
  /// urgency from normal to low does not count: it would merely remove a banner, and a banner of
  /// normal urgency disappears by itself. If `countdownIsHeld`, a change of only the time left does
  /// not count either.
  func isOutdated(by rendition: NotificationContent, countdownIsHeld: Bool) -> Bool {
    var (content, rendition) = (post.content, rendition)
    if content.urgency == .normal, rendition.urgency == .low { content.urgency = .low }
    if countdownIsHeld, content.steadyBody != nil, content.steadyBody == rendition.steadyBody {
      content.body = rendition.body
    }
    (content.steadyBody, rendition.steadyBody) = (nil, nil)
    return content != rendition
  }
}
