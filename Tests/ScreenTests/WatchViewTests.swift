// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact screen of `belfry watch` in windows of several sizes, which are in `Screens.txt`,
// and rules that hold for every size.

import Configuration
import Language
import Presentation
import Scheduling
import Screen
import System
import TestData
import Testing

@Suite struct WatchViewTests {
  /// Returns the screen with this name from the file `Screens.txt`.
  private func screen(_ name: String) -> String? {
    let found = table("Screens.txt").split(separator: "== ").first { $0.hasPrefix(name) }
    return found.map { String($0.dropFirst(name.count + 1).dropLast()) }
  }

  @Test func `windows of several sizes show what matters most`() {
    let quiet = status(
      ["alarms": .dictionaries([alarm("work", "Work", in: 31_000)])], clock: "12h")
    #expect(shown(everything, 80, 24) == screen("80 columns"))
    #expect(shown(everything, 20, 8) == screen("20 columns"))
    #expect(shown(quiet, 60, 14) == screen("a quiet morning"))
    // Without an agent, nothing that the agent reported before is shown.
    #expect(shown(nil, 60, 16) == screen("no agent"))
    #expect(shown(everything, 60, 24) { $0.showsKeys = true } == screen("keys"))
  }

  @Test func `whatever the agent reports, nothing leaves the window or controls the terminal`() {
    for status in [everything, hostileStatus, quietMorning, .dictionary([]), nil] {
      for (columns, rows) in [
        (1, 1), (2, 3), (9, 2), (20, 8), (33, 17), (40, 20), (72, 16), (80, 24), (300, 90),
      ] {
        for showsKeys in [false, true] {
          var view = WatchView(status.map(read), sampleWording)
          view.showsKeys = showsKeys
          let lines = view.lines(WatchView.Size(columns: columns, rows: rows), at: sampleNow)
          #expect(lines.count == rows)
          #expect(lines.allSatisfy { $0.width <= columns }, "\(columns) x \(rows)")
          let text = lines.map { $0.rendered(.none) }.joined()
          #expect(!text.unicodeScalars.contains(where: TerminalText.acts))
          #expect(text.unicodeScalars.count < columns * rows * 17)
        }
      }
    }
  }

  @Test func `the list shows what is unusual about an alarm, and the keys for the selected one`() {
    let list = { (chosen: String) in
      shown(alarmsOfAllKinds, 60, 14) { $0.selection = .alarm(chosen) }
        .split(separator: "\n").suffix(9).joined(separator: "\n")
    }
    #expect(
      list("work") == """
          13:01      Medicine snoozed                   5 min 20 s
          Sun 00:03  Moved moved                        11 h 6 min
          Sun 13:56  ▸ Work after a skip                   1 d 1 h
          off        Gym
          skipped    Last
          Timers ─────────────────────────────────────────────────
          Tea                                                 2:52
          ━━━━━━━━━━━━━╾───────────────────────────────────  12:59
              - skip   v move   u take back   ? keys   q quit
        """)
    #expect(list("gym").hasSuffix("\n   o switch on   t try it   n new alarm   ? keys   q quit"))
  }

  @Test func `the keys for what is ringing are shown for a timer, too`() {
    let tea = timer("tea", "Tea", "ringing", of: 240, left: -5)
    let ringing = status(["timers": .dictionaries([tea])])
    let keys = shown(ringing, 60, 14).split(separator: "\n").last ?? ""
    #expect(keys.contains("s stop   z snooze"))
  }

  @Test func `alarms that are paused are listed, with or without an end`() {
    let silent = row([
      "id": .string("work"), "label": .string("Work"), "state": .string("scheduled"),
    ])
    let both = status([
      "alarms": .dictionaries([
        paused(silent), paused(alarm("gym", "Gym", in: 86_400 * 3), until: "2026-11-23"),
      ])
    ])
    let list = shown(both, 60, 7).split(separator: "\n").suffix(3).joined(separator: "\n")
    #expect(
      list == """
          Tue 12:56  Gym paused until Mon 23 Nov               3 d
          paused     Work
                n new alarm   w stopwatch   ? keys   q quit
        """)
  }

  @Test func `a clock that is two days ahead does not show tomorrow`() {
    // At half past eleven in the evening in Midway, the date in Kiritimati is two days ahead.
    let now = Now(
      wall: sampleNow.wall + .minutes(634), boot: sampleNow.boot, bootID: sampleNow.bootID)
    let clocks = status([
      "clocks": .dictionaries([
        city("Kiritimati", "Pacific/Kiritimati", 25 * 3600), city("Seoul", "Asia/Seoul", 9 * 3600),
        city("Here", "UTC", 0),
      ])
    ])
    let view = WatchView(read(clocks), sampleWording)
    let lines = view.lines(WatchView.Size(columns: 60, rows: 20), at: now).map(\.plain)
    let days = ["Kiritimati", "Seoul", "Here"].map { name in
      lines.first { $0.contains(name) }?.firstMatch(of: /\d\d:30(  (in 2 days|tomorrow))?/)?.output
        .2
    }
    #expect(days == ["in 2 days", "tomorrow", nil])
  }

  @Test func `an alarm without a further ring is listed while it asks whether the user is up`() {
    let asked = status(["alarms": .dictionaries([checked(isAsked: true)])])
    let list = shown(asked, 60, 6) { $0.selection = .alarm("work") }
      .split(separator: "\n").suffix(2).joined(separator: "\n")
    #expect(
      list == """
          12:59  ▸ Work check                                3 min
          o switch off   t try it   n new alarm   ? keys   q quit
        """)
  }

  @Test func `the selected alarm is visible in any window of at least 8 rows`() {
    let many = status([
      "alarms": .dictionaries(
        (1...30).map { alarm("a\($0)", "Alarm \($0)", in: Int64($0) * 3600) })
    ])
    for rows in 8...40 {
      let text = shown(many, 60, rows) { $0.selection = .alarm("a30") }
      #expect(text.contains("▸ Alarm 30 "), "\(rows) rows")
    }
  }
}
