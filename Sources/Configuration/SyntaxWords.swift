// SPDX-License-Identifier: GPL-3.0-or-later
//
// What to write instead of text that is no TOML, for the slips that a config invites: times, words
// and durations without their quotes.

import TOML

extension Findings {
  /// Reports why the whole text could not be read.
  func report(_ fault: TOMLError) {
    switch fault {
    case .notUTF8(let position):
      error(position, "this is not UTF-8 text", hint: "save the file in the encoding UTF-8")
    case .syntax(let fault):
      error(
        fault.position, "this is not TOML: \(TerminalText.escaped(fault.message, limit: 120))",
        hint: Self.hint(for: fault))
    }
  }

  private static func hint(for fault: TOMLSyntaxError) -> String? {
    slips.first { $0.scope == fault.scope && fault.message.hasPrefix($0.message) }?.hint
  }

  private static let slips: [(scope: String, message: String, hint: String)] = [
    ("time", "expected 2-digit hour", #"write 07:30, or in quotes "7:30""#),
    ("time", "expected hour", "midnight is 00:00"),
    ("decimal integer", "expected digit", #"text needs quotes, a duration too: "10m""#),
    ("decimal integer", "leading zero", "a time is written 07:30, a number without zeros in front"),
    ("value", "this is no value", #"text needs quotes: "mon""#),
    ("boolean", "expected", #"write true or false; text needs quotes: "tue""#),
    ("table header", "there are two of 'alarm'", "begin each with [[alarm]]"),
    ("table header", "there are two of 'timer'", "begin each with [[timer]]"),
    ("table header", "there are two of 'clock'", "begin each with [[clock]]"),
  ]
}
