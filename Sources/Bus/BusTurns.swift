// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order in which calls of other programs are answered, so that one that calls without waiting
// neither keeps an alarm from ringing nor others from being heard. GDBus by itself hands over all
// that has come in one turn of the main loop, and keeps each answer until the bus has read it. What
// is answered is decided by whoever exports: see `Bus.swift`.

import CGLib
import Language
import System

/// The calls of one interface that wait for their answer: one is answered in each turn of the main
/// loop, of each peer in rotation.
final class BusTurns {
  /// What a peer may have waiting; more is refused.
  private static let mostOfOnePeer = 100
  /// How many answers may be under way. A large one occupies half a megabyte until it is read, and
  /// a bus that is flooded reads slowly.
  private static let mostUnderWay = 16

  private weak var bus: Bus?
  private let answer: (Bus.Call) -> Void
  private var waiting: [String: [Bus.Call]] = [:]
  /// The peers that have calls waiting, the next one first.
  private var rotation: [String] = []
  private var underWay = 0
  private var turn: Source?
  private var isFlushing = false

  init(_ bus: Bus, _ answer: @escaping (Bus.Call) -> Void) {
    (self.bus, self.answer) = (bus, answer)
  }

  func take(_ call: Bus.Call) {
    let count = waiting[call.sender]?.count ?? 0
    guard count < Self.mostOfOnePeer else {
      call.fail(
        "org.freedesktop.DBus.Error.LimitsExceeded",
        tr("\(count) calls of yours wait for their answer already"))
      return
    }
    waiting[call.sender, default: []].append(call)
    if count == 0 { rotation.append(call.sender) }
    if turn == nil, !isFlushing { goOn() }
  }

  private func goOn() {
    turn =
      rotation.isEmpty ? nil : MainLoop.after(.zero) { [weak self] in self?.answerNext() }
  }

  private func answerNext() {
    let peer = rotation.removeFirst()
    guard let call = waiting[peer]?.removeFirst() else {
      preconditionFailure("who is in the rotation has a call waiting")
    }
    if waiting[peer]?.isEmpty == true { waiting[peer] = nil } else { rotation.append(peer) }
    answer(call)
    underWay += 1
    if underWay < Self.mostUnderWay { goOn() } else { flush() }
  }

  /// Goes on when the bus has read the answers so far.
  private func flush() {
    (turn, isFlushing) = (nil, true)
    bus?.flush { [weak self] in self?.flushed() }
  }

  private func flushed() {
    (underWay, isFlushing) = (0, false)
    goOn()
  }
}
