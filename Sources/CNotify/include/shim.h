// SPDX-License-Identifier: GPL-3.0-or-later
// libnotify for Swift, with two functions that Swift cannot call otherwise; CNotify.c explains why.
// Includes CGLib's shim, so that Swift sees GLib's types as in CGLib.
#pragma once
#include "../../CGLib/shim.h"
#include <libnotify/notify.h>

/// The number that the server gave to the notification; 0 if it has none.
gint cnotify_number(NotifyNotification *notification);

/// Makes the next `notify_notification_show` replace the server's notification that has `number`.
void cnotify_set_number(NotifyNotification *notification, gint number);
