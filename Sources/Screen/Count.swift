// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counters such as `3:12`, and progress bars. `DateWording.swift` has durations in words.

import Scheduling

public nonisolated enum Count {
  /// Formats the time left, such as `3:12` or `1:02:33`. Rounds up, so that a countdown shows 0:00
  /// only when it has ended.
  public static func down(_ left: Duration) -> String {
    let whole = left.wholeSeconds
    return text(seconds: left > .seconds(whole) ? whole + 1 : whole)
  }

  /// Formats elapsed time, rounded down, such as `3:12`. `digits` is the number of decimals, at
  /// most six: `3:12.4` has one.
  public static func up(_ elapsed: Duration, digits: Int = 0) -> String {
    let micros = max(0, elapsed.wholeMicroseconds)
    let text = text(seconds: micros / 1_000_000)
    guard digits > 0 else { return text }
    let fraction = String(micros % 1_000_000 + 1_000_000).dropFirst().prefix(digits)
    return "\(text).\(fraction)"
  }

  private static func text(seconds: Int64) -> String {
    let seconds = max(0, seconds)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let rest = twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Draws a progress bar of `columns` columns. Its first part, `part` (0...1) of the whole, is a
  /// thicker line, so that it can be seen without colours.
  public static func bar(_ part: Double, _ columns: Int, _ style: Style) -> StyledText {
    let part = part.isNaN ? 0 : max(0, min(1, part))
    let halves = Int((part * Double(2 * columns)).rounded(.down))
    let (full, half) = (halves / 2, halves % 2)
    let rest = columns - full - half
    return StyledText(
      String(repeating: "━", count: full) + String(repeating: "╾", count: half), style)
      + StyledText(String(repeating: "─", count: max(0, rest)), .dim)
  }
}
