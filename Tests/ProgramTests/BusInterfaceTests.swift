// SPDX-License-Identifier: GPL-3.0-or-later
//
// The interface as it is published for other programs, beside the one that the agent exports. The
// text of the source is compared, not its meaning: a comment in the XML is documentation too.

import Foundation
import Testing

@Suite(.realServers) struct BusInterfaceTests {
  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test func `the published interface is the one that the agent exports`() throws {
    let source = try text("Sources/Presentation/BusInterface.swift")
    let literal = try #require(source.components(separatedBy: "static let xml = \"\"\"\n").last)
    let lines = try #require(literal.components(separatedBy: "\n    \"\"\"").first)
    let exported = lines.components(separatedBy: "\n").map { line in
      line.hasPrefix("    ") ? String(line.dropFirst(4)) : line
    }
    #expect(try text("desktop/org.belfry.Belfry1.xml") == exported.joined(separator: "\n"))
  }
}
