// SPDX-License-Identifier: GPL-3.0-or-later
// Gives Swift the C declarations that it could not import otherwise. Each comment says why.
#pragma once
#include <errno.h>
#include <fcntl.h>

// Since version 2.88, GLib's flags have the attribute `flag_enum`, so Swift imports no constants
// for them. Here that attribute is replaced by one without effect, so all versions of GLib look the
// same.
#define flag_enum unused
#include <gio/gio.h>
#include <glib-unix.h>
#include <glib.h>
#undef flag_enum

// Swift's Glibc module lacks these headers.
#include <libintl.h>
#include <malloc.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/xattr.h>
// The C library declares `renameat2` only with GNU extensions, which Swift's Glibc module lacks.
#include <sys/syscall.h>
#include <unistd.h>
static inline int belfry_rename(const char *from, const char *to, unsigned flags) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

// The same holds for `prlimit`. Limits what a process that has just been started may use: processor
// time in seconds, and the sizes in bytes of its address space and of the files that it writes.
#include <sys/resource.h>
static inline void belfry_limit(pid_t process, long processor, long memory, long file) {
  const int kinds[] = {RLIMIT_CPU, RLIMIT_AS, RLIMIT_FSIZE};
  const unsigned long long values[] = {processor, memory, file};
  for (int i = 0; i < 3; i++) {
    const unsigned long long limit[] = {values[i], values[i]};
    syscall(SYS_prlimit64, process, kinds[i], limit, 0);
  }
}

// Writes the output that is still buffered. Returns 0, the `errno` of a write that fails now, or
// EIO if only an earlier write failed. This function is in C because Swift 6 treats `stdout` as a
// variable that any thread may change.
#include <stdio.h>
static inline int belfry_flush_output(void) {
  if (fflush(stdout) != 0) return errno;
  return ferror(stdout) ? EIO : 0;
}

// The C library declares these functions only with GNU extensions, which Swift's Glibc module
// lacks.
#include <pthread.h>
#include <spawn.h>
int pthread_setname_np(pthread_t, const char *);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
int memfd_create(const char *, unsigned);

// The same holds for the commands of `fcntl` that ask for the lock of an open file, take it, and
// wait for it.
enum { BELFRY_OFD_GETLK = 36, BELFRY_OFD_SETLK = 37, BELFRY_OFD_SETLKW = 38 };

// libdispatch exports these two functions for the main loop of Core Foundation, but has no public
// header for them. `MainLoop.swift` uses them in the same way.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *unused);
