// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the files with the translations: they have all texts of the sources, and gettext accepts
// them. Whether a translation reads well, only people can judge. Next: `KoreanTests.swift`, which
// tests the translated texts on a desktop.

import Foundation
import Lab
import Testing

struct CatalogueTests {
  private static let folder = Lab.repository.appendingPathComponent("desktop/po")

  /// Runs a program and returns its output or, if it fails, its exit status and its errors.
  private func run(_ program: String, _ arguments: String...) throws -> String {
    let lab = try Lab()
    let program = try lab.start(program, arguments: arguments)
    let exit = try program.waitForExit()
    lab.stop()
    return exit == .status(0) ? program.output : "\(exit): \(program.errors)"
  }

  @Test func `every text of the sources is in the template for translations`() throws {
    #expect(try run(Self.folder.appendingPathComponent("update").path, "--check") == "")
  }

  /// A text that a catalogue lacks is shown in English. Only the Korean one must have every text.
  @Test func `every file of translations is valid, and the Korean one is complete`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let catalogues = files.filter { $0.hasSuffix(".po") }
    #expect(catalogues.contains("ko.po"))
    for name in catalogues {
      let path = Self.folder.appendingPathComponent(name).path
      #expect(try run("msgfmt", "--check", "--output-file=/dev/null", path) == "")
      if name == "ko.po" { #expect(try run("msgattrib", "--untranslated", path) == "") }
      #expect(try run("msgattrib", "--only-fuzzy", path) == "")
      // The headings of a table are one text, with `|` between two columns.
      let texts = try String(contentsOfFile: path, encoding: .utf8)
      for pair in texts.matches(of: /msgid "([\w. ]+\|[\w. |]+)"\nmsgstr "(.+)"/) {
        #expect(pair.1.split(separator: "|").count == pair.2.split(separator: "|").count)
      }
    }
  }
}
