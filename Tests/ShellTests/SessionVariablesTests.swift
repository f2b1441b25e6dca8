// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which variables of the user manager a program gets. `UserManagerTests.swift` in
// ProgramTests asks a real user manager.

import Testing

@testable import Bus

@Suite nonisolated struct SessionVariablesTests {
  @Test func `the display comes from the user manager, and so does what this process lacks`() {
    let own = ["DISPLAY": ":0", "PATH": "/usr/bin", "EDITOR": "vi"]
    let lines = [
      "DISPLAY=:1", "WAYLAND_DISPLAY=wayland-1", "PATH=/bin", "EMPTY=", "A=b=c", "=x", "line",
    ]
    #expect(
      SessionVariables.chosen(from: lines) { own[$0] }
        == ["DISPLAY": ":1", "WAYLAND_DISPLAY": "wayland-1", "EMPTY": "", "A": "b=c"])
  }
}
