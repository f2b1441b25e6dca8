// SPDX-License-Identifier: GPL-3.0-or-later
//
// What keys do on the screen of `belfry watch`, and how they are told there.

import Language
import Presentation
import Scheduling
import System

/// What a key asks for.
public nonisolated enum KeyAction: Hashable, Sendable {
  /// A call of the agent.
  case call(String, [Variant] = [])
  /// A call for the timer of that id. It is the chosen one from then on: others may come before it
  /// in the list because of what was done.
  case timer(String, id: String, [Variant] = [])
  case startAgent
  case quit
  /// Something that the view itself does.
  case showKeys
  case select(Choice?)
  /// The line that is typed is that from now on; with nil there is none.
  case type(WatchView.Entry?)
  /// A call of the agent that does what was typed.
  case enter(WatchView.Entry, String, [Variant])
  case tell(String)
}

/// A row that the user chose.
public nonisolated enum Choice: Hashable, Sendable {
  case alarm(String)
  case timer(String)
}

extension WatchView {
  /// What `key` means now, or a click on `lines` as they were drawn; nil where it means nothing.
  public func action(_ key: KeyPress, on lines: [StyledText] = []) -> KeyAction? {
    if case .click(let column, let row) = key {
      let action = lines.indices.contains(row) ? lines[row].action(at: column) : nil
      // Nobody loses what was typed by a click beside it.
      if entry != nil, case .select? = action { return nil }
      return action
    }
    if let entry { return entry.action(key, in: wording.zones) }
    switch key {
    case .character("q"): return .quit
    case .character("?"), .character("h"): return .showKeys
    case .escape: return showsKeys ? .showKeys : .select(nil)
    case .character("r") where snapshot == nil: return .startAgent
    default: break
    }
    guard let snapshot else { return nil }
    switch key {
    case .up, .character("k"): return .select(neighbour(-1))
    case .down, .character("j"), .character("\t"): return .select(neighbour(1))
    case .wheel(let step): return .select(neighbour(step, wraps: false))
    case .character("s"): return stop(snapshot)
    case .character("z"): return .call("Snooze", [.string(""), .int64(0)])
    case .character("n"): return .type(Entry(.add))
    case .character("m"): return .call("AcknowledgeMissed")
    case .character("a"): return .call("StartTimerAgain", [.string("")])
    case .character("w"):
      let isRunning = snapshot.stopwatch?.isRunning == true
      return .call(isRunning ? "StopwatchStop" : "StopwatchStart")
    case .character("l"): return .call("StopwatchLap")
    case .character("0"): return .call("StopwatchReset")
    case .character(let letter): return alarmAction(letter) ?? timerAction(letter)
    case .escape, .click: return nil
    }
  }

  /// What is chosen where that rings or is snoozed, else all that rings.
  private func stop(_ snapshot: Snapshot) -> KeyAction {
    let isTimer = timer?.state == .ringing || timer?.state == .snoozed
    let id =
      switch selection {
      case .alarm(let id): alarm.map { $0.isRinging || $0.state == "snoozed" } == true ? id : ""
      case .timer(let id): isTimer && timer?.id == id ? id : ""
      case nil: ""
      }
    return .call("Stop", [.string(id)])
  }

  private func alarmAction(_ letter: Character) -> KeyAction? {
    guard let alarm else { return nil }
    let id = Variant.string(alarm.id)
    switch letter {
    case "-": return .call("Skip", [id])
    case "u": return .call("Unskip", [id])
    case "v" where !alarm.isOff: return .type(Entry(.move(alarm.id)))
    case "o": return .call("SetEnabled", [.strings([alarm.id]), .boolean(alarm.isOff)])
    case "t": return .call("Rehearse", [id])
    default: return nil
    }
  }

  private func timerAction(_ letter: Character) -> KeyAction? {
    guard let id = timer?.id else { return nil }
    switch letter {
    case " ": return .timer(timer?.state == .paused ? "ResumeTimer" : "PauseTimer", id: id)
    case "+", "=": return .timer("AddToTimer", id: id, [.int64(60)])
    case "x": return .timer("CancelTimer", id: id)
    case "R": return .timer("RestartTimer", id: id)
    default: return nil
    }
  }

  /// The timer that keys are for: the chosen one, or the first where no alarm is chosen.
  var timer: Snapshot.Timer? {
    if case .alarm = selection { return nil }
    let timers = snapshot?.timers ?? []
    return timers.first { selection == .timer($0.id) } ?? timers.first
  }

  /// The alarm that keys are for: none, unless it was chosen.
  var alarm: Snapshot.Alarm? {
    snapshot?.listed.first { selection == .alarm($0.alarm.id) }?.alarm
  }

  private func neighbour(_ step: Int, wraps: Bool = true) -> Choice? {
    guard let snapshot else { return nil }
    let most = WatchSections.most
    let rows =
      snapshot.listed.prefix(most).map { Choice.alarm($0.alarm.id) }
      + snapshot.timers.prefix(most).map { Choice.timer($0.id) }
    guard let index = rows.firstIndex(where: { $0 == selection }) else {
      return step > 0 ? rows.first : rows.last
    }
    if !wraps, !rows.indices.contains(index + step) { return selection }
    return rows[(index + step + rows.count) % rows.count]
  }

  // MARK: - Told

  /// The last lines: what keys do now, or what is typed.
  func footer(_ width: Int, _ now: Now) -> [StyledText] {
    let remark = remark.map { StyledText($0, .colour(.yellow)).fitted(width, .centre) }
    guard let entry else { return [remark ?? hints(width)] }
    return [remark ?? meaning(entry, now).fitted(width, .centre), line(entry, width)]
  }

  /// As many as there is room for.
  private func hints(_ width: Int) -> StyledText {
    var last = hint("?", showsKeys ? tr("back") : tr("keys")) + .spaces(3) + hint("q", tr("quit"))
    if last.width > width { last = hint("q", tr("quit")) }
    var line = StyledText()
    for (key, word) in useful {
      let next = line + hint(key, word) + .spaces(3)
      guard next.width + last.width <= width else { continue }
      line = next
    }
    return (line + last).fitted(width, .centre)
  }

  func hint(_ key: String, _ word: String) -> StyledText {
    (StyledText(key, .bold) + StyledText(" \(word)", .dim)).clicked(
      press(key).flatMap { action($0) })
  }

  /// The key that is called so on the screen.
  private func press(_ name: String) -> KeyPress? {
    switch name {
    case "Enter": .character("\n")
    case "Esc": .escape
    case "↑": .up
    case "↓": .down
    case tr("space"): .character(" ")
    default: name.first.map { .character($0) }
    }
  }

  /// What there is something to do with, the most pressing first.
  private var useful: [(key: String, word: String)] {
    guard !showsKeys else { return [] }
    guard let snapshot else { return [("r", tr("start it"))] }
    var keys: [(String, String)] = []
    let isOver = snapshot.timers.contains { $0.state == .ringing }
    if isOver || !snapshot.ringing.isEmpty { keys.append(("s", tr("stop"))) }
    if snapshot.ringing.contains(where: \.canSnooze) { keys.append(("z", tr("snooze"))) }
    if let alarm { keys += useful(alarm) }
    if let timer {
      if timer.state == .running { keys.append((tr("space"), tr("pause"))) }
      if timer.state == .paused { keys.append((tr("space"), tr("resume"))) }
      keys.append(("+", Wording.span(.minutes(1))))
    }
    if snapshot.stopwatch?.isRunning == true { keys.append(("l", tr("lap"))) }
    if !snapshot.missed.isEmpty { keys.append(("m", tr("missed: OK"))) }
    return keys + [("n", tr("new alarm")), ("w", tr("stopwatch"))]
  }

  private func useful(_ alarm: Snapshot.Alarm) -> [(String, String)] {
    guard !alarm.isOff else { return [("o", tr("switch on")), ("t", tr("try it"))] }
    let isWanted = alarm.next != nil && !alarm.isLastSkipped
    return (isWanted ? [("-", tr("skip"))] : [])
      + (alarm.isSkipped || alarm.isMoved ? [("u", tr("take back"))] : [])
      + (isWanted ? [("v", tr("move"))] : []) + [("o", tr("switch off")), ("t", tr("try it"))]
  }

  /// All keys, in place of the lists; how to leave is told below them.
  func keys(_ width: Int, _ height: Int) -> [StyledText] {
    let rows = Self.allKeys.map { names, meaning in
      let keys = names.split(separator: " ").map(String.init).map { name in
        StyledText(name, .bold).clicked(press(name).flatMap { action($0) })
      }
      let named = keys.dropFirst().reduce(keys[0]) { $0 + .spaces(1) + $1 }
      return [named, StyledText(meaning).clicked(keys.count == 1 ? named.action(at: 0) : nil)]
    }
    let table = Columns.lines(rows)
    let wide = min(width, table.map(\.width).max() ?? 0)
    return table.prefix(height).map { $0.fitted(wide).fitted(width, .centre) }
  }

  private static var allKeys: [(String, String)] {
    [
      ("s", tr("stop what rings")), ("z", tr("snooze what rings")),
      ("m", tr("missed alarms are seen")), ("↑ ↓", tr("choose an alarm or a timer")),
      ("-", tr("skip the alarm's next ring")), ("v", tr("move it")),
      ("u", tr("take that back")),
      ("o", tr("switch the alarm on or off")), ("t", tr("ring now as it will")),
      ("n", tr("add an alarm")),
      (tr("space"), tr("pause or resume the timer")), ("+", tr("a minute more")),
      ("x", tr("cancel the timer")), ("R", tr("start it again")),
      ("a", tr("the last timer again")),
      ("w", tr("start or stop the stopwatch")), ("l", tr("lap")),
      ("0", tr("reset the stopwatch")),
    ]
  }
}
