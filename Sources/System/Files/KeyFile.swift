// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads files with `[group]` and `key=value` lines: desktop files, and the settings that GLib and
// KDE write. Escapes in a value are left to the caller, because each of these formats has its own.

public struct KeyFile {
  public struct Line {
    public var key: String
    public var value: String
  }
  private var groups: [String: [Line]] = [:]

  /// Returns nil if `bytes` is not UTF-8 text.
  public init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var group = ""
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      let line = Self.trimmed(line)
      if line.hasPrefix("["), line.hasSuffix("]") {
        group = String(line.dropFirst().dropLast())
      } else if let equals = line.firstIndex(of: "=") {
        let (key, value) = (line[..<equals], line[equals...].dropFirst())
        groups[group, default: []].append(
          Line(key: String(Self.trimmed(key)), value: String(Self.trimmed(value))))
      }
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The group's lines, in the order of the file.
  public func lines(of group: String) -> [Line] { groups[group] ?? [] }

  public func value(_ key: String, in group: String) -> String? {
    lines(of: group).last { $0.key == key }?.value
  }
}
