// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files of groups with keys, `[group]` and `key=value`, as GLib and KDE write them. What is escaped
// in a value stays so: the two do it differently.

nonisolated struct KeyFile {
  struct Line {
    var key: String
    var value: String
  }
  private var groups: [String: [Line]] = [:]

  /// Nil where `bytes` are no text.
  init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var group = ""
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      if line.hasPrefix("["), line.hasSuffix("]") {
        group = String(line.dropFirst().dropLast())
      } else if let equals = line.firstIndex(of: "=") {
        let value = String(line[equals...].dropFirst())
        groups[group, default: []].append(Line(key: String(line[..<equals]), value: value))
      }
    }
  }

  /// In the order of the file.
  func lines(of group: String) -> [Line] { groups[group] ?? [] }

  func value(_ key: String, in group: String) -> String? {
    lines(of: group).last { $0.key == key }?.value
  }
}
