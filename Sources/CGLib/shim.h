// SPDX-License-Identifier: GPL-3.0-or-later
// What Swift cannot call or see by itself, each with its reason.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <glib.h>
// None of these is in Swift's Glibc module.
#include <malloc.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
