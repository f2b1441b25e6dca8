// SPDX-License-Identifier: GPL-3.0-or-later
//
// The only thread that uses libnotify, with a main context of its own. This thread is needed for
// two reasons: a call waits up to 25 s for a server that hangs, and libnotify's signals arrive in
// the context in which libnotify was first used. Next: NotificationThread.swift, for the work on
// this thread.

import CGLib
import System

/// Runs closures on libnotify's thread, one after another. libnotify has one proxy for the whole
/// process, so all notifiers share the thread.
nonisolated enum NotificationLoop {
  // Any thread may use a GMainContext.
  private nonisolated(unsafe) static let context: OpaquePointer = {
    nonisolated(unsafe) let context = g_main_context_new()
    Worker.once("libnotify") {
      g_main_context_push_thread_default(context)
      while true { g_main_context_iteration(context, 1) }
    }
    return context!
  }()

  /// Runs `work` after all work that was given earlier.
  static func perform(_ work: @escaping @Blocking @Sendable () -> Void) {
    g_main_context_invoke_full(
      context, G_PRIORITY_DEFAULT,
      { work in
        Blocking.here(CContext<@Blocking @Sendable () -> Void>.value(of: work))
        return 0
      }, CContext<@Blocking @Sendable () -> Void>.retained(work), releaseContext)
  }

  /// Runs `work` after `delay`, unless the returned object is released before that.
  static func after(
    _ delay: Duration, _ work: @escaping @Blocking @Sendable () -> Void
  ) -> Source {
    Source(after: delay, on: context) { Blocking.here(work) }
  }

  /// Waits at most `limit` until all work that was given earlier is done, and returns whether it is
  /// done. Use this only at the end of the program, because it blocks.
  static func finish(within limit: Duration) -> Bool {
    Worker.wait(within: limit) { done in perform { done() } }
  }
}
