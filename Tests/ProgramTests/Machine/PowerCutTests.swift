// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts the power of a virtual machine (QEMU) while commands are running in it. After the next
// start, everything that a command had reported as done must still be there. This test makes one
// cut; `Tests/Machine/cut` makes many by hand. Next: that script, and
// `Tests/Machine/Power/world.py`, which compares.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServersFirst) struct PowerCutTests {
  @Test func `what a command reported as done survives a power cut`() throws {
    let (status, report, errors) = try Lab().run(
      Lab.repository.appendingPathComponent("Tests/Machine/cut").path, "1", Lab.programs.path,
      Lab.products.appendingPathComponent("machine").path,
      environment: ["SEED": "\(Chance.firstSeed)"], within: 600)
    if status == 77 { try leaveOut(errors) }
    #expect(status == 0, "\(report)\(errors)")
    #expect(report.contains(", nothing lost, "), "\(report)\(errors)")
  }
}
