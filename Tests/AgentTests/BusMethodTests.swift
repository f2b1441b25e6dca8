// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares the agent's D-Bus methods with the published description of its interface,
// `org.belfry.Belfry1.xml`. The comments in that file must explain each error.

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

  private var published: String {
    get throws { try text("desktop/session/org.belfry.Belfry1.xml") }
  }

  @Test func `the published description of the interface is the one that the agent exports`() throws
  {
    let lines = try published.replacing(/(?s) *<!--.*?-->\n/, with: "").split(separator: "\n")
    let exported = BusService.interface(BusService.methods.map(\.method)).xml
    #expect(lines.dropFirst(3).dropLast().joined(separator: "\n") == exported)
  }

  @Test func `the published description of the interface explains each error`() throws {
    let published = try published
    let errors = BusInterface.Failure.allCases.map(\.errorName)
    #expect(errors.filter { !published.contains(" \($0): ") } == [])
  }
}
