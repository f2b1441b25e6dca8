// SPDX-License-Identifier: GPL-3.0-or-later
// What Swift cannot call or see by itself, each with its reason.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <glib.h>
// None of these is in Swift's Glibc module.
#include <libintl.h>
#include <malloc.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/xattr.h>
// renameat2 is there for GNU sources only, and Swift's Glibc module is none.
#include <sys/syscall.h>
#include <unistd.h>
static inline int belfry_rename(const char *from, const char *to, unsigned flags) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

// Swift 6 takes `stdout` for a variable that any thread may change. 0, or the `errno` of what was
// lost.
#include <stdio.h>
static inline int belfry_flush_output(void) {
  if (fflush(stdout) != 0) return errno;
  return ferror(stdout) ? EIO : 0;
}

// The C library declares these only to programs of GNU extensions, which Swift's are not.
#include <pthread.h>
#include <spawn.h>
int pthread_setname_np(pthread_t, const char *);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
int memfd_create(const char *, unsigned);
