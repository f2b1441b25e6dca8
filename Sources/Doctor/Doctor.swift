// SPDX-License-Identifier: GPL-3.0-or-later
//
// Examines the chain from the config to the ear, link by link and for real, all within seconds
// whatever hangs. It mends nothing. What is looked at is in the files named `Doctor…`; for whom:
// `DoctorCommand.swift`, and `Checkup.swift` for the agent itself.

import Configuration
import Files
import Language
import Scheduling
import Sound
import System

public final class Doctor {
  /// What keeps an alarm from being heard and can change from one day to the next: what the agent
  /// looks at by itself.
  public static let ahead: [Link.Name] = [.device, .mixer, .battery]

  let locations: Locations
  /// What was read of the config; defaults until then.
  var configuration = Configuration()
  /// What the agent told of itself, if it did.
  var agent: Variant?
  var probe: DeviceProbe?
  let worker = Worker(name: "doctor")

  private var links: [Link.Name: Link] = [:]
  private var awaited: Set<Link.Name>
  let scope: [Link.Name]
  private var patience: Source?
  private var done: (([Link]) -> Void)?
  private static let limit = Duration.seconds(15)

  /// Examines what `scope` names.
  public init(_ locations: Locations, _ scope: [Link.Name] = Link.Name.allCases) {
    (self.locations, self.scope, awaited) = (locations, scope, Set(scope))
  }

  /// Calls back once, with a link for each of the scope.
  public func examine(_ done: @escaping ([Link]) -> Void) {
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

  func found(_ link: Link) {
    guard awaited.remove(link.name) != nil else { return }
    links[link.name] = link
    if awaited.isEmpty { finish() }
  }

  func found(
    _ name: Link.Name, _ state: Link.State, _ message: String, mend: String? = nil
  ) {
    found(Link(name, state, message, mend: mend))
  }

  func awaits(_ name: Link.Name) -> Bool { awaited.contains(name) }

  /// What has not been found out by now hangs somewhere.
  private func finish() {
    guard let done else { return }
    (self.done, patience) = (nil, nil)
    // An alarm needs these to be heard, and would wait for them too.
    let vital: Set<Link.Name> = [.config, .bus, .agent, .device]
    for name in awaited {
      let state: Link.State = vital.contains(name) ? .error : .unknown
      links[name] = Link(name, state, tr("does not answer"))
    }
    done(scope.compactMap { links[$0] })
  }
}
