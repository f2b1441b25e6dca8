// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for gdk-pixbuf's header, which libnotify's header includes. Only pkg-config knows the
// folder of the real header. Along with that folder it gives -pthread, a flag that the Swift
// package manager prohibits. libnotify needs only this type, and GIO, which shim.h includes.
#pragma once
typedef struct _GdkPixbuf GdkPixbuf;
