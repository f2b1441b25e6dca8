// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry explain`, word by word.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ExplainTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    /// Lines of the alarm `work`.
    var alarm: String
    /// What follows `belfry explain work`.
    var options: String
    var output: String
  }

  static let cases = [
    Case(
      testDescription: "a time that does not exist",
      alarm: #"time = 02:30, days = "daily", label = "Work""#,
      options: "--from 2026-03-28 --timezone Europe/Berlin --count 3",
      output: """
        Work (work): 02:30, daily
        02:30             in 2 h 30 min
        tomorrow 03:00    in 1 d 2 h     \
        02:30 does not exist on 2026-03-29 in Europe/Berlin; rings at 03:00, the first time that does
        Mon 30 Mar 02:30  in 2 d 1 h
        wakes the machine: yes, if it can: belfry doctor

        """),
    Case(
      testDescription: "a time that comes twice, in a zone of its own",
      alarm: #"time = 02:30, days = ["sun"], timezone = "Europe/Berlin", wake = false"#,
      options: "--from 2026-10-24 --timezone Asia/Seoul --count 1",
      output: """
        work: 02:30, Sun, Europe/Berlin
        tomorrow 09:30  in 1 d 9 h  02:30 comes twice on 2026-10-25 in Europe/Berlin; \
        rings the first time; zone Europe/Berlin: 02:30 there is 09:30 here
        wakes the machine: no (wake = false)

        """),
    Case(
      testDescription: "dates that are excepted",
      alarm: #"time = 07:30, days = "weekdays", except = [2026-12-25, 2026-12-26, 2027-06-01]"#,
      options: "--from 2026-12-24T12:00:00Z --count 1",
      output: """
        work: 07:30, weekdays
        Fri 25 Dec                     left out: except 2026-12-25
        Mon 28 Dec 07:30  in 3 d 19 h
        wakes the machine: yes, if it can: belfry doctor

        """),
    Case(
      testDescription: "every so manyth month, from a day until another",
      alarm: #"time = 07:30, days = ["1st mon", "last fri"], every = "2 months", "#
        + "from = 2026-12-01, until = 2027-02-26",
      options: "--from 2026-11-23 --count 9",
      output: """
        work: 07:30, the first Monday and the last Friday of every second month, from Tue 1 Dec \
        until Fri 26 Feb 2027
        Mon 7 Dec 07:30        in 14 d 7 h
        Fri 25 Dec 07:30       in 32 d 7 h
        Mon 1 Feb 2027 07:30   in 70 d 7 h
        Fri 26 Feb 2027 07:30  in 95 d 7 h
        wakes the machine: yes, if it can: belfry doctor

        """),
    Case(
      testDescription: "days that there are not",
      alarm: #"time = 07:30, days = ["5th mon"], every = "2 years", from = 2025-02-01"#,
      options: "--from 2026-11-23",
      output: """
        work: 07:30, the fifth Monday of Feb every second year
        nothing is to come: there is no such day

        """),
    Case(
      testDescription: "a date that a zone does not have",
      alarm: #"time = 07:30, days = "daily""#,
      options: "--from @1325185200 --timezone Pacific/Apia --count 1",
      output: """
        work: 07:30, daily
        Fri 30 Dec                        left out: Pacific/Apia has no 2011-12-30
        Sat 31 Dec 07:30  in 22 h 30 min
        wakes the machine: yes, if it can: belfry doctor

        """),
    Case(
      testDescription: "what is done ahead of it",
      alarm: #"time = 07:30, days = "daily", before = "10m", on_before = ["kettle", "on"], "#
        + #"bedtime = "8h""#,
      options: "--from 2026-11-23T22:00:00Z --count 1",
      output: """
        work: 07:30, daily
        tomorrow 07:30  in 9 h 30 min
        says that it is time to sleep at 23:30, 8 h ahead of the next ring
        runs on_before tomorrow at 07:20, 10 min ahead of the next ring
        wakes the machine: yes, if it can: belfry doctor

        """),
    Case(
      testDescription: "every date excepted",
      alarm: "time = 07:30, date = 2026-12-25, except = [2026-12-25]",
      options: "--from 2026-12-01",
      output: """
        work: 07:30, Fri 25 Dec
        Fri 25 Dec  left out: except 2026-12-25
        nothing is to come: all of its dates are left out

        """),
    Case(
      testDescription: "a date that is past",
      alarm: "time = 07:30, date = 2026-12-25", options: "--from 2026-12-25T07:30:00Z",
      output: """
        work: 07:30, Fri 25 Dec
        nothing is to come: its date is past

        """),
    Case(
      testDescription: "off", alarm: "time = 07:30, enabled = false", options: "",
      output: """
        work: 07:30, once
        nothing is to come: it is off (enabled = false)

        """),
  ]

  @Test(arguments: cases)
  func `each ring comes with its reason, and silence too`(example: Case) throws {
    let desk = try Desk(Lab())
    try desk.saveText(
      "alarm = [{ id = \"work\", \(example.alarm) }]\n")
    let (status, output, errors) = try desk.belfry("explain work \(example.options)")
    #expect(output == example.output)
    #expect(status == 0 && errors == "")
  }

  @Test func `whether it wakes the machine is the word of the agent that runs`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\n")
    try desk.startAgent()
    let wake = try desk.status().agent.wake
    let told = try desk.belfry("explain work").output
    #expect(told.hasSuffix("\nwakes the machine: \(wake == "yes" ? "" : "no, ")\(wake)\n"))
  }

  @Test func `what rang before the clock was set back is told by explain and by next`() throws {
    let desk = try Desk(Lab())
    // At most an hour ahead: what lies further is still to come.
    let time = Second(epoch: ((Lab.now + 1800) / 60).rounded() * 60).shown
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = \(time)\ndays = \"daily\"\n")
    let now = Date()
    let stamp = { (date: Date) in ISO8601DateFormatter().string(from: date) }
    // The agent's memory of a ring that lies ahead.
    let next = try desk.belfry("next --json --count 1").output
    let epoch = try #require(next.firstMatch(of: /"epoch": ([0-9]+)/)?.1)
    let due = Date(timeIntervalSince1970: try #require(Double(epoch)))
    let state = desk.lab.home.appendingPathComponent(".local/state/belfry/state.toml")
    try FileManager.default.createDirectory(
      at: state.deletingLastPathComponent(), withIntermediateDirectories: true)
    try """
    version = 1
    entries = 1
    [[alarm]]
    id = "work"
    signature = "\(time) 1234567"
    handled = \(stamp(now))
    settled = [\(stamp(due))]

    """.write(to: state, atomically: true, encoding: .utf8)
    let explained = try desk.belfry("explain work --count 1").output
    #expect(explained.contains("left out: it rang before the clock was set back\n"))
    let told = try desk.belfry("next --count 1").output.split(separator: "\n")
    #expect(told.count == 2)
    #expect(
      told.last?.wholeMatch(
        of: /work: not (tomorrow )?[0-9:]{5}, it rang before the clock was set back/) != nil)
  }

  @Test func `for programs it is JSON`() throws {
    let desk = try Desk(Lab())
    try desk.saveText(
      #"""
      [[alarm]]
      id = "work"
      time = 02:30
      days = ["sat", "sun"]
      except = [2026-03-28]
      """#)
    let answer = try desk.belfry(
      "explain work --from 2026-03-28 --timezone Europe/Berlin --count 1 --json")
    #expect(
      answer.output == """
        {
          "id": "work",
          "wake": true,
          "rings": [
            {
              "at": "2026-03-29T03:00:00+02:00",
              "epoch": 1774746000,
              "date": "2026-03-29",
              "note": "gap",
              "reasons": [
                "02:30 does not exist on 2026-03-29 in Europe/Berlin; \
        rings at 03:00, the first time that does"
              ]
            }
          ],
          "left_out": [
            {
              "date": "2026-03-28",
              "reason": "excepted"
            }
          ]
        }

        """)
  }

  @Test func `an alarm that is wrong in the config, or not there, is told as such`() throws {
    let desk = try Desk(Lab())
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\ndays = [\"mondy\"]\n")
    let wrong = try desk.belfry("explain work")
    #expect(wrong.status == 1 && wrong.output == "")
    #expect(wrong.errors.contains("config.toml:4:9: error: no weekday is called \"mondy\""))
    #expect(
      wrong.errors.hasSuffix("belfry: \"work\" does not ring: the config has an error in it\n"))
    let missing = try desk.belfry("explain tea")
    #expect(
      missing.errors.hasSuffix("belfry: no alarm is called \"tea\": belfry list shows them\n"))
    #expect(try desk.belfry("explain work --count 0").status == 64)
  }
}
