// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether a notification server is running, which one it is, and whether it is listening.
// Runs on the main loop and never waits. Posting is left to NotificationThread.swift; read that
// next.

import Bus
import Scheduling
import System

/// The server behind `org.freedesktop.Notifications`. Before each post, it is asked for its name,
/// without waiting for the answer. So a server that is absent, slow or hung costs no time, and a
/// server that recovers shows this by its answer.
final class NotificationServer {
  /// After this long without an answer, a question to the server counts as lost. The question is
  /// repeated if there is still something to post.
  private static let longestWait = Duration.seconds(30)
  nonisolated static let silence = "the notification server does not answer; it is waited for"

  /// The running server; nil if there is none, or it has not answered yet.
  private(set) var server: Notifier.Server?
  /// Called with each event of the server. `instance` identifies the server's process, even among
  /// the servers of other sessions; nil if no server is running.
  var onEvent: ((Board.Event, _ instance: String?) -> Void)?

  private let bus: Bus
  private var presence: Bus.Subscription?
  private var instance: String?
  /// The number of the question whose answer is awaited. Answers to earlier questions are ignored.
  private var question: Int?
  private var questions = 0
  private var complaints: Set<String> = []

  init(on bus: Bus) {
    self.bus = bus
    presence = bus.watch(Bus.Peer.notifications.name) { [weak self] owner in
      if let owner { self?.appeared(owner) } else { self?.vanished() }
    }
  }

  private func appeared(_ owner: String) {
    instance = "\(bus.id) \(owner)"
    question = nil
    ask()
  }

  private func vanished() {
    (server, instance) = (nil, nil)
    complaints = []
    onEvent?(.gone, nil)
  }

  /// Asks the server for its name. If no server is running, the bus starts one if it can.
  func ask() {
    guard question == nil else { return }
    questions += 1
    question = questions
    ask("GetServerInformation") { [weak self] answer in
      guard let self else { return }
      if server != nil { return listening() }
      let words = answer.map { $0.string ?? "" }
      ask("GetCapabilities") { [weak self] answer in
        self?.server = Notifier.Server(
          name: words.first ?? "", version: words.count > 2 ? words[2] : "",
          capabilities: Set(answer.first?.strings ?? []))
        self?.listening()
      }
    }
  }

  /// Calls a method of the server. Then calls `done` with the answer, unless the question has been
  /// dropped by then.
  private func ask(_ member: String, _ done: @escaping ([Variant]) -> Void) {
    let number = question
    bus.ask(.notifications, member, starting: true, timeout: Self.longestWait) {
      [weak self] answer in
      guard let self, number == question else { return }
      switch answer {
      case .success(let reply): done(reply.values)
      case .failure(let error): failed(error)
      }
    }
  }

  private func failed(_ error: BusError) {
    question = nil
    complain(
      error.name == BusError.noReply ? Self.silence : "no notification server: \(error)")
    onEvent?(error.name == BusError.unknownService ? .absent : .failed, instance)
  }

  private func listening() {
    question = nil
    if let server { onEvent?(.listening(server), instance) }
  }

  /// Logs a problem, but only once for each server.
  func complain(_ text: String) {
    if complaints.insert(text).inserted { Log.warning(text) }
  }
}
