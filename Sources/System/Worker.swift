// SPDX-License-Identifier: GPL-3.0-or-later
//
// A thread for what may block for seconds: opening a sound device, calling a notification server,
// making a file durable. It has a main context of its own, so that a C library used on it gets its
// signals there. It owns what it works with and reports back with `Worker.onMain`.

import CGLib
import Scheduling

/// A named thread that runs closures one after another (`g_thread_new`, `GMainContext`). Released,
/// it ends after what it was asked for; nobody waits for that, since a thread that hangs in a C
/// library cannot be joined.
public nonisolated final class Worker: Sendable {
  // A GMainContext and a GMainLoop may be used from any thread.
  private nonisolated(unsafe) let context: OpaquePointer
  private nonisolated(unsafe) let loop: OpaquePointer

  /// `name` is what `top -H` shows; the kernel keeps 15 bytes of it.
  public init(name: String) {
    context = g_main_context_new()
    loop = g_main_loop_new(context, 0)
    let thread = g_thread_new(
      name,
      { loop in
        let loop = OpaquePointer(loop)
        let context = g_main_loop_get_context(loop)
        g_main_context_push_thread_default(context)
        g_main_loop_run(loop)
        g_main_context_pop_thread_default(context)
        g_main_loop_unref(loop)
        return nil
      }, UnsafeMutableRawPointer(g_main_loop_ref(loop)))
    g_thread_unref(thread)
  }

  deinit {
    // By a source of its own: it must not overtake what was asked for, whichever thread this is.
    let quit = g_idle_source_new()
    g_source_set_priority(quit, G_PRIORITY_DEFAULT)
    g_source_set_callback(
      quit,
      { loop in
        g_main_loop_quit(OpaquePointer(loop))
        return 0
      }, UnsafeMutableRawPointer(g_main_loop_ref(loop)), { g_main_loop_unref(OpaquePointer($0)) })
    g_source_attach(quit, context)
    g_source_unref(quit)
    g_main_loop_unref(loop)
    g_main_context_unref(context)
  }

  /// Runs `work` on the thread, after all that was asked for earlier.
  public func perform(_ work: @escaping @Blocking @Sendable () -> Void) {
    Worker.invoke(context) { Blocking.here(work) }
  }

  /// Runs `work` on a new thread, which ends with it (`g_thread_try_new`); false if there is none to
  /// be had.
  @discardableResult
  public static func once(
    _ name: String, _ work: @escaping @Blocking @Sendable () -> Void
  ) -> Bool {
    let context = CContext<@Blocking @Sendable () -> Void>.retained(work)
    let thread = g_thread_try_new(
      name,
      { context in
        Blocking.here(CContext<@Blocking @Sendable () -> Void>.take(context))
        return nil
      }, context, nil)
    guard let thread else {
      releaseContext(context)
      return false
    }
    g_thread_unref(thread)
    return true
  }

  /// Whether this is called on the thread.
  var isCurrent: Bool { g_main_context_is_owner(context) != 0 }

  /// Calls `work` on the thread after `delay`, unless it has been cancelled by then
  /// (`g_timeout_source_new`). To be called on this thread.
  public func after(
    _ delay: Duration, _ work: @escaping @Blocking @Sendable () -> Void
  ) -> Delayed {
    Delayed(context, delay) { Blocking.here(work) }
  }

  /// Waits until the thread has done all that was asked for earlier, at most `limit`, and returns
  /// whether it has (`g_async_queue_timeout_pop`). For the end of the program: it blocks.
  public func finish(within limit: Duration) -> Bool {
    // A GAsyncQueue may be used from any thread.
    nonisolated(unsafe) let queue = g_async_queue_new()
    g_async_queue_ref(queue)
    perform {
      g_async_queue_push(queue, UnsafeMutableRawPointer(queue))
      g_async_queue_unref(queue)
    }
    defer { g_async_queue_unref(queue) }
    return g_async_queue_timeout_pop(queue, guint64(max(0, limit.wholeMicroseconds))) != nil
  }

  /// Runs `work` on the main loop, after all that was asked for earlier. By a source, because
  /// `g_main_context_invoke` would run it on a thread without a context of its own, where the main loop
  /// does not run yet.
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

  private static func invoke(_ context: OpaquePointer, _ work: @escaping @Sendable () -> Void) {
    g_main_context_invoke_full(
      context, G_PRIORITY_DEFAULT,
      { context in
        CContext<@Sendable () -> Void>.value(of: context)()
        return 0
      }, CContext.retained(work), releaseContext)
  }

  /// Work that waits on a worker; cancelled or released, it is not done.
  public final class Delayed: Sendable {
    // A source does not hold its context, and may not be taken out of one that is being freed: this
    // holds it, since the worker may end first.
    private nonisolated(unsafe) let context: OpaquePointer
    private nonisolated(unsafe) let source: UnsafeMutablePointer<GSource>

    fileprivate init(
      _ context: OpaquePointer, _ delay: Duration, _ work: @escaping @Sendable () -> Void
    ) {
      self.context = g_main_context_ref(context)
      let milliseconds = max(0, (delay.wholeMicroseconds + 999) / 1000)
      source = g_timeout_source_new(guint(clamping: milliseconds))
      g_source_set_callback(
        source,
        { context in
          CContext<@Sendable () -> Void>.value(of: context)()
          return 0
        }, CContext.retained(work), releaseContext)
      g_source_attach(source, context)
    }

    deinit {
      g_source_destroy(source)
      g_source_unref(source)
      g_main_context_unref(context)
    }
  }
}
