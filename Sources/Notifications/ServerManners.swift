// SPDX-License-Identifier: GPL-3.0-or-later
//
// What notification servers do otherwise than their standard has it, or leave to themselves: found
// in their sources, and tried where a test can run them. Whatever depends on which server it is, is
// here. Next: Board.swift, which goes by it.

import Scheduling

/// One server, as far as it differs from one of which nothing is known.
nonisolated struct ServerManners: Sendable {
  /// The most buttons that it shows; more are dropped in silence, or become a list to choose from.
  var mostButtons = Int.max
  /// In how many characters the label of each of three buttons can be read.
  var longestLabelOfThree = Int.max
  /// Whether a click on the body needs no button of its own.
  var hasBodyAction = true
  /// Whether it draws buttons at all, and not only in a menu that few know of.
  var drawsButtons = true
  /// Whether it draws all lines of the body.
  var drawsLines = true
  /// Whether it shows what is said beside a bar.
  var hasTextBesideBar = true
  /// Whether a notification may be changed while it is shown.
  var updatesInPlace = true
  /// How often what rings must be shown anew, where it goes from the screen and nothing is said.
  var hides: Duration?
  /// Whether "expired" is what it says of a click on its x.
  var expiresByHand = false
  /// What closing by hand means where the user has not said it.
  var closing = Notifier.Server.Closing.deliberate

  fileprivate static let known: [String: ServerManners] = [
    // At most three buttons (MAX_NOTIFICATION_BUTTONS). Version 43 takes the buttons of a banner
    // away at each change, and its listeners add up. The banner is gone after Escape, and after the
    // screen was blank or locked.
    "gnome-shell": ServerManners(mostButtons: 3, updatesInPlace: false, hides: .minutes(1)),
    // MATE's, and its ancestor.
    "Notification Daemon": ServerManners(expiresByHand: true),
    // Four are a list, with the first one chosen; three are as narrow as a few letters.
    "lxqt-notificationd": ServerManners(
      mostButtons: 3, longestLabelOfThree: 8, hasBodyAction: false),
    // Many shells are made of it; noctalia hides after 15 s, and not for good where it is posted
    // anew.
    "quickshell": ServerManners(hides: .seconds(15), closing: .careless),
    "noctalia": ServerManners(closing: .careless),
    "SwayNotificationCenter": ServerManners(closing: .careless),
    "io.elementary.notifications": ServerManners(closing: .careless),
    "Xfce Notify Daemon": ServerManners(hasTextBesideBar: false, closing: .careless),
    "dunst": ServerManners(drawsButtons: false, closing: .careless),
    "fnott": ServerManners(drawsButtons: false, closing: .careless),
    "mako": ServerManners(drawsButtons: false, closing: .careless),
    // It takes a click for the body's action, and closes at once: which it says first is chance.
    "cosmic-notifications": ServerManners(
      drawsButtons: false, drawsLines: false, closing: .careless),
  ]
}

extension Notifier.Server {
  /// What closing by hand means: whether it may have been a click that was meant for nothing of
  /// that kind.
  public nonisolated enum Closing: Sendable, Hashable {
    /// There is an x for it, and a click elsewhere is something else.
    case deliberate
    /// An ordinary click does it.
    case careless
  }

  nonisolated var manners: ServerManners { ServerManners.known[name] ?? ServerManners() }

  /// What closing by hand means here.
  public nonisolated var closing: Closing { manners.closing }

  /// Whether it draws buttons.
  public nonisolated var drawsActions: Bool { hasActions && manners.drawsButtons }

  private nonisolated var isGnomeShell: Bool { name == "gnome-shell" }

  /// How many of ours it keeps: one more, and it drops the oldest, whether that rings or not
  /// (MAX_NOTIFICATIONS_PER_SOURCE, in GNOME Shell's messageTray.js).
  nonisolated var most: Int {
    guard isGnomeShell else { return .max }
    return majorVersion < 48 ? 3 : 10
  }

  private nonisolated var majorVersion: Int { Int(version.prefix { $0 != "." }) ?? 0 }

  /// How wide the one line is to which it cuts a title, in tenths of a digit's width. Measured with
  /// DejaVu Sans Bold, which is wider than most fonts.
  private nonisolated var roomForTitle: Int {
    guard isGnomeShell else { return .max }
    return majorVersion < 46 ? 380 : 480
  }

  /// What `reason` means of `notice`, which it has closed.
  nonisolated func meaning(
    of reason: Notifier.CloseReason, on notice: NotificationContent
  ) -> Notifier.CloseReason {
    reason == .expired && notice.isPersistent && manners.expiresByHand ? .dismissed : reason
  }
}

// MARK: - What is shown of a notice

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

  /// `notice` as it is best shown here.
  func rendition(of notice: NotificationContent, _ circumstances: Circumstances)
    -> NotificationContent
  {
    var shown = notice
    if !manners.updatesInPlace { shown.body = notice.steadyBody ?? notice.body }
    shown.body = body(of: shown)
    shown.actions = actions(of: notice)
    if !manners.hasTextBesideBar { shown.value = nil }
    if isGnomeShell { render(&shown, circumstances) }
    // What else it might have said makes no difference to what is shown.
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
    title.unicodeScalars.reduce(0) { $0 + Self.width(of: $1) } > roomForTitle
  }

  /// In tenths of a digit's width.
  private static func width(of letter: Unicode.Scalar) -> Int {
    switch letter {
    case " ", "'", "|", "I", "J", "i", "j", "l": 5
    case "!", "(", ")", ",", "-", ".", "/", ":", ";", "f", "r", "t": 7
    case "%", "@", "M", "W", "m", "w": 16
    case "A"..."Z": 12
    case "\u{AC00}"..."\u{D7A3}": 13
    case "\u{1100}"...: 15
    default: 10
    }
  }

  /// What it shows of the actions as they are meant: never without the last button, which ends it.
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

  /// GNOME Shell has one banner, and what is critical stays in it; a quiet one shows its buttons in
  /// it alone, for some seconds, and up to 46 the list of notifications has none. A notification
  /// without the action `default` starts the program when it is clicked, and closes the program's
  /// others.
  private func render(_ notice: inout NotificationContent, _ circumstances: Circumstances) {
    notice.value = nil
    let buttons = notice.actions.filter { $0.key != NotificationContent.Action.click }
    notice.actions =
      [NotificationContent.Action(key: NotificationContent.Action.click, label: notice.title)]
      + buttons
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
}
