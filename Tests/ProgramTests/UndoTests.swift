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
}
