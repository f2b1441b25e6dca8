// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that dates and times have the form of the user's region (`LC_TIME`), in the command and in
// the agent's notifications. `DateFormTests.swift` tests more regions, without the programs.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct RegionTests {
  /// A region, a moment there, and a pattern for a moment in the near future.
  private static let regions = [
    ("en_US", "Thu Dec 24 2099 8:18 PM", #"[A-Z][a-z]{2} [A-Z][a-z]{2} \d+( \d+)? \d+:\d\d [AP]M"#),
    ("en_GB", "Thu 24 Dec 2099 20:18", #"[A-Z][a-z]{2} \d+ [A-Z][a-z]{2}( \d+)? \d+:\d\d"#),
    ("de_DE", "Do 24. Dez 2099 20:18", #"[A-Z][a-z] \d+\. \w{3}( \d+)? \d+:\d\d"#),
    ("ko_KR", "2099년 12월 24일 (목) 20:18", #"(\d+년 )?\d+월 \d+일 \([월화수목금토일]\) \d+:\d\d"#),
  ]

  @Test(arguments: regions)
  func `the command and the agent write dates and times as in the user's region`(
    region: String, moment: String, pattern: String
  ) throws {
    let desk = try Desk(Lab(.notifications, .sound))
    try desk.lab.moveTo(region: region)
    let ringing = try desk.startRinging()
    try desk.belfry("add 20:18 --date 2099-12-24 --id far")
    #expect(try desk.belfry("next").output.contains("\(moment)  in "))
    #expect(try desk.belfry("next --json").output.contains("\"2099-12-24T20:18:00"))
    try desk.belfry("snooze work 48h")
    let snoozed = try desk.lab.busWatch.waitForNotification(since: ringing.time) {
      $0.body.contains("Snoozed until ")
    }
    let words = snoozed.body.range(of: "Snoozed until \(pattern)", options: .regularExpression)
    #expect(words != nil, "\(snoozed.body)")
    // Texts in JSON are English in every region.
    try desk.belfry("add 6:30 --days daily")
    try desk.belfry("pause 3d")
    let pauses = try desk.diagnosis()["pauses"]
    #expect(
      pauses?.message.contains(#/ until [MTWFS][a-z]{2} \d+ [A-Z][a-z]{2}/#) == true,
      "\(pauses as Any)")
  }
}
