// SPDX-License-Identifier: GPL-3.0-or-later
//
// Marks the functions that may wait for a disk, which can take forever on a dead network mount. The
// compiler refuses to let the main loop call such a function. Other threads may call it. Next:
// `Worker.swift`, whose threads run such functions, and `Patience.swift`, which bounds the wait.

/// The global actor that marks every function that opens, reads or examines a path. It is only a
/// mark and locks nothing: several threads run such functions at the same time. No state belongs to
/// this actor.
@globalActor
public actor Blocking {
  public static let shared = Blocking()
  private static let threads = Threads()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.threads.asUnownedSerialExecutor()
  }

  /// Swift also checks at run time whether a marked closure may run on the current thread. Any
  /// thread will do, because the compiler has already kept the closure off the main loop.
  private final class Threads: SerialExecutor {
    func enqueue(_ job: UnownedJob) { preconditionFailure("a marked function is never awaited") }
    func checkIsolated() {}
    func isIsolatingCurrentContext() -> Bool? { true }
  }

  /// Runs `work` on the current thread, which must be allowed to wait: a thread of a `Worker`, a
  /// program with nothing else to do meanwhile, or the agent while it starts. The agent's main loop
  /// must never call this; a test keeps the call out of the agent's sources.
  public nonisolated static func here<Value, Failure: Error>(
    _ work: @Blocking () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try withoutActuallyEscaping(work) {
      (work: @escaping @Blocking () throws(Failure) -> Value) throws(Failure) -> Value in
      try unsafeBitCast(work, to: (() throws(Failure) -> Value).self)()
    }
  }
}
