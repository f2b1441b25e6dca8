// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry history`: the lines that a real agent writes about a ring, and a history file that
// cannot be written. A transcript tests the words for how each ring ended. `HistoryTextTests.swift`
// tests the text of the file, and `OutcomeTests.swift` in SchedulingTests tests how rings end.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct HistoryTests {
  private struct Line: Decodable {
    var id: String
    var label: String
    var kind: String
    var dueEpoch: Int
    var rangEpoch: Int?
    var late: Double?
    var notHeard: String?
    var device: String?
    var sound: String?
    var snoozes: Int
    var answer: String
    var byItself: Bool?
    var snoozedUntilEpoch: Int?
    var reason: String?
    var answeredEpoch: Int
  }

  private func history(_ desk: Desk, count: Int) throws -> [Line] {
    try desk.history(count: count)
  }

  /// Waits until sound is heard and the agent knows it: a sound server reports after some tenths of
  /// a second what it has played.
  private func waitToBeHeard(_ desk: Desk) throws {
    try desk.lab.recorder.waitForSound(after: Lab.now)
    desk.wait(until: Lab.now + 0.7)
  }

  private func file(_ desk: Desk) -> URL {
    desk.lab.home.appendingPathComponent(".local/state/belfry/history.jsonl")
  }

  @Test func `a ring that ends because its alarm got another id is in the history`() throws {
    let desk = try Desk()
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.saveText(
      Desk.defaults + "[[alarm]]\nlabel = \"Work\"\ndays = \"daily\"\ntime = \(due.time)\n")
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    try desk.belfry("edit work --label Early")
    try desk.waitForStatus("the new name") { $0.state("early") == "scheduled" }
    let line = try #require(history(desk, count: 1).first)
    #expect(line.id == "work" && line.answer == "removed", "\(line)")
    #expect(line.device == "default" && line.sound != nil, "\(line)")
  }

  @Test func `the history has a line for each ring, snoozed or stopped, with when it was heard`()
    throws
  {
    let desk = try Desk()
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work\u001b""#))
    let heard = try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    try waitToBeHeard(desk)
    let asked = Lab.now
    try desk.belfry("snooze work 2s")
    let snoozed = Lab.now
    let silent = try desk.lab.recorder.waitForGap(after: asked)
    try desk.lab.recorder.waitForSound(after: silent + 0.01)
    try waitToBeHeard(desk)
    try desk.belfry("stop work")
    let lines = try history(desk, count: 2)
    #expect(lines.map(\.answer) == ["snoozed", "stopped"])
    #expect(lines.map(\.snoozes) == [0, 1])
    for line in lines {
      #expect(line.id == "work" && line.label == "Work\u{1B}" && line.kind == "alarm")
      #expect(line.device == "default" && line.sound == desk.lab.home.path + "/low.wav")
      let late = try #require(line.late)
      #expect(late >= 0 && late < 1.5)
      #expect(abs(Double(try #require(line.rangEpoch) - line.dueEpoch) - late) <= 1)
    }
    #expect(lines[0].dueEpoch == Int(due.epoch) && lines[0].byItself == false)
    #expect(abs(Double(try #require(lines[0].rangEpoch)) - heard) < 2)
    #expect(lines[1].dueEpoch == lines[0].snoozedUntilEpoch)
    #expect((asked + 1...snoozed + 3).contains(Double(lines[1].dueEpoch)))

    let told = try desk.belfry("history").output.split(separator: "\n")
    try #require(told.count == 2)
    #expect(told[0].contains(#"  work  Work\u001B  default  snoozed until "#))
    #expect(told[1].contains(#"  work  Work\u001B  default  stopped after "#))
    let one = try desk.belfry("history --count 1 --json").output
    #expect(one.contains("\"stopped\"") && !one.contains("\"snoozed\""))
    let attributes = try FileManager.default.attributesOfItem(atPath: file(desk).path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)

    #expect(try desk.call("History", "1").contains("'answer': <'stopped'>"))
  }

  @Test func `a ring is late until its output plays, and a silent one is not heard`() throws {
    let desk = try Desk()
    try desk.startAgent()
    try desk.lab.run("pactl", "suspend-sink", "lab", "1")
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due))
    try desk.waitForStatus("a ring") { !$0.ringing.isEmpty }
    desk.wait(until: due.epoch + 4)
    try desk.lab.run("pactl", "suspend-sink", "lab", "0")
    let resumed = Lab.now
    let heard = try desk.lab.recorder.waitForSound(after: resumed - 0.5)
    try waitToBeHeard(desk)
    try desk.belfry("stop")
    let late = try #require(try history(desk, count: 1).first?.late)
    #expect(abs(due.epoch + late - heard) < 1, "\(late) s late, heard after \(heard - due.epoch) s")

    try desk.save(Desk.alarm("quiet", at: .ahead(2), "volume = 0"))
    try desk.waitForStatus("a ring") { !$0.ringing.isEmpty }
    desk.wait(until: Lab.now + 1)
    try desk.belfry("stop")
    let quiet = try #require(try history(desk, count: 2).last)
    #expect(quiet.notHeard == "volume-0" && quiet.late == nil, "\(quiet)")
    let told = try desk.belfry("history --count 1").output
    #expect(told.contains("  not heard: the volume was 0  quiet"), "\(told)")
  }

  @Test func `the totals have the length of a timer, with the time that was added`() throws {
    let desk = try Desk()
    try desk.startAgent()
    try desk.belfry("timer 1s --label Egg")
    try desk.wait("the timer to ring") { try desk.timers().first?.state == "ringing" }
    try waitToBeHeard(desk)
    #expect(try desk.belfry("timer extend egg 2s").output.hasPrefix("egg ends "))
    try desk.wait("the timer to ring again") { try desk.timers().first?.state == "ringing" }
    try waitToBeHeard(desk)
    try desk.belfry("stop egg")
    _ = try history(desk, count: 2)
    let totals = try desk.belfry("history --totals --by label").output
    #expect(totals == "Egg  rang 2 times  1 timer  3 s\n")
  }

  @Test func `a history that is not a file is reported by the command and by the agent`() throws {
    let desk = try Desk(Lab(.bus))
    try FileManager.default.createDirectory(at: file(desk), withIntermediateDirectories: true)
    try desk.expectFailure("history", "\(file(desk).path) is a folder, not a file")
    let agent = try desk.startAgent()
    try desk.save(Desk.alarm("work", at: .ahead(2)))
    try desk.waitForStatus("it to ring") { $0.ringing.count == 1 }
    #expect(try desk.belfry("stop work").status == 0)
    try agent.waitForErrors("the history is not kept: ")
  }
}
