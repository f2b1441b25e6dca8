// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the banner of a ring is on GNOME Shell's screen in every second, after the list of
// notifications was open. Takes eight minutes for each shell, so only `Tests/desktops` runs this;
// `BannerTests.swift` tests the same on a model of the shell.

import Foundation
import Lab
import Testing

private let isWanted = ProcessInfo.processInfo.environment["BELFRY_DESKTOPS"] != nil

extension GnomeShellTests {
  /// A way to use the list of notifications while it is open.
  enum ListUse: CaseIterable { case silence, wait, clear, ring, click }

  @Test(.enabled(if: isWanted), arguments: LabSystem.allCases, [false, true])
  func `the banner of a ring is on the screen in every second after the list was open`(
    system: LabSystem, besideAnother: Bool
  ) async throws {
    for use in ListUse.allCases where use != .click || !besideAnother {
      try await onDesk(system) { desk, shell in
        try desk.startAgent()
        try play(use, besideAnother, desk, shell)
        try shell.openList(false)
        let closed = Lab.now
        desk.wait(until: closed + 2)
        let button = use == .click ? "Pause" : "Stop"
        // A timer that was clicked keeps its banner for half a minute.
        for second in 2..<(use == .click ? 15 : 68) {
          desk.wait(until: closed + Double(second))
          // When a banner replaces another one, the shell draws none for a moment.
          let isThere: Void? = try? Lab.wait(for: "the banner", within: 0.5) {
            try shell.bannerNow().contains { $0.kind == .button && $0.text == button }
          }
          let state = try shell.bannerState()
          #expect(isThere != nil, "\(use), second \(second): \(state)")
        }
        if use != .click { #expect(try desk.status().ringing.count == (besideAnother ? 2 : 1)) }
      }
    }
  }

  private func play(
    _ use: ListUse, _ besideAnother: Bool, _ desk: Desk, _ shell: GnomeShell
  ) throws {
    func ring() throws {
      let due = Second.ahead(4)
      try desk.save(
        Desk.alarm("work", at: due, "label = 'Work'"),
        besideAnother ? Desk.alarm("gym", at: due, "label = 'Gym'") : "")
      try desk.waitForStatus("the ring") { $0.state("work") == "ringing" }
      desk.wait(until: Lab.now + 2)
    }
    switch use {
    case .silence:
      try ring()
      try pressInList("Alarm, ", desk, shell)
      desk.wait(until: Lab.now + 2)
    case .wait:
      try ring()
      try shell.openList()
      desk.wait(until: Lab.now + 65)
    case .clear:
      try desk.belfry("timer 20m --label Tea")
      desk.wait(until: Lab.now + 8)
      try ring()
      try shell.pressInList("Clear")
      desk.wait(until: Lab.now + 2)
    case .ring:
      try desk.belfry("timer 20m --label Tea")
      try shell.waitForPastBanner("Tea")
      try shell.openList()
      try ring()
    case .click:
      try desk.belfry("timer 20m --label Tea")
      try shell.waitForPastBanner("Tea")
      try pressInList("Tea", desk, shell)
      desk.wait(until: Lab.now + 2)
    }
  }
}
