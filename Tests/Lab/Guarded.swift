// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one way threads of the Lab share anything, and the two ways a test waits: a value behind a
// lock with a condition that is told of each change; and where nobody tells, asking again and
// again. Next: `Program.swift`.

import Foundation

/// Seconds since 1970-01-01T00:00:00Z, as the bus monitor and the recorder stamp what they see.
public typealias Epoch = Double

/// How long a test waits, in seconds, for what has to come. It costs nothing where all is well:
/// what is asked of the time itself, a test asks of the moment at which something came.
public let patience = 30.0

/// A value that several threads share.
final class Guarded<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Reads or changes the value; whoever waits looks again.
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

  /// Waits until `body` finds what it looks for; nil after `seconds` without it.
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
  /// Asks for something of which nobody tells until there is an answer, and returns that.
  ///
  /// - Parameter seen: what there is instead, for the error.
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
      usleep(20_000)
    }
  }

  /// The same where the answer is yes or no.
  public static func wait(
    for awaited: String, within seconds: Double = patience,
    seen: @autoclosure () throws -> String = "something else", until condition: () throws -> Bool
  ) throws {
    try ask(for: awaited, within: seconds, seen: try seen()) { try condition() ? true : nil }
  }
}

public enum LabError: Error, CustomStringConvertible {
  /// A server did not come up, or a tool did not do its work.
  case failed(String, reason: String)
  /// What a test waited for did not come; `seen` is what came instead.
  case deadline(String, seconds: Double, seen: String)

  public var description: String {
    switch self {
    case .failed(let name, let reason): "\(name) failed: \(reason)"
    case .deadline(let awaited, let seconds, let seen):
      "waited \(seconds) s for \(awaited); seen: \(seen.isEmpty ? "nothing" : seen)"
    }
  }
}
