// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one way threads of the Lab share anything, and the one way a test waits: a value behind a
// lock, and a condition that is told of each change. Nothing here sleeps. Next: `Program.swift`.

import Foundation

/// Seconds since 1970-01-01T00:00:00Z, as the bus monitor and the recorder stamp what they see.
public typealias Epoch = Double

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
