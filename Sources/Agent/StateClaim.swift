// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes this process the only agent of its state folder, whatever session bus it is on. Two agents
// with one state would both ring, and overwrite each other's timers. If another agent has the
// state, this one leaves or, with `--replace`, ends the other one. Nothing here waits on the main
// loop. `AgentFile.swift` has the lock.

import Bus
import Files
import Presentation
import System

final class StateClaim {
  enum Outcome {
    /// This process is the agent of its state. After repeated crashes, the former state was set
    /// aside, under these paths.
    case granted(setAside: [String])
    /// The state folder cannot be locked, but this process may be the agent all the same.
    /// `isHung`: the folder's disk does not answer.
    case unlocked(isHung: Bool)
    /// This process must end with this status.
    case refused(String, status: Int32)
  }

  private let locations: Locations
  private let file: AgentFile
  private let done: (Outcome) -> Void
  private var isDone = false
  private var patience: Source?
  private var bus: Bus?

  /// How long to wait for the disk of the state folder. After that, the agent starts without the
  /// lock: alarms must ring. Together with the wait for the stored state, this is two seconds.
  static let diskPatience = Duration.seconds(1)
  /// How long to wait for the answer of an agent.
  private static let answerPatience = Duration.seconds(2)

  /// Claims the state for an agent on the session bus at `address`. Calls `done` once. If the disk
  /// does not answer in time, and its late answer is that another agent is running, calls `done`
  /// again, with `refused`.
  init(
    _ locations: Locations, bus address: String, replace: Bool,
    _ done: @escaping (Outcome) -> Void
  ) {
    self.locations = locations
    self.done = done
    file = AgentFile(process: Int32(clamping: Environment.processID), bus: address)
    patience = MainLoop.after(Self.diskPatience) { [weak self] in
      guard let self else { return }
      cannotLock(.noAnswer(path: locations.agent))
    }
    claim(waits: false) { [weak self] other in
      if replace { self?.end(other) } else { self?.ask(other) }
    }
  }

  /// Calls `held` if another agent has the lock; with nil if it is not known which one.
  private func claim(waits: Bool, ifHeld held: @escaping @MainActor (AgentFile?) -> Void) {
    let (file, locations) = (file, locations)
    Worker.once("claim") { disk in
      let result = Result { () throws(FileError) in
        try file.claim(locations, waits: waits, on: disk)
      }
      let other = result == .success(.held) ? AgentFile.running(locations, on: disk) : nil
      Worker.onMain { [self] in
        guard !isDone else {
          // The disk has answered after all, and there is another agent.
          if !waits, result == .success(.held) { done(.refused(reason(other), status: 0)) }
          return
        }
        switch result {
        case .success(.granted(let setAside)): finish(.granted(setAside: setAside))
        case .success(.held): held(other)
        case .failure(let error): cannotLock(error)
        }
      }
    }
  }

  private func finish(_ outcome: Outcome) {
    guard !isDone else { return }
    (isDone, patience, bus) = (true, nil, nil)
    done(outcome)
  }

  private func cannotLock(_ problem: FileError) {
    guard !isDone else { return }
    Log.warning(
      "the state folder cannot be locked, so a second agent would go unnoticed: \(problem)")
    var isHung = false
    if case .noAnswer = problem { isHung = true }
    finish(.unlocked(isHung: isHung))
  }

  // MARK: - Another agent has the state

  /// Asks the other agent whether it is there. An agent that is ending does not answer, so if it
  /// does not, waits for its end.
  private func ask(_ other: AgentFile?) {
    patience = MainLoop.after(Self.answerPatience) { [weak self] in self?.wait(for: other) }
    guard let other else { return }
    Bus.connect(address: other.bus) { [weak self] result in
      guard let self, !isDone, case .success(let bus) = result else { return }
      self.bus = bus
      bus.ask(BusInterface.peer, "Agent", gives: "a{sv}", timeout: Self.answerPatience) {
        [weak self] answer in
        if answer.value != nil { self?.leave(to: other) }
      }
    }
  }

  private func wait(for other: AgentFile?) {
    patience = MainLoop.after(AgentProgram.endingPatience) { [weak self] in
      self?.leave(to: other)
    }
    claim(waits: true) { _ in }
  }

  private func leave(to other: AgentFile?) { finish(.refused(reason(other), status: 0)) }

  private func reason(_ other: AgentFile?) -> String {
    let place = other.map { ", as process \($0.process) on the bus \($0.bus)" } ?? ""
    return "belfryd is already running\(place); belfryd --replace takes over"
  }

  /// Ends the other agent by its process id, because it may be on another bus. Asks it to end
  /// first, and kills it if it does not.
  private func end(_ other: AgentFile?, byForce: Bool = false) {
    guard let other, case let process = OtherProcess(other.process), process.isAgent else {
      return finish(.refused("the agent that has the state cannot be identified", status: 1))
    }
    Log.info(
      "process \(process.number), the old agent, is \(byForce ? "killed" : "asked to leave")")
    do throws(SystemError) { try process.end(atOnce: byForce) } catch {
      return finish(
        .refused(
          "process \(process.number), the old agent, cannot be ended: \(error)", status: 1))
    }
    patience = MainLoop.after(AgentProgram.endingPatience) { [weak self] in
      if byForce { self?.leave(to: other) } else { self?.end(other, byForce: true) }
    }
    if !byForce { claim(waits: true) { _ in } }
  }
}

extension OtherProcess {
  /// Whether the process is an agent.
  var isAgent: Bool { isProgram("belfryd") }
}
