// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares the agent's methods with the published description of its interface.

import Bus
import Foundation
import Presentation
import Testing

@testable import Agent

struct BusMethodTests {
  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test func `the published interface is the one that the agent exports`() throws {
    #expect(try text("desktop/session/org.belfry.Belfry1.xml") == BusService.xml)
  }

  @Test func `the interface explains each error`() {
    let errors = BusInterface.Failure.allCases.map(\.errorName)
    #expect(errors.filter { !BusService.xml.contains(" \($0): ") } == [])
  }
}
