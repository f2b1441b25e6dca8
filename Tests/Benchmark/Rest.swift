// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures the idle agent before and after a hundred rings of every kind. If each ring leaks a
// little memory, a hundred rings leak enough to measure.

import Foundation
import Lab

extension Benchmark {
  /// The figures of the idle agent. They are taken when the work after a ring is done and GLib's
  /// spare threads have ended.
  private struct Still {
    var memory: Double
    var holdings: ProcessFigures.Holdings
    var wakeUps: Double
    var time: Double
  }

  private func still(_ agent: Program) -> Still {
    let figures = ProcessFigures(pid: agent.pid)
    pause(20)
    let (wakeUps, time) = (figures.wakeUps, figures.time())
    pause(isQuick ? 5 : 60)
    return Still(
      memory: figures.memory("Pss"), holdings: figures.holdings, wakeUps: figures.wakeUps - wakeUps,
      time: figures.time() - time)
  }

  mutating func rest() throws {
    let lab = try Lab([.notifications, .sound])
    try save(lab, alarms: 5)
    let agent = try lab.start("belfryd")
    // The first ring of every kind loads data that later rings use as well, so it is not measured.
    try rings(1, lab)
    let before = still(agent)
    try rings(runs(100), lab)
    let after = still(agent)
    try end(agent)

    table.add(
      "PSS after 100 rings of every kind, to before", "times", Figure(after.memory / before.memory))
    for (name, path) in [
      ("descriptors", \ProcessFigures.Holdings.descriptors), ("threads", \.threads),
      ("children", \.children),
    ] {
      let more = after.holdings[keyPath: path] - before.holdings[keyPath: path]
      table.add("\(name) after them, more than before", "", Figure(Double(more)))
    }
    table.add("wake-ups after them", "a minute", Figure(after.wakeUps))
    table.add("processor time after them", "ms a minute", Figure(after.time))
  }

  /// Plays `count` rounds of rings. In each round, one alarm is stopped by a command and one by its
  /// button, one is snoozed and rings again, one is not answered, and a timer rings. One more alarm
  /// rings after all these and is stopped by closing its notification. It rings last because dunst
  /// can close only the topmost notification.
  private func rings(_ count: Int, _ lab: Lab) throws {
    for _ in 0..<count {
      let due = (Lab.now + 1).rounded(.up)
      let kinds = ["command", "button", "snooze", "nobody"]
      let alarms = kinds.map { Self.alarm($0, due) } + [Self.alarm("close", due + 3)]
      // Without `on_close`, closing the notification would only silence the alarm for a minute.
      try save(lab, "[agent]\non_close = \"stop\"\n" + alarms.joined())
      try lab.run("belfry", "timer", "1s", "--label", "timer")
      func posted(_ kind: String) throws -> PostedNotification {
        try lab.busWatch.waitForNotification(since: due - 1, within: 10) { $0.title == kind }
      }
      let button = try posted("button")
      try lab.run("belfry", "stop", "command")
      try lab.run("belfry", "snooze", "snooze", "1s")
      // dunst may be too busy to press a button or to close a notification in time. Then the
      // `belfry stop` below stops the alarm.
      _ = try? lab.press("stop", on: button, within: 5)
      pause(due + 2 - Lab.now)
      try lab.run("belfry", "stop")
      // The notice of an unanswered alarm is shown until the user acknowledges it.
      try lab.run("belfry", "ack")
      _ = try? lab.closeByHand(try posted("close"))
      try lab.run("belfry", "stop")
    }
  }

  private static func alarm(_ name: String, _ due: Epoch) -> String {
    "[[alarm]]\nlabel = \"\(name)\"\n\(moment(due))\n"
      + (name == "nobody" ? "ring_for = \"1s\"\nunanswered = \"miss\"\n" : "")
  }
}
