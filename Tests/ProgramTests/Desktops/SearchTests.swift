// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the search of GNOME Shell and of Plasma (KRunner) finds actions of Belfry. Both ask
// the agent over the bus. `PhraseTests.swift` tests which phrases are understood.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SearchTests {
  private let desk: Desk

  init() throws { desk = try Desk(Lab(.notifications, .sound)) }

  /// Calls a method of the agent, and returns the answer as gdbus(1) prints it.
  private func call(_ path: String, _ method: String, _ arguments: String...) throws -> String {
    try desk.callAt("/org/belfry/Belfry/\(path)", method, arguments)
      .trimmingCharacters(in: .newlines)
  }

  private func shell(_ method: String, _ arguments: String...) throws -> String {
    try desk.callAt(
      "/org/belfry/Belfry/SearchProvider", "org.gnome.Shell.SearchProvider2.\(method)", arguments
    ).trimmingCharacters(in: .newlines)
  }

  /// Searches for `phrase` as KRunner does, and then runs the result with the id `id`.
  private func run(_ id: String, from phrase: String) throws {
    _ = try call("Runner", "org.kde.krunner1.Match", phrase)
    _ = try call("Runner", "org.kde.krunner1.Run", id, "")
  }

  @Test func `the search of GNOME Shell stops a ringing alarm`() throws {
    try desk.startAgent()
    try desk.save(Desk.alarm("work", at: .ahead(2), #"label = "Work""#))
    #expect(try shell("GetInitialResultSet", "['stop']") == "(@as [],)")
    try desk.waitForStatus("a ring") { !$0.ringing.isEmpty }
    #expect(try shell("GetInitialResultSet", "['sto']") == "(@as [],)")
    #expect(
      try shell("GetSubsearchResultSet", "@as []", "['stop']") == #"(['stop\t--\twork'],)"#)
    let metas = try shell("GetResultMetas", #"['stop\t--\twork']"#)
    #expect(metas.contains("'name': <'Stop Work'>") && metas.contains("'description': <'Rings'>"))
    _ = try shell("ActivateResult", #"'stop\t--\twork'"#, "['stop']", "0")
    try desk.waitForStatus("silence") { $0.ringing.isEmpty }
  }

  @Test func `the search of KRunner snoozes a ringing alarm, and shows the next alarm`() throws {
    try desk.startAgent()
    try desk.save(
      Desk.alarm("work", at: .ahead(2), #"label = "Work""#),
      Desk.alarm("later", at: Second.ahead(3000), #"label = "Later""#))
    try desk.waitForStatus("a ring") { !$0.ringing.isEmpty }
    #expect(try call("Runner", "org.kde.krunner1.Actions") == "(@a(sss) [],)")
    #expect(try call("Runner", "org.kde.krunner1.Match", "firefox") == "(@a(sssida{sv}) [],)")
    let next = try call("Runner", "org.kde.krunner1.Match", "next alarm")
    #expect(next.contains("'Later', ") && next.contains(", in "))
    let time = try call("Runner", "org.kde.krunner1.Match", "서울 시간")
    #expect(time.hasPrefix(#"([('tell\t서울: "#) && time.contains("{'subtext': <'"))
    let matches = try call("Runner", "org.kde.krunner1.Match", "snooze 5 min")
    #expect(matches.hasPrefix(#"([('snooze\t5m', 'Snooze 5 min', "#))
    #expect(matches.contains("100, 1.0, {'subtext': <'Work'>}"))
    _ = try call("Runner", "org.kde.krunner1.Run", "snooze\t5m", "")
    try desk.waitForStatus("a snooze") { $0.state("work") == "snoozed" }
  }

  @Test func `a timer that is typed into the search is started, and can be stopped there`() throws {
    try desk.saveText(Desk.defaults + "[[timer]]\nname = \"tea\"\nduration = \"2s\"\n")
    try desk.startAgent()
    #expect(
      try call("Runner", "org.kde.krunner1.Match", "timer 10 min Green tea")
        .hasPrefix(#"([('timer\tstart\t10m\t--label=Green tea', 'Timer: Green tea, 10 min', "#))
    #expect(
      try shell("GetInitialResultSet", "['timer', 'te']") == #"(['timer\tstart\ttea'],)"#)
    _ = try shell("ActivateResult", #"'timer\tstart\ttea'"#, "@as []", "0")
    func found() throws -> String { try shell("GetInitialResultSet", "['stop']") }
    let tea = #"(['stop\t--\ttea'],)"#
    try Lab.wait(for: tea, seen: try found()) { try found() == tea }
    _ = try shell("ActivateResult", #"'stop\t--\ttea'"#, "@as []", "0")
    try Lab.wait(for: "no timer", seen: try found()) { try found() == "(@as [],)" }
    // The search finds a recent timer if the phrase contains its label. The word "again" finds all
    // recent timers.
    try desk.belfry("timer 7m --label Eggs")
    let eggs = #"'timer\tstart\t7m\t--label=Eggs'"#
    #expect(try shell("GetInitialResultSet", "['timer', 'egg']") == "([\(eggs)],)")
    for again in ["['timer', 'again']", "['타이머', '다시']"] {
      #expect(
        try shell("GetInitialResultSet", again) == #"([\#(eggs), 'timer\tstart\ttea'],)"#)
    }
  }

  @Test func `an alarm that is typed into the search is added to the config and announced`() throws
  {
    try desk.save()
    try desk.startAgent()
    let matches = try call("Runner", "org.kde.krunner1.Match", "alarm 07:30 Early train")
    #expect(matches.hasPrefix(#"([('add\t07:30\t--label=Early train', 'Alarm: Early train', "#))
    _ = try call("Runner", "org.kde.krunner1.Run", "add\t07:30\t--label=Early train", "")
    let told = try desk.waitForNotification("Alarm set")
    #expect(told.body.contains(/^Early train, (tomorrow )?07:30, in [0-9]/), "\(told.body)")
    try desk.waitForStatus("the alarm") { $0.state("early-train") == "scheduled" }
    let daily = Lab.now
    try run("add\t07:30\t--days=sat,sun\t--label=Tea", from: "alarm sat sun 7:30 Tea")
    let next = try desk.waitForNotification("Alarm set", since: daily)
    #expect(next.body.hasPrefix("Tea, "), "\(next.body)")
    // If the phrase contains a time span, the result shows the time of day at which the span ends.
    let soon = try call("Runner", "org.kde.krunner1.Match", "10분 뒤 알람")
    #expect(
      try soon.contains(Regex(#"'add\\t([0-9:]+)\\t--date=[-0-9]+', 'Alarm: \1'"#)), "\(soon)")
    let bins = try call("Runner", "org.kde.krunner1.Match", "every 2 weeks mon 7:30 Bins")
    #expect(bins.contains(#"\t--days=mon\t--every=2 weeks\t--from="#), "\(bins)")
    #expect(bins.contains("every 2 weeks on Monday at 07:30"), "\(bins)")
  }

  @Test func `the failure of an action that is no longer possible is reported`() throws {
    try desk.startAgent()
    try desk.save(Desk.alarm("work", at: .ahead(1)))
    try desk.waitForStatus("a ring") { !$0.ringing.isEmpty }
    _ = try call("Runner", "org.kde.krunner1.Match", "stop")
    try desk.belfry("stop")
    _ = try call("Runner", "org.kde.krunner1.Run", "stop\t--\twork", "")
    let told = try desk.waitForNotification("The action failed")
    #expect(told.body == "work does not ring.")
  }

  @Test func `an action that was not offered is not run, whatever its id says`() throws {
    try desk.save()
    try desk.startAgent()
    _ = try call("Runner", "org.kde.krunner1.Match", "alarm 7:30 tea")
    let mark = desk.lab.home.appendingPathComponent("mark").path
    for id in [
      "", "config\tpath", "/bin/touch\t\(mark)", "tell\tx", "timer\tstart\t5m", "stop",
      "add\t07:30\t--label=tea\t--on-ring=touch", "add\t07:30",
    ] {
      _ = try call("Runner", "org.kde.krunner1.Run", id, "")
    }
    // The agent has offered no action with one of these ids, so it must ignore them all. Now run an
    // action that it does offer: this action's timer must be the only effect.
    try run("timer\tstart\t9m", from: "timer 9m")
    let status = try desk.waitForStatus("the timer") { !$0.timers.isEmpty }
    #expect(status.timers.map(\.id) == ["9m"] && status.alarms.isEmpty)
    #expect(!desk.lab.busWatch.notifications(since: 0).contains { $0.title == "Alarm set" })
  }
}
