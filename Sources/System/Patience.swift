// SPDX-License-Identifier: GPL-3.0-or-later
//
// Limits how long one task waits for paths that someone else chose, such as the user. Each path is
// read on a thread of its own. If its disk does not answer, the task goes on and leaves that thread
// behind.

import Scheduling
import Synchronization

/// The time that one task, such as reading the config, may spend on disks that do not answer.
public nonisolated final class Patience: Sendable {
  private let left: Mutex<Duration>
  private let onLateAnswer: @Sendable () -> Void

  /// How long to wait for each path after the total time is used up. A disk that works needs less.
  private static let least = Duration.milliseconds(100)

  /// - Parameters:
  ///   - total: How long the task waits in total for paths that never answer. Waiting for a path
  ///     that answers is not deducted from this time.
  ///   - onLateAnswer: Called, on any thread, when a path answers after it was given up: the task
  ///     may be worth repeating.
  public init(
    _ total: Duration = .seconds(2), onLateAnswer: @escaping @Sendable () -> Void = {}
  ) {
    left = Mutex(total)
    self.onLateAnswer = onLateAnswer
  }

  /// Runs `work` on a thread and returns its result. Throws `.noAnswer` with `path` if the time
  /// runs out, even if no thread was free to run `work`.
  @Blocking public func wait<Value: Sendable>(
    for path: String, _ work: @escaping @Blocking @Sendable () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let limit = max(Self.least, left.withLock { $0 })
    let answer = Answer<Result<Value, FileError>>()
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

  /// Returns the first of `paths` that leads to a regular file. Skips a path that does not answer.
  @Blocking public func firstFile(_ paths: [String]) -> String? {
    paths.first { path in (try? wait(for: path) { Folder.hasFile(path) }) == true }
  }
}

/// Passes one value from the thread that has it to the thread that waits for it.
private nonisolated final class Answer<Value: Sendable>: Sendable {
  private let state = Mutex<(value: Value?, isGivenUp: Bool)>((nil, false))

  /// Stores the value. Returns false if `take` was called earlier, so that the value comes too
  /// late.
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
