// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's status, kept up to date: asked for when the agent says that something changed, when
// the time alone changes it, and when an agent that was gone is back. For `watch` and `follow`.

import Bus
import Presentation
import Scheduling
import Screen
import System

@MainActor final class AgentFeed {
  enum Change {
    /// As values, and as it was answered.
    case status(Status, Variant)
    /// No agent, or one that does not answer.
    case lost
  }

  private let bus: Bus
  private let zones = Zones()
  private let onChange: (Change) -> Void
  private var presence: Bus.Subscription?
  private var changes: Bus.Subscription?
  private var turn: WallTimer?
  private var isAsking = false
  /// Something happened since the question that is on its way.
  private var isStale = false
  /// How long to wait before an agent counts as lost.
  private static let patience = Duration.seconds(10)
  private var isPresent = false

  /// Starts the agent where it does not run; where that cannot be, `waits` for one says whether to.
  /// `onChange` is called first of all, and then whenever the agent says something else or goes;
  /// `onEnd`, when the session does.
  init(
    waits: Bool = false, onEnd: @escaping () -> Void, onChange: @escaping (Change) -> Void
  ) throws {
    bus = try AgentConnection.connect()
    self.onChange = onChange
    var status: Variant?
    do { status = try AgentConnection.answeredStatus() } catch let failure as Failure where waits {
      Terminal.complain(failure.description)
    }
    bus.onClosed = onEnd
    turn = try? WallTimer { [weak self] in self?.ask() }  // Without it, a day begins unseen.
    changes = bus.listen(to: BusInterface.peer, "Changed") { [weak self] _ in self?.ask() }
    presence = bus.watch(BusInterface.name) { [weak self] in self?.agent(isPresent: $0) }
    if let status { tell(status) }
  }

  /// Calls `member` of the agent, and goes on; `failed` gets the words where it cannot be done.
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
    if isPresent { ask() } else { onChange(.lost) }
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
    // An agent that went meanwhile was told of; one that hangs was not.
    switch result {
    case .success(let reply):
      if let status = reply.values.first { tell(status) }
    case .failure where isPresent:
      onChange(.lost)
      // It answers when it goes on; should it end instead, the bus does at once.
      if limit == Self.patience { return ask(within: .hours(500)) }
    case .failure: break
    }
    if isStale { ask() }
  }

  private func tell(_ answer: Variant) {
    let status = Status(answer, asOf: Clock.now())
    turn?.arm(status.nextTurn(after: status.asOf.wall, in: zones))
    onChange(.status(status, answer))
  }
}
