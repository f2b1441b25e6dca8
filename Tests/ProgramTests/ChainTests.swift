// SPDX-License-Identifier: GPL-3.0-or-later
//
// Timers that go on, on real parts: the button that starts the next, rounds as they are told, an
// agent that is killed in the middle, and the word ahead of an end as it is heard and seen. What
// follows what is tried in the core's `ChainTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ChainTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  private func start(_ keys: String, rest: String = "") throws -> Program {
    try desk.saveText(
      Desk.defaults
        + """
        [[timer]]
        name = "focus"
        duration = "4s"
        label = "Focus"
        sound = "~/high.wav"
        then = "rest"
        repeat = 2
        \(keys)

        [[timer]]
        name = "rest"
        duration = "2s"
        \(rest)

        """)
    return try desk.startAgent()
  }

  private func waitForTitle(_ title: String, _ text: String, since: Epoch) throws
    -> PostedNotification
  {
    try desk.lab.busWatch.waitForNotification(since: since) {
      $0.title == title && $0.text.hasPrefix(text)
    }
  }

  @Test func `stop starts the next, also in an agent that was killed, round by round`() throws {
    let agent = try start("")
    let since = Lab.now
    let started = try desk.belfry("timer focus").output
    #expect(started.contains(/^focus, 1 of 2: rings (tomorrow )?at [\d:]+.*, in 4 s\n$/))
    #expect(try desk.belfry("timer list").output.contains("Focus, 1 of 2"))
    let ring = try waitForTitle(
      "Focus, 1 of 2", "Time's up (4 s timer).\nThen: rest.", since: since)
    let pressed = try desk.lab.press("stop", on: ring).time
    _ = try waitForTitle("rest, 1 of 2", "2 s left of 2 s.", since: pressed)
    try desk.crash(agent)
    let restarted = Lab.now
    try desk.startAgent()
    _ = try waitForTitle("rest, 1 of 2", "Time's up (2 s timer).\nThen: Focus.", since: restarted)
    try desk.expect("stop", "stopped rest")
    let status =
      try JSONSerialization.jsonObject(
        with: Data(desk.belfry("status --json").output.utf8)) as? [String: Any]
    let timer = (status?["timers"] as? [[String: Any]])?.first
    #expect(timer?["id"] as? String == "focus" && timer?["then"] as? String == "rest")
    #expect(timer?["round"] as? Int == 2 && timer?["rounds"] as? Int == 2)
    // Cancelled, nothing follows.
    try desk.belfry("timer cancel")
    #expect(try desk.timers().isEmpty)
    #expect(try desk.belfry("timer again").output.hasPrefix("focus, 1 of 2: rings "))
  }

  @Test func `ahead of the end it is told, and a short sound is heard that fades`() throws {
    _ = try start(#"warn = "3s""#)
    try desk.saveText(
      (try String(contentsOf: desk.config, encoding: .utf8))
        .replacingOccurrences(of: #""4s""#, with: #""8s""#))
    let since = Lab.now
    try desk.belfry("timer focus")
    let told = try waitForTitle("Focus, 1 of 2", "3 s left", since: since + 1)
    #expect(told.buttons == ["add-minute: +1 min"] && told.hints["urgency"] == .integer(1))
    let heard = try desk.lab.recorder.waitForSound(after: since)
    #expect(abs(heard - told.time) < 1 && abs(heard - since - 5) < 1.5)
    let silence = try desk.lab.recorder.waitForSilence(after: heard)
    #expect(silence - heard < 2.5)
    let ring = try desk.lab.recorder.waitForSound(after: silence + 0.3)
    #expect(ring - since > 7.5)
    #expect(abs(desk.lab.recorder.pitch(from: heard + 0.2, to: heard + 0.8) - 1000) < 30)
    try desk.belfry("timer cancel")
    try desk.waitForShown(0)
  }

  @Test func `in a flow the next runs while the one before rings`() throws {
    _ = try start("flow = true\nring_for = \"1s\"", rest: "flow = true")
    let since = Lab.now
    try desk.belfry("timer focus")
    _ = try waitForTitle("Focus, 1 of 2", "Time's up (4 s timer).", since: since)
    let ids = Set(try desk.timers().map { "\($0.id) \($0.state)" })
    #expect(ids.isSubset(of: ["focus ringing", "rest running"]) && ids.contains("rest running"))
    _ = try waitForTitle("rest, 2 of 2", "Time's up (2 s timer).", since: since)
    try desk.belfry("stop")
    #expect(try desk.status().missed.isEmpty)
  }
}
