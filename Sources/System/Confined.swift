// SPDX-License-Identifier: GPL-3.0-or-later
//
// An object that only the closures on one queue can use. The object needs no lock, and the compiler
// checks that no other thread uses it. For a value that several threads use at the same time, take
// a `Mutex` instead. Next: `Worker.swift`, the usual queue.

/// Runs closures one after another, with the right to wait for a disk.
package protocol SerialQueue: Sendable {
  /// Runs `work` after all work that was given to this queue earlier.
  func perform(_ work: @escaping @Sendable (Disk) -> Void)
  /// Queues `work` after `delay`, unless the returned object is released before that.
  func after(_ delay: Duration, _ work: @escaping @Sendable (Disk) -> Void) -> Source
}

/// Gives an object to closures on one queue. Any thread may call `perform` and `after`.
///
/// The class of the object is not `Sendable`, so the compiler refuses a closure that passes the
/// object to another thread, stores it where another thread finds it, or gives it an object of
/// another thread. The compiler does not check pointers that C code keeps, `nonisolated(unsafe)`
/// and `@unchecked Sendable`.
///
/// The object's `deinit` may run on any thread, but only after the last closure.
package final class Confined<Object: AnyObject>: Sendable {
  private let queue: any SerialQueue
  // Only the closures below use the object, and the queue runs one of them at a time. `sending`
  // proves that nothing else refers to the object at the beginning.
  private nonisolated(unsafe) let object: Object

  package init(on queue: any SerialQueue, _ object: sending Object) {
    (self.queue, self.object) = (queue, object)
  }

  /// Runs `work` after all work that was given to the queue earlier.
  package func perform(_ work: @escaping @Sendable (Object, Disk) -> Void) {
    queue.perform { disk in work(self.object, disk) }
  }

  /// Queues `work` after `delay`, unless the returned object or this one is released before that.
  package func after(
    _ delay: Duration, _ work: @escaping @Sendable (Object, Disk) -> Void
  ) -> Source {
    queue.after(delay) { [weak self] disk in
      if let self { work(object, disk) }
    }
  }
}
