// SPDX-License-Identifier: GPL-3.0-or-later
//
// What keys do on the screen of `belfry watch`, and how they are told there.

import Language
import Presentation
import Scheduling
import System

/// A key as the terminal sends it.
public nonisolated enum KeyPress: Hashable, Sendable {
  case character(Character)
  case up, down, escape

  /// The keys in what a terminal sent at once.
  public static func keys(_ bytes: [UInt8]) -> [KeyPress] {
    var keys: [KeyPress] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == 0x1B else {
        // Of letters beyond ASCII none has a meaning here.
        if byte < 0x80 { keys.append(.character(Character(Unicode.Scalar(byte)))) }
        continue
      }
      // Alone it is the key itself; before [ or O, what a terminal calls an arrow.
      guard rest.first == 0x5B || rest.first == 0x4F else {
        keys.append(.escape)
        continue
      }
      rest = rest.dropFirst().drop { !(0x40...0x7E).contains($0) }
      switch rest.popFirst() {
      case 0x41: keys.append(.up)
      case 0x42: keys.append(.down)
      default: break
      }
    }
    return keys
  }
}

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
  case select(String?)
}

extension WatchView {
  /// What `key` means now; nil where it means nothing.
  public func action(_ key: KeyPress) -> KeyAction? {
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
    case .character("s"): return stop(snapshot)
    case .character("z"): return .call("Snooze", [.string(""), .int64(0)])
    case .character("m"): return .call("AcknowledgeMissed")
    case .character("a"): return .call("StartTimerAgain", [.string("")])
    case .character("w"):
      let isRunning = snapshot.stopwatch?.isRunning == true
      return .call(isRunning ? "StopwatchStop" : "StopwatchStart")
    case .character("l"): return .call("StopwatchLap")
    case .character("0"): return .call("StopwatchReset")
    case .character(let letter): return timerAction(letter)
    case .escape: return nil
    }
  }

  /// The chosen timer where that rings or is snoozed, else all that rings.
  private func stop(_ snapshot: Snapshot) -> KeyAction {
    let chosen = snapshot.timers.first { $0.id == selection }
    let isMeant = chosen?.state == .ringing || chosen?.state == .snoozed
    return .call("Stop", [.string(isMeant ? chosen?.id ?? "" : "")])
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

  /// The timer that keys are for: the chosen one, or the first.
  var timer: Snapshot.Timer? {
    let timers = snapshot?.timers ?? []
    return timers.first { $0.id == selection } ?? timers.first
  }

  private func neighbour(_ step: Int) -> String? {
    let timers = snapshot?.timers ?? []
    guard !timers.isEmpty else { return nil }
    guard let index = timers.firstIndex(where: { $0.id == selection }) else {
      return step > 0 ? timers.first?.id : timers.last?.id
    }
    return timers[(index + step + timers.count) % timers.count].id
  }

  // MARK: - Told

  /// The last line: what keys do now, as many as there is room for.
  func footer(_ width: Int) -> StyledText {
    if let remark { return StyledText(remark, .colour(.yellow)).fitted(width, .centre) }
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

  private func hint(_ key: String, _ word: String) -> StyledText {
    StyledText(key, .bold) + StyledText(" \(word)", .dim)
  }

  /// What there is something to do with, the most pressing first.
  private var useful: [(key: String, word: String)] {
    guard !showsKeys else { return [] }
    guard let snapshot else { return [("r", tr("start it"))] }
    var keys: [(String, String)] = []
    let isOver = snapshot.timers.contains { $0.state == .ringing }
    if isOver || !snapshot.ringing.isEmpty { keys.append(("s", tr("stop"))) }
    if snapshot.ringing.contains(where: \.canSnooze) { keys.append(("z", tr("snooze"))) }
    if let timer {
      if timer.state == .running { keys.append((tr("space"), tr("pause"))) }
      if timer.state == .paused { keys.append((tr("space"), tr("resume"))) }
      keys.append(("+", Wording.span(.minutes(1))))
    }
    if snapshot.stopwatch?.isRunning == true { keys.append(("l", tr("lap"))) }
    if !snapshot.missed.isEmpty { keys.append(("m", tr("missed: OK"))) }
    return keys + [("w", tr("stopwatch"))]
  }

  /// All keys, in place of the lists; how to leave is told below them.
  func keys(_ width: Int, _ height: Int) -> [StyledText] {
    let rows = Self.allKeys.map { key, meaning in
      [StyledText(key, .bold), StyledText(meaning)]
    }
    let table = Columns.lines(rows)
    let wide = min(width, table.map(\.width).max() ?? 0)
    return table.prefix(height).map { $0.fitted(wide).fitted(width, .centre) }
  }

  private static var allKeys: [(String, String)] {
    [
      ("s", tr("stop what rings")), ("z", tr("snooze what rings")),
      ("m", tr("missed alarms are seen")), ("↑ ↓", tr("choose a timer")),
      (tr("space"), tr("pause or resume it")), ("+", tr("a minute more")),
      ("x", tr("cancel it")), ("R", tr("start it again")),
      ("a", tr("the last timer again")),
      ("w", tr("start or stop the stopwatch")), ("l", tr("lap")),
      ("0", tr("reset the stopwatch")),
    ]
  }
}
