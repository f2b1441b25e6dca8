// SPDX-License-Identifier: GPL-3.0-or-later
//
// Marks each function that may wait for a disk. On a dead network mount, such a wait can last
// forever. The compiler does not let the main loop call a marked function; other threads may call
// it. `Patience` limits how long a task waits. Next: `Worker.swift`, whose threads run such
// functions.

import Scheduling
import Synchronization

/// The global actor that marks every function that opens, reads or examines a path. The actor is
/// only a mark and locks nothing: several threads run such functions at the same time. No state
/// belongs to this actor.
@globalActor
public actor Blocking {
  public static let shared = Blocking()
  private static let threads = Threads()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.threads.asUnownedSerialExecutor()
  }

  /// Swift also checks at run time whether a closure that is marked `@Blocking` may run on the
  /// current thread. Any thread will do, because the compiler has already kept the closure off the
  /// main loop.
  private final class Threads: SerialExecutor {
    func enqueue(_ job: UnownedJob) { preconditionFailure("a marked function is never awaited") }
    func checkIsolated() {}
    func isIsolatingCurrentContext() -> Bool? { true }
  }

  /// Runs `work` on the current thread, which must be allowed to wait: a thread of a `Worker`, a
  /// program with nothing else to do meanwhile, or the agent while it starts. The agent's main loop
  /// must never call this; a test keeps the call out of the agent's sources. `work` is escaping,
  /// because for `withoutActuallyEscaping` the compiler would write the length of this file's path
  /// into the program, and a release would not be the same in every folder.
  public static func here<Value, Failure: Error>(
    _ work: @escaping @Blocking () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try unsafeBitCast(work, to: (() throws(Failure) -> Value).self)()
  }
}

/// The time that one task, such as reading the config, may spend on disks that do not answer. Each
/// path is read on a thread of its own. If its disk does not answer, the task goes on and leaves
/// that thread behind.
public final class Patience: Sendable {
  private let left: Mutex<Duration>
  private let onLateAnswer: @Sendable () -> Void

  /// How long to wait for each path after the total time is used up. A working disk answers sooner.
  private static let least = Duration.milliseconds(100)

  /// - Parameters:
  ///   - total: The time for all paths of the task together. A path that answers in time uses none
  ///     of it.
  ///   - onLateAnswer: Called, on any thread, when a path answers after it was given up: the task
  ///     may be worth repeating.
  public init(
    _ total: Duration = .seconds(2), onLateAnswer: @escaping @Sendable () -> Void = {}
  ) {
    left = Mutex(total)
    self.onLateAnswer = onLateAnswer
  }

  /// Runs `work` on another thread and returns its result. Throws `.noAnswer` with `path` if the
  /// time runs out, even if no thread was free to run `work`.
  @Blocking public func wait<Value: Sendable>(
    for path: String, _ work: @escaping @Blocking @Sendable () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let limit = max(Self.least, left.withLock { $0 })
    let answer = Mailbox<Result<Value, FileError>>()
    let start = ContinuousClock.now
    _ = Worker.wait(within: limit) { [onLateAnswer] done in
      Worker.once("disk") {
        let isInTime = answer.put(Result { () throws(FileError) in try work() })
        done()
        if !isInTime { onLateAnswer() }
      }
    }
    if let result = answer.take() { return try result.get() }
    left.withLock { $0 = max(.zero, $0 - start.duration(to: .now)) }
    throw .noAnswer(path: path)
  }

  /// Reads the regular file at `path`, of at most `limit` bytes.
  @Blocking public func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    try wait(for: path) { () throws(FileError) in try DurableFile.read(path, limit: limit) }
  }

  /// Returns the first of `paths` that leads to a regular file. Skips a path whose disk does not
  /// answer.
  @Blocking public func firstFile(_ paths: [String]) -> String? {
    paths.first { path in (try? wait(for: path) { Folder.hasFile(path) }) == true }
  }
}

/// Passes one value from the thread that has it to the thread that waits for it.
private final class Mailbox<Value: Sendable>: Sendable {
  private let state = Mutex<(value: Value?, isGivenUp: Bool)>((nil, false))

  /// Stores the value. Returns false if `take` was called before: the value is then too late.
  func put(_ value: Value) -> Bool {
    state.withLock { state in
      state.value = value
      return !state.isGivenUp
    }
  }

  /// Returns the value; nil if `put` has not stored one yet. After nil, any value comes too late.
  func take() -> Value? {
    state.withLock { state in
      state.isGivenUp = true
      return state.value
    }
  }
}
