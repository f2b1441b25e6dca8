// SPDX-License-Identifier: GPL-3.0-or-later
//
// The actions of keys and clicks in `belfry watch`, and the lines that show the keys.
// `KeyBinding.swift` has the table of keys.

import Language
import Presentation
import Scheduling
import System

public nonisolated enum KeyAction: Hashable, Sendable {
  case call(String, [Variant] = [])
  /// Call a method for the timer `id`, and select this timer. The call can change the order of
  /// timers, and without a selection the next key would act on whichever timer comes first.
  case timer(String, id: String, [Variant] = [])
  case startAgent
  case quit
  case showKeys
  case select(Choice?)
  case type(WatchView.Entry?)
  /// Close the typed line, and call the method of the agent that applies it.
  case enter(WatchView.Entry, String, [Variant])
  case remark(String)
}

public nonisolated enum Choice: Hashable, Sendable {
  case alarm(String)
  case timer(String)
}

extension WatchView {
  /// Returns the action of `key`, or nil if it has none. For a click, `lines` is the screen as it
  /// was drawn.
  public func action(_ key: KeyPress, on lines: [StyledText] = []) -> KeyAction? {
    if case .click(let column, let row) = key {
      let action = lines.indices.contains(row) ? lines[row].action(at: column) : nil
      // A click on another row must not discard the typed line.
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

  /// Returns the last lines of the screen: the keys that are useful now, or the line that
  /// is being typed.
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

  /// Returns the list of all keys. Keys with the same meaning share a row.
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
