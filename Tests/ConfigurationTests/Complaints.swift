// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the test cases in the folder `Complaints`. Each block of such a file has a config, the
// exact diagnostics about this config, indented by four spaces, and a blank line at the end. A
// block that begins with `==` is put before all configs below it; in this block, `|` means the end
// of a line. Next: `DiagnosticTests.swift`, `SyntaxTests.swift`.

import TestData

enum Complaints {
  /// A config, and the errors and warnings about it, each together with its hint.
  typealias Case = (text: String, complaints: [String])

  static func cases(_ name: String) -> [Case] {
    var (cases, head): ([Case], String) = ([], "")
    for block in table("Complaints/\(name).txt").split(separator: "\n\n") {
      if block.hasPrefix("==") {
        head = block.dropFirst(3).split(separator: "|").map { $0 + "\n" }.joined()
        continue
      }
      let lines = block.split(separator: "\n")
      let config = lines.filter { !$0.hasPrefix("    ") }.joined(separator: "\n")
      cases.append((head + config, complaints(lines.filter { $0.hasPrefix("    ") })))
    }
    return cases
  }

  /// Returns the diagnostics in `lines`. Each is joined with the line of its hint.
  private static func complaints(_ lines: [Substring]) -> [String] {
    lines.map { $0.dropFirst(4) }.reduce(into: []) { found, line in
      if line.hasPrefix("hint: "), !found.isEmpty {
        found[found.count - 1] += "\n" + line
      } else if line != "(nothing)" {
        found.append(String(line))
      }
    }
  }
}
