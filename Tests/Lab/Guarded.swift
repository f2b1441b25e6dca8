// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets threads of the Lab share values, and lets tests wait. A shared value has a lock, and a
// condition variable that is signalled at each change. If a change has no signal, the test that
// waits for it asks repeatedly. Next: `Program.swift`.

import Foundation

/// A time in seconds since 1970-01-01T00:00:00Z, as the bus monitor and the recorder give it.
public typealias Epoch = Double

/// How many seconds a test waits for an event that must come. A passing test never waits that long.
/// Tests about time also check at which moment the event came.
public let patience = 120.0

/// A value that several threads share.
final class Guarded<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Reads or changes the value, and wakes every thread that is waiting for a change.
  @discardableResult
  func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return try body(&value)
  }

  func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    condition.lock()
    defer { condition.unlock() }
    return try body(value)
  }

  /// Waits until `body` returns a result, and returns it. Returns nil if there is none after
  /// `seconds`.
  func wait<Result>(within seconds: Double, for body: (inout Value) -> Result?) -> Result? {
    let deadline = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = body(&value) { return result }
      if !condition.wait(until: deadline) { return body(&value) }
    }
  }
}

extension Lab {
  /// Calls `question` repeatedly until it returns an answer, and returns that answer. Use this for
  /// changes that nothing announces.
  ///
  /// - Parameter seen: describes the present state, for the error that is thrown if no answer comes
  ///   in time.
  @discardableResult
  public static func ask<Answer>(
    for awaited: String, within seconds: Double = patience,
    seen: @autoclosure () throws -> String = "something else", _ question: () throws -> Answer?
  ) throws -> Answer {
    let deadline = now + seconds
    while true {
      if let answer = try question() { return answer }
      guard now < deadline else {
        throw LabError.deadline(awaited, seconds: seconds, seen: try seen())
      }
      usleep(100_000)
    }
  }

  /// Calls `condition` repeatedly until it returns true.
  public static func wait(
    for awaited: String, within seconds: Double = patience,
    seen: @autoclosure () throws -> String = "something else", until condition: () throws -> Bool
  ) throws {
    try ask(for: awaited, within: seconds, seen: try seen()) { try condition() ? true : nil }
  }
}

public enum LabError: Error, CustomStringConvertible {
  /// A server did not start, or a tool did not do its work.
  case failed(String, reason: String)
  /// An awaited event did not come in time. `seen` describes the state at that moment.
  case deadline(String, seconds: Double, seen: String)

  public var description: String {
    switch self {
    case .failed(let name, let reason): "\(name) failed: \(reason)"
    case .deadline(let awaited, let seconds, let seen):
      "waited \(seconds) s for \(awaited); seen: \(seen.isEmpty ? "nothing" : seen)"
    }
  }
}
