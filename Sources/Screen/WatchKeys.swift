// SPDX-License-Identifier: GPL-3.0-or-later
//
// The keys of `belfry watch`: the table with the name of each key, its meaning, when it is offered,
// and its action. Also the actions of clicks, and the lines that show the keys.
// `WatchCommand.swift` carries out the actions.

import Language
import Presentation
import Scheduling
import System

struct KeyBinding {
  /// Keys with the same action. The screen shows `name` for all of them.
  let keys: [KeyPress]
  let name: String
  /// What the key does, in the words of the list of keys on the screen. It is nil for keys that the
  /// list leaves out. These keys also work if no agent is running.
  let meaning: String?
  /// The word for the key in the last line of the screen. It is nil while the key is not useful.
  let hint: @Sendable (WatchView) -> String?
  let action: @Sendable (WatchView) -> KeyAction?

  init(
    _ name: String, _ meaning: String? = nil, keys: [KeyPress]? = nil,
    hint: @escaping @Sendable (WatchView) -> String? = { _ in nil },
    action: @escaping @Sendable (WatchView) -> KeyAction?
  ) {
    (self.name, self.meaning, self.hint, self.action) = (name, meaning, hint, action)
    self.keys = keys ?? name.map { .character($0) }
  }

  private static func alarm(
    _ name: String, _ meaning: String, hint: @escaping @Sendable (Status.Alarm) -> String?,
    action: @escaping @Sendable (Status.Alarm) -> KeyAction?
  ) -> KeyBinding {
    KeyBinding(
      name, meaning, hint: { $0.alarm.flatMap(hint) }, action: { $0.alarm.flatMap(action) })
  }

  private static func timer(
    _ name: String, _ meaning: String, keys: [KeyPress]? = nil,
    hint: @escaping @Sendable (Status.Timer) -> String? = { _ in nil },
    action: @escaping @Sendable (Status.Timer) -> KeyAction
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
      hint: {
        $0.standing.isSkipped || $0.standing.next?.movedFrom != nil ? tr("take back") : nil
      },
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

  fileprivate var canSnooze: Bool {
    guard let status else { return false }
    return status.ringing.contains { $0.canSnooze != false }
      || status.timers.contains { $0.state == .ringing }
  }
  fileprivate var isTakingTime: Bool { status?.stopwatch.isRunning == true }
}

extension Status.Alarm {
  /// Whether the alarm has a ring that can be skipped or moved.
  fileprivate var hasNextRing: Bool { standing.wanted != nil }
}

extension Status.Timer {
  fileprivate var pauseOrResume: String? {
    switch state {
    case .running: tr("pause")
    case .paused: tr("resume")
    default: nil
    }
  }
}

public enum KeyAction: Hashable, Sendable {
  case call(String, [Variant] = [])
  /// Call a method of the agent for the timer `id`, and select this timer. The call can change the
  /// order of timers. Without a selection, the next key would act on the timer that then comes
  /// first.
  case timer(String, id: String, [Variant] = [])
  case startAgent
  case quit
  case showKeys
  /// Select an alarm or a timer; nil: select nothing.
  case select(Choice?)
  /// Show this line, so that the user can go on typing it; nil: close the line.
  case type(WatchView.Entry?)
  /// Close the line in which the user typed, and call the method of the agent that applies the
  /// text.
  case enter(WatchView.Entry, String, [Variant])
  case remark(String)
}

public enum Choice: Hashable, Sendable {
  case alarm(String)
  case timer(String)
}

extension WatchView {
  /// Returns the action of `key`, or nil if it has none. For a click, `lines` is the screen as it
  /// was drawn.
  public func action(_ key: KeyPress, on lines: [StyledText] = []) -> KeyAction? {
    if case .click(let column, let row) = key {
      let action = lines.indices.contains(row) ? lines[row].action(at: column) : nil
      // While the user is typing a line, a click that selects something must not discard the line.
      if entry != nil, case .select? = action { return nil }
      return action
    }
    if let entry { return entry.action(key, in: wording.zones) }
    if case .wheel(let step) = key {
      return status == nil ? nil : .select(neighbour(step, wraps: false))
    }
    return KeyBinding.all.first { $0.keys.contains(key) }.flatMap(action)
  }

  private func action(of binding: KeyBinding) -> KeyAction? {
    status == nil && binding.meaning != nil ? nil : binding.action(self)
  }

  /// The action of the stop key: stop the selected alarm or timer if it is ringing or snoozed,
  /// otherwise stop everything that is ringing.
  var stop: KeyAction {
    let isTimer = timer?.state == .ringing || timer?.state == .snoozed
    let id =
      switch selection {
      case .alarm(let id): alarm?.state == .ringing || alarm?.state == .snoozed ? id : ""
      case .timer(let id): isTimer && timer?.id == id ? id : ""
      case nil: ""
      }
    return .call("Stop", [.string(id)])
  }

  /// The timer on which the keys for timers act: the selected timer, or the first timer if nothing
  /// is selected. It is nil if an alarm is selected.
  var timer: Status.Timer? {
    if case .alarm = selection { return nil }
    let timers = status?.timers ?? []
    return timers.first { selection == .timer($0.id) } ?? timers.first
  }

  var alarm: Status.Alarm? {
    status?.listed.first { selection == .alarm($0.alarm.id) }?.alarm
  }

  func neighbour(_ step: Int, wraps: Bool = true) -> Choice? {
    guard let status else { return nil }
    let most = WatchSections.most
    let rows =
      status.listed.prefix(most).map { Choice.alarm($0.alarm.id) }
      + status.timers.prefix(most).map { Choice.timer($0.id) }
    guard let index = rows.firstIndex(where: { $0 == selection }) else {
      return step > 0 ? rows.first : rows.last
    }
    if !wraps, !rows.indices.contains(index + step) { return selection }
    return rows[(index + step + rows.count) % rows.count]
  }

  // MARK: - Lines that show the keys

  /// Returns the last lines of the screen: the keys that are useful now, or the line that is being
  /// typed.
  func footer(_ width: Int, _ now: Now) -> [StyledText] {
    let remark = remark.map { StyledText($0, .colour(.yellow)).fitted(width, .centre) }
    guard let entry else { return [remark ?? hints(width)] }
    return [remark ?? meaning(entry, now).fitted(width, .centre), line(entry, width)]
  }

  private func hints(_ width: Int) -> StyledText {
    let quit = hint("q", tr("quit"), .quit)
    var last = hint("?", showsKeys ? tr("back") : tr("keys"), .showKeys) + .spaces(3) + quit
    if last.width > width { last = quit }
    var line = StyledText()
    let useful = showsKeys ? [] : KeyBinding.all
    for binding in useful where (status == nil) == (binding.meaning == nil) {
      guard let word = binding.hint(self) else { continue }
      let next = line + hint(binding.name, word, action(of: binding)) + .spaces(3)
      guard next.width + last.width <= width else { continue }
      line = next
    }
    return (line + last).fitted(width, .centre)
  }

  func hint(_ key: String, _ word: String, _ action: KeyAction?) -> StyledText {
    (StyledText(key, .bold) + StyledText(" \(word)", .dim)).clicked(action)
  }

  /// Returns the lines of the list of all keys. Keys with the same meaning share a line.
  func keys(_ width: Int, _ height: Int) -> [StyledText] {
    var rows: [(names: StyledText, meaning: String, action: KeyAction?)] = []
    for binding in KeyBinding.all {
      guard let meaning = binding.meaning else { continue }
      let action = action(of: binding)
      let name = StyledText(binding.name, .bold).clicked(action)
      if let last = rows.last, last.meaning == meaning {
        rows[rows.count - 1] = (last.names + .spaces(1) + name, meaning, nil)
      } else {
        rows.append((name, meaning, action))
      }
    }
    let table = Columns.lines(
      rows.map { [$0.names, StyledText($0.meaning).clicked($0.action)] })
    let wide = min(width, table.map(\.width).max() ?? 0)
    return table.prefix(height).map { $0.fitted(wide).fitted(width, .centre) }
  }
}
