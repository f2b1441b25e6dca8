// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moments as configs and people write them, and whether something happened on time.

import Foundation
import Lab
import Testing

/// A whole second of the wall clock, and how a config names it.
struct Second {
  let epoch: Epoch

  /// The first one that is at least `seconds` from now, and one more for a machine that is busy: an
  /// alarm rings on time only where the agent has seen it before it was due.
  static func ahead(_ seconds: Double) -> Second {
    Second(epoch: (Lab.now + seconds + 1).rounded(.up))
  }

  /// Waits until midnight is past if it comes within a minute, so that "today" is one day from the
  /// beginning of a test to its end.
  static func stayInOneDay() {
    let left = 86_400 - Lab.now.truncatingRemainder(dividingBy: 86_400)
    if left < 60 { Thread.sleep(forTimeInterval: left + 0.1) }
  }

  /// As TOML has it: `10:31:05`. A Lab's programs are in UTC.
  var time: String { text("HH:mm:ss") }
  var date: String { text("yyyy-MM-dd") }
  /// As people are told it: without seconds where there are none.
  var shown: String { time.hasSuffix(":00") ? String(time.dropLast(3)) : time }

  /// The minute that it is in: seconds are told only of what was set to the second.
  var toTheMinute: Second { Second(epoch: (epoch / 60).rounded(.down) * 60) }

  /// The same before it comes, which may be on the next day.
  func shown(tomorrow word: String) -> String {
    date == Second(epoch: Lab.now).date ? shown : "\(word) \(shown)"
  }

  /// The same behind a verb: it rings `at 07:30`, or `tomorrow at 07:30`.
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

/// Whether something happened at `second`: not before, and no later than a machine that is busy
/// with other tests may make it. How prompt it is where nothing is in its way, `LatenessTests`
/// tells.
func isOnSecond(_ moment: Epoch, _ second: Epoch) -> Bool {
  moment > second - recorderError && moment < second + 3
}

extension PostedNotification {
  /// Its actions, in order: `stop: Stop`.
  var buttons: [String] { actions.map { "\($0.key): \($0.label)" } }

  /// The body without a last line that names a command, where the server draws no buttons, as
  /// dunst.
  var text: String {
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.last?.contains(": “belfry ") == true
      ? lines.dropLast().joined(separator: "\n") : body
  }
}

extension Recorder {
  /// The frequency of a sine played between two times, in hertz: by its zero crossings, twentieth
  /// of a second by twentieth, and the median, which a gap of a busy machine does not change.
  func pitch(from start: Epoch, to end: Epoch) -> Double {
    let samples = samples(from: start, to: end)
    // Left and right in turn.
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    let rate = Double(left.count) / (end - start)
    let length = Int(rate / 20)
    let pitches = stride(from: 0, through: left.count - length, by: length).map { first in
      let crossings = (first + 1..<first + length).filter { (left[$0 - 1] < 0) != (left[$0] < 0) }
      guard crossings.count > 1 else { return 0.0 }
      return Double(crossings.count - 1) / 2 * rate / Double(crossings.last! - crossings[0])
    }
    return pitches.sorted()[pitches.count / 2]
  }
}
