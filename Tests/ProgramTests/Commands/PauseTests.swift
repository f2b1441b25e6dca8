// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry pause`: what it writes, what the others tell of it, and that nothing rings meanwhile.

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
    try desk.expect("pause list", "No alarm is paused.")
    try desk.expectFailure("pause remove 1", "there is no pause")
    try desk.expect(
      "pause 2099-12-24..2100-01-03 --label Christmas",
      """
      paused: all alarms, Thu 24 Dec 2099 to Sun 3 Jan 2100, Christmas
      silent then: run, work
      to end that: belfry pause remove 1
      """)
    try desk.expect(
      "pause 2099-12-20 --group school",
      """
      paused: group school, Sun 20 Dec 2099
      silent then: work
      to end that: belfry pause remove 2
      """)
    let text = try String(contentsOf: desk.config, encoding: .utf8)
    #expect(
      text == Self.household + """

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

    let from = "--from 2099-12-19T12:00:00Z --timezone UTC"
    let work = try desk.belfry("explain work \(from) --count 4").output
    #expect(work.components(separatedBy: "left out: paused").count == 13)
    let next = try desk.belfry("next --count 20 --json \(from)").output
    #expect(next.contains("2099-12-20T06:00") && !next.contains("2099-12-20T07:30"))
    #expect(!next.contains("2099-12-24") && next.contains("2100-01-04T06:00"))

    try desk.expectFailure("pause remove 3", "there is no pause 3: belfry pause list shows them")
    #expect(try desk.belfry("pause remove -- \(Int.min)").status == 1)
    try desk.expect(
      "pause remove 1",
      """
      removed: all alarms, Thu 24 Dec 2099 to Sun 3 Jan 2100, Christmas
      to write it again: belfry pause 2099-12-24..2100-01-03 --label Christmas
      """)
    try desk.expect(
      "pause remove 1",
      """
      removed: group school, Sun 20 Dec 2099
      to write it again: belfry pause 2099-12-20 --group school
      """)
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == Self.household)
  }

  @Test func `a bare pause shows, and changes nothing`() throws {
    let desk = try Desk(Lab())
    try desk.saveText(Self.household)
    for line in ["pause", "pause list"] { try desk.expect(line, "No alarm is paused.") }
    for line in ["pause --group school", "pause --label x"] {
      let done = try desk.belfry(line)
      #expect(done.status == 64 && done.errors.contains("Say on which days"), "\(line)")
    }
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == Self.household)
    try desk.belfry("pause 2099-12-24..")
    try desk.expect("pause", "1  2099-12-24..")
  }

  @Test func `days are typed as people say them`() throws {
    let desk = try Desk(Lab())
    func day(_ days: Double) -> String { Second(epoch: Lab.now + days * 86_400).date }
    for (range, from, until) in [
      ("today", day(0), day(0)), ("tomorrow", day(1), day(1)), ("3d", day(0), day(2)),
      ("until 2100-01-03", day(0), "2100-01-03"), ("until tomorrow", day(0), day(1)),
      ("2099-12-24..2100-01-03", "2099-12-24", "2100-01-03"), ("2099-12-24..", "2099-12-24", nil),
      ("today..2100-01-03", day(0), "2100-01-03"), ("2020-01-01..today", "2020-01-01", day(0)),
    ] as [(String, String, String?)] {
      try desk.saveText("")
      // In one word of the shell as in two.
      for words in [[range], range.split(separator: " ").map(String.init)] {
        let done = try desk.belfry(["pause"] + words + ["--json"])
        let end = until.map { "\n  \"until\": \"\($0)\"," } ?? ""
        #expect(
          done.output.contains("\"from\": \"\(from)\",\(end)\n  \"alarms\": []"), "\(range) \(done)"
        )
      }
    }
  }

  @Test func `resume ends every pause that covers today, and says how to write it again`() throws {
    let desk = try Desk(Lab())
    try desk.saveText(Self.household)
    try desk.expect("resume", "No alarm is paused today.")
    try desk.belfry("pause 2099-12-24 --label Christmas")
    try desk.belfry("pause 2020-01-01..2100-01-03")
    let today = Second(epoch: Lab.now).date
    try desk.belfry(["pause", "today", "--group", "school", "--label", "a day's rest"])
    let later = """
      [[pause]]
      from = 2099-12-24
      until = 2099-12-24
      label = "Christmas"

      """
    try desk.expect(
      "resume",
      """
      removed: all alarms, until Sun 3 Jan 2100
      to write it again: belfry pause 2020-01-01..2100-01-03
      removed: group school, today, a day's rest
      to write it again: belfry pause \(today) --group school --label 'a day'\\''s rest'
      """)
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == Self.household + "\n" + later)
    try desk.belfry("pause 2020-01-01..")
    let json = try desk.belfry("resume --json").output
    #expect(json == "[\n  {\n    \"from\": \"2020-01-01\"\n  }\n]\n")
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
        belfry resume: what is paused today rings again

        """
    }
    try desk.expect("next", "paused: all alarms, until resumed\nto end that: belfry resume")
    let list = try desk.belfry("list").output
    #expect(list.components(separatedBy: "paused until resumed").count == 3)
    try desk.expectFailure(
      "skip work", "work is paused, and rings no more before that ends: belfry pause shows it")
    let doctor = try desk.diagnosis()["pauses"]
    #expect(doctor?.state == "warning" && doctor?.mend == "belfry resume")
    #expect(doctor?.message == "nothing will ring: paused: all alarms, until resumed")
    let told = try desk.belfry("doctor").output
    #expect(told.hasSuffix("\nAn alarm that is not paused would be heard.\n"))
    let status = try desk.belfry("status --json").output
    #expect(status.contains("\"pauses\": [\n    {\n      \"number\": 1,"))
    #expect(status.components(separatedBy: "\"paused\": true").count == 3)
    let follow = try desk.lab.start(
      "belfry", arguments: ["follow", "--waybar"], environment: ["TZ": "UTC"])
    try follow.waitForOutput(#""text":"paused until resumed""#)
    #expect(follow.output.contains(#""class":"paused""#))
    #expect(follow.output.contains(#""tooltip":"paused: all alarms, until resumed""#))

    // Of a group, and with an end.
    try desk.belfry("resume")
    try desk.belfry("pause until 2099-12-24 --group school")
    try follow.waitForOutput(#""paused: group school, until Thu 24 Dec 2099\n"#)
    try desk.wait("status to say so") {
      try desk.belfry("status").output.hasPrefix(
        "paused  group school  until Thu 24 Dec 2099\nnext    run ")
    }
    let next = try desk.belfry("next --count 1").output
    #expect(
      next.hasSuffix("\npaused: group school, until Thu 24 Dec 2099\nto end that: belfry resume\n"))
    #expect(
      try desk.belfry("list").output.contains(
        "paused until Thu 24 Dec 2099, then Fri 25 Dec 2099 07:30"))
    #expect(
      try desk.diagnosis()["pauses"]?.message == "paused: group school, until Thu 24 Dec 2099")
    #expect(try desk.belfry("list --json").output.contains("\"paused_until\": \"2099-12-24\""))
    #expect(
      try desk.belfry("edit work --label Work").output.hasSuffix(
        ", paused until Thu 24 Dec 2099\n"))
  }

  @Test func `what is paused for good is not over, and not cleared away`() throws {
    let desk = try Desk(Lab())
    let alarms = """
      [[alarm]]
      id = "once"
      time = 06:00

      [[alarm]]
      id = "train"
      time = 05:15
      date = 2099-12-24

      """
    try desk.saveText(alarms)
    try desk.belfry("pause today..")
    let list = try desk.belfry("list").output
    #expect(list.components(separatedBy: "paused").count == 3 && !list.contains("over"))
    #expect(!(try desk.belfry("list --json").output).contains("\"over\""))
    try desk.expect("remove --done", "No alarm is over.")
    #expect(try desk.belfry("enable train").output == "enabled train, paused until resumed\n")
    try desk.belfry("pause remove 1")
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == alarms)
  }

  @Test func `nonsense is refused, and writes nothing`() throws {
    let desk = try Desk(Lab())
    try desk.saveText(Self.household)
    for (line, complaint) in [
      ("pause 2027-13-01", "\"2027-13-01\" is no range of days: write it as "),
      ("pause until", "\"until\" is no range of days: write it as "),
      ("pause 0d", "\"0d\" is no range of days: write it as "),
      ("pause 99999d", "\"99999d\" is no range of days: write it as "),
      ("pause 2099-01-03 2099-01-04", "is no range of days: write it as "),
      ("pause ..2099-01-03", "is no range of days: write it as "),
      ("pause 2100-01-03..2099-12-24", "A pause from 2100-01-03 cannot end on 2099-12-24."),
      ("pause until 2020-01-01", "A pause cannot end on 2020-01-01, which is past."),
      ("pause 2020-01-01", "A pause cannot end on 2020-01-01, which is past."),
      ("pause 2019-12-24..2020-01-03", "A pause cannot end on 2020-01-03, which is past."),
    ] {
      let done = try desk.belfry(line)
      #expect(done.status == 64 && done.errors.contains(complaint), "\(line): \(done.errors)")
    }
    try desk.expectFailure(
      "pause today --group scool", "no alarm is in the group \"scool\": did you mean \"school\"?")
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == Self.household)
  }

  @Test func `what is paused does not ring, and is not missed`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    let (due, other) = (Second.ahead(6), Second.ahead(9))
    try desk.save(
      Desk.alarm("work", at: due, "group = \"school\""), Desk.alarm("run", at: other))
    try desk.startAgent()
    try desk.belfry("pause today --group school")
    // The other rings on its second, and nothing of the first is heard or seen until then.
    let status = try desk.waitForStatus("the ring") { $0.state("run") == "ringing" }
    #expect(status.ringing.map(\.id) == ["run"] && status.missed.isEmpty)
    #expect(status.state("work") != "ringing")
    try desk.belfry("stop")
  }
}
