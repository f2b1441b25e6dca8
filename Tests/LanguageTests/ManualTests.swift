// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the translated manual pages describe the same keys, values, commands and files as the
// English ones. These tests find pages that were not updated, but cannot judge the translation.

import Foundation
import Testing

struct ManualTests {
  private static let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("desktop/man")

  /// The paths of the translated manual pages in `desktop/man`, such as `ko/belfry.toml.5`.
  private static let translations =
    ((try? FileManager.default.subpathsOfDirectory(atPath: manual.path)) ?? [])
    .filter { $0.contains("/") && !$0.hasPrefix("web") }.sorted()

  @Test func `the tests find the translated manual pages`() {
    #expect(Self.translations.contains("ko/belfry.toml.5"))
  }

  @Test(arguments: translations)
  func `a translated manual page documents the same things as the English page`(name: String) throws
  {
    let translation = try Page(name)
    let english = try Page((name as NSString).lastPathComponent)
    let outline = Self.changes(translation.outline, english.outline)
    #expect(outline == [], "Give desktop/man/\(name) the same sections and list items")
    let keys = Self.changes(translation.keys, english.keys)
    #expect(keys == [], "Give desktop/man/\(name) these keys and defaults")
    let examples = Self.changes(translation.examples, english.examples)
    #expect(examples == [], "Give desktop/man/\(name) the same examples")
    try #require(translation.sections.count == english.sections.count)
    for (translated, section) in zip(translation.sections, english.sections) {
      let words = Self.changes(translated.sorted(), section.sorted())
      #expect(words == [], "Give desktop/man/\(name) the same marked words")
    }
  }

  /// Returns the changes that would make the lines of a translation the same as the English lines.
  private static func changes(_ translation: [String], _ english: [String]) -> [String] {
    english.difference(from: translation).map { change in
      switch change {
      case .insert(_, let line, _): "missing: \(line)"
      case .remove(_, let line, _): "only in the translation: \(line)"
      }
    }
  }

  /// The parts of a manual page that are the same in every language. The pages are written in
  /// mdoc(7).
  private struct Page {
    /// The mdoc macros that structure the page (sections, lists, list items and examples), in
    /// order.
    var outline: [String] = []
    /// The list items that explain the keys of the config and their values, such as `Ic volume No =
    /// Li 80`.
    var keys: [String] = []
    /// The lines of the examples. In mdoc, an example is a display block (`.Bd` to `.Ed`).
    var examples: [String] = []
    /// The words of each section that are not translated: keys, values, paths, commands.
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

    /// Returns the words of a line that are not translated. In a line of text, these are the words
    /// in quotes. In a line that begins with a macro, they are the macro and its words, such as `Ic
    /// on_ring` from `.Ic on_ring Ns No ,`.
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
