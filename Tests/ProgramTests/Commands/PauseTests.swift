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
      "pause 2099-12-24..2100-01-03 --label Christmas", "paused 2099-12-24..2100-01-03, Christmas")
    try desk.expect("pause 2099-12-20 --group school", "paused 2099-12-20, school")
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
    try desk.expect("pause remove 1", "removed 2099-12-24..2100-01-03, Christmas")
    try desk.expect("pause remove 1", "removed 2099-12-20, school")
    // In one word of the shell as in two.
    for range in [["until", "2100-01-03"], ["until 2100-01-03"]] {
      let paused = try desk.belfry(["pause"] + range)
      #expect(paused.status == 0 && paused.output.hasSuffix("..2100-01-03\n"), "\(paused.errors)")
      try desk.belfry("pause remove 1")
    }
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == Self.household)
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
    try desk.belfry("pause")
    let list = try desk.belfry("list").output
    #expect(list.components(separatedBy: "paused").count == 3 && !list.contains("over"))
    #expect(!(try desk.belfry("list --json").output).contains("\"over\""))
    try desk.expect("remove --done", "No alarm is over.")
    #expect(try desk.belfry("enable train").output == "enabled train, paused\n")
    try desk.belfry("pause remove 1")
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == alarms)
  }

  @Test func `nonsense is refused, and writes nothing`() throws {
    let desk = try Desk(Lab())
    try desk.saveText(Self.household)
    for (line, complaint) in [
      ("pause 2027-13-01", "\"2027-13-01\" is no range of days: write it as "),
      ("pause until tomorrow", "\"until tomorrow\" is no range of days: write it as "),
      ("pause 2027-01-03..2026-12-24", "A pause from 2027-01-03 cannot end on 2026-12-24."),
      ("pause until 2020-01-01", "cannot end on 2020-01-01."),
    ] {
      let done = try desk.belfry(line)
      #expect(done.status == 64 && done.errors.contains(complaint), "\(line): \(done.errors)")
    }
    try desk.expectFailure(
      "pause --group scool", "no alarm is in the group \"scool\": did you mean \"school\"?")
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == Self.household)
  }

  @Test func `what is paused does not ring, and is not missed`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    let (due, other) = (Second.ahead(6), Second.ahead(9))
    try desk.save(
      Desk.alarm("work", at: due, "group = \"school\""), Desk.alarm("run", at: other))
    try desk.startAgent()
    try desk.belfry("pause --group school")
    // The other rings on its second, and nothing of the first is heard or seen until then.
    let status = try desk.waitForStatus("the ring") { $0.state("run") == "ringing" }
    #expect(status.ringing.map(\.id) == ["run"] && status.missed.isEmpty)
    #expect(status.state("work") != "ringing")
    try desk.belfry("stop")
  }
}
