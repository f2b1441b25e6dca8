// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sets the wall clock of a program CLOCK_AHEAD seconds ahead, or back if the number is negative.
// The program must load this library with LD_PRELOAD. With `AT=23:59`, `Tests/run` does this for
// the tests and all programs that they start, so that they run at another time of day. Moments that
// a program passes to the C library are converted back to the real time. The times of files are not
// changed.
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

// Whether a file descriptor is a timer of the wall clock.
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
  // A moment later than 2001 is of the wall clock. Conditions may also use the time since the boot,
  // which is never that large.
  if (moment.tv_sec > 1000000000) moment.tv_sec -= ahead();
  return next(condition, mutex, &moment);
}
