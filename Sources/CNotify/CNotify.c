// SPDX-License-Identifier: GPL-3.0-or-later
// What Belfry calls of libnotify, which is loaded by it: see CLibrary.h. Without it `notify_init`
// says no, and nothing else is to be called.
#include "CLibrary.h"
#include "shim.h"

#define PASS(otherwise, type, function, parameters, arguments) \
  FORWARD("libnotify.so.4", otherwise, type, function, parameters, arguments)

PASS(FALSE, gboolean, notify_init, (const char *name), (name))
PASS(NULL, const char *, notify_get_app_name, (void), ())
PASS(NULL, GList *, notify_get_server_caps, (void), ())
PASS(NULL, NotifyNotification *, notify_notification_new,
     (const char *summary, const char *body, const char *icon), (summary, body, icon))
PASS(FALSE, gboolean, notify_notification_show, (NotifyNotification * it, GError **error),
     (it, error))
PASS(FALSE, gboolean, notify_notification_close, (NotifyNotification * it, GError **error),
     (it, error))
PASS(-1, gint, notify_notification_get_closed_reason, (const NotifyNotification *it), (it))
PASS((void)0, void, notify_notification_set_timeout, (NotifyNotification * it, gint milliseconds),
     (it, milliseconds))
PASS((void)0, void, notify_notification_set_category, (NotifyNotification * it, const char *name),
     (it, name))
PASS((void)0, void, notify_notification_set_urgency,
     (NotifyNotification * it, NotifyUrgency urgency), (it, urgency))
PASS((void)0, void, notify_notification_set_hint,
     (NotifyNotification * it, const char *key, GVariant *value), (it, key, value))
PASS((void)0, void, notify_notification_add_action,
     (NotifyNotification * it, const char *action, const char *label,
      NotifyActionCallback callback, gpointer data, GFreeFunc free),
     (it, action, label, callback, data, free))
