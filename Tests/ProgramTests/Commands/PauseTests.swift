// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that each command that shows alarms also shows that they are paused. A transcript tests how
// pauses are written and removed. `RecurrenceTests.swift` in SchedulingTests tests that a paused
// alarm does not ring.

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

  @Test func `each command that shows alarms shows until when they are paused`()
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
    try desk.expect("remove --done", "No alarm that rings once is over.")
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
      ("edit work --label Work", ", paused until Thu 24 Dec 2099, next on Fri 25 Dec 2099, in "),
    ] {
      #expect(try desk.belfry(line).output.contains(words), "\(line)")
    }
  }
}
