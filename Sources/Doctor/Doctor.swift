// SPDX-License-Identifier: GPL-3.0-or-later
//
// Examines the chain from the config to the ear, one link after another and for real, within
// seconds even if something hangs. It repairs nothing. It needs a process of its own, since it runs
// the main loop. The files named `Doctor…` have the checks; `DoctorCommand.swift` shows them, and
// `Checkup.swift` has the agent look at them.

import Bus
import Configuration
import Files
import Language
import Scheduling
import System

public final class Doctor {
  /// What keeps an alarm from being heard and can change from one day to the next: what the agent
  /// looks at by itself.
  public static let ahead: [Check.Name] = [.device, .mixer, .battery]

  let locations: Locations
  /// What was read of the config; defaults until then.
  var configuration = Configuration()
  /// What the agent reported of itself, if it did.
  var agent: Variant?
  let worker = Worker(name: "doctor")

  private var checks: [Check.Name: Check] = [:]
  private let scope: [Check.Name]
  private var isOver = false
  private static let limit = Duration.seconds(15)

  /// Examines what `scope` names.
  public init(_ locations: Locations, _ scope: [Check.Name] = Check.Name.allCases) {
    (self.locations, self.scope) = (locations, scope)
  }

  /// A check for each of the scope. Runs the main loop while it waits, until the last one is found
  /// or the time is over.
  public func examine() -> [Check] {
    let watchdog = MainLoop.after(Self.limit) { [weak self] in
      self?.isOver = true
      MainLoop.quit()
    }
    examineFiles()
    let session = awaits(.agent) ? answer(within: .seconds(3), Bus.connectToSession) : nil
    if awaits(.agent) { examineSession(session) }
    // After the agent, which may hold the device because something is ringing. It goes on beside
    // what follows.
    examineSound()
    if awaits(.notifications) { examineNotifications(try? session?.get()) }
    examineMachine()
    while checks.count < scope.count, !isOver { MainLoop.run() }
    withExtendedLifetime(watchdog) {}
    // An alarm needs these to be heard, and would wait for them too.
    let vital: Set<Check.Name> = [.config, .bus, .agent, .device]
    return scope.map { name in
      checks[name] ?? Check(name, vital.contains(name) ? .error : .unknown, tr("does not answer"))
    }
  }

  /// Whether a check is in the scope and not found yet.
  func awaits(_ name: Check.Name) -> Bool {
    scope.contains(name) && checks[name] == nil && !isOver
  }

  func found(_ check: Check) {
    if awaits(check.name) { checks[check.name] = check }
    MainLoop.quit()
  }

  func found(
    _ name: Check.Name, _ state: Check.State, _ message: String, mend: String? = nil
  ) {
    found(Check(name, state, message, mend: mend))
  }

  /// Waits for what `ask` calls back with; nil if that takes longer than `limit`, or the time is
  /// over: then nothing more is found.
  func answer<Answer>(
    within limit: Duration = limit, _ ask: (@escaping @MainActor (Answer) -> Void) -> Void
  ) -> Answer? {
    var (answer, isLate): (Answer?, Bool) = (nil, isOver)
    let patience = MainLoop.after(limit) {
      isLate = true
      MainLoop.quit()
    }
    ask {
      answer = $0
      MainLoop.quit()
    }
    while answer == nil, !isLate, !isOver { MainLoop.run() }
    withExtendedLifetime(patience) {}
    return answer
  }

  /// What `look` returns, on the worker: it may wait for a disk.
  func onWorker<Found: Sendable>(_ look: @escaping @Blocking @Sendable () -> Found) -> Found? {
    answer { done in
      worker.perform {
        let found = look()
        Worker.onMain { done(found) }
      }
    }
  }

  /// What `peer` answers; nil after `limit`, or if it refuses.
  func ask(
    _ peer: Bus.Peer, _ member: String, _ arguments: [Variant] = [], on bus: Bus,
    starting: Bool = false, within limit: Duration = .seconds(3)
  ) -> Result<Bus.Reply, BusError>? {
    answer { bus.ask(peer, member, arguments, starting: starting, timeout: limit, $0) }
  }
}
