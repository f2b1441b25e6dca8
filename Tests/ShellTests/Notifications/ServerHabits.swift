// SPDX-License-Identifier: GPL-3.0-or-later
//
// The habits of notification servers, which `BoardWorld` imitates.

@testable import Notifications

nonisolated extension BoardWorld {
  struct Habits {
    var name = "plain"
    var version = "1"
    /// How many notifications the server keeps. If there is one more, the oldest expires.
    var most = Int.max
    /// How often the server closes each new notification at once, and with which reason; nil if
    /// never.
    var closesAtOnce: (times: Int, reason: Notifier.CloseReason)?
    var closesAnswered = true
    /// Whether the server closes a notification before it replaces it under the same number.
    var closesReplaced = false
    var isNumberless = false

    static let all = [
      Habits(), Habits(name: "gnome-shell", version: "43.9", most: 3),
      Habits(name: "gnome-shell", version: "48.1", most: 10), Habits(name: "quickshell"),
      Habits(name: "Phosh Notify Daemon"),
      Habits(name: "Notification Daemon"), Habits(closesAtOnce: (3, .expired)),
      Habits(closesAtOnce: (2, .undefined)), Habits(closesAnswered: false),
      Habits(closesReplaced: true), Habits(isNumberless: true),
    ]
  }

  enum Health: CaseIterable { case well, refusing, hung, failing, absent }
}
