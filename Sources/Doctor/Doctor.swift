// SPDX-License-Identifier: GPL-3.0-or-later
//
// Examines the chain from the config to the ear, link by link and for real, all within seconds
// whatever hangs. It mends nothing. What is looked at is in the files named `Doctor…`; for whom:
// `DoctorCommand.swift`, and `Checkup.swift` for the agent itself.

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
  /// What the agent told of itself, if it did.
  var agent: Variant?
  let worker = Worker(name: "doctor")

  private var checks: [Check.Name: Check] = [:]
  private var awaited: Set<Check.Name>
  let scope: [Check.Name]
  private var patience: Source?
  private var done: (([Check]) -> Void)?
  private static let limit = Duration.seconds(15)

  /// Examines what `scope` names.
  public init(_ locations: Locations, _ scope: [Check.Name] = Check.Name.allCases) {
    (self.locations, self.scope, awaited) = (locations, scope, Set(scope))
  }

  /// Calls back once, with a check for each of the scope.
  public func examine(_ done: @escaping ([Check]) -> Void) {
    self.done = done
    patience = MainLoop.after(Self.limit) { [weak self] in self?.finish() }
    readFiles { [self] in
      examineMachine()
      guard !awaited.isDisjoint(with: [.bus, .agent, .autostart, .notifications, .doNotDisturb])
      else { return examineSound() }
      // One after the other: what rings in the agent may hold the device.
      examineSession { [self] in examineSound() }
    }
  }

  func found(_ check: Check) {
    guard awaited.remove(check.name) != nil else { return }
    checks[check.name] = check
    if awaited.isEmpty { finish() }
  }

  func found(
    _ name: Check.Name, _ state: Check.State, _ message: String, mend: String? = nil
  ) {
    found(Check(name, state, message, mend: mend))
  }

  func awaits(_ name: Check.Name) -> Bool { awaited.contains(name) }

  /// What has not been found out by now hangs somewhere.
  private func finish() {
    guard let done else { return }
    (self.done, patience) = (nil, nil)
    // An alarm needs these to be heard, and would wait for them too.
    let vital: Set<Check.Name> = [.config, .bus, .agent, .device]
    for name in awaited {
      let state: Check.State = vital.contains(name) ? .error : .unknown
      checks[name] = Check(name, state, tr("does not answer"))
    }
    done(scope.compactMap { checks[$0] })
  }
}
