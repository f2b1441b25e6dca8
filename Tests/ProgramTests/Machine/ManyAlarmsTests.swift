// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests thousands of alarms in the real agent: it rings on time, lists all of them, and applies an
// edit of one alarm at once. `Tests/Benchmark` measures the speed.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ManyAlarmsTests {
  /// Returns a config with `count` alarms that do not ring while a test is running.
  private static func config(_ count: Int, and others: String...) -> String {
    // The alarms begin two hours from now. The hour is in UTC, like the agent's time zone.
    let hour = Int(Lab.now) / 3600 % 24 + 2
    let quiet = (0..<count).map { i in
      let time = String(format: "%02d:%02d", (hour + i % 20) % 24, i % 60)
      return "[[alarm]]\nid = \"a\(i)\"\ntime = \(time)\ndays = \"daily\"\nlabel = \"Quiet\"\n"
    }
    return Desk.defaults + quiet.joined() + others.joined()
  }

  @Test
  func `the method Status returns at most 500 scheduled alarms, and belfry list shows all alarms`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(5)
    try desk.saveText(Self.config(2100, and: Desk.alarm("due", at: due)))
    try desk.startAgent()
    let whole = try desk.waitForStatus("the ring") { !$0.ringing.isEmpty }
    #expect(whole.alarms.count == 2101 && Set(whole.alarms.map(\.id)).count == 2101)
    #expect(whole.ringing.map(\.id) == ["due"])
    let listed: [Status.Alarm] = try desk.decoded("list --json")
    #expect(listed.map(\.id) == whole.alarms.map(\.id))

    let status = try desk.call("Status")
    #expect(status.components(separatedBy: "'state': <'scheduled'>").count - 1 == 500)
    #expect(status.contains("'id': <'due'>") && status.contains("'alarm_count': <int64 2101>"))
    let page = try desk.call("Alarms", "2098", "500")
    #expect(
      page.components(separatedBy: "'id': <'").dropFirst().map { $0.prefix { $0 != "'" } }
        == ["a2098", "a2099", "due"])
    #expect(try desk.call("Alarms", "4000000000", "1") == "(@aa{sv} [],)\n")
  }

  @Test func `an edit of one of many alarms takes effect at once, by an editor or by a command`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(6)
    try desk.saveText(Self.config(3000, and: Desk.alarm("due", at: due, #"label = "One""#)))
    try desk.startAgent()
    let posted = try desk.waitForNotification("One", within: 15)
    try desk.saveText(Self.config(3000, and: Desk.alarm("due", at: due, #"label = "Other""#)))
    #expect(try desk.waitForNotification("Other").id == posted.id)
    // An error in one alarm affects no other alarm. The notification about the error disappears
    // when the config is corrected.
    try desk.saveText(Self.config(3000, and: Desk.alarm("due", at: due, "volume = 101")))
    _ = try desk.waitForNotification("There is an error in your alarm settings")
    try desk.saveText(Self.config(3000, and: Desk.alarm("due", at: due, #"label = "Third""#)))
    #expect(try desk.waitForNotification("Third").id == posted.id)
    #expect(try desk.belfry("disable due a7").output == "disabled due\ndisabled a7\n")
    #expect(try desk.waitForClosing(of: posted) == 3)
    let off = try desk.status().alarms.filter { $0.state == "off" }
    #expect(off.map(\.id).sorted() == ["a7", "due"])
  }
}
