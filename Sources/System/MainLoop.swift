// SPDX-License-Identifier: GPL-3.0-or-later
//
// GLib's main loop: runs and quits it, and calls a closure when time has passed, a descriptor is
// ready or a signal has arrived. The loop's delays stand still while the machine is suspended, so
// they are only for short waits, such as before a retry. Anything that must be on time uses
// `WallTimer`. Other threads are in `Worker.swift`.

import CGLib
import Glibc
import Scheduling

/// The main thread's loop. `main.swift` enters it by `MainActor.assumeIsolated`.
@MainActor public enum MainLoop {
  private static let loop = g_main_loop_new(nil, 0)

  public static func run() { g_main_loop_run(loop) }

  public static func quit() { g_main_loop_quit(loop) }

  private static var mainQueue: Source?

  /// Lets this loop carry out what waits in libdispatch's main queue. If another thread releases
  /// the last reference to an object of the main actor, Swift leaves the end of the object to that
  /// queue (SE-0371). A loop that does not do this never ends such objects.
  public static func serveMainQueue() {
    let counter = _dispatch_get_main_queue_handle_4CF()
    mainQueue = onReadable(counter) {
      var count: UInt64 = 0
      read(counter, &count, 8)
      _dispatch_main_queue_callback_4CF(nil)
    }
  }

  /// Calls `work` once, no sooner than `delay` from now (`g_timeout_source_new`).
  public static func after(_ delay: Duration, _ work: @escaping () -> Void) -> Source {
    Source(after: delay, work)
  }

  private static var idleWork: [() -> Void] = []
  private static var idle: Source?

  /// Calls `work` when the loop has nothing else to do, after all work passed earlier. Each turn of
  /// the loop does one such work, so a timer waits for one of them at most.
  public static func whenIdle(_ work: @escaping () -> Void) {
    idleWork.append(work)
    guard idle == nil else { return }
    idle = Source(g_idle_source_new()) {
      idleWork.removeFirst()()
      if idleWork.isEmpty { idle = nil }
      return !idleWork.isEmpty
    }
  }

  /// Calls `work` each time a signal asks the program to quit, until the result is released.
  public static func onQuit(_ work: @escaping () -> Void) -> [Source] {
    [SIGHUP, SIGINT, SIGTERM].map { onSignal($0, work) }
  }

  /// Calls `work` each time the signal `number` arrives, on the loop and not in a signal handler
  /// (`g_unix_signal_source_new`).
  static func onSignal(_ number: Int32, _ work: @escaping () -> Void) -> Source {
    let source = g_unix_signal_source_new(number)
    // Otherwise a timer that is due again and again would keep a program from quitting.
    g_source_set_priority(source, G_PRIORITY_HIGH)
    return Source(source!) {
      work()
      return true
    }
  }

  /// Calls `work` whenever `descriptor` can be read (`g_unix_fd_add_full`). If `isFirst` is true,
  /// this comes before everything else that the loop has to do.
  public static func onReadable(
    _ descriptor: Int32, isFirst: Bool = false, _ work: @escaping () -> Void
  ) -> Source {
    on(G_IO_IN, of: descriptor, isFirst ? G_PRIORITY_HIGH : G_PRIORITY_DEFAULT, work)
  }

  /// Calls `work` when `descriptor` has lost its reader, so that written bytes reach no one.
  static func onHangUp(_ descriptor: Int32, _ work: @escaping () -> Void) -> Source {
    on(G_IO_ERR, of: descriptor, G_PRIORITY_DEFAULT, work)
  }

  private static func on(
    _ condition: GIOCondition, of descriptor: Int32, _ priority: gint,
    _ work: @escaping () -> Void
  ) -> Source {
    let id = g_unix_fd_add_full(
      priority, descriptor, condition,
      { _, _, context in
        CContext<() -> Void>.value(of: context)()
        return 1
      }, CContext.retained(work), releaseContext)
    return Source(adopting: g_source_ref(g_main_context_find_source_by_id(nil, id)))
  }

  /// Calls `work` once the child `process` has ended. This also reaps the child, so nothing else
  /// may wait for it (`g_child_watch_add_full`).
  public static func onExit(of process: Int32, _ work: @escaping (ProcessEnd) -> Void) -> Source {
    let id = g_child_watch_add_full(
      G_PRIORITY_DEFAULT, process,
      { _, status, context in
        CContext<(ProcessEnd) -> Void>.value(of: context)(ProcessEnd(waitStatus: status))
      }, CContext.retained(work), releaseContext)
    return Source(adopting: g_source_ref(g_main_context_find_source_by_id(nil, id)))
  }
}

/// How a process has ended: with an exit status, or by a signal.
public enum ProcessEnd: Equatable, Sendable, CustomStringConvertible {
  case status(Int32)
  case signal(Int32)

  /// Decodes a status of waitpid(2).
  public init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
  }

  public var description: String {
    switch self {
    case .status(let number): "status \(number)"
    case .signal(let number): "signal \(number)"
    }
  }
}

/// A callback that a main context calls (`GSource`). Releasing this object ends the calls.
public final class Source: Sendable {
  // A source may be destroyed from any thread, and also after it has ended. A source does not
  // retain its context. The context must still exist when the source is removed from it, so this
  // object retains the context.
  private nonisolated(unsafe) let source: UnsafeMutablePointer<GSource>
  private nonisolated(unsafe) let context: OpaquePointer?

  fileprivate init(adopting source: UnsafeMutablePointer<GSource>, on context: OpaquePointer? = nil)
  {
    (self.source, self.context) = (source, g_main_context_ref(context ?? g_main_context_default()))
  }

  /// Attaches `source`, and detaches it again when its callback returns false.
  fileprivate convenience init(
    _ source: UnsafeMutablePointer<GSource>, on context: OpaquePointer? = nil,
    _ work: @escaping () -> Bool
  ) {
    self.init(adopting: source, on: context)
    g_source_set_callback(
      source, { CContext<() -> Bool>.value(of: $0)() ? 1 : 0 }, CContext.retained(work),
      releaseContext)
    g_source_attach(source, self.context)
  }

  /// Calls `work` once, no sooner than `delay` from now, on the thread of the GMainContext
  /// `context`; nil stands for the main loop's context.
  package convenience init(
    after delay: Duration, on context: OpaquePointer? = nil, _ work: @escaping () -> Void
  ) {
    let milliseconds = max(0, (delay.wholeMicroseconds + 999) / 1000)
    self.init(g_timeout_source_new(guint(clamping: milliseconds)), on: context) {
      work()
      return false
    }
  }

  deinit {
    g_source_destroy(source)
    g_source_unref(source)
    g_main_context_unref(context)
  }
}
