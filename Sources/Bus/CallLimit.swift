// SPDX-License-Identifier: GPL-3.0-or-later
//
// Limits how many calls may wait for an answer: the calls of each caller, and all calls together.
// GDBus's own thread refuses further calls, so a burst of calls does not hold up the main loop.
// This file also notices when a caller has left the bus. `MessageLimit.swift` limits the size of
// each call; `Interface.swift` answers the calls.

import CGLib
import Synchronization
import System

nonisolated final class CallLimit: Sendable {
  /// How many calls of one caller may wait for an answer.
  static let mostOfCaller = 32
  /// How many calls may wait for an answer in total. Twice as many may wait if a caller has no
  /// other call: so a few busy callers cannot keep out everyone else.
  static let mostOfAll = 256

  static let shared = CallLimit()

  private struct State {
    var callers: [String: Caller] = [:]
    /// The number of calls of each caller that wait for an answer.
    var counts: [String: Int] = [:]
    var total = 0
  }

  private let state = Mutex(State())

  /// Counts a call of `name` until the ticket is released; returns nil if there are too many calls.
  func admit(_ name: String) -> CallTicket? {
    state.withLock { state in
      let count = state.counts[name, default: 0]
      let most = count == 0 ? 2 * Self.mostOfAll : Self.mostOfAll
      guard count < Self.mostOfCaller, state.total < most else { return nil }
      let caller = state.callers[name] ?? Caller(name)
      state.callers[name] = caller
      state.counts[name] = count + 1
      state.total += 1
      return CallTicket(caller, of: self)
    }
  }

  /// Whether more than one call is waiting for an answer.
  var isBusy: Bool { state.withLock { $0.total > 1 } }

  fileprivate func release(_ caller: Caller) {
    state.withLock { state in
      state.total -= 1
      state.counts[caller.name]? -= 1
      guard state.counts[caller.name] == 0 else { return }
      (state.counts[caller.name], state.callers[caller.name]) = (nil, nil)
    }
  }
}

/// A program that has called and waits for an answer.
nonisolated final class Caller: Sendable {
  let name: String
  private let isGone = Mutex(false)
  private let watch = Mutex<Bus.Subscription?>(nil)

  init(_ name: String) { self.name = name }

  /// Whether this program has left the bus. Known only after `watch(on:)`.
  var hasLeft: Bool { isGone.withLock { $0 } }

  /// Watches whether this program leaves the bus, until it has no more waiting calls.
  @MainActor func watch(on bus: Bus) {
    guard watch.withLock({ $0 == nil }) else { return }
    let subscription = bus.watch(name) { [weak self] owner in
      if owner == nil { self?.isGone.withLock { $0 = true } }
    }
    watch.withLock { $0 = subscription }
  }
}

/// Counts a call as waiting, as long as this object lives. The call's message holds it, because
/// GDBus releases the message after the answer, or if there will be none.
nonisolated final class CallTicket: Sendable {
  let caller: Caller
  private let limit: CallLimit
  private static let key = "belfry-ticket"

  init(_ caller: Caller, of limit: CallLimit) { (self.caller, self.limit) = (caller, limit) }

  deinit { limit.release(caller) }

  /// Lets `message` hold this ticket.
  func attach(to message: OpaquePointer) {
    g_object_set_data_full(
      UnsafeMutableRawPointer(message).assumingMemoryBound(to: GObject.self), Self.key,
      CContext<CallTicket>.retained(self), releaseContext)
  }

  /// The ticket that `message` holds.
  static func of(_ message: OpaquePointer?) -> CallTicket? {
    guard let message else { return nil }
    let object = UnsafeMutableRawPointer(message).assumingMemoryBound(to: GObject.self)
    return g_object_get_data(object, key).map { CContext<CallTicket>.value(of: $0) }
  }
}
