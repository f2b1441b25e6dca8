/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tells the kernel that the clock is right, as a time service does. Without this, the agent waits a
 * minute after each start for a time service, and meanwhile lets timers go on with the time that
 * was left. */
#include <sys/timex.h>

int main(void) {
  struct timex clock = {.modes = ADJ_MAXERROR | ADJ_STATUS};
  return adjtimex(&clock) < 0;
}
