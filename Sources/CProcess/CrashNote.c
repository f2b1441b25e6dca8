// SPDX-License-Identifier: GPL-3.0-or-later
//
// See the header. This is in C because a handler of signals may only call functions that are
// async-signal-safe (signal-safety(7)), which no Swift code is.
#include "CProcess.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static const int numbers[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS};
enum { COUNT = sizeof numbers / sizeof *numbers, STACK = 16384 };

static struct sigaction former[COUNT];
static volatile sig_atomic_t file = -1;

static void note(int number) {
  const int code = errno;
  const char line[] = {'s', 'i', 'g', 'n', 'a', 'l', ' ', '0' + number / 10, '0' + number % 10,
                       '\n'};
  if (write(file, line, sizeof line) < 0) {
    // There is nowhere to report that.
  }
  // End the process now. The handler of Swift's runtime, which was there before, may take half a
  // minute to print a backtrace; until then, no agent would run. This handler blocks the signal,
  // so the signal arrives again when the handler returns.
  signal(number, SIG_DFL);
  raise(number);
  errno = code;
}

void belfry_note_crashes(int descriptor) {
  // If the stack has overflowed, the handler needs another one. Only the main thread gets it.
  static char *stack;
  if (!stack && (stack = malloc(STACK))) {
    const stack_t other = {.ss_sp = stack, .ss_size = STACK};
    sigaltstack(&other, 0);
  }
  file = descriptor;
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_ONSTACK};
  sigfillset(&action.sa_mask);
  for (int i = 0; i < COUNT; i++) sigaction(numbers[i], &action, &former[i]);
}

void belfry_stop_noting_crashes(void) {
  if (file < 0) return;
  for (int i = 0; i < COUNT; i++) sigaction(numbers[i], &former[i], 0);
  file = -1;
}
