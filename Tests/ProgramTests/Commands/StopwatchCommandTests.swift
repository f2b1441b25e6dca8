// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry stopwatch` as a process, to the letter, with a real agent on a private bus.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct StopwatchCommandTests {
  @Test func `the stopwatch takes laps, and tells them as a table, JSON and CSV`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    try desk.expect("stopwatch", "reset  0:00.000")
    try desk.expect("stopwatch show --csv", "lap,split,total,mark")
    try desk.expectFailure(
      "stopwatch lap", "the stopwatch does not run: belfry stopwatch start")
    try desk.expect("stopwatch start", "running")
    try desk.expectFailure("stopwatch start", "the stopwatch runs already")
    for lap in 1...3 {
      #expect(
        try desk.belfry("stopwatch lap").output
          .contains(try Regex("^lap \(lap)  0:\\d\\d\\.\\d{3}  0:\\d\\d\\.\\d{3}\n$")))
    }
    #expect(
      try desk.belfry("stopwatch stop").output.contains(/^stopped  0:\d\d\.\d{3}\n$/))

    let csv = try desk.belfry("stopwatch show --csv").output.split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    #expect(csv[0] == ["lap", "split", "total", "mark"] && csv.count == 4)
    let splits = csv.dropFirst().compactMap { Double($0[1]) }
    let totals = csv.dropFirst().compactMap { Double($0[2]) }
    #expect(abs(splits.reduce(0, +) - totals[2]) < 0.0001)
    #expect(Set(csv.dropFirst().map(\.[3])) == ["", "fastest", "slowest"])
    #expect(csv[1 + splits.firstIndex(of: splits.min()!)!][3] == "fastest")

    struct Shown: Decodable {
      struct Lap: Decodable {
        var lap: Int
        var split: Double
        var total: Double
        var mark: String?
      }
      var state: String
      var elapsed: Double
      var sinceEpoch: Double?
      var laps: [Lap]
    }
    func shown() throws -> Shown {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return try decoder.decode(
        Shown.self, from: Data(desk.belfry("stopwatch show --json").output.utf8))
    }
    let stopped = try shown()
    #expect(stopped.state == "stopped" && stopped.sinceEpoch == nil)
    #expect(stopped.laps.map(\.lap) == [1, 2, 3] && stopped.laps.map(\.total) == totals)
    #expect(stopped.laps.map { $0.mark ?? "" } == csv.dropFirst().map(\.[3]))
    let table = try desk.belfry("stopwatch").output.split(separator: "\n")
    #expect(table.count == 4 && table[1].hasPrefix("1  0:"))

    // Killed while it runs, it runs on.
    let before = Lab.now
    try desk.belfry("stopwatch start")
    let started = Lab.now
    kill(try desk.status().agent.pid, SIGKILL)
    try desk.lab.busWatch.waitForMessage("the agent to be gone", since: started) {
      Desk.isOwnerChange($0) && $0.body.last?.string == ""
    }
    let running = try shown()
    #expect(running.state == "running" && running.laps.count == 3)
    #expect(running.elapsed > stopped.elapsed && running.elapsed < stopped.elapsed + 20)
    let since = try #require(running.sinceEpoch)
    // Readings of the two clocks are a moment apart.
    #expect((before - 0.1..<started + 0.1).contains(since + stopped.elapsed))
    try desk.expect("stopwatch reset", "reset")
    try desk.expect("stopwatch", "reset  0:00.000")
  }
}
