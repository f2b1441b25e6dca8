// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry history`: what the real agent wrote of rings that were answered, were not, and were cut
// short by a kill; and a history file in any condition.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct HistoryTests {
  private struct Line: Decodable {
    var id: String
    var label: String
    var kind: String
    var dueEpoch: Double
    var rangEpoch: Double?
    var late: Double?
    var device: String?
    var sound: String?
    var snoozes: Int
    var answer: String
    var byItself: Bool?
    var untilEpoch: Double?
    var reason: String?
    var answeredEpoch: Double
  }

  private func history(_ desk: Desk) throws -> [Line] {
    let done = try desk.belfry("history --json")
    #expect(done.status == 0 && done.errors == "")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([Line].self, from: Data(done.output.utf8))
  }

  /// Waits until there are `count` lines: the last is written after the answer.
  private func history(_ desk: Desk, count: Int) throws -> [Line] {
    let lines = try Lab.ask(for: "\(count) lines", seen: "\(try history(desk))") {
      let lines = try history(desk)
      return lines.count >= count ? lines : nil
    }
    try #require(lines.count == count, "\(lines)")
    return lines
  }

  private func file(_ desk: Desk) -> URL {
    desk.lab.home.appendingPathComponent(".local/state/belfry/history.jsonl")
  }

  @Test func `snoozed, then stopped: a line for each ring, with when it was heard`() throws {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work\u001b""#))
    try desk.startAgent()
    let heard = try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    try desk.belfry("snooze work 2s")
    let snoozed = Lab.now
    try desk.lab.recorder.waitForSound(after: snoozed + 1)
    try desk.belfry("stop work")
    let lines = try history(desk, count: 2)
    #expect(lines.map(\.answer) == ["snoozed", "stopped"])
    #expect(lines.map(\.snoozes) == [0, 1])
    for line in lines {
      #expect(line.id == "work" && line.label == "Work\u{1B}" && line.kind == "alarm")
      #expect(line.device == "default" && line.sound == desk.lab.home.path + "/low.wav")
      let late = try #require(line.late)
      #expect(late >= 0 && late < 1.5)
      #expect(abs(try #require(line.rangEpoch) - line.dueEpoch - late) < 0.002)
    }
    #expect(lines[0].dueEpoch == due.epoch && lines[0].byItself == false)
    #expect(abs(try #require(lines[0].rangEpoch) - heard) < 1)
    #expect(lines[1].dueEpoch == lines[0].untilEpoch)
    #expect(abs(lines[1].dueEpoch - snoozed - 2) < 2)

    let told = try desk.belfry("history").output.split(separator: "\n")
    try #require(told.count == 2)
    #expect(told[0].contains(#"  work  Work\u001B  default  snoozed until "#))
    #expect(told[1].contains(#"  work  Work\u001B  default  stopped after "#))
    let one = try desk.belfry("history --count 1 --json").output
    #expect(one.contains("\"stopped\"") && !one.contains("\"snoozed\""))
    let attributes = try FileManager.default.attributesOfItem(atPath: file(desk).path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)

    // The same over the bus.
    let answer = try desk.lab.run(
      "gdbus", "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
      "--method", "org.belfry.Belfry1.History", "1")
    #expect(answer.output.contains("'answer': <'stopped'>"))
    let wrong = try desk.lab.run(
      "gdbus", "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
      "--method", "org.belfry.Belfry1.History", "0")
    #expect(wrong.errors.contains("org.belfry.Error.InvalidArgument"))
  }

  @Test func `nobody answers: snoozed by itself, then missed; and what was due while it was off`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(3)
    let settings = [#"ring_for = "1s""#, #"snooze = "1s""#, "auto_snoozes = 1", #"late = "0s""#]
    let nap =
      (["[[alarm]]", "id = \"nap\"", "date = \(due.date)", "time = \(due.time)"] + settings)
      .joined(separator: "\n") + "\n"
    try desk.save(nap)
    let agent = try desk.startAgent()
    let lines = try history(desk, count: 2)
    #expect(lines.map(\.answer) == ["snoozed", "missed"])
    #expect(lines[0].byItself == true && lines[1].reason == "unanswered")
    try desk.crash(agent)
    let later = Second.ahead(4)
    try desk.save(nap, Desk.alarm("late", at: later, #"late = "0s""#))
    // It has to be known before it is due, by who starts next too.
    let second = try desk.startAgent()
    let state = desk.lab.home.appendingPathComponent(".local/state/belfry/state.toml")
    try desk.wait("it to be known") {
      try String(contentsOf: state, encoding: .utf8).contains("id = \"late\"")
    }
    try #require(Lab.now < later.epoch)
    try desk.crash(second)
    desk.wait(until: later.epoch + 6)
    try desk.startAgent()
    let last = try history(desk, count: 3)[2]
    #expect(last.id == "late" && last.answer == "missed" && last.reason == "off")
    #expect(last.rangEpoch == nil && last.late == nil && last.device == nil)
    #expect(try desk.belfry("history --count 1").output.contains("did not ring"))
  }

  @Test func `killed in the middle of a ring, it is one ring, from when it first began`() throws {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due))
    let agent = try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    try desk.waitForStatus("it to ring") { $0.ringing.count == 1 }
    desk.wait(until: due.epoch + 2.5)
    try desk.crash(agent)
    #expect(try history(desk).isEmpty)
    let killed = Lab.now
    try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: killed)
    try desk.belfry("stop work")
    let line = try history(desk, count: 1)[0]
    #expect(line.answer == "stopped" && line.device == "default")
    #expect(isOnSecond(try #require(line.rangEpoch), due.epoch))
  }

  @Test func `ten thousand lines are told without taking memory for good`() throws {
    let desk = try Desk(Lab(.bus))
    let line =
      #"{"id":"work","label":"Work","kind":"alarm","due":"2026-11-20T06:30:00Z","due_epoch":1795156200,"rang":"2026-11-20T06:30:00Z","rang_epoch":1795156200.012,"late":0.012,"device":"default","sound":"/usr/share/belfry/sounds/Carillon.flac","snoozes":0,"answer":"stopped","answered":"2026-11-20T06:31:00Z","answered_epoch":1795156260}"#
    let folder = desk.lab.home.appendingPathComponent(".local/state/belfry")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try String(repeating: line + "\n", count: 10_000).write(
      to: folder.appendingPathComponent("history.jsonl"), atomically: true, encoding: .utf8)
    let agent = try desk.startAgent()
    func kilobytes(_ field: String) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(agent.pid)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(field + ":") })
      return try #require(
        line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }
    let before = try kilobytes("VmRSS")
    let told = try desk.lab.run(
      "gdbus", "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
      "--method", "org.belfry.Belfry1.History", "10000")
    #expect(told.output.components(separatedBy: "'answer': <'stopped'>").count == 10_001)
    #expect(try kilobytes("VmHWM") - before < 60_000)
    try Lab.wait(
      for: "the memory to be given back", seen: "\(try kilobytes("VmRSS")) kB, \(before)"
    ) {
      try kilobytes("VmRSS") < before + 6000
    }
  }

  @Test func `a history in any condition is told, and grows no further`() throws {
    let desk = try Desk(Lab(.bus))
    #expect(try desk.belfry("history").output == "Nothing has rung yet.\n")
    #expect(try desk.belfry("history --json").output == "[]\n")
    #expect(try desk.belfry("history --count 0").status == 64)
    let folder = file(desk).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var foreign = Data((0..<255).map { UInt8($0) })
    foreign.append(Data(repeating: UInt8(ascii: "x"), count: 5 << 20))
    try foreign.write(to: file(desk))
    let told = try desk.belfry("history")
    #expect(told.status == 0 && told.output == "Nothing has rung yet.\n")

    let due = Second.ahead(2)
    try desk.save(Desk.alarm("work", at: due))
    let agent = try desk.startAgent()
    try desk.waitForStatus("it to ring") { $0.ringing.count == 1 }
    try desk.belfry("stop work")
    _ = try history(desk, count: 1)
    // The older half goes right after the line is there.
    try desk.wait("the foreign bytes to go") { try Data(contentsOf: file(desk)).count < 1000 }
    agent.terminate()
    try agent.waitForExit()

    try FileManager.default.removeItem(at: file(desk))
    try FileManager.default.createDirectory(at: file(desk), withIntermediateDirectories: true)
    let refused = try desk.belfry("history")
    #expect(refused.status == 1)
    #expect(refused.errors == "belfry: \(file(desk).path) is a folder, not a file\n")
    let again = Second.ahead(2)
    try desk.save(Desk.alarm("again", at: again))
    let second = try desk.startAgent()
    try desk.waitForStatus("it to ring") { $0.ringing.count == 1 }
    #expect(try desk.belfry("stop again").status == 0)
    try second.waitForErrors("the history is not kept: ")
  }
}
