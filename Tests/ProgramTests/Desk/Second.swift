// SPDX-License-Identifier: GPL-3.0-or-later
//
// A second at which an alarm of a test is due, as a config writes it and as messages show it. This
// file also checks whether something happened on time.

import Foundation
import Lab
import Testing

/// A whole second of the wall clock, as text for a config and for messages.
struct Second {
  let epoch: Epoch

  /// Returns a whole second that is at least `seconds` + 1 from now. The extra second is for a busy
  /// machine: an alarm rings on time only if the agent has read the config before.
  static func ahead(_ seconds: Double) -> Second {
    Second(epoch: (Lab.now + seconds + 1).rounded(.up))
  }

  /// If midnight is less than a minute away, waits until after midnight, so that "today" is the
  /// same day during the whole test.
  static func stayInOneDay() { waitIfNear(0, of: 86_400) }

  /// If the moment that is `offset` seconds after the beginning of an hour or a day of `length`
  /// seconds (UTC) is less than a minute away, waits until it is past. For example, 900 of 3600 is
  /// a quarter past each hour.
  static func waitIfNear(_ offset: Double, of length: Double) {
    let left = length - (Lab.now - offset).truncatingRemainder(dividingBy: length)
    if left < 60 { Thread.sleep(forTimeInterval: left + 0.1) }
  }

  /// The time of day in the config, such as `10:31:05`. It is in UTC, the time zone of all programs
  /// in a Lab.
  var time: String { text("HH:mm:ss") }
  var date: String { text("yyyy-MM-dd") }
  /// The time of day as messages show it: without seconds if they are zero.
  var shown: String { time.hasSuffix(":00") ? String(time.dropLast(3)) : time }

  /// The beginning of the minute in which this second is. Messages show such a moment without
  /// seconds.
  var toTheMinute: Second { Second(epoch: (epoch / 60).rounded(.down) * 60) }

  /// Returns the time of day as messages show a time in the future. If this second is tomorrow, the
  /// result begins with `word`.
  func shown(tomorrow word: String) -> String {
    date == Second(epoch: Lab.now).date ? shown : "\(word) \(shown)"
  }

  /// The time as messages show it after a verb: `at 07:30`, or `tomorrow at 07:30`.
  var told: String {
    let moment = shown(tomorrow: "tomorrow at")
    return moment == shown ? "at \(shown)" : moment
  }

  private func text(_ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = format
    formatter.timeZone = .gmt
    return formatter.string(from: Date(timeIntervalSince1970: epoch))
  }
}

// MARK: - Being on time

/// The recorder computes when a sound was played. This is the largest error of that time in
/// seconds; see `Recording`.
let recorderError = 0.01

/// Returns whether `moment` is on time for something that is due at `second`: not earlier, and less
/// than three seconds later, because the machine may be busy with other tests. `LatenessTests`
/// measures rings on a quiet machine.
func isOnSecond(_ moment: Epoch, _ second: Epoch) -> Bool {
  moment > second - recorderError && moment < second + 3
}

extension PostedNotification {
  /// The buttons of the notification in order, each with its key and its label, such as `stop:
  /// Stop`.
  var buttons: [String] { actions.map { "\($0.key): \($0.label)" } }

  /// The body without its last line if that line names a command, as it does on servers that draw
  /// no buttons, such as dunst.
  var text: String {
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.last?.contains(": “belfry ") == true
      ? lines.dropLast().joined(separator: "\n") : body
  }
}
