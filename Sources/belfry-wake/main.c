// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry-wake`, which wakes a suspended machine for the agent and does nothing else. It may have
// the capability CAP_WAKE_ALARM in its file, which the agent must not: the loader and GLib ignore
// the environment of such a program, and with it the address of the session bus. So this program
// reads no file and no variable, and rejects all input that the agent would not send. It is written
// in C without GLib, so that anyone can read all of it before giving it the capability.
//
// Standard input has one line for each order, which replaces the one before:
//
//   1798779600000000  wake the machine at this moment, in microseconds since 1970
//   never             do not wake the machine
//
// Standard output has one line for each report:
//
//   ready     orders are carried out
//   fired     the moment has come
//   refused N the kernel does not allow or provide this, with the error number N; the program ends
//
// The exit status is 0 at the end of the input, 1 after an error of the system, 2 after a wrong
// order, and 64 if the program was started with an argument. Next: `WakeTimer.swift` in System.
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

// The latest moment: the year 2255, which every kernel can hold.
#define LATEST (1LL << 53)
// The longest order is a number of 16 digits.
#define LONGEST 16

static _Noreturn void end(int status, const char *words) {
  dprintf(STDERR_FILENO, "belfry-wake: %s\n", words);
  exit(status);
}

static void report(const char *line) {
  size_t length = strlen(line);
  if (write(STDOUT_FILENO, line, length) != (ssize_t)length) end(1, "nobody reads the reports");
}

static _Noreturn void refuse(int code) {
  char line[32];
  snprintf(line, sizeof line, "refused %d\n", code);
  report(line);
  exit(1);
}

// Sets the timer to wake the machine at `moment`; 0 disarms the timer. To arm it for a distant
// moment instead would keep the machine from suspending if its real-time clock cannot be set that
// far ahead (`alarmtimer_suspend` in the kernel).
static void arm(int timer, long long moment) {
  struct itimerspec setting = {0};
  setting.it_value.tv_sec = moment / 1000000;
  setting.it_value.tv_nsec = moment % 1000000 * 1000;
  if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, NULL) < 0) refuse(errno);
}

static void carry_out(int timer, const char *order) {
  if (strcmp(order, "never") == 0) return arm(timer, 0);
  long long moment = 0;
  for (const char *digit = order; *digit; digit++) {
    if (*digit < '0' || *digit > '9') end(2, "an order is a number of microseconds, or never");
    moment = moment * 10 + (*digit - '0');
  }
  if (moment < 1 || moment > LATEST) end(2, "the moment is out of range");
  arm(timer, moment);
}

// Reads what has arrived of the orders, and carries out those that are complete.
static void read_orders(int timer) {
  static char order[LONGEST + 1];
  static size_t length = 0;
  char bytes[256];
  ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
  if (count < 0) {
    if (errno == EINTR || errno == EAGAIN) return;
    end(1, "the orders cannot be read");
  }
  if (count == 0) {
    if (length > 0) end(2, "the last order has no end");
    exit(0);
  }
  for (ssize_t i = 0; i < count; i++) {
    if (bytes[i] == '\n') {
      order[length] = 0;
      length = 0;
      carry_out(timer, order);
    } else if (bytes[i] == 0 || length == LONGEST) {
      end(2, "an order is too long, or has a null byte");
    } else {
      order[length++] = bytes[i];
    }
  }
}

int main(int count, char **words) {
  (void)words;
  if (count != 1) end(64, "belfryd starts this program by itself, without arguments");
  int timer = timerfd_create(CLOCK_REALTIME_ALARM, TFD_NONBLOCK | TFD_CLOEXEC);
  if (timer < 0) refuse(errno);
  report("ready\n");
  struct pollfd sources[] = {
    {.fd = STDIN_FILENO, .events = POLLIN},
    {.fd = timer, .events = POLLIN},
  };
  for (;;) {
    if (poll(sources, 2, -1) < 0) {
      if (errno == EINTR) continue;
      end(1, "poll fails");
    }
    uint64_t expirations;
    if (sources[1].revents && read(timer, &expirations, sizeof expirations) > 0) report("fired\n");
    if (sources[0].revents) read_orders(timer);
  }
}
