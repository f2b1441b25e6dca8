// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests, on real servers, a timer that is followed by another timer. The test covers the notice
// before the end, the button that starts the next timer, and an agent that is killed after that.
// `SchedulingTests/ChainTests.swift` tests which timer comes next.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ChainTests {
  @Test
  func `a timer gives notice before its end, and Stop starts the next timer, even after a crash`()
    throws
  {
    let desk = try Desk()
    try desk.saveText(
      Desk.defaults
        + """
        [[timer]]
        name = "focus"
        duration = "11s"
        label = "Focus"
        sound = "~/high.wav"
        then = ["rest", "long-rest"]
        repeat = 2
        warn = "6s"

        [[timer]]
        name = "rest"
        duration = "2s"

        [[timer]]
        name = "long-rest"
        duration = "4s"

        """)
    let agent = try desk.startAgent()
    func wait(_ title: String, _ text: Regex<Substring>, since: Epoch) throws -> PostedNotification
    {
      try desk.lab.busWatch.waitForNotification(since: since) {
        $0.title == title && $0.text.prefixMatch(of: text) != nil
      }
    }
    let since = Lab.now
    let started = try desk.belfry("timer focus").output
    let begun = Lab.now
    let told = try #require(
      started.wholeMatch(of: /focus, 1 of 2: ends (?:tomorrow )?at [\d:]+.*, in (\d+) s\n/))
    let left = try #require(Double(told.1))
    #expect(left <= 11 && left >= 11 - (begun - since))
    #expect(try desk.belfry("timer list").output.contains("Focus, 1 of 2"))
    let warned = try desk.lab.busWatch.waitForNotification(since: since + 1) {
      $0.title == "Focus, 1 of 2" && $0.text.prefixMatch(of: /6 s left(?! of)/) != nil
    }
    #expect(warned.buttons == ["add-minute: +1 min"] && warned.hints["urgency"] == .integer(1))
    let heard = try desk.lab.recorder.waitForSound(after: since)
    #expect(abs(heard - warned.time) < 1)
    #expect(heard > since + 5 - recorderError && heard < begun + 6.5)
    let silence = try desk.lab.recorder.waitForSilence(after: heard)
    #expect(silence - heard < 2.5)
    #expect(abs(desk.lab.recorder.pitch(from: heard + 0.2, to: heard + 0.8) - 1000) < 30)

    let ring = try wait(
      "Focus, 1 of 2", /Time's up(?:, \d s ago)? \(11 s timer\)\.\nThen: rest\./, since: since)
    let pressed = try desk.lab.press("stop", on: ring).time
    _ = try wait("rest, 1 of 2", /[12] s left of 2 s\./, since: pressed)
    // On a busy disk, the agent goes on after 150 ms, before the state is saved: see
    // `EffectSequence`.
    try desk.wait("the next timer to be saved") { desk.state.contains("id = \"rest\"") }
    try desk.crash(agent)
    let restarted = Lab.now
    try desk.startAgent()
    _ = try wait(
      "rest, 1 of 2", /Time's up(?:, \d s ago)? \(2 s timer\)\.\nThen: Focus\./, since: restarted)
    try desk.expect("stop", "stopped rest")
    let status = try desk.belfry("status --json").output
    for field in [#""id": "focus""#, #""then": "long-rest""#, #""round": 2"#, #""rounds": 2"#] {
      #expect(status.contains(field), "\(status)")
    }
    // If a timer is cancelled, the next timer does not start.
    try desk.belfry("timer cancel")
    #expect(try desk.timers().isEmpty)
    #expect(try desk.belfry("timer again").output.hasPrefix("focus, 1 of 2: ends "))
    try desk.belfry("timer cancel")
  }
}
