// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests timers on real servers: the countdown with its buttons, and the ring that is seen and
// heard. `TimerCommandTests.swift` tests the commands. `TimerTests.swift` in SchedulingTests tests
// the states of timers, and `ElapsedTimeTests.swift` tests how clock changes affect them.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct TimerTests {
  private static let settings =
    Desk.defaults
      + """
      [[timer]]
      name = "tea"
      duration = "3s"
      label = "Tea"
      sound = "~/high.wav"

      """

  /// Starts an agent on a new desk, a private desktop for one test, and runs `belfry` with the
  /// arguments in `line`. Returns the desk, and the moment just before the command.
  private func desk(starting line: String) throws -> (Desk, Epoch) {
    let desk = try Desk()
    try desk.saveText(Self.settings)
    try desk.startAgent()
    let before = Lab.now
    #expect(try desk.belfry(line).status == 0)
    return (desk, before)
  }

  @Test
  func `a timer counts down quietly, rings when it ends, and then counts the overtime`()
    throws
  {
    let (desk, before) = try desk(starting: "timer tea")
    let due = try #require(try desk.timer("tea").epoch)
    let watch = desk.lab.busWatch
    let (left, up) = (/(\d) s left of 3 s\./, /Time's up(?:, (\d+) s ago)? \(3 s timer\)\./)
    let first = try watch.waitForNotification(since: before) {
      $0.text.wholeMatch(of: left) != nil
    }
    #expect(first.title == "Tea" && first.hints["urgency"] == .integer(0))
    #expect(first.timeout == 0)
    #expect(first.buttons == ["pause: Pause", "add-minute: +1 min", "cancel: Cancel"])

    let ring = try watch.waitForNotification(since: before) { $0.text.wholeMatch(of: up) != nil }
    // On a busy machine, a text may be old when it is posted, and the texts of some seconds may be
    // left out. An old text shows too much time left, or too little overtime. The timer was started
    // after `before`, so its end is more than 3 s after `before`.
    var counts: [Int] = []
    for posted in watch.notifications(since: before) {
      guard let match = posted.text.wholeMatch(of: left), let count = Int(match.1) else { continue }
      #expect(posted.hints["value"] == .integer(Int64(100 * (3 - count) / 3)))
      #expect(Double(count) >= before + 3 - posted.time)
      counts.append(count)
    }
    #expect(counts.count > 1 && zip(counts, counts.dropFirst()).allSatisfy(>), "\(counts)")
    func overtime(_ posted: PostedNotification) -> Int? {
      posted.text.wholeMatch(of: up).map { $0.1.flatMap { Int($0) } ?? 0 }
    }
    #expect(Double(try #require(overtime(ring))) <= max(0, ring.time - before - 3))
    #expect(ring.title == "Tea" && ring.hints["urgency"] == .integer(2))
    #expect(
      ring.buttons == [
        "default: Quiet for 1 min", "add-minute: +1 min", "restart: Restart", "stop: Stop",
      ])
    // `belfry timer list` shows the timer's end in whole seconds. The exact end is within that
    // second.
    #expect(ring.time > Epoch(due) && ring.time < Epoch(due) + 2)
    let heard = try desk.lab.recorder.waitForSound(after: before)
    #expect(heard - before > 3 - recorderError && heard - before < 5)
    let over = try watch.waitForNotification(since: ring.time) { overtime($0) ?? 0 >= 2 }
    #expect(Double(try #require(overtime(over))) <= over.time - before - 3)
    // The notification of the ring has replaced the countdown. The sound, a tone of 1000 Hz, is the
    // one that the config names for this timer.
    #expect(try desk.shownNotifications() == 1)
    #expect(abs(desk.lab.recorder.pitch(from: heard + 0.5, to: heard + 1.5) - 1000) < 30)
    let timer = try desk.timer("tea")
    #expect(timer.state == "ringing" && timer.overtime ?? 0 >= 2)

    let pressed = try desk.lab.press("stop", on: over).time
    try desk.lab.recorder.waitForSilence(after: pressed)
    try desk.waitForStatus("it to be gone") { _ in (try? desk.timers().isEmpty) == true }
    try desk.waitForShown(0)
  }
}
