// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the output with `--json` of commands that change an alarm: one object, or an array if the
// command takes several ids. Each object shows the alarm after the change.
// `OutputSchemaTests.swift` tests that the output of all commands fits the published schema.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct AnsweredJSONTests {
  /// The keys that these tests read from the JSON of an alarm, or from the answer to `stop` or
  /// `snooze`.
  private struct Thing: Decodable, Equatable {
    var id: String
    var label: String
    var kind, state, at, movedFrom: String?
    var epoch, movedFromEpoch, resumesAtEpoch, snoozedUntilEpoch: Int?
    var skipped: Bool?
  }

  /// Runs `belfry LINE --json`, and decodes its output: an array, or one object if `isObject`.
  private func things(
    _ line: String, _ desk: Desk, isObject: Bool = false,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> [Thing] {
    let done = try desk.belfry("\(line) --json")
    #expect(done.status == 0 && done.errors == "", "\(line)", sourceLocation: location)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = Data(done.output.utf8)
    Self.expectMoments(in: try JSONSerialization.jsonObject(with: data), line)
    return isObject
      ? [try decoder.decode(Thing.self, from: data)] : try decoder.decode([Thing].self, from: data)
  }

  /// Expects that each moment has two keys: `at` with the time and `epoch` with the seconds since
  /// 1970. If the first key has another name `x`, the second key is `x_epoch`.
  private static func expectMoments(in json: Any, _ line: String) {
    for element in json as? [Any] ?? [] { expectMoments(in: element, line) }
    guard let object = json as? [String: Any] else { return }
    for (key, value) in object {
      expectMoments(in: value, line)
      if key == "epoch" || key.hasSuffix("_epoch") {
        let text = object[key == "epoch" ? "at" : String(key.dropLast(6))] as? String
        let date = text.flatMap(ISO8601DateFormatter().date)
        #expect(date?.timeIntervalSince1970 == value as? Double, "\(line): \(key)")
      } else if let text = value as? String, text.wholeMatch(of: /\d{4}-\d\d-\d\dT.*/) != nil {
        #expect(object[key == "at" ? "epoch" : key + "_epoch"] is Int, "\(line): \(key)")
      }
    }
  }

  /// Checks the moments in the output of `belfry status --json`.
  private func checkStatus(_ desk: Desk) throws {
    let status = try desk.belfry("status --json").output
    Self.expectMoments(in: try JSONSerialization.jsonObject(with: Data(status.utf8)), "status")
  }

  @Test func `a ring to come is skipped through a day, moved and taken back`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(
      "[[alarm]]\nid = \"work\"\ntime = 23:58:59\ndays = \"daily\"\ngroup = \"school\"\n")
    try desk.startAgent()
    let work = try things("list", desk)[0]
    let first = try #require(work.epoch)
    let moved = try things("move work 23:57", desk, isObject: true)[0]
    #expect(moved.movedFromEpoch == first && moved.epoch == first - 119)
    #expect(moved.movedFrom == work.at)
    #expect(try things("unskip --group school", desk) == [work])
    // Skip the rings of two days. `--until` includes the last day.
    let last = Second(epoch: Double(first + 86_400)).date
    let skipped = try things("skip work --until \(last)", desk)[0]
    #expect(skipped.skipped == true && skipped.epoch == first)
    #expect(skipped.resumesAtEpoch == first + 2 * 86_400)
    try checkStatus(desk)
    #expect(try things("unskip work", desk) == [work])
    #expect(try things("disable work", desk)[0].state == "off")
    #expect(try things("enable --group school", desk) == [work])
    #expect(try things("edit work -l Work", desk, isObject: true)[0].label == "Work")
    #expect(try things("rm work", desk)[0].label == "Work")
    #expect(try things("ls", desk) == [])
  }

  @Test func `what is stopped, snoozed and acknowledged is said with its kind`() throws {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm("work", at: due, #"label = "Work""#),
      Desk.alarm("gone", at: due, #"ring_for = "1s""#, #"unanswered = "miss""#))
    try desk.startAgent()
    try desk.waitForStatus("the miss") { $0.missed.first?.id == "gone" }
    let snoozed = try things("snooze 10m", desk)[0]
    #expect(snoozed.state == "snoozed" && snoozed.label == "Work")
    let until = try #require(snoozed.snoozedUntilEpoch)
    #expect(abs(Double(until) - Lab.now - 600) < 5)
    try desk.belfry("stopwatch start")
    try desk.belfry("world add Seoul")
    try desk.wait("the clock") { try desk.belfry("status --json").output.contains("sunset_epoch") }
    try checkStatus(desk)
    #expect(
      try things("stop work", desk) == [
        Thing(id: "work", label: "Work", kind: "alarm", state: "stopped")
      ])
    let missed = try things("ack", desk)
    #expect(missed.map(\.id) == ["gone"] && missed[0].kind == "alarm")
    #expect(try things("ack", desk) == [])
    #expect(try things("rehearse work", desk, isObject: true)[0].id == "work")
    try desk.belfry("timer 1s --label Tea")
    try desk.waitForStatus("the timer") { $0.ringing.isEmpty && !$0.timers.isEmpty }
    try desk.wait("the timer's end") {
      try things("timer list", desk)[0].state == "ringing"
    }
    #expect(try things("stop tea", desk)[0].kind == "timer")
  }
}
