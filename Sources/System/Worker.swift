// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs work that may block for seconds, such as opening a sound device or making a file durable, on
// the threads of GLib's pool. The pool has only as many threads as there is work for; idle threads
// end soon. Next: `Disk.swift`, which such work needs as an argument, and which
// limits the wait for a disk.

import CGLib
import Glibc
import Scheduling
import Synchronization

/// Runs closures one after another, each on a thread of the pool. A closure that hangs delays the
/// later closures of the same worker, but no other worker. A worker that has been released still
/// runs the closures that it was given.
public final class Worker: SerialQueue {
  public typealias Work = @Sendable (Disk) -> Void

  private struct Queue {
    var waiting: [Work] = []
    var isRunning = false
  }

  private let name: String
  private let queue = Mutex(Queue())

  /// - Parameter name: Shown by `top -H` after "pool-"; the kernel keeps 10 bytes of it.
  public init(name: String) { self.name = name }

  /// Runs `work` after all work that was given to this worker earlier.
  public func perform(_ work: @escaping Work) {
    let isFirst = queue.withLock { queue in
      queue.waiting.append(work)
      defer { queue.isRunning = true }
      return !queue.isRunning
    }
    if isFirst { Worker.once(name) { self.run(on: $0) } }
  }

  private func run(on disk: Disk) {
    while let work = next() { work(disk) }
  }

  private func next() -> Work? {
    queue.withLock { queue in
      queue.isRunning = !queue.waiting.isEmpty
      return queue.isRunning ? queue.waiting.removeFirst() : nil
    }
  }

  /// Queues `work` after `delay`, unless the returned object or this worker is released before
  /// that.
  public func after(_ delay: Duration, _ work: @escaping Work) -> Source {
    Source(after: delay) { [weak self] in self?.perform(work) }
  }

  /// Waits at most `limit` until all work given earlier is done, and returns whether it is done
  /// (`g_async_queue_timeout_pop`). Use this only at the end of the program, because it blocks.
  public func finish(within limit: Duration) -> Bool {
    Worker.wait(within: limit) { done in perform { _ in done() } }
  }

  /// Calls `start` with the closure `done`, then waits at most `limit` until `done` is called.
  /// Returns whether `done` was called in time.
  package static func wait(
    within limit: Duration, _ start: (_ done: @escaping @Sendable () -> Void) -> Void
  ) -> Bool {
    // Any thread may use a GAsyncQueue.
    nonisolated(unsafe) let queue = g_async_queue_new()
    g_async_queue_ref(queue)
    start {
      g_async_queue_push(queue, UnsafeMutableRawPointer(queue))
      g_async_queue_unref(queue)
    }
    defer { g_async_queue_unref(queue) }
    return g_async_queue_timeout_pop(queue, guint64(max(0, limit.wholeMicroseconds))) != nil
  }

  // MARK: - The pool of threads

  /// Runs `work` on a thread of the pool, at the same time as all other work.
  public static func once(_ name: String, _ work: @escaping Work) {
    let named: Work = { disk in
      pthread_setname_np(pthread_self(), String("pool-\(name)".prefix(15)))
      work(disk)
    }
    let context = CContext<Work>.retained(named)
    // If no thread can be started, the pool keeps the work and tries again when it gets the next
    // work.
    if g_thread_pool_push(pool, context, nil) == 0 {
      Log.warning("a thread cannot be started")
    }
  }

  // Any thread may use a GThreadPool.
  private nonisolated(unsafe) static let pool = g_thread_pool_new(
    { context, _ in Disk.here(CContext<Work>.take(context)) }, nil, -1, 0, nil)

  // MARK: - Work for the main loop

  /// Runs `work` on the main loop, after everything that was passed to `onMain` earlier. This
  /// attaches a source instead of calling `g_main_context_invoke`, because before the main loop
  /// runs, that function would run `work` immediately, on the calling thread.
  public static func onMain(_ work: @escaping @MainActor @Sendable () -> Void) {
    let source = g_idle_source_new()
    g_source_set_priority(source, G_PRIORITY_DEFAULT)
    g_source_set_callback(
      source,
      { context in
        let work = CContext<@MainActor @Sendable () -> Void>.value(of: context)
        MainActor.assumeIsolated(work)
        return 0
      }, CContext<@MainActor @Sendable () -> Void>.retained(work), releaseContext)
    g_source_attach(source, nil)
    g_source_unref(source)
  }
}

/// The result of work on another thread, for a program that has nothing else to do meanwhile.
public final class BackgroundResult<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  // Any thread may use a GAsyncQueue.
  private nonisolated(unsafe) let queue = g_async_queue_new()

  /// Runs `work` at once, at the same time as all other work. For `name`, see `Worker.init`.
  public init(_ name: String, _ work: @escaping @Sendable (Disk) -> Value) {
    Worker.once(name) { [self] disk in
      let result = work(disk)
      value.withLock { $0 = result }
      signal()
    }
  }

  deinit { g_async_queue_unref(queue) }

  /// Waits for the result. Returns nil if it is not there after `limit`.
  public func wait(within limit: Duration) -> Value? {
    if let result = value.withLock({ $0 }) { return result }
    let microseconds = guint64(max(0, limit.wholeMicroseconds))
    // Other threads may be waiting, too.
    if g_async_queue_timeout_pop(queue, microseconds) != nil { signal() }
    return value.withLock { $0 }
  }

  private func signal() { g_async_queue_push(queue, UnsafeMutableRawPointer(queue)) }
}
