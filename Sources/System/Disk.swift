// SPDX-License-Identifier: GPL-3.0-or-later
//
// The permission to wait for a disk. On a dead network mount, such a wait can last forever, so the
// main loop must never begin one. Every function that may wait takes a `Disk` as an argument, and
// the main loop has none. `Patience` limits how long a task waits. Next: `Worker.swift`, whose
// threads have a `Disk`.

import Scheduling
import Synchronization

/// Stands for the right of the current thread to wait for a disk, a server or another process. A
/// function takes a `Disk` if it opens, reads or examines a path, or if it calls such a function.
///
/// A thread of a `Worker` passes a `Disk` to the closure that it runs. Because this type is not
/// `Sendable`, the compiler does not let that closure pass the `Disk` on to the main loop.
public struct Disk {
  private init() {}

  /// Runs `work` on the current thread, which must be allowed to wait: a thread of a `Worker`, a
  /// program with nothing else to do meanwhile, or the agent while it starts. The agent's main loop
  /// must never call this function, which is the only one that makes a `Disk`. `LayeringTests`
  /// keeps the call out of the agent's sources.
  public static func here<Value, Failure: Error>(
    _ work: (Disk) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try work(Disk())
  }
}

@available(*, unavailable)
extension Disk: Sendable {}

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
  public func wait<Value: Sendable>(
    for path: String, on disk: Disk, _ work: @escaping @Sendable (Disk) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let limit = max(Self.least, left.withLock { $0 })
    let answer = Mailbox<Result<Value, FileError>>()
    let start = ContinuousClock.now
    _ = Worker.wait(within: limit) { [onLateAnswer] done in
      Worker.once("disk") { disk in
        let isInTime = answer.put(Result { () throws(FileError) in try work(disk) })
        done()
        if !isInTime { onLateAnswer() }
      }
    }
    if let result = answer.take() { return try result.get() }
    left.withLock { $0 = max(.zero, $0 - start.duration(to: .now)) }
    throw .noAnswer(path: path)
  }

  /// Reads the regular file at `path`, of at most `limit` bytes.
  public func read(_ path: String, limit: Int, on disk: Disk) throws(FileError) -> [UInt8] {
    try wait(for: path, on: disk) { disk throws(FileError) in
      try DurableFile.read(path, limit: limit, on: disk)
    }
  }

  /// Returns the first of `paths` that leads to a regular file. Skips a path whose disk does not
  /// answer.
  public func firstFile(_ paths: [String], on disk: Disk) -> String? {
    paths.first { path in (try? wait(for: path, on: disk) { Folder.hasFile(path, on: $0) }) == true
    }
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
