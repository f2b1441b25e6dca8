// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the output of `belfry explain`, word by word. `ExplanationTests.swift` of the core tests
// which rings are found, and the reasons for them.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ExplainTests {
  /// Lines of the alarm `work`, options of `belfry explain work`, and the expected output. If the
  /// alarm has an upcoming ring, the output also has a last line about waking the machine, which is
  /// always the same and is left out here.
  static let cases: [(alarm: String, options: String, output: String)] = [
    (
      #"time = 02:30, days = "daily", label = "Work""#,
      "--from 2026-03-28 --timezone Europe/Berlin --count 3",
      """
      Work (work): 02:30, daily
      02:30             in 2 h 30 min
      tomorrow 03:00    in 1 d 2 h     02:30 does not exist on 2026-03-29 in Europe/Berlin; \
      rings at 03:00, the first time that does
      Mon 30 Mar 02:30  in 2 d 1 h
      """
    ),
    (
      #"time = 02:30, days = ["sun"], timezone = "Europe/Berlin""#,
      "--from 2026-10-24 --timezone Asia/Seoul --count 1",
      """
      work: 02:30, Sun, Europe/Berlin
      tomorrow 09:30  in 1 d 9 h  02:30 comes twice on 2026-10-25 in Europe/Berlin; \
      rings the first time; zone Europe/Berlin: 02:30 there is 09:30 here
      """
    ),
    (
      #"time = 07:30, days = "weekdays", except = [2026-12-25, 2026-12-26, 2027-06-01]"#,
      "--from 2026-12-24T12:00:00Z --count 1",
      """
      work: 07:30, weekdays
      Fri 25 Dec                     left out: except 2026-12-25
      Mon 28 Dec 07:30  in 3 d 19 h
      """
    ),
    (
      #"time = 07:30, days = ["1st mon", "last fri"], every = "2 months", "#
        + "from = 2026-12-01, until = 2027-02-26",
      "--from 2026-11-23 --count 2",
      """
      work: 07:30, the first Monday and the last Friday, every 2 months, from Tue 1 Dec \
      until Fri 26 Feb 2027
      Mon 7 Dec 07:30   in 14 d 7 h
      Fri 25 Dec 07:30  in 32 d 7 h
      """
    ),
    (
      #"time = 07:30, days = ["5th mon"], every = "2 years", from = 2025-02-01"#,
      "--from 2026-11-23",
      """
      work: 07:30, the fifth Monday of Feb, every 2 years
      no upcoming ring: there is no such day
      """
    ),
    (
      #"time = 07:30, days = "daily""#,
      "--from @1325185200 --timezone Pacific/Apia --count 1",
      """
      work: 07:30, daily
      Fri 30 Dec                        left out: Pacific/Apia has no 2011-12-30
      Sat 31 Dec 07:30  in 22 h 30 min
      """
    ),
    (
      #"time = 07:30, days = "daily", before = "10m", on_before = ["kettle"], bedtime = "8h""#,
      "--from 2026-11-23T22:00:00Z --count 1",
      """
      work: 07:30, daily
      tomorrow 07:30  in 9 h 30 min
      says that it is time to sleep at 23:30, 8 h ahead of the next ring
      runs on_before tomorrow at 07:20, 10 min ahead of the next ring
      """
    ),
    (
      "time = 07:30, date = 2026-12-25, except = [2026-12-25]", "--from 2026-12-01",
      """
      work: 07:30, Fri 25 Dec
      Fri 25 Dec  left out: except 2026-12-25
      no upcoming ring: all of its dates are left out
      """
    ),
    (
      "time = 07:30, date = 2026-12-25", "--from 2026-12-25T07:30:00Z",
      "work: 07:30, Fri 25 Dec\nno upcoming ring: its date is past"
    ),
    (
      "time = 07:30, days = \"mon\", until = 2020-01-01", "",
      "work: 07:30, Mon, until Wed 1 Jan 2020\nno upcoming ring: its last day is past"
    ),
    (
      "time = 07:30, enabled = false", "",
      "work: 07:30, once\nno upcoming ring: it is off (enabled = false)"
    ),
  ]

  @Test func `each ring comes with its reason, and silence too`() throws {
    let desk = try Desk(Lab(.bus))
    for (alarm, options, output) in Self.cases {
      let lines = alarm.replacing(/, (?=\w+ = )/, with: "\n")
      try desk.saveText("[[alarm]]\nid = \"work\"\n\(lines)\n")
      let done = try desk.belfry("explain work \(options)")
      let wake = "wakes the machine: yes, if it can: belfry doctor"
      let isToCome = !output.contains("no upcoming ring")
      #expect(done == (0, output + (isToCome ? "\n\(wake)\n" : "\n"), ""), "\(alarm)")
    }
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\nwake = false\n")
    #expect(
      try desk.belfry("explain work").output.hasSuffix("\nwakes the machine: no (wake = false)\n"))
    // A running agent knows whether the machine can be woken, so `explain` asks the agent.
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\n")
    try desk.startAgent()
    let agent = try desk.status().agent
    let told = try desk.belfry("explain work").output
    let words = agent.wake ? "yes\n" : "no, "
    #expect(told.contains("\nwakes the machine: \(words)"))
  }

  @Test func `what rang before the clock was set back is told by explain and by next`() throws {
    let desk = try Desk(Lab())
    // The alarm is due in half an hour. If it were due in more than an hour, its ring would still
    // count as upcoming.
    let due = Second(epoch: ((Lab.now + 1800) / 60).rounded() * 60)
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = \(due.shown)\ndays = \"daily\"\n")
    // Write the state file of an agent that handled this ring before the clock was set back.
    let state = desk.lab.home.appendingPathComponent(".local/state/belfry/state.toml")
    try FileManager.default.createDirectory(
      at: state.deletingLastPathComponent(), withIntermediateDirectories: true)
    let now = Second(epoch: Lab.now.rounded(.down))
    try """
    version = 1
    entries = 1
    [[alarm]]
    id = "work"
    signature = "\(due.shown) 1234567"
    handled = \(now.date)T\(now.time)Z
    settled = [\(due.date)T\(due.time)Z]

    """.write(to: state, atomically: true, encoding: .utf8)
    let explained = try desk.belfry("explain work --count 1").output
    #expect(explained.contains("left out: it rang before the clock was set back\n"))
    let told = try desk.belfry("next --count 1").output.split(separator: "\n")
    #expect(told.count == 2)
    #expect(
      told.last?.wholeMatch(
        of: /work: not (tomorrow )?[0-9:]{5}, it rang before the clock was set back/) != nil)
  }

  @Test func `for programs it is JSON; an alarm with an error, or that is not there, is told`()
    throws
  {
    let desk = try Desk(Lab())
    let alarm = "[[alarm]]\nid = \"work\"\ntime = 02:30\n"
    try desk.saveText(alarm + "days = [\"sat\", \"sun\"]\nexcept = [2026-03-28]\n")
    let answer = try desk.belfry(
      "explain work --from 2026-03-28 --timezone Europe/Berlin --count 1 --json")
    #expect(
      answer.output == """
        {
          "id": "work",
          "label": "",
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
    try desk.saveText(alarm + "days = [\"mondy\"]\n")
    let wrong = try desk.belfry("explain work")
    #expect(wrong.status == 1 && wrong.output == "")
    #expect(wrong.errors.contains("config.toml:4:9: error: no weekday is called \"mondy\""))
    #expect(
      wrong.errors.hasSuffix("belfry: \"work\" does not ring: the config has an error in it\n"))
    let missing = try desk.belfry("explain tea").errors
    #expect(missing.hasSuffix("belfry: no alarm is called \"tea\"\nhint: belfry list shows them\n"))
  }
}
