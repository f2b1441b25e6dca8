// SPDX-License-Identifier: GPL-3.0-or-later
//
// The answers that a user can give on a notification: their keys on the bus and their labels. What
// becomes of an answer is said in `NoticeAnswers.swift`.

import Language
import Presentation
import Scheduling
import System

/// What a button of Belfry's notifications does, and how it is named on the bus.
public enum Answer: Equatable {
  case stop
  case snooze(Duration)
  /// A click on the body of what rings: never stops it.
  case hush
  case skip
  case acknowledge
  case openConfig
  /// Of what would keep the next alarm from being heard: look again whether it still does.
  case checkAgain
  /// Of an alarm that the machine would sleep through: it is not to sleep until that is answered.
  case keepAwake
  case letSleep
  /// Of a timer.
  case pause, resume, addMinute, cancel, restart

  var key: String {
    switch self {
    case .stop: "stop"
    case .snooze(let length): "snooze:\(length.wholeSeconds)"
    case .hush: "default"
    case .skip: "skip"
    case .acknowledge: "acknowledge"
    case .openConfig: "open-config"
    case .checkAgain: "check-again"
    case .keepAwake: "keep-awake"
    case .letSleep: "let-sleep"
    case .pause: "pause"
    case .resume: "resume"
    case .addMinute: "add-minute"
    case .cancel: "cancel"
    case .restart: "restart"
    }
  }

  init?(key: String) {
    switch key {
    case "stop": self = .stop
    case "default": self = .hush
    case "skip": self = .skip
    case "acknowledge": self = .acknowledge
    case "open-config": self = .openConfig
    case "check-again": self = .checkAgain
    case "keep-awake": self = .keepAwake
    case "let-sleep": self = .letSleep
    case "pause": self = .pause
    case "resume": self = .resume
    case "add-minute": self = .addMinute
    case "cancel": self = .cancel
    case "restart": self = .restart
    default:
      guard key.utf8.count < 30, key.hasPrefix("snooze:"), let seconds = Int64(key.dropFirst(7)),
        (1...BusInterface.longestSnooze).contains(seconds)
      else { return nil }
      self = .snooze(.seconds(seconds))
    }
  }

  var label: String {
    switch self {
    case .stop: tr("Stop")
    case .snooze(let length): tr("Snooze \(Wording.span(length))")
    case .hush: tr("Quiet for \(Wording.span(Schedule.hushFor))")
    case .skip: tr("Skip")
    case .acknowledge: tr("OK")
    case .openConfig: tr("Open config")
    case .checkAgain: tr("Check again")
    case .keepAwake: tr("Keep awake")
    case .letSleep: tr("Let it sleep")
    case .pause: tr("Pause")
    case .resume: tr("Resume")
    case .addMinute: tr("+1 min")
    case .cancel: tr("Cancel")
    case .restart: tr("Restart")
    }
  }

  /// What it does to a timer.
  var timerAct: TimerAct? {
    switch self {
    case .pause: .pause
    case .resume: .resume
    case .addMinute: .add(.minutes(1))
    case .cancel: .cancel
    case .restart: .restart
    default: nil
    }
  }
}
