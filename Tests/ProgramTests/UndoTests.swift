// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a notification reports an alarm that was added or skipped, unless the command `belfry`
// did this, and that its button *Undo* undoes only this. `SearchTests.swift` tests the search, and
// `SkipTests.swift` in SchedulingTests tests which rings are skipped.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct UndoTests {
  private let desk: Desk

  init() throws { desk = try Desk(Lab(.notifications)) }

  @Test func `Undo removes an added alarm unless it has been changed since`() throws {
    try desk.save(Desk.alarm("other", at: .ahead(3000)))
    let before = try desk.text
    try desk.startAgent()
    let path = "/org/belfry/Belfry/Runner"
    _ = try desk.callAt(path, "org.kde.krunner1.Match", ["alarm 07:30 Early train"])
    _ = try desk.callAt(path, "org.kde.krunner1.Run", ["add\t07:30\t--label=Early train", ""])
    let told = try desk.waitForNotification("Alarm set")
    // dunst shows buttons only in a menu, so the text also has the command.
    #expect(
      told.body.wholeMatch(
        of: #/Early train, (tomorrow )?07:30, in [^\n]+\.\nUndo: “belfry remove early-train”\.?/#)
        != nil, "\(told.body)")
    #expect(told.buttons == ["undo: Undo"])
    try desk.waitForStatus("the alarm") { $0.state("early-train") == "scheduled" }
    try desk.lab.press("undo", on: told)
    try desk.waitForStatus("no alarm") { $0.state("early-train") == nil }
    #expect(try desk.text == before)

    let added = Lab.now
    #expect(try desk.call("AddAlarm", "{'time': <'07:30'>, 'label': <'Tea'>}") == "('tea',)\n")
    let next = try desk.waitForNotification("Alarm set", since: added)
    try desk.belfry("edit tea --label Coffee")
    let edited = try desk.text
    try desk.lab.press("undo", on: next)
    let refused = try desk.waitForNotification("The action failed")
    #expect(refused.body == "tea has been changed or removed since it was added.")
    #expect(try desk.text == edited)
  }

  @Test func `a skipped ring comes back, but an earlier move of it stays`() throws {
    let due = Second.ahead(1500)
    try desk.save(Desk.alarm("work", at: .ahead(1200), "label = 'Work'", "upcoming = '1h'"))
    try desk.startAgent()
    try desk.belfry("move work \(due.shown)")
    let moved = "Rings \(due.told), moved from "
    let ahead = try desk.lab.busWatch.waitForNotification { $0.body.hasPrefix(moved) }
    try desk.lab.press("skip", on: ahead)
    var told = try desk.waitForNotification("Alarm skipped")
    let ring = "Work, \(due.shown(tomorrow: "tomorrow"))."
    #expect(told.body.hasPrefix(ring + "\nUndo: “belfry unskip work”"), "\(told.body)")
    #expect(told.buttons == ["undo: Undo"])
    try desk.lab.press("undo", on: told)
    let again = try desk.lab.busWatch.waitForNotification(since: told.time) {
      $0.body.hasPrefix(moved)
    }
    // Another program skips the ring.
    _ = try desk.call("Skip", "work")
    told = try desk.waitForNotification("Alarm skipped", since: again.time)
    try desk.lab.press("undo", on: told)
    _ = try desk.lab.busWatch.waitForNotification(since: told.time) { $0.body.hasPrefix(moved) }
    // The command `belfry` reports a skip in the terminal, so there is no notification.
    let skipped = Lab.now
    try desk.belfry("skip work")
    try desk.belfry("timer 10m")
    _ = try desk.waitForNotification("Timer", since: skipped)
    #expect(try desk.belfry("next").output == "No upcoming alarms\n")
    let titles = desk.lab.busWatch.notifications(since: skipped).map(\.title)
    #expect(!titles.contains("Alarm skipped"))
  }

  /// Calls of another program: the method, its arguments, and the title and the text of the
  /// notification. `DUE` stands for the time of the alarm, `LATER` for the next day.
  private static let changes = [
    (["Skip", "work"], "Alarm skipped", "Work, DUE.\nNext: LATER."),
    (
      ["SkipMany", "work", "0", "9999-12-31"], "Alarm skipped",
      "Work, DUE.\nIt does not ring again until you undo this."
    ),
    (["Move", "work", "SOON"], "Alarm moved", "Work, SOON, moved from DUE."),
    (["EditAlarm", "work", "{'volume': <int64 1>}"], "Alarm changed", "Work, DUE."),
    (["SetEnabled", "['work']", "false"], "Alarm switched off", "Work, DUE."),
    (["RemoveAlarms", "['work', 'other']"], "Alarms removed", "Work, DUE.\nother, DUE."),
    (["PauseTimer", "tea"], "Timer paused", "tea, LEFT left."),
    (["CancelTimer", "tea"], "Timer cancelled", "tea, LEFT left."),
  ]

  @Test func `a change by another program is shown, and can be undone`() throws {
    Second.stayInOneDay()
    let (due, soon) = (Second.ahead(5000).toTheMinute, Second.ahead(7000).toTheMinute)
    func daily(_ id: String, _ settings: String) -> String {
      "[[alarm]]\nid = \"\(id)\"\ntime = \(due.shown):00\n\(settings)\n"
    }
    try desk.save(
      daily("work", "label = \"Work\"\ndays = \"daily\""), daily("other", "days = \"daily\""))
    try desk.startAgent()
    try desk.belfry("timer 1h --label tea")
    let text = try desk.text
    let before = try desk.status()
    for (call, title, words) in Self.changes {
      let called = Lab.now
      _ = try desk.call(call[0], call.dropFirst().map { $0.replacing("SOON", with: soon.shown) })
      let told = try desk.waitForNotification(title, since: called)
      // Only the words that do not depend on the present time are compared.
      let shown = told.text.replacing(/, in [^,.\n]*/, with: "")
        .replacing(/(5[0-9] min [0-9]+ s|1 h|60 min) left/, with: "LEFT left")
        .replacing(/tomorrow [0-9:]+/, with: "LATER")
      let expected = words.replacing("DUE", with: due.shown).replacing("SOON", with: soon.shown)
      #expect(shown == expected, "\(call): \(told.text)")
      #expect(told.buttons == ["undo: Undo"])
      try desk.lab.press("undo", on: told)
      try desk.waitForStatus("\(call) undone") { status in
        status.alarms.map(\.state) == before.alarms.map(\.state)
          && status.alarms.map(\.skipped) == before.alarms.map(\.skipped)
          && status.timers.map(\.id) == ["tea"]
      }
      try desk.wait("the config as before \(call)") { try desk.text == text }
    }
    // The same changes by the command are not shown.
    let quiet = Lab.now
    for line in ["skip work", "move work \(soon.shown)", "timer pause", "timer cancel"] {
      try desk.belfry(line)
    }
    try desk.belfry("timer 10m")
    _ = try desk.waitForNotification("Timer", since: quiet)
    let titles = desk.lab.busWatch.notifications(since: quiet).map(\.title)
    #expect(Self.changes.allSatisfy { !titles.contains($0.1) }, "\(titles)")
  }
}
