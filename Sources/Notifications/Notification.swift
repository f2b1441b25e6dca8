// SPDX-License-Identifier: GPL-3.0-or-later
//
// A notification that libnotify sends. Use it only on the thread of NotificationThread.swift: its
// calls wait for the server, and the server's signals arrive on that thread.

import CGLib
import CNotify
import Language
import System

/// One version of a notification, which is sent once (`NotifyNotification`). For an update, make a
/// new object that takes over the number that the server gave. Then a signal for the old version is
/// not mistaken for a signal for the new one.
final class Notification {
  private let handle: UnsafeMutablePointer<NotifyNotification>
  private let closed: gulong

  init(
    _ post: Board.Post, desktopEntry: String, for server: Notifier.Server,
    _ onEvent: @escaping (Notifier.Event) -> Void
  ) {
    let notice = post.content
    let body = NotificationContent.paragraph(notice.body, atMost: NotificationContent.longestBody)
    let title = NotificationContent.line(notice.title, atMost: NotificationContent.longestTitle)
    handle = notify_notification_new(
      // Servers refuse an empty title.
      title.isEmpty ? String(cString: notify_get_app_name()) : title,
      (server.hasMarkup ? body.markup : body)
        + String(repeating: Self.zeroWidthSpace, count: post.copy), notice.icon)
    cnotify_set_number(handle, Int32(bitPattern: post.replaces))
    closed = Self.listen(handle, onEvent)
    if server.hasActions { add(notice.actions, onEvent) }
    setHints(notice, desktopEntry: desktopEntry)
    if let value = notice.value { setHint("value", g_variant_new_int32(Int32(clamping: value))) }
  }

  deinit {
    g_signal_handler_disconnect(handle, closed)
    g_object_unref(handle)
  }

  /// Shows the notification. Waits for the server, at most 25 s (`notify_notification_show`).
  func show() -> Board.PostResult {
    var error: UnsafeMutablePointer<GError>?
    guard notify_notification_show(handle, &error) != 0 else {
      let isUnanswered = Self.isUnanswered(error)
      let reason = words(consuming: error)
      return isUnanswered ? .unanswered : .refused(reason)
    }
    let number = UInt32(bitPattern: cnotify_number(handle))
    return number == 0 ? .unnumbered : .shown(number: number)
  }

  /// Closes the server's notification with `number`, whichever process showed it. Waits for the
  /// server, at most 25 s (`notify_notification_close`). Returns false if the server does not
  /// answer.
  @discardableResult static func close(_ number: UInt32) -> Bool {
    let handle = notify_notification_new(" ", nil, nil)
    defer { g_object_unref(handle) }
    cnotify_set_number(handle, Int32(bitPattern: number))
    var error: UnsafeMutablePointer<GError>?
    // Fails if the notification is closed already or the server is gone. In both cases nothing is
    // left to close.
    if notify_notification_close(handle, &error) != 0 { return true }
    defer { g_clear_error(&error) }
    return !isUnanswered(error)
  }

  private static func isUnanswered(_ error: UnsafeMutablePointer<GError>?) -> Bool {
    g_error_matches(error, g_io_error_quark(), gint(G_IO_ERROR_TIMED_OUT.rawValue)) != 0
  }

  /// Posts a notification with this title and closes it at once, so that it is never drawn. Waits
  /// for the server, at most 25 s. Returns false if the server does not answer. See
  /// BannerNudge.swift.
  static func flash(_ title: String) -> Bool {
    let handle = notify_notification_new(
      NotificationContent.line(title, atMost: NotificationContent.longestTitle), nil, nil)
    defer { g_object_unref(handle) }
    // Under its own name, GNOME Shell would count it among our notifications, and drop one of them.
    notify_notification_set_app_name(handle, "belfryd")
    // GNOME Shell ignores any other urgency while it is set to "do not disturb".
    notify_notification_set_urgency(handle, NOTIFY_URGENCY_CRITICAL)
    notify_notification_set_hint(handle, "transient", g_variant_new_boolean(1))
    notify_notification_set_hint(handle, "suppress-sound", g_variant_new_boolean(1))
    var error: UnsafeMutablePointer<GError>?
    defer { g_clear_error(&error) }
    // If a call fails otherwise, the next nudge may help.
    if notify_notification_show(handle, &error) != 0 { notify_notification_close(handle, &error) }
    return !isUnanswered(error)
  }

  private static let zeroWidthSpace = "\u{200B}"

  private func setHints(_ notice: NotificationContent, desktopEntry: String) {
    notify_notification_set_urgency(handle, NotifyUrgency(rawValue: notice.urgency.rawValue))
    notify_notification_set_timeout(
      handle, notice.isPersistent ? NOTIFY_EXPIRES_NEVER : NOTIFY_EXPIRES_DEFAULT)
    if let category = notice.category { notify_notification_set_category(handle, category) }
    setHint("desktop-entry", g_variant_new_string(desktopEntry))
    // Belfry plays its own sound.
    setHint("suppress-sound", g_variant_new_boolean(1))
    if notice.isShownLocked { setHint("x-gnome-privacy-scope", g_variant_new_string("system")) }
    if notice.isTransient { setHint("transient", g_variant_new_boolean(1)) }
    // The notification of a ring stays until it is answered, even if the user clicks on another
    // notification.
    if notice.isRinging || notice.isResident { setHint("resident", g_variant_new_boolean(1)) }
  }

  private func setHint(_ key: String, _ value: OpaquePointer?) {
    notify_notification_set_hint(handle, key, value)
  }

  private func add(
    _ actions: [NotificationContent.Action], _ onEvent: @escaping (Notifier.Event) -> Void
  ) {
    for action in actions where !action.key.isEmpty {
      let label = NotificationContent.line(action.label, atMost: NotificationContent.longestLabel)
      notify_notification_add_action(
        handle, action.key, label.isEmpty ? action.key : label,
        { _, key, context in
          let event = Notifier.Event.action(String(cString: key!))
          CContext<(Notifier.Event) -> Void>.value(of: context)(event)
        },
        CContext.retained(onEvent), releaseContext)
    }
  }

  private static func listen(
    _ handle: UnsafeMutablePointer<NotifyNotification>,
    _ onEvent: @escaping (Notifier.Event) -> Void
  ) -> gulong {
    let closed: @convention(c) (UnsafeMutablePointer<NotifyNotification>?, gpointer?) -> Void = {
      handle, context in
      let number = notify_notification_get_closed_reason(handle)
      let reason = Notifier.CloseReason(rawValue: number) ?? .undefined
      CContext<(Notifier.Event) -> Void>.value(of: context)(.closed(reason))
    }
    return g_signal_connect_data(
      handle, "closed", unsafeBitCast(closed, to: GCallback.self),
      CContext.retained(onEvent), { context, _ in releaseContext(context) },
      GConnectFlags(rawValue: 0))
  }
}
