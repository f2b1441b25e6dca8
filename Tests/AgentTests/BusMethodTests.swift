// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares the agent's methods with their published descriptions: the XML of the interface, which
// must be the same including its comments, and the manual page.

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

  @Test func `the manual page has each method with its arguments`() throws {
    let lines = Set(try text("desktop/man/belfryd.1").components(separatedBy: "\n"))
    #expect(BusService.methods.map(\.method.manualLine).filter { !lines.contains($0) } == [])
  }

  @Test func `the manual page and the interface have each error`() throws {
    let manual = try text("desktop/man/belfryd.1").components(separatedBy: "\n")
      .filter { $0.hasPrefix(".It Li org.belfry.Error.") }
      .flatMap { $0.dropFirst(24).components(separatedBy: " , ") }
    let names = BusInterface.Failure.allCases.map(\.rawValue)
    #expect(manual.sorted() == names.sorted())
    #expect(names.filter { !BusService.xml.contains(".\($0)") } == [])
  }
}

extension Bus.Method {
  /// The line for this method in the manual page, in the form of mdoc(7).
  fileprivate var manualLine: String {
    let arguments = takes.split(separator: ", ").map { " \"\($0)\"" }.joined()
    let answer = gives.split(separator: " ").first.map { " No \\(-> \($0)" } ?? ""
    return ".It Fn \(name)\(arguments)\(answer)"
  }
}
