// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the sample script `flash` flashes the screen of GNOME Shell with the visual bell. The
// test runs in the sessions of `GnomeShellTests.swift`, in turn with the tests there.

import Foundation
import Lab
import Testing

extension GnomeShellTests {
  @Test(arguments: LabSystem.allCases)
  func `the sample script flashes the screen by the visual bell of GNOME Shell`(
    system: LabSystem
  ) async throws {
    try await onDesk(system) { desk, shell in
      let setting = ("org.gnome.desktop.wm.preferences", "visual-bell")
      try shell.set(setting.0, setting.1, "true")
      // For a flash, the shell puts a black layer over the screen for a tenth of a second.
      try shell.evaluate(
        """
        const {Clutter, GObject} = imports.gi;
        const added = GObject.signal_lookup('child-added', Clutter.Actor) ? 'child-added'
          : 'actor-added';
        global.lab.flashes = 0;
        global.stage.connect(added, () => global.lab.flashes++); 0
        """)
      let flash = try desk.lab.start(SampleHookTests.script("flash"), arguments: ["/nonexistent"])
      func flashes() throws -> Int { try Int(shell.evaluate("global.lab.flashes")) ?? 0 }
      try desk.wait("flashes") { try flashes() >= 2 }
      flash.terminate()
      try flash.waitForExit()
      let count = try flashes()
      desk.wait(until: Lab.now + 3)
      #expect(try flashes() == count)
      try shell.set(setting.0, setting.1, "false")
    }
  }
}
