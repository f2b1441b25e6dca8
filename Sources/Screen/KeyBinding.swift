// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of the keys of `belfry watch`: the name of each key, its meaning, when it is offered,
// and its action. `WatchKeys.swift` shows the keys, and `WatchCommand.swift` carries out the
// actions.

import Language
import Presentation
import Scheduling
import System

struct KeyBinding {
  /// Keys with the same action. The screen shows `name` for all of them.
  let keys: [KeyPress]
  let name: String
  /// What the key does, as the list of keys on the screen shows it. If this is nil, the list leaves
  /// the key out, and the key also works if no agent is running.
  let meaning: String?
  /// The word for the key in the last line of the screen. It is nil while the key is not useful.
  let hint: (WatchView) -> String?
  let action: (WatchView) -> KeyAction?

  init(
    _ name: String, _ meaning: String? = nil, keys: [KeyPress]? = nil,
    hint: @escaping (WatchView) -> String? = { _ in nil },
    action: @escaping (WatchView) -> KeyAction?
  ) {
    (self.name, self.meaning, self.hint, self.action) = (name, meaning, hint, action)
    self.keys = keys ?? name.map { .character($0) }
  }

  private static func alarm(
    _ name: String, _ meaning: String, hint: @escaping (Status.Alarm) -> String?,
    action: @escaping (Status.Alarm) -> KeyAction?
  ) -> KeyBinding {
    KeyBinding(
      name, meaning, hint: { $0.alarm.flatMap(hint) }, action: { $0.alarm.flatMap(action) })
  }

  private static func timer(
    _ name: String, _ meaning: String, keys: [KeyPress]? = nil,
    hint: @escaping (Status.Timer) -> String? = { _ in nil },
    action: @escaping (Status.Timer) -> KeyAction
  ) -> KeyBinding {
    KeyBinding(
      name, meaning, keys: keys, hint: { $0.timer.flatMap(hint) }, action: { $0.timer.map(action) })
  }

  /// The bindings of all keys, in the order in which the list of keys and the last line of the
  /// screen show them.
  static let all: [KeyBinding] = [
    KeyBinding("q") { _ in .quit },
    KeyBinding("?", keys: [.character("?"), .character("h")]) { _ in .showKeys },
    KeyBinding("Esc", keys: [.escape]) { $0.showsKeys ? .showKeys : .select(nil) },
    KeyBinding(
      "r", hint: { _ in tr("start it") }, action: { $0.status == nil ? .startAgent : nil }),
    KeyBinding(
      "s", tr("stop what is ringing"), hint: { $0.isRinging ? tr("stop") : nil },
      action: { $0.stop }),
    KeyBinding(
      "z", tr("snooze what is ringing"), hint: { $0.canSnooze ? tr("snooze") : nil },
      action: { _ in .call("Snooze", [.string(""), .int64(0)]) }),
    KeyBinding("↑", tr("choose an alarm or a timer"), keys: [.up, .character("k")]) {
      .select($0.neighbour(-1))
    },
    KeyBinding(
      "↓", tr("choose an alarm or a timer"),
      keys: [.down, .character("j"), .character("\t")]
    ) { .select($0.neighbour(1)) },
    .alarm(
      "-", tr("skip the alarm's next ring"), hint: { $0.hasNextRing ? tr("skip") : nil },
      action: { .call("Skip", [.string($0.id)]) }),
    .alarm(
      "v", tr("move it"), hint: { $0.hasNextRing ? tr("move") : nil },
      action: { $0.state == .off ? nil : .type(WatchView.Entry(.move($0.id))) }),
    .alarm(
      "u", tr("undo a skip or a move"),
      hint: { $0.skipped == true || $0.movedFrom != nil ? tr("take back") : nil },
      action: { .call("Unskip", [.string($0.id)]) }),
    .alarm(
      "o", tr("switch the alarm on or off"),
      hint: { $0.state == .off ? tr("switch on") : tr("switch off") },
      action: { .call("SetEnabled", [.strings([$0.id]), .boolean($0.state == .off)]) }),
    .alarm(
      "t", tr("ring now, to try it"), hint: { _ in tr("try it") },
      action: { .call("Rehearse", [.string($0.id)]) }),
    .timer(
      tr("space"), tr("pause or resume the timer"), keys: [.character(" ")],
      hint: \.pauseOrResume
    ) { .timer($0.state == .paused ? "ResumeTimer" : "PauseTimer", id: $0.id) },
    .timer(
      "+", tr("a minute more"), keys: [.character("+"), .character("=")],
      hint: { _ in Wording.span(.minutes(1)) },
      action: { .timer("AddToTimer", id: $0.id, [.int64(60)]) }),
    .timer("x", tr("cancel the timer")) { .timer("CancelTimer", id: $0.id) },
    .timer("R", tr("start it again")) { .timer("RestartTimer", id: $0.id) },
    KeyBinding("a", tr("start the last timer again")) { _ in .call("StartTimerAgain", [.string("")])
    },
    KeyBinding(
      "l", tr("lap"), hint: { $0.isTakingTime ? tr("lap") : nil },
      action: { _ in .call("StopwatchLap") }),
    KeyBinding(
      "m", tr("acknowledge missed alarms"),
      hint: { $0.status?.missed.isEmpty == false ? tr("missed: OK") : nil },
      action: { _ in .call("AcknowledgeMissed") }),
    KeyBinding(
      "n", tr("add an alarm"), hint: { _ in tr("new alarm") },
      action: { _ in .type(WatchView.Entry(.add)) }),
    KeyBinding(
      "w", tr("start or stop the stopwatch"), hint: { _ in tr("stopwatch") },
      action: { .call($0.isTakingTime ? "StopwatchStop" : "StopwatchStart") }),
    KeyBinding("0", tr("reset the stopwatch")) { _ in .call("StopwatchReset") },
  ]
}

// MARK: - When a key is useful

extension WatchView {
  fileprivate var isRinging: Bool {
    guard let status else { return false }
    return !status.ringing.isEmpty || status.timers.contains { $0.state == .ringing }
  }

  fileprivate var canSnooze: Bool { status?.ringing.contains { $0.canSnooze != false } == true }
  fileprivate var isTakingTime: Bool { status?.stopwatch.isRunning == true }
}

extension Status.Alarm {
  /// Whether the alarm has a ring that can be skipped or moved.
  fileprivate var hasNextRing: Bool { at != nil && !(skipped == true && resumesAt == nil) }
}

extension Status.Timer {
  @MainActor fileprivate var pauseOrResume: String? {
    switch state {
    case .running: tr("pause")
    case .paused: tr("resume")
    default: nil
    }
  }
}
