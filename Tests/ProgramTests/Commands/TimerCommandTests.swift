// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact output of `belfry timer` and `belfry stopwatch`, with a real agent on a private
// bus. Tests of the core cover the rules of timers, and `TimerTests.swift` tests the notifications
// of timers.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct TimerCommandTests {
  private static let presets = """
    [[timer]]
    name = "tea"
    duration = "4m"
    label = "Tea"

    [[timer]]
    name = "list"
    duration = "1h"

    """

  @Test func `timers are started by length, by preset, with a label, and once more`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.expectFailure(
      "timer list",
      "the agent is not running, and the bus cannot start it\nfix: belfryd")
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    // Timers work without a config file.
    try desk.expect("timer list", "No timer is set.")
    try desk.expect("timer recent", "No timer was started yet.")
    try desk.expectFailure("timer again", "no timer was started yet")
    let first = try desk.belfry("timer 1h30m")
    let end = try desk.timer("1h30m").end.toTheMinute.told
    #expect(first.output == "1h30m rings \(end), in 1 h 30 min\n")
    let saved = Lab.now
    try desk.saveText(Self.presets)
    try desk.lab.busWatch.waitForMessage("the config to be read", since: saved) {
      $0.member == "Changed"
    }
    #expect(try desk.belfry("timer tea").output.hasPrefix("tea rings "))
    let tea = try desk.timer("tea")
    #expect(tea.label == "Tea" && tea.preset == "tea" && tea.length == 240)
    #expect(tea.state == "running" && (239...240).contains(tea.left) && tea.overtime == nil)
    #expect(try desk.belfry("timer tea --label Eggs").output.hasPrefix("eggs rings "))
    #expect(try desk.belfry("timer 2d4h").output.hasSuffix(", in 2 d 4 h\n"))
    // A timer may have the name of a subcommand, here `list`.
    #expect(try desk.belfry("timer start list").output.hasPrefix("list rings "))
    #expect(try desk.timers().map(\.id) == ["tea", "eggs", "list", "1h30m", "2d4h"])
    let recent = "1  1h     list\n2  2d4h\n3  4m     Eggs\n4  4m     Tea\n5  1h30m"
    try desk.expect("timer recent", recent)
    // `timer again` takes a number from the list, or a label in upper or lower case. The timer then
    // moves to the first place of the list.
    #expect(try desk.belfry("timer again 4").output.hasPrefix("tea-2 rings "))
    #expect(try desk.belfry("timer again eggs --json").output.contains("\"id\": \"eggs-2\""))
    for which in ["0", "6", "\(Int.min)", "99999999999999999999", "Nope"] {
      try desk.expectFailure(
        "timer again -- \(which)",
        "no recent timer is \"\(which)\"\nhint: belfry timer recent shows them")
    }
    try desk.expect("timer forget 1", "forgot 4m Eggs")
    let json = try desk.belfry("timer 90s --label Soup --json")
    let row = try JSONDecoder().decode(TimerRow.self, from: Data(json.output.utf8))
    #expect(row.id == "soup" && row.length == 90 && row.state == "running")
    let list = try desk.belfry("timer list").output.split(separator: "\n")
    #expect(list[0].hasPrefix("soup    Soup  1 min "))
    let soup = try desk.timer("soup")
    #expect(list[0].hasSuffix(" left of 1 min 30 s, rings \(soup.end.told)"))
  }

  @Test func `a timer may end at a time of day`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.startAgent()
    let end = Second(epoch: (Lab.now + 90).rounded(.down))
    #expect(
      try desk.belfry("timer until \(end.time) --label Tea").output
        .hasPrefix("tea rings \(end.told), in 1 min "))
    #expect(try desk.timer("tea").epoch == Int(end.epoch))
    // A time that is past today means tomorrow.
    let past = Second(epoch: (Lab.now - 60).rounded(.down))
    #expect(try desk.belfry("timer until \(past.time)").output.contains(", in 23 h 5"))
    // The timer is named after the time at which it ends. If it is started again, it ends at the
    // same time of day, however far ahead that is.
    let name = "until-\(past.shown.filter { $0 != ":" })"
    #expect(try desk.timers().map(\.id).contains(name))
    try desk.expect("timer recent", "1  until \(past.shown)\n2  until \(end.shown)  Tea")
    try desk.crash(desk.agent)
    try desk.startAgent()
    #expect(try desk.belfry("timer again Tea").output.hasPrefix("tea-2 rings \(end.told), in "))
    #expect(try desk.timer("tea-2").epoch == Int(end.epoch))
  }

  @Test func `what runs is paused, resumed, given more time, restarted and cancelled`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.presets)
    try desk.startAgent()
    try desk.expectFailure("timer pause", "there is no timer")
    try desk.belfry("timer tea")
    let paused = try desk.belfry("timer pause").output
    let left = try desk.timer("tea").left
    let words = left == 240 ? "4 min" : "3 min \(left - 180) s"
    #expect(paused == "paused tea, \(words) left\n")
    #expect(try desk.timer("tea").state == "paused" && desk.timer("tea").epoch == nil)
    try desk.expect("timer list", "tea  Tea  paused, \(words) left of 4 min")
    try desk.expectFailure("timer pause tea", "tea does not run")
    #expect(try desk.belfry("timer resume tea").output.hasPrefix("tea rings "))
    try desk.expectFailure("timer resume", "tea runs already")
    // `timer extend` adds one minute by default. If one word follows and can be a duration, it is
    // the time to add, unless the word is the id of a timer.
    try desk.belfry("timer extend")
    try desk.belfry("timer extend 2m")
    #expect(try desk.timer("tea").length == 420)
    try desk.belfry("timer 10m")
    try desk.expectFailure("timer extend 5m", "there are several timers: say which of tea, 10m")
    try desk.belfry("timer extend 10m")
    try desk.belfry("timer extend 10m 1h")
    #expect(try desk.timer("10m").length == 600 + 60 + 3600)
    #expect(try desk.belfry("timer restart 10m").output.hasSuffix(", in 10 min\n"))
    try desk.expectFailure(
      "stop 10m", "10m does not ring\nhint: belfry timer cancel 10m takes it away")
    try desk.expect("timer cancel 10m", "cancelled 10m")
    try desk.expectFailure(
      "timer cancel 10m", "no timer is called \"10m\"\nhint: belfry timer list shows them")
    try desk.expect("timer cancel", "cancelled tea")
  }

  @Test func `a length is typed as people say it, and the answer says it in words`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.startAgent()
    for (line, length) in [
      ("timer 1:30", "1 min 30 s"), ("timer 1:30:00", "1 h 30 min"), ("timer 1.5h", "1 h 30 min"),
      ("timer half an hour --label Eggs", "30 min"), ("timer 한 시간 반", "1 h 30 min"),
    ] {
      let done = try desk.belfry(line)
      #expect(done.output.hasSuffix(", in \(length)\n"), "\(line): \(done.output) \(done.errors)")
    }
    try desk.belfry("timer extend eggs an hour")
    #expect(try desk.timer("eggs").length == 5400)
    #expect(try desk.belfry("timer until noon").output.hasPrefix("until-1200 rings "))
    try desk.expectFailure("snooze half an hour", "nothing rings")
  }

  @Test func `what is no timer is refused with words`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.presets)
    try desk.startAgent()
    for (line, complaint) in [
      ("timer 0s", #"A timer of "0s" would be over at once: write it as 90s or 10m."#),
      ("timer 10", "A duration needs a unit: 10m, or 10s."),
      ("timer 367d", #"A timer of "367d" is too long: 366d is the longest."#),
      ("timer 99999999999999d", #"A timer of "99999999999999d" is too long: 366d is the longest."#),
      ("timer -- -5m", #""-5m" is neither a duration nor a timer's name: write it as 90s, 10m or"#),
      ("timer extend tea never", #""never" is no duration: write it as 90s, 10m or 1h30m."#),
      ("timer until 25:00", #""25:00" is no time of day: write it as 15:30 or 3:30 pm."#),
      ("stopwatch show --csv --json", "Either --csv or --json, not both."),
    ] {
      let done = try desk.belfry(line)
      #expect(done.status == 64 && done.output == "", "belfry \(line)")
      #expect(done.errors.hasPrefix("belfry: \(complaint)"), "belfry \(line): \(done.errors)")
    }
    try desk.expectFailure("timer te", "no timer is called \"te\"\nhint: did you mean tea?")
    try desk.expectFailure(
      "timer 1.5x",
      "no timer is called \"1.5x\"\n"
        + "hint: write [[timer]] into the config, or a duration such as 10m")
    try desk.expectFailure(
      "timer 5m --sound Nope", "there is no sound \"Nope\"\nhint: belfry sounds shows them")
    #expect(try desk.timers().isEmpty)
  }

  @Test func `the stopwatch takes laps, runs on over a kill, and is told in three forms`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    try desk.expect("stopwatch", "reset  0:00.000")
    try desk.expectFailure(
      "stopwatch lap", "the stopwatch does not run: belfry stopwatch start")
    try desk.expect("stopwatch start", "running")
    try desk.expectFailure("stopwatch start", "the stopwatch runs already")
    for lap in 1...3 {
      let told = try desk.belfry("stopwatch lap").output
      #expect(told.contains(try Regex("^lap \(lap)  0:\\d\\d\\.\\d{3}  0:\\d\\d\\.\\d{3}\n$")))
    }
    #expect(
      try desk.belfry("stopwatch stop").output.contains(/^stopped  0:\d\d\.\d{3}\n$/))
    let csv = try desk.belfry("stopwatch show --csv").output.split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    #expect(csv[0] == ["lap", "split", "total", "mark"] && csv.count == 4)
    #expect(Set(csv.dropFirst().map(\.[3])) == ["", "fastest", "slowest"])

    struct Shown: Decodable {
      struct Lap: Decodable {
        var lap: Int
        var total: Double
      }
      var state: String
      var elapsed: Double
      var laps: [Lap]
    }
    func shown() throws -> Shown {
      let json = try desk.belfry("stopwatch show --json").output
      return try JSONDecoder().decode(Shown.self, from: Data(json.utf8))
    }
    let stopped = try shown()
    #expect(stopped.state == "stopped" && stopped.laps.map(\.lap) == [1, 2, 3])
    #expect(stopped.laps.map(\.total) == csv.dropFirst().compactMap { Double($0[2]) })
    #expect(try desk.belfry("stopwatch").output.contains("\n1  0:"))

    try desk.belfry("stopwatch start")
    let started = Lab.now
    kill(try desk.status().agent.pid, SIGKILL)
    try desk.lab.busWatch.waitForMessage("the agent to be gone", since: started) {
      Desk.isOwnerChange($0) && $0.body.last?.string == ""
    }
    let running = try shown()
    #expect(running.state == "running" && running.laps.count == 3)
    #expect(running.elapsed > stopped.elapsed && running.elapsed < stopped.elapsed + 20)
    try desk.expect("stopwatch reset", "reset")
  }
}
