// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Lab itself, on its real servers: what it claims to hear, see, press and end. What it is for
// is in the other files of this folder.

import Foundation
import Lab
import Testing

struct LabTests {
  let lab: Lab
  init() throws { lab = try Lab(.bus, .display, .notifications, .sound) }

  /// Posts a notification as an alarm does, in the name of a bus connection that ends at once.
  private func post(_ title: String, _ body: String = "") throws -> PostedNotification {
    let before = Lab.now
    let result = try lab.run(
      "gdbus", "call", "--session", "--dest=org.freedesktop.Notifications",
      "--object-path=/org/freedesktop/Notifications",
      "--method=org.freedesktop.Notifications.Notify", "app", "0", "", title, body,
      #"["default","Show","snooze-600","Snooze 10 min","stop","Stop"]"#,
      #"{"urgency":<byte 2>,"value":<int32 7>,"category":<"alarm">}"#, "0")
    #expect(result.errors == "")
    return try lab.busWatch.waitForNotification(since: before)
  }

  @Test func `a button is pressed among several, of the notification that is meant`() throws {
    let first = try post("First [3,stop] \"quoted\" <b>", "two\nlines")
    let second = try post("Second")
    #expect(first.title == "First [3,stop] \"quoted\" <b>")
    #expect(first.body == "two\nlines")
    #expect(first.actions.map(\.key) == ["default", "snooze-600", "stop"])
    #expect(first.hints["category"] == .string("alarm"))
    try lab.press("snooze-600", on: first)
    try lab.press("default", on: second)
  }

  @Test func `the recorder hears a player that uses ALSA's default, and its end`() throws {
    let before = Lab.now
    let player = try lab.start(
      "speaker-test", arguments: ["--device=default", "--test=sine", "--frequency=1000"])
    try lab.recorder.waitForSound(after: before)
    player.kill()
    try lab.recorder.waitForSilence()
    #expect(lab.recorder.isSilent(from: before - 1, to: before))
  }
}
