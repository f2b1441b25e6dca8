// SPDX-License-Identifier: GPL-3.0-or-later
//
// A wall clock that is ahead by CLOCK_AHEAD seconds (or behind), for whatever loads this first
// (LD_PRELOAD): `AT=23:59 Tests/run` has the tests and all that they start live at another time of
// day. Where the C library takes a moment of the wall clock, it is given the kernel's. Not of the
// files: their times are the machine's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

static long ahead(void) {
  static _Atomic long seconds = -1;
  if (seconds == -1) {
    const char *text = getenv("CLOCK_AHEAD");
    seconds = text ? atol(text) : 0;
  }
  return seconds;
}

#define NEXT(name) static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_REALTIME_COARSE;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  NEXT(clock_gettime);
  int result = next(clock, now);
  if (result == 0 && is_wall(clock)) now->tv_sec += ahead();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return result;
}

time_t time(time_t *now) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  if (now) *now = time.tv_sec;
  return time.tv_sec;
}

// Which descriptors are timers of the wall clock.
static atomic_char walls[1 << 16];

int timerfd_create(int clock, int flags) {
  NEXT(timerfd_create);
  int number = next(clock, flags);
  if (number >= 0 && number < 1 << 16) walls[number] = is_wall(clock);
  return number;
}

int timerfd_settime(int number, int flags, const struct itimerspec *set, struct itimerspec *old) {
  NEXT(timerfd_settime);
  struct itimerspec moment = *set;
  int is_armed = moment.it_value.tv_sec || moment.it_value.tv_nsec;
  if (is_armed && flags & TFD_TIMER_ABSTIME && number < 1 << 16 && walls[number])
    moment.it_value.tv_sec -= ahead();
  return next(number, flags, &moment, old);
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
    const struct timespec *restrict end) {
  NEXT(pthread_cond_timedwait);
  struct timespec moment = *end;
  // Of a condition that goes by another clock, it is not decades after the machine's start.
  if (moment.tv_sec > 1000000000) moment.tv_sec -= ahead();
  return next(condition, mutex, &moment);
}
