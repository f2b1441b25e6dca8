// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and sets the number of a notification, which in libnotify is only a GObject property.
// GLib's functions for properties take variadic arguments, which Swift does not import.
#include "shim.h"

gint cnotify_number(NotifyNotification *notification) {
  gint number = 0;
  g_object_get(notification, "id", &number, NULL);
  return number;
}

void cnotify_set_number(NotifyNotification *notification, gint number) {
  g_object_set(notification, "id", number, NULL);
}
