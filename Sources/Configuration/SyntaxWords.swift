// SPDX-License-Identifier: GPL-3.0-or-later
//
// What to write instead of text that is no TOML, for the slips that a config invites: times, words
// and durations without their quotes.

import Language
import TOML

extension Findings {
  /// Reports why the whole text could not be read.
  func report(_ fault: TOMLError) {
    switch fault {
    case .notUTF8(let position):
      error(
        position, Message("this is not UTF-8 text"),
        hint: Message("save the file in the encoding UTF-8"))
    case .syntax(let fault):
      // What it quotes of the text may be as long as that.
      let reason = fault.message.changing { TerminalText.escaped($0, limit: 80) }
      error(
        fault.position, Message("this is not TOML: \(reason)"), hint: Self.hint(for: fault))
    }
  }

  private static func hint(for fault: TOMLSyntaxError) -> Message? {
    let english = fault.message.description
    return slips.first { $0.scope == fault.scope && english.hasPrefix($0.message) }?.hint
  }

  private static let slips: [(scope: String, message: String, hint: Message)] = [
    ("time", "expected 2-digit hour", Message(#"write 07:30, or in quotes "7:30""#)),
    ("time", "expected an hour from 0 to 23, saw 24", Message("midnight is 00:00")),
    ("decimal integer", "expected digit", Message(#"text needs quotes, a duration too: "10m""#)),
    (
      "decimal integer", "leading zero",
      Message("a time is written 07:30, a number without zeros in front")
    ),
    ("value", "this is no value", Message(#"text needs quotes: "mon""#)),
    ("boolean", "expected", Message(#"write true or false; text needs quotes: "tue""#)),
    ("table header", "there are two of 'alarm'", Message("begin each with [[\("alarm")]]")),
    ("table header", "there are two of 'timer'", Message("begin each with [[\("timer")]]")),
    ("table header", "there are two of 'clock'", Message("begin each with [[\("clock")]]")),
  ]
}
