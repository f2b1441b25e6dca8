// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry pause` and `belfry resume`: what they write into the config, and what all other
// commands show of a pause. `RecurrenceTests.swift` of the core tests that a paused alarm does not
// ring and is not missed.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct PauseTests {
  private static let household = """
    [[alarm]]
    id = "run"
    time = 06:00
    days = "daily"

    [[alarm]]
    id = "work"
    time = 07:30
    days = "daily"
    group = "school"

    """

  @Test func `pauses are written, told and taken away`() throws {
    let desk = try Desk(Lab())
    try desk.saveText(Self.household)
    for line in ["pause", "pause list"] { try desk.expect(line, "No alarm is paused.") }
    try desk.expectFailure("pause remove 1", "there is no pause")
    try desk.expect("resume", "No alarm is paused today.")
    try desk.expect(
      "pause 2099-12-24..2100-01-03 --label Christmas",
      """
      paused: all alarms, Thu 24 Dec 2099 to Sun 3 Jan 2100, Christmas
      will not ring: run, work
      to end the pause: belfry pause remove 1
      """)
    try desk.expect(
      "pause 2099-12-20 --group school",
      """
      paused: group school, Sun 20 Dec 2099
      will not ring: work
      to end the pause: belfry pause remove 2
      """)
    #expect(
      try desk.text
        == Self.household + """

          [[pause]]
          from = 2099-12-24
          until = 2100-01-03
          label = "Christmas"

          [[pause]]
          from = 2099-12-20
          until = 2099-12-20
          group = "school"

          """)
    try desk.expect(
      "pause list",
      "1  2099-12-24..2100-01-03          Christmas\n2  2099-12-20              school")
    let json = try desk.belfry("pause list --json").output
    #expect(json.contains("\"until\": \"2100-01-03\"") && json.contains("\"group\": \"school\""))
    let work = try desk.belfry("explain work --from 2099-12-19T12:00:00Z --count 4").output
    #expect(work.components(separatedBy: "left out: paused").count == 13)

    try desk.expectFailure(
      "pause remove 3",
      "there is no pause 3\n"
        + "hint: belfry pause list shows them")
    #expect(try desk.belfry("pause remove -- \(Int.min)").status == 1)
    try desk.expect(
      "pause remove 1",
      """
      removed: all alarms, Thu 24 Dec 2099 to Sun 3 Jan 2100, Christmas
      to write it again: belfry pause 2099-12-24..2100-01-03 --label Christmas
      """)
    // `belfry resume` removes only the pauses that include today.
    let today = Second(epoch: Lab.now).date
    try desk.belfry("pause 2020-01-01..2100-01-03")
    try desk.belfry(["pause", "today", "--group", "school", "--label", "a day's rest"])
    try desk.expect(
      "resume",
      """
      removed: all alarms, until Sun 3 Jan 2100
      to write it again: belfry pause 2020-01-01..2100-01-03
      removed: group school, today, a day's rest
      to write it again: belfry pause \(today) --group school --label 'a day'\\''s rest'
      """)
    try desk.belfry("pause remove 1")
    #expect(try desk.text == Self.household)
    try desk.belfry("pause 2020-01-01..")
    let resumed = try desk.belfry("resume --json").output
    #expect(
      resumed == """
        [
          {
            "number": 1,
            "from": "2020-01-01",
            "alarm_ids": [
              "run",
              "work"
            ]
          }
        ]

        """)
  }

  @Test func `days are typed as people say them, and nonsense writes nothing`() throws {
    let desk = try Desk(Lab())
    func day(_ days: Double) -> String { Second(epoch: Lab.now + days * 86_400).date }
    for (range, from, until) in [
      ("today", day(0), day(0)), ("3d", day(0), day(2)), ("3 days", day(0), day(2)),
      ("내일", day(1), day(1)), ("until in 3 days", day(0), day(3)),
      ("until tomorrow", day(0), day(1)),
      ("until 2100-01-03", day(0), "2100-01-03"), ("2099-12-24..", "2099-12-24", nil),
      ("today..2100-01-03", day(0), "2100-01-03"), ("2020-01-01..today", "2020-01-01", day(0)),
    ] as [(String, String, String?)] {
      try desk.saveText("")
      let done = try desk.belfry("pause \(range) --json").output
      let end = until.map { "\n  \"until\": \"\($0)\"," } ?? ""
      #expect(
        done.contains("\"from\": \"\(from)\",\(end)\n  \"alarm_ids\": []"), "\(range) \(done)")
    }
    try desk.saveText(Self.household)
    for (range, complaint) in [
      ("--group school", "Say on which days"), ("until", "\"until\" is no range of days: write it"),
      ("0d", "\"0d\" is no range of days: write it"), ("99999d", "is no range of days: write it"),
      ("..2099-01-03", "is no range of days: write it as "),
      ("2100-01-03..2099-12-24", "A pause from 2100-01-03 cannot end on 2099-12-24."),
      ("2020-01-01", "A pause cannot end on 2020-01-01, which is past."),
    ] {
      let done = try desk.belfry("pause \(range)")
      #expect(done.status == 64 && done.errors.contains(complaint), "\(range): \(done.errors)")
    }
    try desk.expectFailure(
      "pause today --group scool",
      "no alarm is in the group \"scool\"\n"
        + "hint: did you mean \"school\"?")
    #expect(try desk.text == Self.household)
  }

  @Test func `whatever shows alarms says that they are paused, until when, and how to end it`()
    throws
  {
    let desk = try Desk(Lab(.notifications, .sound))
    try desk.saveText(Self.household)
    try desk.startAgent(environment: ["TZ": "UTC"])
    try desk.belfry("pause 2020-01-01..")
    try desk.wait("status to say so") {
      try desk.belfry("status").output == """
        paused  all alarms  until resumed
        belfry resume: end today's pauses

        """
    }
    try desk.expect("next", "paused: all alarms, until resumed\nto end the pause: belfry resume")
    let list = try desk.belfry("list").output
    #expect(list.components(separatedBy: "paused until resumed").count == 3)
    try desk.expectFailure(
      "skip work",
      "work is paused and does not ring before the pause ends\n"
        + "hint: belfry pause shows the pauses")
    try desk.expect("remove --done", "No alarm is over.")
    let doctor = try desk.diagnosis()["pauses"]
    #expect(doctor?.state == "warning" && doctor?.fix == "belfry resume")
    #expect(doctor?.message == "nothing will ring: paused: all alarms, until resumed")
    let told = try desk.belfry("doctor").output
    #expect(told.hasSuffix("\nAn alarm that is not paused would be heard.\n"))
    let status = try desk.belfry("status --json").output
    #expect(status.contains("\"pauses\": [\n    {\n      \"number\": 1,"))
    let follow = try desk.lab.start(
      "belfry", arguments: ["follow", "--waybar"], environment: ["TZ": "UTC"])
    try follow.waitForOutput(#""text":"paused until resumed""#)

    // Replace the pause with a pause of one group that has a last day.
    try desk.belfry("resume")
    try desk.belfry("pause until 2099-12-24 --group school")
    try follow.waitForOutput(#""paused: group school, until Thu 24 Dec 2099\n"#)
    try desk.wait("status to say so") {
      try desk.belfry("status").output.hasPrefix(
        "paused  group school  until Thu 24 Dec 2099\nnext    run ")
    }
    for (line, words) in [
      ("next --count 1", "\npaused: group school, until Thu 24 Dec 2099\nto end the pause: "),
      ("list", "paused until Thu 24 Dec 2099, then Fri 25 Dec 2099 07:30"),
      ("list --json", "\"paused_until\": \"2099-12-24\""),
      ("edit work --label Work", ", paused until Thu 24 Dec 2099\n"),
    ] {
      #expect(try desk.belfry(line).output.contains(words), "\(line)")
    }
  }
}
