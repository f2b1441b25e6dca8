// SPDX-License-Identifier: GPL-3.0-or-later
//
// How notification servers differ from their standard, or use the freedom that the standard leaves.
// These facts come from the servers' sources, and are tested if a test can run the server.
// Everything that depends on the kind of server is in this file. Next: Board.swift, which uses it.

import Language
import Scheduling

/// The peculiarities of one server. The defaults are for an unknown server.
struct ServerManners: Sendable {
  /// How the server changes a notification that is posted again under its number.
  enum Update: Sendable {
    /// The notification changes where it is, without drawing attention.
    case quiet
    /// The user is shown the notification again, even if the server had hidden it. So it is posted
    /// again only if the change can be seen.
    case shown
    /// The notification loses its buttons. So it is closed, and its successor is a new one.
    case spoiled
  }

  /// How many buttons the server shows. The server drops further buttons silently, or turns all
  /// buttons into a list.
  var mostButtons = Int.max
  /// The longest label, in characters, that can be read on a notification with three buttons.
  var longestLabelOfThree = Int.max
  /// How many columns of a title fit in the one line that the server shows of it, in any font.
  var titleColumns = Int.max
  /// How many of our notifications the server keeps. If there is one more, the server drops the
  /// oldest, even the notification of a ring.
  var mostNotifications = Int.max
  /// Whether the action `default` works as a click on the body, without a button of its own.
  var hasBodyAction = true
  /// Whether the server leaves out the button that follows the action `default`.
  var skipsAfterBodyAction = false
  /// Whether the server draws buttons. If not, the actions are only in a menu that few users know.
  var drawsButtons = true
  /// Whether the server draws all lines of the body.
  var drawsLines = true
  /// Whether the server shows the text of a notification that has a bar.
  var hasTextBesideBar = true
  /// Whether the server shows one notification at a time, and keeps the others in a list.
  var hasOneBanner = false
  /// Whether the server shows only the notification that was posted last. When that one is gone, it
  /// shows none until another is posted.
  var showsOnlyLatest = false
  var update = Update.quiet
  /// Whether a text may change every minute: the notification stays where it is in the server's
  /// list, and its buttons do not move.
  var showsCountdowns = true
  /// How often the notification of a ring must be shown again, because the server hides it without
  /// a report; nil for never. A quiet update does not show it again.
  var hides: Duration?
  /// Whether the server reports "expired" when the user clicks on the notification's close button.
  var expiresByHand = false
  /// Whether closing a notification by hand counts as deliberate or careless. The setting
  /// `on_close` in the config overrides this value.
  var closing = Notifier.Server.Closing.deliberate

  /// Returns the manners of a server by its name and the first two numbers of its version.
  fileprivate init(of name: String, _ version: (Int, Int)) {
    switch name {
    case "gnome-shell": becomeGnomeShell(version.0)
    // Plasma removes a notification from the screen by its button Minimize, which resident ones
    // have from version 6.4 on. It stays minimized if it is updated. Seen with 6.7.4.
    case "Plasma": hides = version >= (6, 4) ? .minutes(1) : nil
    // MATE's server has the same name as the server that it derives from.
    case "Notification Daemon": expiresByHand = true
    // LXQt's server turns four buttons into a list in which the first one is selected. If there are
    // three buttons, each is only a few letters wide.
    case "lxqt-notificationd": (mostButtons, longestLabelOfThree, hasBodyAction) = (3, 8, false)
    // Budgie leaves out a button, and slides the whole text aside for each change of it. A click on
    // the notification closes it. Seen with 10.10.3, which is on Wayland.
    case "Budgie Notification Server":
      (skipsAfterBodyAction, showsCountdowns, closing) = (true, false, .careless)
    // Several desktop shells are built on quickshell, and use its name. One of them, noctalia, hid
    // each notification after 15 s, until it was closed and posted anew. A plain shell hides
    // nothing, but puts each new notification at the end. Seen with 0.3.2.
    case "quickshell": (hides, closing) = (.minutes(1), .careless)
    // SwayNotificationCenter 0.12.6 moves the popup of a timer to its list after some seconds.
    case "noctalia", "SwayNotificationCenter", "io.elementary.notifications": closing = .careless
    case "Xfce Notify Daemon": (hasTextBesideBar, closing) = (false, .careless)
    // Seen with dunst 1.13.2, fnott 1.8.0 and mako 1.11.0.
    case "dunst", "fnott", "mako": (drawsButtons, closing) = (false, .careless)
    // A click counts as the body's action and also closes the notification. The server may report
    // either of the two events first.
    case "cosmic-notifications": (drawsButtons, drawsLines, closing) = (false, false, .careless)
    // Phosh does not show a notification again that is updated. The button Clear closes those of
    // all programs. Seen with 0.58.0.
    case "Phosh Notify Daemon":
      (showsOnlyLatest, hasTextBesideBar, hides, closing) = (true, false, .minutes(1), .careless)
    // Cinnamon 6.6.9 shows everything as the standard says.
    default: break
    }
  }

  /// GNOME Shell shows at most three buttons (MAX_NOTIFICATION_BUTTONS). Its banner disappears
  /// after Escape, and after the screen was blanked or locked. Tried with 43.9, 48.7, 50.5 and
  /// 51.0; the sources of 44 to 49 say from which version on something is so:
  ///
  /// - Up to 45, an update removes the buttons of the banner and connects another set of listeners.
  ///   From 46 on, the banner gets the new buttons, and appears again if it was hidden.
  /// - Up to 47, an update moves the notification to the top of the list.
  /// - Up to 47, it keeps three notifications of a program (MAX_NOTIFICATIONS_PER_SOURCE).
  private mutating func becomeGnomeShell(_ version: Int) {
    (mostButtons, titleColumns, hasOneBanner, hides) = (3, 32, true, .minutes(1))
    update = version < 46 ? .spoiled : .shown
    showsCountdowns = version >= 48
    mostNotifications = version < 48 ? 3 : 10
  }
}

extension Notifier.Server {
  /// Whether a user who closes a notification intends to close it, or may have clicked for another
  /// purpose.
  public enum Closing: Sendable, Hashable {
    /// There is a close button, and a click on another part does something else.
    case deliberate
    /// An ordinary click closes the notification.
    case careless
  }

  var manners: ServerManners {
    let numbers = version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    return ServerManners(of: name, (numbers.first ?? 0, numbers.dropFirst().first ?? 0))
  }

  public var closing: Closing { manners.closing }

  public var drawsActions: Bool { hasActions && manners.drawsButtons }

  /// Returns the true reason for which `notice` was closed if this server reports `reason`. A
  /// server may report "expired" although the user closed the notification.
  func meaning(
    of reason: Notifier.CloseReason, on notice: NotificationContent
  ) -> Notifier.CloseReason {
    reason == .expired && notice.isPersistent && manners.expiresByHand ? .dismissed : reason
  }
}

// MARK: - What is shown of a notice

extension Notifier.Server {
  struct Circumstances {
    var isNew = false
    /// The user has clicked on the notification to see its buttons.
    var isOpened = false
    var isBesideRing = false
    var isLocked = false
  }

  /// Adapts `notice` to this server.
  func rendition(of notice: NotificationContent, _ circumstances: Circumstances)
    -> NotificationContent
  {
    var shown = notice
    let isCountdown = hasCountdown(notice, circumstances)
    if !isCountdown { shown.body = notice.steadyBody ?? notice.body }
    shown.body = body(of: shown)
    shown.actions = actions(of: notice)
    if !manners.hasTextBesideBar { shown.value = nil }
    if manners.hasOneBanner { render(&shown, circumstances) }
    // A notification that never expires would stay on the screen. In the list, it stays anyway.
    if manners.showsOnlyLatest, !notice.isRinging { shown.isPersistent = false }
    // Remove the texts that this server does not show: otherwise, a change of one of them would
    // count as a change of the notification. `steadyBody` tells a changed countdown from other
    // changes.
    shown.bodyWithoutActions = nil
    if !isCountdown || manners.update != .shown { shown.steadyBody = nil }
    return shown
  }

  /// Whether the text may change while the notification is shown. If each update draws attention,
  /// it may change only in the list.
  private func hasCountdown(_ notice: NotificationContent, _ circumstances: Circumstances) -> Bool {
    let isInBanner = notice.isRinging || circumstances.isOpened
    return manners.showsCountdowns && (manners.update == .quiet || !isInBanner)
  }

  private func body(of notice: NotificationContent) -> String {
    var text = drawsActions ? notice.body : notice.bodyWithoutActions ?? notice.body
    if isCut(notice.title) { text += "\n" + notice.title }
    return manners.drawsLines
      ? text : text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func isCut(_ title: String) -> Bool {
    title.unicodeScalars.reduce(0) { $0 + TerminalText.width(of: $1) } > manners.titleColumns
  }

  /// Returns the actions that this server can show. The last button, which ends the ring, is never
  /// left out.
  private func actions(of notice: NotificationContent) -> [NotificationContent.Action] {
    let click =
      manners.hasBodyAction
      ? notice.actions.filter { $0.key == NotificationContent.Action.click } : []
    let buttons = notice.actions.filter { $0.key != NotificationContent.Action.click }
    guard let last = buttons.last else { return click }
    var most = manners.mostButtons
    if buttons.count > 2, buttons.contains(where: { $0.label.count > manners.longestLabelOfThree })
    {
      most = 2
    }
    let shown = buttons.count > most ? buttons.prefix(most - 1) + [last] : buttons
    return manners.skipsAfterBodyAction ? shown + click : click + shown
  }

  /// Adapts a notification to GNOME Shell, which has one banner. A critical notification stays in
  /// the banner. Other notifications show their buttons only while they are in the banner, for some
  /// seconds, because up to version 45 the list of notifications has no buttons. The action
  /// `default` is always added: without it, a click on a notification starts the program and closes
  /// its other notifications. A countdown is resident: its notification stays, and stays expanded
  /// in the list, when one of its buttons is pressed, and is then updated.
  private func render(_ notice: inout NotificationContent, _ circumstances: Circumstances) {
    notice.value = nil
    let buttons = notice.actions.filter { $0.key != NotificationContent.Action.click }
    notice.actions =
      [NotificationContent.Action(key: NotificationContent.Action.click, label: notice.title)]
      + buttons
    if notice.isRinging {
      // The lock screen joins title and text to one line.
      if circumstances.isLocked { notice.body = "– " + notice.body }
      return
    }
    notice.isResident = notice.steadyBody != nil && manners.update == .shown
    if circumstances.isBesideRing {
      // GNOME Shell would not replace a banner with the notification of a ring, so keep other
      // notifications out of the banner.
      notice.urgency = .low
    } else if circumstances.isOpened {
      notice.urgency = .critical
    } else if circumstances.isNew, notice.urgency == .low, !buttons.isEmpty {
      // Without a banner, only a user who opens the list learns about this notification.
      notice.urgency = .normal
    }
  }
}
