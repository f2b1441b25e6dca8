// SPDX-License-Identifier: GPL-3.0-or-later
//
// Brings a banner back if GNOME Shell forgot it. If a banner's notification is closed while the
// user has the list of notifications open, the shell removes the banner when the list is closed,
// and does not look whether another notification is waiting. It looks when the next critical
// notification is posted, so Belfry posts one and closes it at once (`flash` in
// Notification.swift): it is never drawn. The shell does not report that its list was closed, so
// this is repeated as long as something should be in the banner.

import Scheduling

/// When to nudge the server.
struct BannerNudge: Hashable {
  /// When one of our notifications was last closed, by Belfry or by the user.
  var closed = Instant.distantPast
  /// When the server was last nudged.
  var last = Instant.distantPast

  /// How long after a close the first nudge follows. This soon, a ring is shown that was waiting
  /// behind the closed banner.
  static let delay = Duration.milliseconds(500)
  /// The time between two nudges. At first, it is so short that the banner is there within two
  /// seconds after the list was closed. A list that is open for longer is rare, and programs that
  /// pass on all notifications, for example to a phone, see each nudge.
  private func interval(_ now: Instant) -> Duration {
    now < closed + .seconds(90) ? .milliseconds(1500) : .seconds(15)
  }

  func isDue(_ now: Instant) -> Bool { closed > .distantPast && next(at: now) <= now }

  /// The first moment after `time` at which a nudge is due; nil if there is none.
  func next(after time: Instant) -> Instant? {
    let next = next(at: time)
    return closed > .distantPast && next > time ? next : nil
  }

  private func next(at now: Instant) -> Instant {
    max(closed + Self.delay, last + interval(now))
  }
}

extension Board {
  /// The notification of ours that is meant to be in the banner, if the server may lack it: the
  /// most important of the critical ones. Nothing is done behind a locked screen, which each post
  /// would light.
  private var bannerWanted: BoardEntry? {
    guard server?.manners.hasOneBanner == true, !isLocked else { return nil }
    return entries.values.filter { $0.shown?.post.content.urgency == .critical }
      .min { $0.order < $1.order }
  }

  func nextNudge(after time: Instant) -> Instant? {
    nudge.next(after: time).flatMap { bannerWanted == nil ? nil : $0 }
  }

  mutating func nudgeBanner(_ now: Instant) -> [Act] {
    guard nudge.isDue(now), let notice = bannerWanted?.wanted else { return [] }
    nudge.last = now
    return [.nudge(title: notice.title)]
  }

  /// Forgets a close that was a minute or longer before the notification that should now be in the
  /// banner. A list that was open all the while is too rare for nudges during every ring.
  mutating func forgetOldClose(_ now: Instant) {
    if bannerWanted == nil, nudge.closed + .minutes(1) <= now { nudge.closed = .distantPast }
  }
}
