// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts text to markup, and searches text without the standard library's `contains`. `contains`,
// `firstRange(of:)`, `replacing`, and `split` by more than one character would link the standard
// library's parser of regular expressions, which is a tenth of the agent's size. Do not use these
// functions in the agent.

extension StringProtocol {
  public func includes(_ part: String) -> Bool {
    indices.contains { self[$0...].hasPrefix(part) }
  }
}

extension String {
  /// The text with `&`, `<` and `>` escaped, for a place that reads markup, such as the body of a
  /// notification.
  public var markup: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
