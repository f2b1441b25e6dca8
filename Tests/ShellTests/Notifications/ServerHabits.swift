// SPDX-License-Identifier: GPL-3.0-or-later
//
// The habits of notification servers, as `BoardWorld` plays them.

@testable import Notifications

nonisolated extension BoardWorld {
  /// What a server does.
  struct Habits {
    var name = "plain"
    var version = "1"
    /// How many it keeps; one more, and the oldest expires.
    var most = Int.max
    /// What it closes as soon as it is posted, how often at most, and why it says that it did.
    var closesAtOnce: (times: Int, reason: Notifier.CloseReason)?
    var closesAnswered = true
    /// It closes what is replaced before it replaces it, under the same number.
    var closesReplaced = false
    var isNumberless = false

    static let all = [
      Habits(), Habits(name: "gnome-shell", version: "43.9", most: 3),
      Habits(name: "gnome-shell", version: "48.1", most: 10), Habits(name: "quickshell"),
      Habits(name: "Notification Daemon"), Habits(closesAtOnce: (3, .expired)),
      Habits(closesAtOnce: (2, .undefined)), Habits(closesAnswered: false),
      Habits(closesReplaced: true), Habits(isNumberless: true),
    ]
  }

  enum Health: CaseIterable { case well, refusing, hung, failing, absent }
}
