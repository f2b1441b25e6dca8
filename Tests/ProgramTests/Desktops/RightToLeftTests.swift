// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests texts in a language that is written from right to left, with five Hebrew texts. Their
// translations put isolates (U+2068 and U+2069) around the values, so that an English label or a
// time stays where it belongs in the sentence. The isolates must arrive on the screen unchanged.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct RightToLeftTests {
  /// Returns `value` between isolates.
  private func apart(_ value: String) -> String { "\u{2068}\(value)\u{2069}" }

  @Test func `in Hebrew, isolates keep times and labels apart from the words around them`() throws {
    let lab = try Lab(.notifications, .sound)
    try lab.speak(
      "he_IL",
      [
        "Alarm, %1$s": "שעון מעורר, \(apart("%1$s"))",
        "Snoozed until %1$s": "בנודניק עד \(apart("%1$s"))",
        "stopped %1$s": "\(apart("%1$s")): נעצר",
        "%1$s ends %2$s, in %3$s":
          "\(apart("%1$s")): מסתיים \(apart("%2$s")), בעוד \(apart("%3$s"))",
        "%1$s left of %2$s, ends %3$s":
          "נותרו \(apart("%1$s")) מתוך \(apart("%2$s")), מסתיים \(apart("%3$s"))",
      ])
    let desk = try Desk(lab)
    try desk.startAgent()
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("gym", at: due, #"label = "Gym (B2), 7-8""#))
    func wait(_ text: String, since: Epoch) throws -> PostedNotification {
      try desk.lab.busWatch.waitForNotification(since: since) { $0.text.hasPrefix(text) }
    }
    let ringing = try wait("שעון מעורר, \(apart(due.shown)).", since: due.epoch - 1)
    #expect(ringing.title == "Gym (B2), 7-8")
    let pressed = try desk.lab.press("snooze:600", on: ringing).time
    _ = try wait("בנודניק עד \u{2068}", since: pressed)
    #expect(try desk.belfry("stop gym").output == "\(apart("gym")): נעצר\n")

    let started = try desk.belfry("timer 90m --label tea").output
    #expect(started.hasPrefix("\(apart("tea")): מסתיים \u{2068}"), "\(started)")
    #expect(started.hasSuffix("\u{2069}, בעוד \(apart("1 h 30 min"))\n"), "\(started)")
    // A table is for a terminal. It gets the isolates, too, and not their escapes.
    let row = try desk.belfry("timer list").output
    #expect(row.contains("נותרו \u{2068}") && row.contains("מתוך \(apart("1 h 30 min"))"), "\(row)")
  }
}
