// SPDX-License-Identifier: GPL-3.0-or-later
//
// How notification servers differ in what they show, and when, as far as Belfry goes by it: told by
// what each calls itself. All that is special about one server is here. Next:
// NotificationBoard.swift, which goes by it.

import Scheduling

nonisolated extension Notifier.Server {
  /// Under what circumstances a notice is shown.
  struct Circumstances {
    /// It was never shown before.
    var isNew = false
    /// The user has clicked on it, to see its buttons.
    var isOpened = false
    /// Another one rings.
    var isBesideRing = false
  }

  private var isGnomeShell: Bool { name == "gnome-shell" }

  /// Whether it shows what is said beside a bar: Xfce's then shows the bar alone.
  private var hasTextBesideBar: Bool { name != "Xfce Notify Daemon" }
  /// Whether it draws buttons: mako has them in a menu that few know of.
  private var drawsActions: Bool { hasActions && name != "mako" }

  /// Whether a notification may be changed while it is shown. GNOME Shell 43 takes the buttons of a
  /// banner away at each change, and its listeners add up.
  var updatesInPlace: Bool { !isGnomeShell }

  /// Whether what rings stays on the screen until it is answered. GNOME Shell's banner is gone after
  /// Escape, and after the screen was blank or locked, without a word to us.
  var keepsOnScreen: Bool { !isGnomeShell }

  /// Whether only a click on a quiet notice brings its buttons. GNOME Shell shows a banner for some
  /// seconds, and up to 46 the list of notifications has no buttons.
  var opensOnClick: Bool { isGnomeShell }

  /// How many of ours it keeps: one more, and it drops the oldest, whether that rings or not
  /// (MAX_NOTIFICATIONS_PER_SOURCE, in GNOME Shell's messageTray.js).
  var most: Int {
    guard isGnomeShell else { return .max }
    return (Int(version.prefix { $0 != "." }) ?? 0) < 48 ? 3 : 10
  }

  /// `notice` as it is best shown here.
  func rendition(of notice: Notice, _ circumstances: Circumstances) -> Notice {
    var shown = notice
    if !drawsActions { shown.body = notice.bodyWithoutActions ?? notice.body }
    if !hasTextBesideBar { shown.value = nil }
    if isGnomeShell { render(&shown, circumstances) }
    // What else it might have said makes no difference to what is shown.
    (shown.bodyWithoutActions, shown.steadyBody) = (nil, nil)
    return shown
  }

  /// GNOME Shell has one banner, and what is critical stays in it. A notification without the action
  /// `default` starts the program when it is clicked, and closes the program's others.
  private func render(_ notice: inout Notice, _ circumstances: Circumstances) {
    notice.body = notice.steadyBody ?? notice.body
    notice.value = nil
    let buttons = notice.actions.filter { $0.key != Notice.Action.click }
    notice.actions =
      [Notice.Action(key: Notice.Action.click, label: notice.title)] + atMostThree(buttons)
    if notice.isRinging { return }
    if circumstances.isBesideRing {
      // A banner that stands already is not moved aside for one that rings.
      notice.urgency = .low
    } else if circumstances.isOpened {
      notice.urgency = .critical
    } else if circumstances.isNew, notice.urgency == .low, !buttons.isEmpty {
      // Without a banner, only who opens the list learns that it is there.
      notice.urgency = .normal
    }
  }

  /// GNOME Shell drops all buttons but three, in silence (MAX_NOTIFICATION_BUTTONS): not the last
  /// one, which ends it, but those before.
  private func atMostThree(_ buttons: [Notice.Action]) -> [Notice.Action] {
    guard buttons.count > 3, let last = buttons.last else { return buttons }
    return buttons.prefix(2) + [last]
  }
}
