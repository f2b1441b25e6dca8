// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for gdk-pixbuf's header, which libnotify's names only to mention the type: pkg-config
// gives that folder together with -pthread, a flag that the Swift package manager prohibits.
#pragma once
typedef struct _GdkPixbuf GdkPixbuf;
