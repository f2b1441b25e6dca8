// SPDX-License-Identifier: GPL-3.0-or-later
//
// How notification servers differ from their standard, or use the freedom that the standard leaves.
// These facts come from the servers' sources, and are tested if a test can run the server.
// Everything that depends on the kind of server is in this file. Next: Board.swift, which uses it.

import Language
import Scheduling

/// The peculiarities of one server. The defaults are for an unknown server.
nonisolated struct ServerManners: Sendable {
  /// How many buttons the server shows. The server drops further buttons silently, or turns all
  /// buttons into a list.
  var mostButtons = Int.max
  /// The longest label, in characters, that can be read on a notification with three buttons.
  var longestLabelOfThree = Int.max
  /// Whether the action `default` works as a click on the body, without a button of its own.
  var hasBodyAction = true
  /// Whether the server draws buttons. If not, the actions are only in a menu that few users know.
  var drawsButtons = true
  /// Whether the server draws all lines of the body.
  var drawsLines = true
  /// Whether the server shows the text of a notification that has a bar.
  var hasTextBesideBar = true
  var updatesInPlace = true
  /// How often the notification of a ring must be shown again, because the server hides it without
  /// a report; nil for never.
  var hides: Duration?
  /// Whether the server reports "expired" when the user clicks on the notification's close button.
  var expiresByHand = false
  /// Whether closing a notification by hand counts as deliberate or careless. The setting
  /// `on_close` in the config overrides this value.
  var closing = Notifier.Server.Closing.deliberate

  fileprivate static let known: [String: ServerManners] = [
    // GNOME Shell shows at most three buttons (MAX_NOTIFICATION_BUTTONS). Its notifications are not
    // updated in place: at each update, version 43 removes the buttons of the banner and connects
    // another set of listeners. The banner disappears after Escape, and after the screen was
    // blanked or locked.
    "gnome-shell": ServerManners(mostButtons: 3, updatesInPlace: false, hides: .minutes(1)),
    // MATE's server has the same name as the server that it derives from.
    "Notification Daemon": ServerManners(expiresByHand: true),
    // LXQt's server turns four buttons into a list in which the first one is selected. If there are
    // three buttons, each is only a few letters wide.
    "lxqt-notificationd": ServerManners(
      mostButtons: 3, longestLabelOfThree: 8, hasBodyAction: false),
    // Several desktop shells are built on quickshell. One of them, noctalia, hides a notification
    // after 15 s, but shows it again if it is posted again.
    "quickshell": ServerManners(hides: .seconds(15), closing: .careless),
    "noctalia": ServerManners(closing: .careless),
    "SwayNotificationCenter": ServerManners(closing: .careless),
    "io.elementary.notifications": ServerManners(closing: .careless),
    "Xfce Notify Daemon": ServerManners(hasTextBesideBar: false, closing: .careless),
    "dunst": ServerManners(drawsButtons: false, closing: .careless),
    "fnott": ServerManners(drawsButtons: false, closing: .careless),
    "mako": ServerManners(drawsButtons: false, closing: .careless),
    // A click counts as the body's action and also closes the notification. The server may report
    // either of the two events first.
    "cosmic-notifications": ServerManners(
      drawsButtons: false, drawsLines: false, closing: .careless),
  ]
}

extension Notifier.Server {
  /// Whether a user who closes a notification intends to close it, or may have clicked for another
  /// purpose.
  public nonisolated enum Closing: Sendable, Hashable {
    /// There is a close button, and a click on another part does something else.
    case deliberate
    /// An ordinary click closes the notification.
    case careless
  }

  nonisolated var manners: ServerManners { ServerManners.known[name] ?? ServerManners() }

  public nonisolated var closing: Closing { manners.closing }

  public nonisolated var drawsActions: Bool { hasActions && manners.drawsButtons }

  private nonisolated var isGnomeShell: Bool { name == "gnome-shell" }

  /// How many of our notifications the server keeps. If there is one more, the server drops the
  /// oldest, even the notification of a ring (MAX_NOTIFICATIONS_PER_SOURCE, in GNOME Shell's
  /// messageTray.js).
  nonisolated var most: Int {
    guard isGnomeShell else { return .max }
    return majorVersion < 48 ? 3 : 10
  }

  private nonisolated var majorVersion: Int { Int(version.prefix { $0 != "." }) ?? 0 }

  /// How many columns of a title fit in the one line that the server shows of it, in any font.
  private nonisolated var roomForTitle: Int { isGnomeShell ? 32 : .max }

  /// Returns the true reason for which `notice` was closed if this server reports `reason`. A
  /// server may report "expired" although the user closed the notification.
  nonisolated func meaning(
    of reason: Notifier.CloseReason, on notice: NotificationContent
  ) -> Notifier.CloseReason {
    reason == .expired && notice.isPersistent && manners.expiresByHand ? .dismissed : reason
  }
}

// MARK: - What is shown of a notice

nonisolated extension Notifier.Server {
  struct Circumstances {
    var isNew = false
    /// The user has clicked on the notification to see its buttons.
    var isOpened = false
    var isBesideRing = false
  }

  /// Adapts `notice` to this server.
  func rendition(of notice: NotificationContent, _ circumstances: Circumstances)
    -> NotificationContent
  {
    var shown = notice
    if !manners.updatesInPlace { shown.body = notice.steadyBody ?? notice.body }
    shown.body = body(of: shown)
    shown.actions = actions(of: notice)
    if !manners.hasTextBesideBar { shown.value = nil }
    if isGnomeShell { render(&shown, circumstances) }
    // Remove the texts that this server does not show: otherwise, a change of one of them would
    // count as a change of the notification.
    (shown.bodyWithoutActions, shown.steadyBody) = (nil, nil)
    return shown
  }

  private func body(of notice: NotificationContent) -> String {
    var text = drawsActions ? notice.body : notice.bodyWithoutActions ?? notice.body
    if isCut(notice.title) { text += "\n" + notice.title }
    return manners.drawsLines
      ? text : text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func isCut(_ title: String) -> Bool {
    title.unicodeScalars.reduce(0) { $0 + TerminalText.width(of: $1) } > roomForTitle
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
    return click + (buttons.count > most ? buttons.prefix(most - 1) + [last] : buttons)
  }

  /// Adapts a notification to GNOME Shell, which has one banner. A critical notification stays in
  /// the banner. Other notifications show their buttons only while they are in the banner, for some
  /// seconds, because up to version 46 the list of notifications has no buttons. The action
  /// `default` is always added: without it, a click on a notification starts the program and closes
  /// its other notifications.
  private func render(_ notice: inout NotificationContent, _ circumstances: Circumstances) {
    notice.value = nil
    let buttons = notice.actions.filter { $0.key != NotificationContent.Action.click }
    notice.actions =
      [NotificationContent.Action(key: NotificationContent.Action.click, label: notice.title)]
      + buttons
    if notice.isRinging { return }
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
