// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures processor time, for tests that expect some work to cost little of it.

import Foundation

/// Returns the processor time that this thread has used. Other programs, and tests on other threads,
/// do not change it, so a busy machine does not fail a test that measures with it.
public func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
