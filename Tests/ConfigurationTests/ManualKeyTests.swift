// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares the manual page belfry.toml(5) with the keys of the config. Each key's paragraph must
// begin with the meaning of the key in the sources, and a value that the page shows as the default
// must be the default.

import Foundation
import Scheduling
import Testing

@testable import Configuration

@Suite struct ManualKeyTests {
  /// A key of the config, and its paragraph in the manual page.
  struct Item: CustomTestStringConvertible {
    let table: String
    let key: String
    /// The value that the page shows after the equals sign; nil if it shows only the kind of value.
    var value: String?
    var text = ""
    var testDescription: String { "\(table).\(key)" }
  }

  private static let items = readItems()

  @Test func `the manual page has every key of the config, and begins with what the key means`() {
    for table in Configuration.schema.dropFirst() {
      for key in table.keys {
        // Alarms and timers share most of their keys. The page describes these keys once.
        let item = [table.name, "defaults", "alarm"].lazy
          .compactMap { home in Self.items.first { ($0.table, $0.key) == (home, key.name) } }.first
        #expect(
          item?.text.hasPrefix(key.meaning) == true,
          """
          Begin the paragraph of \(key.name) in desktop/man/belfry.toml.5 with its meaning in \
          Sources/Configuration, or change the meaning there and write the schema again (belfry \
          config schema >desktop/samples/config.schema.json). The meaning of \(key.name) in \
          [\(table.name)] is: \(key.meaning) The paragraph is: \(item?.text ?? "missing")
          """)
      }
    }
  }

  @Test func `the manual page has no other keys, and shows the defaults of all settings`() {
    for item in Self.items {
      if ["defaults", "agent"].contains(item.table) {
        #expect(item.value != nil, "Write \".It Ic \(item.key) No = Li\" and the default")
      }
      let keys = Configuration.schema.first { $0.name == item.table }?.keys.map(\.name) ?? []
      #expect(
        keys.contains(item.key),
        "Remove the paragraph of \(item.key) from desktop/man/belfry.toml.5, or declare the key")
    }
  }

  @Test(arguments: items.filter { $0.value != nil })
  func `a key with the default value of the manual page changes nothing`(item: Item) throws {
    let heading = [
      "defaults": "[defaults]", "agent": "[agent]", "alarm": "[[alarm]]\ntime = 07:30",
      "timer": "[[timer]]\nname = \"tea\"\nduration = \"4m\"", "chime": "[[chime]]\nevery = \"1h\"",
    ]
    let entry = try #require(heading[item.table])
    let value = try #require(item.value)
    let reading = read("\(entry)\n\(item.key) = \(value)")
    #expect(reading.diagnostics == [])
    var configuration = reading.configuration
    // Belfry's code names the default ringtone in one place only. Everywhere else, an empty list
    // stands for it.
    if configuration.defaults.sounds == ["Carillon"] { configuration.defaults.sounds = [] }
    #expect(
      configuration == read(entry).configuration,
      """
      Write the default of \(item.key) into desktop/man/belfry.toml.5 and its translations: \
      \(value) is another value
      """)
  }
  // MARK: - The page

  private static func readItems() -> [Item] {
    let page = URL(filePath: #filePath).appending(path: "../../../desktop/man/belfry.toml.5")
    guard let text = try? String(contentsOf: page.standardized, encoding: .utf8) else {
      fatalError("there is no \(page.standardized.path)")
    }
    var (items, table, isInItem): ([Item], String?, Bool) = ([], nil, false)
    for line in text.split(separator: "\n") {
      if let title = line.wholeMatch(of: /\.Sh (.*)/)?.1.lowercased() {
        // The section ALARMS of the page describes the table `alarm`, and AGENT the table `agent`.
        table = Configuration.schema.map(\.name).first { [$0, $0 + "s"].contains(title) }
      } else if let table, let match = line.wholeMatch(of: /\.It Ic (\S+) No = (?:Li (.*)|.*)/) {
        let value = match.2.map { plainText($0) }
        items.append(Item(table: table, key: String(match.1), value: value))
        isInItem = true
      } else if line.hasPrefix(".It") || line.hasPrefix(".El") || line.hasPrefix(".Sh") {
        isInItem = false
      } else if isInItem, line != ".Pp" {
        let last = items.count - 1
        items[last].text += (items[last].text.isEmpty ? "" : " ") + plainText(line)
      }
    }
    return items
  }

  /// Returns the text of a line in mdoc(7), such as `"belfry sounds",` for `.Ql belfry sounds ,`.
  private static func plainText(_ line: Substring) -> String {
    let line = line.replacing("\\(dq", with: "\"").replacing("\\%", with: "")
    guard let macro = line.wholeMatch(of: /\.(\S+) (.*?)( [.,;:])?/) else { return String(line) }
    let text = macro.1 == "Ql" ? "\"\(macro.2)\"" : String(macro.2)
    return text + (macro.3 ?? "").trimmingPrefix(" ")
  }
}
