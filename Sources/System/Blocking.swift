// SPDX-License-Identifier: GPL-3.0-or-later
//
// Marks the functions that may wait for a disk: one on a dead network mount answers never. The main
// loop cannot call them, because the compiler refuses it; a thread can. Next: `Worker.swift`, whose
// threads may, and `Patience.swift`, which bounds the wait.

/// The isolation of every function that opens, reads or looks at a path. It is a mark and no lock:
/// several threads run such functions at once, and nothing is stored under it.
@globalActor
public actor Blocking {
  public static let shared = Blocking()
  private static let threads = Threads()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.threads.asUnownedSerialExecutor()
  }

  /// Swift asks at run time, too, whether a marked closure may run here: on any thread it may,
  /// because the compiler has kept it off the main loop.
  private final class Threads: SerialExecutor {
    func enqueue(_ job: UnownedJob) { preconditionFailure("nobody waits for a marked function") }
    func checkIsolated() {}
    func isIsolatingCurrentContext() -> Bool? { true }
  }

  /// Runs `work` on this thread, which is allowed to wait: a thread of a `Worker`, a program that
  /// does nothing else meanwhile, or the start of the agent. The agent's main loop must never get
  /// here; a test keeps this call out of the agent's sources.
  public nonisolated static func here<Value, Failure: Error>(
    _ work: @Blocking () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try withoutActuallyEscaping(work) {
      (work: @escaping @Blocking () throws(Failure) -> Value) throws(Failure) -> Value in
      try unsafeBitCast(work, to: (() throws(Failure) -> Value).self)()
    }
  }
}
