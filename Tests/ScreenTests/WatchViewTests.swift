// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact screen of `belfry watch` in windows of several sizes, and rules that hold for
// every size.

import Configuration
import Language
import Presentation
import Scheduling
import Screen
import System
import Testing

@Suite struct WatchViewTests {
  @Test func `80 columns have two of lists`() {
    #expect(
      shown(everything, 80, 24) == """

                            ██    ██████      ██████  ██████
                          ████        ██  ██  ██      ██
                            ██    ██████      ██████  ██████   ▀▀█ █▀█
                            ██    ██      ██      ██  ██  ██   █▀▀ ▀▀█
                          ██████  ██████      ██████  ██████   ▀▀▀ ▀▀▀
                                      Saturday 21 Nov 2026

           Night shift ringing since 12:54, snoozed twice
           피자 🍕 is over, +1:15

          Alarms ─────────────────────────────    Stopwatch ──────────────────────────
          13:01         Medicine       snoozed    █ █ ▄ █▀█ █▀█   █▀▀
          21:33         Work        8 h 36 min    ▀▀█ ▄ █ █ █ █   ▀▀█
          Sun 09:46     일어나 ⏰  20 h 50 min      ▀   ▀▀▀ ▀▀▀ ▀ ▀▀▀
          24 Dec 12:56  Train             33 d    3  1:32.42  3:38.75  slowest
          Timers ─────────────────────────────    2  1:05.10  2:06.33
          Tea         ━━━━━─────────────  2:52    1  1:01.23  1:01.23  fastest
          Eggs paused ━━━━━─────────────  5:00
          피자 🍕     ━━━━━━━━━━━━━━━━━━ +1:15    World ──────────────────────────────
          Missed ─────────────────────────────    Home                 21:56
          01:49  Gym  nobody answered             Kathmandu            18:41
                                                  서울 친구            01:56  tomorrow
              s stop   z snooze   space pause   + 1 min   l lap   ? keys   q quit

        """)
  }

  @Test func `20 columns and 8 rows have what matters most`() {
    #expect(
      shown(everything, 20, 8) == """
         ▄█  ▀▀█ ▄ █▀▀ █▀▀
          █  █▀▀ ▄ ▀▀█ █▀█
         ▀▀▀ ▀▀▀   ▀▀▀ ▀▀▀
         2 ring
        13:01  Medici… 5 min
        Tea ━━━──────── 2:52
        01:49  Gym  nobody …
          ? keys   q quit

        """)
  }

  @Test func `a quiet morning, by the twelve-hour clock`() {
    let status = status(
      ["alarms": .dictionaries([alarm("work", "Work", in: 31_000)])], clock: "12h")
    #expect(
      shown(status, 60, 14) == """

                        ▄█  ▀▀█ ▄ █▀▀ █▀▀ pm
                         █  █▀▀ ▄ ▀▀█ █▀█   █▀▀ ▀▀█
                        ▀▀▀ ▀▀▀   ▀▀▀ ▀▀▀   ▀▀▀ ▀▀▀
                            Saturday 21 Nov 2026
          Alarms ─────────────────────────────────────────────────
          9:33 pm  Work                                 8 h 36 min






                n new alarm   w stopwatch   ? keys   q quit

        """)
  }

  @Test func `an agent that is gone is told of, and nothing that it said before is`() {
    #expect(
      shown(nil, 60, 16) == """

                  ██    ██████      ██████  ██████
                ████        ██  ██  ██      ██
                  ██    ██████      ██████  ██████   ▀▀█ █▀█
                  ██    ██      ██      ██  ██  ██   █▀▀ ▀▀█
                ██████  ██████      ██████  ██████   ▀▀▀ ▀▀▀
                            Saturday 21 Nov 2026

           The agent is gone: nothing will ring






                        r start it   ? keys   q quit

        """)
  }

  @Test func `its keys are told on demand, and for all there is room`() {
    #expect(
      shown(everything, 60, 24) { $0.showsKeys = true } == """
           Night shift ringing since 12:54, snoozed twice
           피자 🍕 is over, +1:15
                     s      stop what is ringing
                     z      snooze what is ringing
                     ↑ ↓    choose an alarm or a timer
                     -      skip the alarm's next ring
                     v      move it
                     u      undo a skip or a move
                     o      switch the alarm on or off
                     t      ring now, to try it
                     space  pause or resume the timer
                     +      a minute more
                     x      cancel the timer
                     R      start it again
                     a      start the last timer again
                     l      lap
                     m      acknowledge missed alarms
                     n      add an alarm
                     w      start or stop the stopwatch
                     0      reset the stopwatch



                              ? back   q quit

        """)
  }

  @Test func `nothing leaves the window or acts on the terminal, whatever the agent says`() {
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

  @Test func `what is unusual with an alarm is told, and what keys do with the chosen one`() {
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

  @Test func `a clock two days ahead is not said to be at tomorrow`() {
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

  @Test func `one that has nothing to come but asks whether the user is up is listed`() {
    let asked = status(["alarms": .dictionaries([checked(isAsked: true)])])
    let list = shown(asked, 60, 6) { $0.selection = .alarm("work") }
      .split(separator: "\n").suffix(2).joined(separator: "\n")
    #expect(
      list == """
          12:59  ▸ Work check                                3 min
          o switch off   t try it   n new alarm   ? keys   q quit
        """)
  }

  @Test func `what is chosen is seen, however small the window`() {
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
