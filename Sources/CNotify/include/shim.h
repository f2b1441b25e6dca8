// SPDX-License-Identifier: GPL-3.0-or-later
// libnotify for Swift, and what Swift cannot call by itself: CNotify.c has why. GLib comes as
// Swift sees it elsewhere.
#pragma once
#include "../../CGLib/shim.h"
#include <libnotify/notify.h>

/// The number that the server gave, 0 for none.
gint cnotify_number(NotifyNotification *notification);

/// Makes the next show replace what the server has under that number.
void cnotify_set_number(NotifyNotification *notification, gint number);
