// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the agent's status up to date for `watch` and `follow`. Asks the agent for its status when
// the agent reports a change, when the time alone changes the status, and when an agent appears on
// the bus.

import Bus
import Presentation
import Scheduling
import Screen
import System

@MainActor final class AgentFeed {
  private let bus: Bus
  private let zones = Zones()
  private let onChange: (Status?) -> Void
  private var presence: Bus.Subscription?
  private var changes: Bus.Subscription?
  private var turn: WallTimer?
  private var isAsking = false
  /// Whether something changed after the last request was sent, so that its answer may be
  /// out of date.
  private var isStale = false
  /// How long the agent may take to answer before it counts as lost.
  private static let patience = Duration.seconds(10)
  private var isPresent = false

  /// Starts the agent if it is not running. If the agent cannot be started, throws; with `waits`,
  /// prints the reason and waits until an agent appears. Calls `onChange` with the first status and
  /// after each change, or with nil if no agent is running or the agent does not answer. Calls
  /// `onEnd` if the connection to the session bus is lost.
  init(
    waits: Bool = false, onEnd: @escaping () -> Void, onChange: @escaping (Status?) -> Void
  ) throws {
    bus = try AgentConnection.connect()
    self.onChange = onChange
    var status: Status?
    do { status = try AgentConnection.status() } catch let failure as Failure where waits {
      Terminal.complain(failure.description)
    }
    bus.onClosed = onEnd
    // If the timer cannot be made, go on without it. The status is then not updated at midnight.
    turn = try? WallTimer { [weak self] in self?.ask() }
    changes = bus.listen(to: BusInterface.peer, "Changed") { [weak self] _ in self?.ask() }
    presence = bus.watch(BusInterface.name) { [weak self] in self?.agent(isPresent: $0 != nil) }
    if let status { report(status) }
  }

  func call(
    _ member: String, _ arguments: [Variant], starting: Bool = false,
    _ failed: @escaping (String) -> Void
  ) {
    bus.ask(BusInterface.peer, member, arguments, starting: starting) { result in
      guard case .failure(let error) = result else { return }
      let lines = AgentConnection.failure(error).description.split(separator: "\n")
      failed(lines.joined(separator: "; "))
    }
  }

  private func agent(isPresent: Bool) {
    self.isPresent = isPresent
    if isPresent { ask() } else { onChange(nil) }
  }

  private func ask(within limit: Duration = patience) {
    guard !isAsking else {
      isStale = true
      return
    }
    isAsking = true
    isStale = false
    bus.ask(BusInterface.peer, "Status", timeout: limit) { [weak self] result in
      self?.answered(result, within: limit)
    }
  }

  private func answered(_ result: Result<Bus.Reply, BusError>, within limit: Duration) {
    isAsking = false
    switch result {
    case .success(let reply):
      if let status = reply.values.first { report(Status(status, asOf: Clock.now())) }
    // If the agent has left the bus, `agent(isPresent:)` has already reported that.
    case .failure where isPresent:
      onChange(nil)
      // The agent hangs. Ask again with a limit of many hours, so that its answer arrives when it
      // no longer hangs. If the agent exits, the bus reports that at once.
      if limit == Self.patience { return ask(within: .hours(500)) }
    case .failure: break
    }
    if isStale { ask() }
  }

  private func report(_ status: Status) {
    turn?.arm(status.nextTurn(after: status.asOf.wall, in: zones))
    onChange(status)
  }
}
