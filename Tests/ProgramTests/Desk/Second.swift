// SPDX-License-Identifier: GPL-3.0-or-later
//
// A moment for an alarm in a test, as a config writes it and as messages show it. Also checks
// whether something happened on time.

import Foundation
import Lab
import Testing

/// A whole second of the wall clock, and how a config writes it.
struct Second {
  let epoch: Epoch

  /// Returns the first second that is at least `seconds` from now, plus one second in case the
  /// machine is busy: an alarm rings on time only if the agent has read it before.
  static func ahead(_ seconds: Double) -> Second {
    Second(epoch: (Lab.now + seconds + 1).rounded(.up))
  }

  /// If midnight is less than a minute away, waits until it is over, so that "today" is one day for
  /// the whole test.
  static func stayInOneDay() {
    let left = 86_400 - Lab.now.truncatingRemainder(dividingBy: 86_400)
    if left < 60 { Thread.sleep(forTimeInterval: left + 0.1) }
  }

  /// The time of day in TOML, such as `10:31:05`. It is in UTC, as all programs of a Lab are.
  var time: String { text("HH:mm:ss") }
  var date: String { text("yyyy-MM-dd") }
  /// The time of day in messages: without seconds if they are zero.
  var shown: String { time.hasSuffix(":00") ? String(time.dropLast(3)) : time }

  /// The beginning of this second's minute. Messages show seconds only if the time was set with
  /// seconds.
  var toTheMinute: Second { Second(epoch: (epoch / 60).rounded(.down) * 60) }

  /// Returns the time of day as messages show a time in the future. If this second is tomorrow,
  /// `word` comes first.
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

/// How many seconds too early a sound may seem to begin. The recorder estimates when a sample was
/// played, see `Recording`; on a busy machine, its error was up to 13 ms.
let recorderError = 0.05

/// Returns whether something happened on time at `second`: not before, and less than three seconds
/// later, since the machine may be busy with other tests. `LatenessTests` measures rings on a quiet
/// machine.
func isOnSecond(_ moment: Epoch, _ second: Epoch) -> Bool {
  moment > second - recorderError && moment < second + 3
}

extension PostedNotification {
  /// The actions of the notification in order, such as `stop: Stop`.
  var buttons: [String] { actions.map { "\($0.key): \($0.label)" } }

  /// The body without its last line if that line names a command, as it does on servers that draw
  /// no buttons, such as dunst.
  var text: String {
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.last?.contains(": “belfry ") == true
      ? lines.dropLast().joined(separator: "\n") : body
  }
}
