// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry timer` as a process, to the letter, with a real agent on a private bus; and the same over the bus
// with arguments that are wrong. Next: `StopwatchCommandTests.swift`, and `TimerTests.swift`.

import Foundation
import Lab
import Testing

/// A timer as `belfry timer list --json` has it.
struct TimerRow: Decodable, Equatable {
  var id: String
  var label: String
  var preset: String?
  var length: Int
  var left: Int
  var state: String
  var at: String?
  var epoch: Int?
  var overtime: Int?

  /// When it rings, as people are told it.
  var end: Second { Second(epoch: Epoch(epoch ?? 0)) }
}

extension Desk {
  static let presets = """
    [[timer]]
    name = "tea"
    duration = "4m"
    label = "Tea"

    [[timer]]
    name = "list"
    duration = "1h"

    """

  func timers() throws -> [TimerRow] {
    try JSONDecoder().decode([TimerRow].self, from: Data(belfry("timer list --json").output.utf8))
  }

  func timer(_ id: String) throws -> TimerRow {
    try #require(try timers().first { $0.id == id })
  }

  /// Whether `belfry line` prints just this and does it.
  func expect(
    _ line: String, _ output: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let done = try belfry(line)
    #expect(done.output == output + "\n", "belfry \(line)", sourceLocation: location)
    #expect(done.errors == "" && done.status == 0, "belfry \(line)", sourceLocation: location)
  }

  /// Whether `belfry line` cannot be done, and says why.
  func expectFailure(
    _ line: String, _ error: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let done = try belfry(line)
    #expect(done.errors == "belfry: \(error)\n", "belfry \(line)", sourceLocation: location)
    #expect(done.output == "" && done.status == 1, "belfry \(line)", sourceLocation: location)
  }
}

@Suite(.realServers) struct TimerCommandTests {
  @Test func `timers are started by length, by preset, and with a label`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.expectFailure(
      "timer list",
      "the agent does not run, and the bus does not know how to start it: run belfryd")
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    // Timers need no config.
    try desk.expect("timer list", "No timer is set.")
    try desk.expect("timer list --json", "[]")
    try desk.expect("timer recent", "No timer was started yet.")
    let first = try desk.belfry("timer 1h30m")
    let end = try desk.timer("1h30m").end.toTheMinute.told
    #expect(first.output == "1h30m rings \(end), in 1 h 30 min\n")
    let saved = Lab.now
    try desk.saveText(Desk.presets)
    try desk.lab.busWatch.waitForMessage("the config to be read", since: saved) {
      $0.member == "Changed"
    }
    #expect(try desk.belfry("timer tea").output.hasPrefix("tea rings "))
    let tea = try desk.timer("tea")
    #expect(tea.label == "Tea" && tea.preset == "tea" && tea.length == 240)
    #expect(tea.state == "running" && (239...240).contains(tea.left) && tea.overtime == nil)
    #expect(try desk.belfry("timer tea --label Eggs").output.hasPrefix("eggs rings "))
    #expect(try desk.belfry("timer tea").output.hasPrefix("tea-2 rings "))
    #expect(try desk.belfry("timer 2d4h").output.hasSuffix(", in 2 d 4 h\n"))
    // One that is called as a subcommand.
    #expect(try desk.belfry("timer start list").output.hasPrefix("list rings "))
    #expect(try desk.timers().map(\.id) == ["tea", "eggs", "tea-2", "list", "1h30m", "2d4h"])
    try desk.expect(
      "timer recent",
      """
      1  1h     list
      2  2d4h
      3  4m     Tea
      4  4m     Eggs
      5  1h30m
      """)
    let json = try desk.belfry("timer 90s --label Soup --json")
    let row = try JSONDecoder().decode(TimerRow.self, from: Data(json.output.utf8))
    #expect(row.id == "soup" && row.length == 90 && row.state == "running")
    let list = try desk.belfry("timer list").output.split(separator: "\n")
    let soup = try desk.timer("soup")
    #expect(list[0].hasPrefix("soup   Soup  1 min "))
    #expect(list[0].hasSuffix(" left of 1 min 30 s, rings \(soup.end.told)"))
  }

  @Test func `one that was started before is started anew, and forgotten`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Desk.presets)
    try desk.startAgent()
    try desk.expectFailure("timer again", "no timer was started yet")
    try desk.expectFailure("timer forget 1", "no timer was started yet")
    for line in ["timer 5m --label Eggs --sound Harp", "timer tea", "timer 7m"] {
      try desk.belfry(line)
    }
    #expect(try desk.belfry("timer again").output.hasPrefix("7m-2 rings "))
    // By place, and by label in whatever case; it is the latest from then on.
    #expect(try desk.belfry("timer again 2").output.hasPrefix("tea-2 rings "))
    #expect(try desk.timer("tea-2").preset == "tea")
    #expect(try desk.belfry("timer again eggs").output.hasPrefix("eggs-2 rings "))
    try desk.expect("timer recent", "1  5m  Eggs\n2  4m  Tea\n3  7m")
    let json = try desk.belfry("timer again Tea --json").output
    #expect(try JSONDecoder().decode(TimerRow.self, from: Data(json.utf8)).label == "Tea")
    for which in ["0", "4", "-1", "\(Int.min)", "99999999999999999999", "Nope"] {
      for command in ["again", "forget"] {
        try desk.expectFailure(
          "timer \(command) -- \(which)",
          "no recent timer is \"\(which)\": belfry timer recent shows them")
      }
    }
    try desk.expect("timer forget 1", "forgot 4m Tea")
  }

  @Test func `a timer may end at a time of day`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.startAgent()
    let end = Second(epoch: (Lab.now + 90).rounded(.down))
    #expect(
      try desk.belfry("timer until \(end.time) --label Tea").output
        .hasPrefix("tea rings \(end.told), in 1 min "))
    let tea = try desk.timer("tea")
    #expect(tea.epoch == Int(end.epoch))
    // What is over for today is meant for tomorrow.
    let past = Second(epoch: (Lab.now - 60).rounded(.down))
    #expect(try desk.belfry("timer until \(past.time)").output.contains(", in 23 h 5"))
    // It is called by that time, and started again it ends then, however long that is by now.
    let name = "until-\(past.shown.filter { $0 != ":" })"
    #expect(try desk.timers().map(\.id).contains(name))
    try desk.expect("timer recent", "1  until \(past.shown)\n2  until \(end.shown)  Tea")
    #expect(
      try desk.belfry("timer recent --json").output.contains("\"until\": \"\(past.shown)\""))
    try desk.crash(desk.agent)
    try desk.startAgent()
    #expect(try desk.belfry("timer again Tea").output.hasPrefix("tea-2 rings \(end.told), in "))
    #expect(try desk.timer("tea-2").epoch == Int(end.epoch))
    try desk.expect("timer recent", "1  until \(end.shown)  Tea\n2  until \(past.shown)")
    let wrong = try desk.belfry("timer until 25:00")
    #expect(wrong.status == 64)
    #expect(
      wrong.errors.contains(#""25:00" is no time of day: write it as 15:30 or 3:30 pm."#))
  }

  @Test func `what runs is paused, resumed, given more time, restarted and cancelled`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Desk.presets)
    try desk.startAgent()
    try desk.expectFailure("timer pause", "there is no timer")
    try desk.belfry("timer tea")
    let paused = try desk.belfry("timer pause").output
    let left = try desk.timer("tea").left
    #expect(paused == "paused tea, \(left == 240 ? "4 min" : "3 min \(left - 180) s") left\n")
    let still = try desk.timer("tea")
    #expect(still.state == "paused" && still.at == nil && still.epoch == nil)
    try desk.expect(
      "timer list",
      "tea  Tea  paused, \(left == 240 ? "4 min" : "3 min \(left - 180) s") left of 4 min")
    try desk.expectFailure("timer pause tea", "tea does not run")
    #expect(try desk.belfry("timer resume tea").output.hasPrefix("tea rings "))
    try desk.expectFailure("timer resume", "tea runs already")
    // A minute if nothing is said; alone a duration is one, unless a timer is called that.
    try desk.belfry("timer add")
    #expect(try desk.timer("tea").length == 300)
    try desk.belfry("timer add 2m")
    #expect(try desk.timer("tea").length == 420)
    try desk.belfry("timer 10m")
    try desk.expectFailure("timer add 5m", "there are several timers: say which of tea, 10m")
    try desk.belfry("timer add 10m")
    try desk.belfry("timer add 10m 1h")
    #expect(try desk.timer("10m").length == 600 + 60 + 3600)
    #expect(try desk.belfry("timer restart 10m").output.hasSuffix(", in 10 min\n"))
    #expect(try desk.timer("10m").length == 600)
    try desk.expectFailure(
      "stop 10m", "10m does not ring; belfry timer cancel 10m takes it away")
    try desk.expect("timer cancel 10m", "cancelled 10m")
    try desk.expectFailure(
      "timer cancel 10m", #"no timer is called "10m": belfry timer list shows them"#)
    try desk.expect("timer cancel", "cancelled tea")
  }

  @Test func `one that is paused has more time, and stays paused`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.startAgent()
    try desk.belfry("timer 10m --label Tea")
    try desk.belfry("timer pause tea")
    let added = try desk.belfry("timer add tea 5m")
    #expect(added.status == 0)
    #expect(added.output.hasPrefix("paused tea, 1") && added.output.hasSuffix(" left\n"))
  }

  @Test func `what is no timer is refused with words`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Desk.presets)
    try desk.startAgent()
    for (line, complaint) in [
      ("timer", "Missing expected argument '<what>'"),
      ("timer 0s", #"A timer of "0s" would be over at once: write it as 90s or 10m."#),
      ("timer 0d0h", #"A timer of "0d0h" would be over at once: write it as 90s or 10m."#),
      ("timer 10", "A duration needs a unit: 10m, or 10s."),
      ("timer 367d", #"A timer of "367d" is too long: 366d is the longest."#),
      ("timer 99999999999999d", #"A timer of "99999999999999d" is too long: 366d is the longest."#),
      ("timer -- -5m", #""-5m" is neither a duration nor a timer's name: write it as 90s, 10m or"#),
      ("timer add tea 5", "A duration needs a unit: 5m, or 5s."),
      ("timer add tea never", #""never" is no duration: write it as 90s, 10m or 1h30m."#),
      ("timer add 0s", #"A timer of "0s" would be over at once: write it as 90s or 10m."#),
      ("timer pause a b", "Unexpected argument 'b'"),
      ("stopwatch show --csv --json", "Either --csv or --json, not both."),
    ] {
      let done = try desk.belfry(line)
      #expect(done.status == 64 && done.output == "", "belfry \(line)")
      // What shows in the words alone comes with their usage.
      let told = ["Error", "belfry"].contains { done.errors.hasPrefix("\($0): \(complaint)") }
      #expect(told, "belfry \(line): \(done.errors)")
    }
    try desk.expectFailure("timer te", #"no timer is called "te": did you mean tea?"#)
    try desk.expectFailure(
      "timer 1.5h",
      #"no timer is called "1.5h": write [[timer]] into the config, or a duration such as 10m"#)
    try desk.expectFailure(
      "timer 5m --sound Nope", #"there is no sound "Nope": belfry sounds shows them"#)
    #expect(try desk.timers().isEmpty)
  }

  @Test func `wrong arguments on the bus get a named error, and start nothing`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Desk.presets)
    try desk.startAgent()
    for (call, error) in [
      ("StartTimer {}", "InvalidArgument"),
      ("StartTimer {'duration':<int64 0>}", "InvalidArgument"),
      ("StartTimer {'duration':<int64 -1>}", "InvalidArgument"),
      ("StartTimer {'duration':<int64 31622401>}", "InvalidArgument"),
      ("StartTimer {'duration':<int64 9223372036854775807>}", "InvalidArgument"),
      ("StartTimer {'duration':<'10m'>}", "InvalidArgument"),
      ("StartTimer {'duration':<int64 5>,'preset':<'tea'>}", "InvalidArgument"),
      ("StartTimer {'preset':<'nope'>}", "NotFound"),
      ("StartTimer {'preset':<int64 5>}", "InvalidArgument"),
      ("StartTimer {'duration':<int64 5>,'colour':<'red'>}", "InvalidArgument"),
      ("StartTimer {'until':<int64 5>}", "InvalidArgument"),
      ("StartTimer {'until':<'15:30'>}", "InvalidArgument"),
      ("StartTimer {'until':<int64 9223372036854775807>}", "InvalidArgument"),
      ("StartTimer {'until':<int64 -9223372036854775808>}", "InvalidArgument"),
      ("StartTimer {'until':<int64 4000000000>,'preset':<'tea'>}", "InvalidArgument"),
      ("StartTimerAgain ''", "NotFound"), ("ForgetTimer ''", "NotFound"),
      ("StartTimer {'duration':<int64 5>,'label':<int64 5>}", "InvalidArgument"),
      (
        "StartTimer {'duration':<int64 5>,'label':<'\(String(repeating: "x", count: 1001))'>}",
        "InvalidArgument"
      ),
      ("StartTimer {'duration':<int64 5>,'sound':<'nope'>}", "InvalidArgument"),
      ("PauseTimer ''", "NotFound"), ("PauseTimer 'nope'", "NotFound"),
      ("AddToTimer 'nope' 60", "NotFound"), ("StopwatchStop", "NotRunning"),
      ("StopwatchLap", "NotRunning"),
    ] {
      let answer = try desk.callByHand(call)
      #expect(answer.status != 0, "\(call.prefix(60))")
      #expect(
        answer.errors.contains("GDBus.Error:org.belfry.Error.\(error):"),
        "\(call.prefix(60)): \(answer.errors)")
    }
    #expect(try desk.timers().isEmpty)
    #expect(
      try desk.callByHand("StartTimer {'duration':<int64 60>,'label':<'!'>}").output == "('1m',)\n")
    for (call, error) in [
      ("AddToTimer '' 0", "InvalidArgument"), ("AddToTimer '1m' -5", "InvalidArgument"),
      ("AddToTimer '1m' 31622400", "InvalidArgument"), ("ResumeTimer '1m'", "AlreadyRunning"),
      ("Stop '1m'", "NotRinging"),
    ] {
      #expect(try desk.callByHand(call).errors.contains("org.belfry.Error.\(error):"), "\(call)")
    }
    _ = try desk.callByHand("StartTimer {'duration':<int64 60>}")
    #expect(try desk.callByHand("CancelTimer ''").errors.contains("org.belfry.Error.Ambiguous:"))
    // Fifty calls at a time, which one record answers.
    let rest = """
      from gi.repository import Gio, GLib
      bus, loop, left = Gio.bus_get_sync(Gio.BusType.SESSION), GLib.MainLoop(), [998, 998]
      def start():
          left[0] -= 1
          options = GLib.Variant("(a{sv})", ({"duration": GLib.Variant("x", 60)},))
          bus.call("org.belfry.Belfry", "/org/belfry/Belfry", "org.belfry.Belfry1", "StartTimer",
                   options, None, 0, -1, None, answered)
      def answered(bus, result):
          bus.call_finish(result)
          left[1] -= 1
          if left[0]: start()
          if not left[1]: loop.quit()
      for _ in range(50): start()
      loop.run()
      """
    #expect(try desk.lab.run("/usr/bin/python3", "-c", rest, within: 60).status == 0)
    #expect(
      try desk.callByHand("StartTimer {'duration':<int64 60>}").errors
        .contains("org.belfry.Error.TooMany:"))
  }

  @Test func `one timer, all of them, and the agent can be asked for alone`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.startAgent()
    let none = try desk.callByHand("Timers")
    #expect(none.output == "(@aa{sv} [],)\n")
    #expect(try desk.callByHand("Timer ''").errors.contains("org.belfry.Error.NotFound:"))
    try desk.belfry("timer 1h --label Tea")
    let only = try desk.callByHand("Timer ''").output
    #expect(only.hasPrefix("({'id': <'tea'>, 'label': <'Tea'>, 'length': <int64 3600>, 'left': "))
    try desk.belfry("timer 2h --label Rice")
    #expect(try desk.callByHand("Timer rice").output.hasPrefix("({'id': <'rice'>, "))
    #expect(try desk.callByHand("Timer ''").errors.contains("org.belfry.Error.Ambiguous:"))
    #expect(try desk.callByHand("Timer no").errors.contains("org.belfry.Error.NotFound:"))
    let all = try desk.callByHand("Timers").output
    #expect(all.hasPrefix("([{'id': <'tea'>, ") && all.contains("}, {'id': <'rice'>, "))
    let agent = try desk.callByHand("Agent").output
    #expect(agent.hasPrefix("({'version': <'") && agent.contains("'clock': <'auto'>"))
  }
}

extension Desk {
  /// Calls the agent with arguments as GVariant text; the first word is the method.
  func callByHand(_ call: String) throws -> (status: Int32, output: String, errors: String) {
    let words = call.split(separator: " ", maxSplits: 1).map(String.init)
    let arguments =
      words.count < 2
      ? [] : words[0] == "StartTimer" ? [words[1]] : words[1].split(separator: " ").map(String.init)
    let program = try lab.start(
      "gdbus",
      arguments: [
        "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
        "--method", "org.belfry.Belfry1.\(words[0])", "--",
      ] + arguments)
    let exit = try program.waitForExit()
    _ = try? program.waitForOutput("\u{0}", within: 5)
    guard case .status(let status) = exit else {
      throw LabError.failed("gdbus \(call)", reason: program.errors)
    }
    return (status, program.output, program.errors)
  }
}
