// SPDX-License-Identifier: GPL-3.0-or-later
//
// The manual pages in other languages describe the same keys, values, commands and files as the
// English ones. These tests find pages that were not updated, but cannot judge the translation.

import Foundation
import Testing

struct ManualTests {
  private static let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("desktop/man")

  /// The paths of translated pages, such as `ko/belfry.toml.5`.
  private static let translations =
    ((try? FileManager.default.subpathsOfDirectory(atPath: manual.path)) ?? [])
    .filter { $0.contains("/") }.sorted()

  @Test func `there are some`() { #expect(Self.translations.contains("ko/belfry.toml.5")) }

  @Test(arguments: translations)
  func `a page in another language documents what the English one does`(name: String) throws {
    let translation = try Page(name)
    let english = try Page((name as NSString).lastPathComponent)
    #expect(translation.outline == english.outline)
    #expect(translation.keys == english.keys)
    #expect(translation.examples == english.examples)
    try #require(translation.sections.count == english.sections.count)
    for (translated, section) in zip(translation.sections, english.sections) {
      #expect(translated == section)
    }
  }

  /// The parts of a page in mdoc(7) that are the same in every language.
  private struct Page {
    /// The roff macros of the page that begin a section, a list or an item.
    var outline: [String] = []
    /// The items that explain keys, with their values, such as `Ic volume No = Li 80`.
    var keys: [String] = []
    /// The lines of the examples. In mdoc, an example is a display block (`.Bd` to `.Ed`).
    var examples: [String] = []
    /// The literal words of each section: keys, values, paths, commands.
    var sections: [Set<String>] = [[]]

    init(_ name: String) throws {
      let text = try String(contentsOf: manual.appendingPathComponent(name), encoding: .utf8)
      var isExample = false
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        switch words[0] {
        case ".Ed": isExample = false
        case _ where isExample: examples.append(String(line))
        case ".Sh": sections.append([])
        case ".It" where line.hasPrefix(".It Ic"):
          keys.append(String(line.dropFirst(4).replacing(/Em \S+/, with: "")))
        default: sections[sections.count - 1].formUnion(Self.literals(line))
        }
        if words[0] == ".Bd" { isExample = true }
        if [".Sh", ".Ss", ".Bl", ".It", ".El", ".Bd"].contains(words[0]) {
          outline.append(String(words[0] == ".Bl" ? line : words[0]))
        }
      }
    }

    /// Returns the literal words of a line that are the same in every language: the text in quotes
    /// of an ordinary line, and the words of a macro, such as `Ic on_ring` from `.Ic on_ring Ns No ,`.
    private static func literals(_ line: Substring) -> [String] {
      guard line.hasPrefix(".") else { return line.matches(of: /"[^"]*"/).map { String($0.0) } }
      guard let match = line.wholeMatch(of: /\.(?:Pq )?((?:Ic|Li|Ev|Pa|Xr|Ql) .*)/) else {
        return []
      }
      let end = match.1.firstRange(of: #/ (?:Ns|Ar) /#)?.lowerBound ?? match.1.endIndex
      let itself = match.1.prefix(upTo: end)
      return [String(itself.trimmingSuffix { " ,.;:".contains($0) })]
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ isLeftOut: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, isLeftOut(last) { rest.removeLast() }
    return rest
  }
}
