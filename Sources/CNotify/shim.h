// SPDX-License-Identifier: GPL-3.0-or-later
// What Swift cannot call by itself, each with its reason.
#pragma once
#include <libnotify/notify.h>

// The number that the server gave, 0 for none. libnotify has no function for it, but a property,
// and g_object_get takes variadic arguments, which do not import.
static inline gint cnotify_number(NotifyNotification *notification) {
  gint number = 0;
  g_object_get(notification, "id", &number, NULL);
  return number;
}

// Makes the next show replace what the server has under that number.
static inline void cnotify_set_number(NotifyNotification *notification, gint number) {
  g_object_set(notification, "id", number, NULL);
}
