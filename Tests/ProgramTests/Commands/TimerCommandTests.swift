// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests a timer that ends at a time of day. The transcripts test the other commands of timers,
// `SchedulingTests/TimerTests.swift` tests the rules of timers, and `ProgramTests/TimerTests.swift`
// tests their notifications.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct TimerCommandTests {
  @Test func `a timer can end at a time of day`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.startAgent()
    let end = Second(epoch: (Lab.now + 90).rounded(.down))
    #expect(
      try desk.belfry("timer until \(end.time) --label Tea").output
        .hasPrefix("tea ends \(end.told), in 1 min "))
    #expect(try desk.timer("tea").epoch == Int(end.epoch))
    // A time of day that is already past today means tomorrow.
    let past = Second(epoch: (Lab.now - 60).rounded(.down))
    #expect(try desk.belfry("timer until \(past.time)").output.contains(", in 23 h 5"))
    // A timer without a label is named after the time at which it ends. If it is started again, it
    // ends at the same time of day, however far ahead that is.
    let name = "until-\(past.shown.filter { $0 != ":" })"
    #expect(try desk.timers().map(\.id).contains(name))
    // A time is shorter if its seconds are zero, and the column is as wide as the longest one.
    let width = max(past.shown.count, end.shown.count)
    let column = end.shown.padding(toLength: width, withPad: " ", startingAt: 0)
    try desk.expect("timer recent", "1  until \(past.shown)\n2  until \(column)  Tea")
    try desk.crash(desk.agent)
    try desk.startAgent()
    #expect(try desk.belfry("timer again Tea").output.hasPrefix("tea-2 ends \(end.told), in "))
    #expect(try desk.timer("tea-2").epoch == Int(end.epoch))
  }
}
