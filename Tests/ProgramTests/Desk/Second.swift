// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moments in the form of configs and of messages, and whether something happened on time.

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

  /// As in TOML: `10:31:05`. A Lab's programs are in UTC.
  var time: String { text("HH:mm:ss") }
  var date: String { text("yyyy-MM-dd") }
  /// As people see it: without seconds if they are zero.
  var shown: String { time.hasSuffix(":00") ? String(time.dropLast(3)) : time }

  /// The minute that it is in: messages show seconds only if the time was set with seconds.
  var toTheMinute: Second { Second(epoch: (epoch / 60).rounded(.down) * 60) }

  /// As people see it before it comes; it may be tomorrow.
  func shown(tomorrow word: String) -> String {
    date == Second(epoch: Lab.now).date ? shown : "\(word) \(shown)"
  }

  /// As people see it after a verb: it rings `at 07:30`, or `tomorrow at 07:30`.
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

/// How exactly the recorder knows when a sample was played; see `Recording`.
let recorderError = 0.01

/// Whether something happened at `second`: not before, and at most so much later as a machine that
/// is busy with other tests may take. `LatenessTests` measures how prompt it is on a quiet machine.
func isOnSecond(_ moment: Epoch, _ second: Epoch) -> Bool {
  moment > second - recorderError && moment < second + 3
}

extension PostedNotification {
  /// Its actions, in order: `stop: Stop`.
  var buttons: [String] { actions.map { "\($0.key): \($0.label)" } }

  /// The body without its last line if that line names a command, as it does on servers that draw
  /// no buttons, such as dunst.
  var text: String {
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.last?.contains(": “belfry ") == true
      ? lines.dropLast().joined(separator: "\n") : body
  }
}
