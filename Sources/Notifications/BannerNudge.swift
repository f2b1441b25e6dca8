// SPDX-License-Identifier: GPL-3.0-or-later
//
// Brings a banner back if GNOME Shell forgot it. If a banner's notification is closed
// while the user has the list of notifications open, the shell removes the banner when the list is
// closed, and does not look whether another notification is waiting. It looks at the next critical
// notification, so Belfry posts one and closes it at once (`flash` in Notification.swift): it is
// never drawn. The shell does not report that its list was closed, so this is repeated for a while.

import Scheduling

/// When to nudge the server.
struct BannerNudge: Hashable {
  /// When one of our notifications was last closed, by Belfry or by the user.
  var closed = Instant.distantPast
  /// When the server was last nudged.
  var last = Instant.distantPast

  /// How long after a close the first nudge follows: this soon, a ring is shown that was waiting
  /// behind the closed banner.
  static let delay = Duration.milliseconds(500)
  /// A ring's banner must be there within two seconds after the list was closed.
  static let interval = Duration.milliseconds(1500)
  /// How long the list may have been open. After a minute, the ring is posted again anyway.
  static let patience = Duration.minutes(1)

  func isDue(_ now: Instant) -> Bool {
    closed + Self.delay <= now && last + Self.interval <= now && now < closed + Self.patience
  }

  /// The first moment after `time` at which a nudge is due; nil if there is none.
  func next(after time: Instant) -> Instant? {
    let next = max(closed + Self.delay, last + Self.interval)
    return next > time && next < closed + Self.patience ? next : nil
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
}
