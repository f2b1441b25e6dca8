// SPDX-License-Identifier: GPL-3.0-or-later
//
// For tests that some work costs little time.

import Foundation

/// Returns the processor time that this thread has used. Other programs, and tests on other threads,
/// do not change it, so a busy machine does not fail a test that measures with it.
public func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
