// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures processor time, for tests which check that some work costs little of it.

import Foundation

/// Returns the processor time that this thread has used. Other programs and other threads do not
/// change it, so a test that measures it does not fail on a busy machine.
public func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
