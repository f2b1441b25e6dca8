// SPDX-License-Identifier: GPL-3.0-or-later
// What Swift cannot call or see by itself, each with its reason.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <glib.h>
// Neither is mallopt, nor malloc_trim.
#include <malloc.h>
// Neither timerfd nor inotify is in Swift's Glibc module.
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
