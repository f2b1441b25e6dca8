// SPDX-License-Identifier: GPL-3.0-or-later
//
// What text is asked that the standard library answers only together with its parser of regular
// expressions, a tenth of the agent. So do `firstRange(of:)`, `replacing`, and
// `split` at more than a character: nothing here uses them.

extension StringProtocol {
  /// Whether `part` stands somewhere in it.
  public func includes(_ part: String) -> Bool {
    indices.contains { self[$0...].hasPrefix(part) }
  }
}
