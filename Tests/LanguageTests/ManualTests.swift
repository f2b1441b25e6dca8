// SPDX-License-Identifier: GPL-3.0-or-later
//
// The manual in other languages says of the same keys, values, commands and files as the English
// one: a page that fell behind fails here. Whether it says them well, no test can know.

import Foundation
import Testing

struct ManualTests {
  private static let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("desktop/man")

  /// `ko/belfry.toml.5` and the like.
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

  /// What is the same in every language of a page in mdoc(7).
  private struct Page {
    /// Sections, lists and their items, as macros.
    var outline: [String] = []
    /// What is an item of its own, with its value: `Ic volume No = Li 80`.
    var keys: [String] = []
    /// The lines of displays.
    var examples: [String] = []
    /// What is to be typed, named or read in each section.
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
        default: sections[sections.count - 1].formUnion(Self.literal(line).map { [$0] } ?? [])
        }
        if words[0] == ".Bd" { isExample = true }
        if [".Sh", ".Ss", ".Bl", ".It", ".El", ".Bd"].contains(words[0]) {
          outline.append(String(words[0] == ".Bl" ? line : words[0]))
        }
      }
    }

    /// `Li 0s` of `.Pq Li 0s Ns No ,`; what is written otherwise in each language is left out.
    private static func literal(_ line: Substring) -> String? {
      guard let match = line.wholeMatch(of: /\.(?:Pq )?((?:Ic|Li|Ev|Pa|Xr|Ql) .*)/) else {
        return nil
      }
      let end = match.1.firstRange(of: #/ (?:Ns|Ar) /#)?.lowerBound ?? match.1.endIndex
      let itself = match.1.prefix(upTo: end)
      return String(itself.trimmingSuffix { " ,.;:".contains($0) })
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
