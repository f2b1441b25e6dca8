// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program that is sent for an answer: what it brings, and that nothing of it stays behind.

import Foundation
import Testing

@testable import Desktop

@Suite struct ErrandTests {
  private func run(
    _ command: [String], limit: Duration = .seconds(10)
  ) -> (output: String?, hasEnded: Bool) {
    var outputs: [String?] = []
    let errand = Errand(command, limit: limit) { outputs.append($0) }
    guard errand != nil else { return (nil, false) }
    wait { !outputs.isEmpty }
    return (outputs.first ?? nil, !outputs.isEmpty)
  }

  @Test func `it brings what was printed, and nothing where it failed`() {
    #expect(run(["/bin/echo", "hello"]).output == "hello\n")
    #expect(run(["/bin/sh", "-c", "echo hello; exit 3"]) == (nil, true))
    #expect(run(["/bin/sh", "-c", "echo hello; kill -9 $$"]) == (nil, true))
    #expect(run(["/nothing/here"]) == (nil, false))
  }

  @Test func `it is not waited for longer than is said, nor any more where nobody waits`() throws {
    #expect(run(["/bin/sleep", "600"], limit: .milliseconds(100)) == (nil, true))
    let scratch = try Scratch()
    var errand = Errand(
      ["/bin/sh", "-c", "echo $$ >\(scratch["pid"]); exec sleep 600"], limit: .seconds(600)
    ) { _ in }
    try #require(wait { (try? text(of: scratch["pid"]))?.hasSuffix("\n") == true })
    let pid = try #require(Int32(try text(of: scratch["pid"]).dropLast()))
    #expect(kill(pid, 0) == 0 && errand != nil)
    errand = nil
    #expect(wait { kill(pid, 0) != 0 })
  }
}
