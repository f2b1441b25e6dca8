// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests careless and hostile calls from other programs on the bus. The agent refuses each wrong
// call with a named error and changes nothing. `Tests/Lab/bus-caller.py` makes the careless calls.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct BusInputTests {
  private static let caller = Lab.repository.appendingPathComponent("Tests/Lab/bus-caller.py").path

  @Test func `wrong calls of every method get a named error and change nothing`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(3600)
    try desk.save(
      Desk.alarm("work", at: due), Desk.alarm("tea", at: due, "enabled = false"),
      Desk.alarm("nap", at: due, #"label = "\u001b[31m""#))
    let agent = try desk.startAgent()
    let before = try desk.status()
    let caller = try desk.lab.start("/usr/bin/python3", arguments: [Self.caller])
    #expect(try caller.waitForExit(within: 120) == .status(0), "\(caller.errors)")

    let lines = caller.output.split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
    #expect(lines.count > 200)
    for line in lines {
      try #require(line.count == 4, "\(line)")
      let known = /done|org\.(belfry|freedesktop\.DBus)\.Error\.[A-Z]\w+/
      #expect(line[3].wholeMatch(of: known) != nil, "\(line)")
      let refusals = ["InvalidArgs", "UnknownMethod", "UnknownInterface", "UnknownProperty"]
      if line[1] == "otherwise" {
        #expect(refusals.contains { line[3].hasSuffix(".\($0)") }, "\(line)")
      }
    }
    // Some errors come from the agent itself, and not from GDBus.
    #expect(lines.contains { $0[3] == "org.belfry.Error.NotFound" })
    #expect(lines.contains { $0[3] == "org.belfry.Error.InvalidArgument" })
    let after = try desk.status()
    #expect(after.alarms.map(\.id) == before.alarms.map(\.id))
    #expect(after.alarms.map(\.state) == before.alarms.map(\.state))
    #expect(after.ringing.isEmpty && after.missed.isEmpty)
    #expect(after.agent.pid == agent.pid)
  }

  private static let long = String(repeating: "x", count: 50_000)

  /// Wrong calls, and the beginnings of their errors. `SettingTextTests.swift` and the tests of
  /// diagnostics cover every wrong value of a key.
  private static let mistakes: [(method: String, arguments: [String], error: String)] = [
    ("Stop", ["nope"], "NotFound"), ("Stop", [""], "NotRinging"), ("Stop", ["1m"], "NotRinging"),
    ("Snooze", ["train", "-1"], "InvalidArgument"), ("Snooze", ["train", "5"], "NotRinging"),
    ("Snooze", ["", "9223372036854775807"], "InvalidArgument"),
    ("Snooze", ["train", "31622401"], "InvalidArgument"),
    ("Skip", ["train"], "NothingToCome"), ("Skip", [""], "NotFound"), ("Skip", [long], "NotFound"),
    ("AddAlarm", ["{}"], "InvalidArgument: this alarm has no time"),
    ("AddAlarm", ["{'time': <int64 730>}"], "InvalidArgument: time must be a time of day, not 730"),
    ("AddAlarm", ["{'time': <'7:30'>, 'tiem': <''>}"], "InvalidArgument: an alarm has no key"),
    (
      "AddAlarm", ["{'time': <'7:30'>, 'volume': <5.0>}"],
      "InvalidArgument: volume has a value of a type"
    ),
    (
      "AddAlarm", ["{'time': <'7:30'>, 'id': <'\(long)'>}"],
      "InvalidArgument: id is longer than 100 characters"
    ),
    ("AddAlarm", ["{'time': <'7:30'>, 'id': <'work'>}"], "InvalidArgument: an alarm is called"),
    (
      "AddAlarm", ["{'time': <'7:30'>, 'date': <'2020-01-01'>}"],
      "InvalidArgument: it would never ring"
    ),
    // Other programs may not set a command that the agent would run, or a file that it would open.
    (
      "AddAlarm", ["{'time': <'7:30'>, 'on_ring': <['touch', 'x']>}"],
      "InvalidArgument: the bus cannot set on_ring: use belfry edit, or write it into the config"
    ),
    (
      "EditAlarm", ["work", "{'sound': <['Harp', '~/x.ogg']>}"],
      "InvalidArgument: the bus cannot set sound to \"~/x.ogg\", a path: use the command belfry"
    ),
    ("EditAlarm", ["work", "{'unset': <['on_before']>}"], "InvalidArgument: the bus cannot set"),
    ("EditAlarm", ["nope", "{'label': <'x'>}"], "NotFound: no alarm is called \"nope\""),
    ("EditAlarm", ["work", "{}"], "InvalidArgument: there is nothing to change"),
    ("EditAlarm", ["work", "{'unset': <['time']>}"], "InvalidArgument: an alarm needs its time"),
    (
      "EditAlarm", ["work", "{'label': <'x'>, 'unset': <['label']>}"],
      "InvalidArgument: a key is there twice"
    ),
    ("RemoveAlarms", ["[]"], "InvalidArgument: no alarm is named"),
    ("RemoveAlarms", ["['work', 'nope']"], "NotFound: no alarm is called \"nope\""),
    ("SetEnabled", ["['Work']", "true"], "NotFound: no alarm is called \"Work\"\nhint: did"),
    ("StartTimer", ["{}"], "InvalidArgument"),
    ("StartTimer", ["{'duration':<int64 0>}"], "InvalidArgument"),
    ("StartTimer", ["{'duration':<int64 31622401>}"], "InvalidArgument"),
    ("StartTimer", ["{'duration':<int64 5>,'preset':<'tea'>}"], "InvalidArgument"),
    ("StartTimer", ["{'preset':<'nope'>}"], "NotFound"),
    ("StartTimer", ["{'until':<int64 9223372036854775807>}"], "InvalidArgument"),
    ("StartTimer", ["{'until':<int64 4000000000>,'preset':<'tea'>}"], "InvalidArgument"),
    ("StartTimer", ["{'duration':<int64 5>,'label':<'\(long)'>}"], "InvalidArgument"),
    ("StartTimer", ["{'duration':<int64 5>,'sound':<'nope'>}"], "InvalidArgument"),
    (
      "StartTimer", ["{'duration': <int64 60>, 'sound': <'/etc/passwd'>, 'key': <'x'>}"],
      "InvalidArgument: the bus cannot set sound to \"/etc/passwd\", a path"
    ),
    ("StartTimerAgain", ["nope"], "NotFound"), ("PauseTimer", ["nope"], "NotFound"),
    ("AddToTimer", ["1m", "-5"], "InvalidArgument"), ("ResumeTimer", ["1m"], "AlreadyRunning"),
    ("AddToTimer", ["1m", "31622400"], "InvalidArgument"), ("CancelTimer", [""], "Ambiguous"),
    ("Timer", [""], "Ambiguous"), ("Timer", ["no"], "NotFound"), ("StopwatchLap", [], "NotRunning"),
    ("AddClock", ["Berlin", ""], "InvalidArgument"), ("AddClock", ["Soeul", ""], "NotFound"),
    ("RemoveClock", ["Paris"], "NotFound"), ("MoveClock", ["Berlin", "2"], "InvalidArgument"),
    ("SearchCities", ["seoul", "0"], "InvalidArgument"),
    ("SearchCities", ["seoul", "1001"], "InvalidArgument"), ("History", ["0"], "InvalidArgument"),
    ("Alarms", ["0", "501"], "InvalidArgument"),
  ]

  @Test func `wrong arguments get an error that says why, and change nothing`() throws {
    let desk = try Desk(Lab(.bus))
    let config = """
      [[alarm]]
      label = "Work"
      id = "work"
      time = 07:30

      [[alarm]]
      id = "train"
      time = 05:15
      date = 2020-12-24

      [[timer]]
      name = "tea"
      duration = "4m"

      [[clock]]
      city = "Berlin"

      """
    try desk.saveText(config)
    try desk.startAgent()
    for line in ["timer 1m", "timer 2m"] { try desk.belfry(line) }
    for (method, arguments, error) in Self.mistakes {
      let answer = try desk.call(method, arguments)
      let told = "\(method) \(arguments): \(answer)".prefix(300)
      #expect(answer.contains("org.belfry.Error.\(error)"), "\(told)")
    }
    #expect(try desk.text == config)
    #expect(try desk.timers().count == 2)
    try desk.saveText("[[alarm]\n")
    let refused = try desk.call("AddAlarm", "{'time': <'7:30'>}")
    #expect(refused.contains("org.belfry.Error.NotEdited: \(desk.config.path):1:9: error: "))
    #expect(try desk.text == "[[alarm]\n")
  }

  @Test func `other programs can use timers and clocks`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("")
    try desk.startAgent()
    #expect(try desk.call("Timers") == "(@aa{sv} [],)\n")
    #expect(try desk.call("StartTimer", "{'duration':<int64 60>,'label':<'!'>}") == "('1m',)\n")
    let only = try desk.call("Timer", "")
    #expect(only.hasPrefix("({'id': <'1m'>, 'label': <'!'>, 'length': <int64 60>, 'left': "))
    _ = try desk.call("StartTimer", "{'duration':<int64 60>}")
    #expect(try desk.call("Timers").components(separatedBy: "'id': <'").count == 3)
    #expect(try desk.call("Agent").hasPrefix("({'version': <'"))
    #expect(try desk.call("AddClock", "서울", "") == "('Seoul',)\n")
    #expect(try desk.call("AddClock", "Europe/Berlin", "Office") == "('Europe/Berlin',)\n")
    #expect(try desk.call("MoveClock", "Office", "1") == "('Europe/Berlin',)\n")
    let text = try desk.text
    #expect(text.hasSuffix("label = \"Office\"\n\n[[clock]]\ncity = \"Seoul\"\n"))
    #expect(try desk.call("RemoveClock", "seoul") == "(['Seoul'],)\n")
    let found = try desk.call("SearchCities", "ㅅㅇ", "2")
    #expect(found.hasPrefix("([{'city': <'Seoul'>, 'name': <'Seoul'>, 'korean': <'서울'>, "))
    // Starts timers until their limit is reached, with fifty calls at the same time.
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
      try desk.call("StartTimer", "{'duration': <int64 60>}").contains("org.belfry.Error.TooMany:"))
  }
}
