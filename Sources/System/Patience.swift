// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bounds how long one task waits for paths that someone else chose. Each path is read on a thread
// of its own. If its disk does not answer, the task goes on and leaves that thread behind.

import CGLib
import Glibc
import Scheduling
import Synchronization

/// The time that one task, such as reading the config, may spend on disks that do not answer.
public nonisolated final class Patience: Sendable {
  private let left: Mutex<Duration>
  private let onLateAnswer: @Sendable () -> Void

  /// How long each path gets once the time is used up. A disk that works needs less.
  private static let least = Duration.milliseconds(100)

  /// - Parameters:
  ///   - total: The time for all paths of the task together. A path that answers uses none of it.
  ///   - onLateAnswer: Called, on any thread, when a path answers after it was given up: the task
  ///     may be worth repeating.
  public init(
    _ total: Duration = .seconds(2), onLateAnswer: @escaping @Sendable () -> Void = {}
  ) {
    left = Mutex(total)
    self.onLateAnswer = onLateAnswer
  }

  /// Returns what `work` returns. Throws `.noAnswer` with `path` when the time is over, also if
  /// there was no free thread to start `work`.
  @Blocking public func wait<Value: Sendable>(
    for path: String, _ work: @escaping @Blocking @Sendable () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let limit = max(Self.least, left.withLock { $0 })
    let answer = Answered<Result<Value, FileError>>()
    let start = ContinuousClock.now
    Worker.once("disk") { [onLateAnswer] in
      if answer.put(Result { () throws(FileError) in try work() }) == .late { onLateAnswer() }
    }
    if let result = answer.wait(within: limit) { return try result.get() }
    left.withLock { $0 = max(.zero, $0 - start.duration(to: .now)) }
    throw .noAnswer(path: path)
  }

  /// The first of `paths` that leads to a regular file. Skips a path that does not answer.
  @Blocking public func firstFile(_ paths: [String]) -> String? {
    paths.first { path in (try? wait(for: path) { Folder.hasFile(path) }) == true }
  }
}

/// Passes one value from the thread that has it to the thread that waits for it.
private nonisolated final class Answered<Value: Sendable>: Sendable {
  enum Arrival { case inTime, late }

  private enum State {
    case open
    case there(Value)
    case givenUp
  }

  private let state = Mutex(State.open)
  // Any thread may use a GAsyncQueue. Its item is only a signal; the value is in `state`.
  private nonisolated(unsafe) let queue = g_async_queue_new()

  deinit { g_async_queue_unref(queue) }

  func put(_ value: Value) -> Arrival {
    let arrival = state.withLock { state -> Arrival in
      if case .givenUp = state { return .late }
      state = .there(value)
      return .inTime
    }
    if arrival == .inTime { g_async_queue_push(queue, UnsafeMutableRawPointer(queue)) }
    return arrival
  }

  /// Returns the value, or nil after `limit`; a value that comes after that is `.late`.
  func wait(within limit: Duration) -> Value? {
    _ = g_async_queue_timeout_pop(queue, guint64(max(0, limit.wholeMicroseconds)))
    return state.withLock { state in
      if case .there(let value) = state { return value }
      state = .givenUp
      return nil
    }
  }
}
