// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the manual pages for browsers are rendered from the present pages, and that the links
// of the guides lead somewhere. `ManualTests.swift` in LanguageTests compares the translated pages
// with the English ones.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct ManualPageTests {
  @Test func `the manual pages for browsers are those of the manual`() throws {
    let lab = try Lab()
    let rendered = lab.home.appendingPathComponent("web")
    let script = repository.appendingPathComponent("desktop/man/render").path
    let done = try lab.run(script, rendered.path)
    try #require(done.status == 0, "\(done.errors)")
    let saved = repository.appendingPathComponent("desktop/man/web")
    let names = try FileManager.default.contentsOfDirectory(atPath: rendered.path).sorted()
    #expect(try FileManager.default.contentsOfDirectory(atPath: saved.path).sorted() == names)
    #expect(names.count >= 4)
    for name in names {
      let isSame = FileManager.default.contentsEqual(
        atPath: rendered.appendingPathComponent(name).path,
        andPath: saved.appendingPathComponent(name).path)
      #expect(isSame, "desktop/man/web/\(name) is out of date: run desktop/man/render")
    }
  }

  @Test(arguments: [
    "README.md", "Sources/README.md", "Tests/README.md", "desktop/README.md",
    "desktop/PROMISES.md", "desktop/po/README.md",
  ])
  func `every link of a guide leads to a file`(guide: String) throws {
    let file = repository.appendingPathComponent(guide)
    let text = try String(contentsOf: file, encoding: .utf8)
    for match in text.matches(of: /\]\(([^)#:]+)\)/) {
      let target = file.deletingLastPathComponent().appendingPathComponent(String(match.1))
      let isThere = FileManager.default.fileExists(atPath: target.standardizedFileURL.path)
      #expect(isThere, "\(guide) links to \(match.1)")
    }
  }
}
