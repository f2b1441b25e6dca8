// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Synchronization
import System
import Testing

/// Passes a source to another thread, which drops the last reference to the source.
private nonisolated final class Holder: @unchecked Sendable {
  var source: Source?
  init(_ source: Source) { self.source = source }
}

@Suite struct MainLoopTests {
  @Test func `the last reference to a source may be dropped on another thread`() {
    let worker = Worker(name: "dropper")
    for _ in 0..<100 {
      let holder = Holder(MainLoop.after(.seconds(60)) { Issue.record("it was dropped") })
      worker.perform { _ in holder.source = nil }
    }
    #expect(worker.finish(within: .seconds(10)))
  }

  @Test func `a delayed source may exist longer than its worker`() {
    nonisolated final class Kept: @unchecked Sendable {
      var delay: Source?
    }
    for round in 0..<1500 {
      var worker: Worker? = Worker(name: "ended")
      let kept = Kept()
      worker?.perform { [weak worker] _ in
        kept.delay = worker?.after(.seconds(60)) { _ in Issue.record("it was dropped") }
      }
      _ = worker?.finish(within: .seconds(10))
      worker = nil
      // The worker's thread is ending now. Wait a little longer in each round, so that the thread
      // is at a different point of its end when the source is released.
      for _ in 0..<(round % 100) * 20 { sched_yield() }
      kept.delay = nil
    }
  }

  @Test func `closures use a confined object in order, and none uses it after its release`() {
    nonisolated final class Count {
      var value = 0
    }
    let worker = Worker(name: "confined")
    let counted = Mutex(0)
    var confined: Confined<Count>? = Confined(on: worker, Count())
    for _ in 0..<1000 { confined?.perform { count, _ in count.value += 1 } }
    confined?.perform { count, _ in counted.withLock { $0 = count.value } }
    let delay = confined?.after(.zero) { _, _ in Issue.record("the object is gone") }
    confined = nil
    #expect(worker.finish(within: .seconds(10)))
    #expect(counted.withLock { $0 } == 1000)
    // The delay ends now, on the main loop.
    wait(within: .milliseconds(20)) { false }
    #expect(worker.finish(within: .seconds(10)))
    withExtendedLifetime(delay) {}
  }
}
