// SPDX-License-Identifier: GPL-3.0-or-later
//
// The screen of `belfry watch` in windows of several sizes, to the letter, and what holds in all.

import Configuration
import Language
import Presentation
import Scheduling
import Screen
import System
import Testing

@Suite struct WatchViewTests {
  private func shown(
    _ status: Variant?, _ columns: Int, _ rows: Int, _ change: (inout WatchView) -> Void = { _ in }
  ) -> String {
    var view = WatchView(status.map(snapshot), sampleWording)
    change(&view)
    let lines = view.lines(WatchView.Size(columns: columns, rows: rows), at: sampleNow)
    return lines.map { line in
      var text = line.plain[...]
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }.joined()
  }

  @Test func `80 columns have two of lists`() {
    #expect(
      shown(everything, 80, 24) == """

                            ██    ██████      ██████  ██████
                          ████        ██  ██  ██      ██
                            ██    ██████      ██████  ██████   ▀▀█ █▀█
                            ██    ██      ██      ██  ██  ██   █▀▀ ▀▀█
                          ██████  ██████      ██████  ██████   ▀▀▀ ▀▀▀
                                   Saturday 21 November 2026

           Night shift ringing since 12:54, snoozed twice
           피자 🍕 is over, +1:15

          Alarms ─────────────────────────────    Stopwatch ──────────────────────────
          13:01         Medicine       snoozed    █ █ ▄ █▀█ █▀█   █▀▀
          21:33         Work        8 h 36 min    ▀▀█ ▄ █ █ █ █   ▀▀█
          Sun 09:46     일어나 ⏰  20 h 50 min      ▀   ▀▀▀ ▀▀▀ ▀ ▀▀▀
          24 Dec 12:56  Train             33 d    3  1:32.42  3:38.75  slowest
          Timers ─────────────────────────────    2  1:05.09  2:06.32
          Tea         ━━━━━─────────────  2:52    1  1:01.22  1:01.22  fastest
          Eggs paused ━━━━━─────────────  5:00
          피자 🍕     ━━━━━━━━━━━━━━━━━━ +1:15    World ──────────────────────────────
          Missed ─────────────────────────────    Home                 21:56
          01:49  Gym  nobody answered             Kathmandu            18:41
                                                  서울 친구            01:56  tomorrow
              s stop   z snooze   space pause   + 1 min   l lap   ? keys   q quit

        """)
  }

  @Test func `40 columns have one, in short`() {
    #expect(
      shown(everything, 40, 20) == """

             ██    ██████      ██████  ██████
           ████        ██  ██  ██      ██
             ██    ██████      ██████  ██████
             ██    ██      ██      ██  ██  ██
           ██████  ██████      ██████  ██████
               Saturday 21 November 2026

          Night shift ringing since 12:54, sno…
          피자 🍕 is over, +1:15

         13:01  Medicine snoozed     5 min 20 s
         21:33  Work                 8 h 36 min
         Tea         ━━━━━╾─────────────── 2:52
         Eggs paused ━━━━━━─────────────── 5:00
         01:49  Gym  nobody answered
         4:00.5
         3  1:32.42  3:38.75  slowest
         Home                       21:56  +9 h
          s stop   z snooze   ? keys   q quit

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

  @Test func `200 columns have larger figures`() {
    let lines = shown(quietMorning, 200, 60).split(
      separator: "\n", omittingEmptySubsequences: false)
    let figures = lines.filter { $0.contains("█") }
    #expect(figures.count == 10)
    #expect(figures.map(\.count).max() == 142)
    #expect(lines.contains { $0.hasSuffix("  Saturday 21 November 2026") })
    #expect(
      lines.contains(
        String(repeating: " ", count: 68)
          + "24 Dec 12:56  Train                                         33 d"))
  }

  @Test func `a quiet morning, by the twelve-hour clock`() {
    let status = status(
      ["alarms": .dictionaries([alarm("work", "Work", in: 31_000)])], clock: "12h")
    #expect(
      shown(status, 60, 14) == """

                        ▄█  ▀▀█ ▄ █▀▀ █▀▀ pm
                         █  █▀▀ ▄ ▀▀█ █▀█   █▀▀ ▀▀█
                        ▀▀▀ ▀▀▀   ▀▀▀ ▀▀▀   ▀▀▀ ▀▀▀
                         Saturday 21 November 2026
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
                         Saturday 21 November 2026

           The agent is gone: nothing will ring






                        r start it   ? keys   q quit

        """)
  }

  @Test func `its keys are told on demand, and for all there is room`() {
    #expect(
      shown(everything, 60, 24) { $0.showsKeys = true } == """
           Night shift ringing since 12:54, snoozed twice
           피자 🍕 is over, +1:15
                     s      stop what rings
                     z      snooze what rings
                     m      missed alarms are seen
                     ↑ ↓    choose an alarm or a timer
                     -      skip the alarm's next ring
                     v      move it
                     u      take that back
                     o      switch the alarm on or off
                     t      ring now as it will
                     n      add an alarm
                     space  pause or resume the timer
                     +      a minute more
                     x      cancel the timer
                     R      start it again
                     a      the last timer again
                     w      start or stop the stopwatch
                     l      lap
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
          var view = WatchView(status.map(snapshot), sampleWording)
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

  @Test(
    arguments: [
      ("q", KeyAction.quit), ("?", .showKeys), ("s", .call("Stop", [.string("")])),
      ("z", .call("Snooze", [.string(""), .int64(0)])),
      (" ", .timer("PauseTimer", id: "tea")),
      ("+", .timer("AddToTimer", id: "tea", [.int64(60)])),
      ("x", .timer("CancelTimer", id: "tea")), ("l", .call("StopwatchLap")),
      ("w", .call("StopwatchStop")), ("0", .call("StopwatchReset")),
      ("m", .call("AcknowledgeMissed")), ("j", .select(.alarm("med"))),
      ("k", .select(.timer("pizza"))),
    ] as [(Character, KeyAction)])
  func `keys ask for what the footer says`(key: Character, action: KeyAction) {
    #expect(WatchView(snapshot(everything), sampleWording).action(.character(key)) == action)
  }

  @Test func `keys are for the timer that was chosen`() {
    var view = WatchView(snapshot(everything), sampleWording)
    view.selection = .timer("eggs")
    #expect(view.action(.character(" ")) == .timer("ResumeTimer", id: "eggs"))
    #expect(view.action(.down) == .select(.timer("pizza")))
    #expect(view.action(.escape) == .select(nil))
    view.selection = .timer("pizza")
    #expect(view.action(.character("s")) == .call("Stop", [.string("pizza")]))
    #expect(view.action(.down) == .select(.alarm("med")))
    view.selection = .timer("gone")
    #expect(view.action(.character("x")) == .timer("CancelTimer", id: "tea"))
  }

  @Test func `one of several that ring is chosen, and stopped alone`() {
    let ringing = { (id: String) in
      row(["id": .string(id), "label": .string(""), "state": .string("ringing")])
    }
    let both = status(["alarms": .dictionaries([ringing("work"), ringing("pills")])])
    var view = WatchView(snapshot(both), sampleWording)
    #expect(view.action(.character("s")) == .call("Stop", [.string("")]))
    #expect(view.action(.down) == .select(.alarm("work")))
    view.selection = .alarm("work")
    #expect(view.action(.character("s")) == .call("Stop", [.string("work")]))
    #expect(view.action(.down) == .select(.alarm("pills")))
    #expect(shown(both, 60, 12) { $0.selection = .alarm("pills") }.contains("ringing  ▸ pills"))
  }

  @Test func `keys are for the alarm that was chosen, and then for no timer`() {
    var view = WatchView(snapshot(alarmsOfAllKinds), sampleWording)
    #expect(["-", "u", "o", "t"].allSatisfy { view.action(.character($0)) == nil })
    view.selection = .alarm("work")
    #expect(view.action(.character("-")) == .call("Skip", [.string("work")]))
    #expect(view.action(.character("u")) == .call("Unskip", [.string("work")]))
    #expect(
      view.action(.character("o")) == .call("SetEnabled", [.strings(["work"]), .boolean(false)]))
    #expect(view.action(.character("t")) == .call("Rehearse", [.string("work")]))
    #expect(view.action(.character("s")) == .call("Stop", [.string("")]))
    #expect([" ", "+", "x", "R"].allSatisfy { view.action(.character($0)) == nil })
    view.selection = .alarm("gym")
    #expect(
      view.action(.character("o")) == .call("SetEnabled", [.strings(["gym"]), .boolean(true)]))
    #expect(view.action(.down) == .select(.alarm("last")))
    #expect(view.action(.up) == .select(.alarm("work")))
    view.selection = .alarm("med")
    #expect(view.action(.character("s")) == .call("Stop", [.string("med")]))
    view.selection = .alarm("gone")
    #expect(["-", "o", "t", "x"].allSatisfy { view.action(.character($0)) == nil })
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
              - skip   u take back   v move   ? keys   q quit
        """)
    #expect(
      list("gym") == """
          13:01      Medicine snoozed                   5 min 20 s
          Sun 00:03  Moved moved                        11 h 6 min
          Sun 13:56  Work after a skip                     1 d 1 h
          off        ▸ Gym
          skipped    Last
          Timers ─────────────────────────────────────────────────
          Tea                                                 2:52
          ━━━━━━━━━━━━━╾───────────────────────────────────  12:59
           o switch on   t try it   n new alarm   ? keys   q quit
        """)
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
    // Midway at half past eleven in the evening, seen from which Kiritimati is two dates ahead.
    let now = Now(
      wall: sampleNow.wall + .minutes(634), boot: sampleNow.boot, bootID: sampleNow.bootID)
    let clocks = status([
      "clocks": .dictionaries([
        city("Kiritimati", "Pacific/Kiritimati", 25 * 3600), city("Seoul", "Asia/Seoul", 9 * 3600),
        city("Here", "UTC", 0),
      ])
    ])
    let view = WatchView(snapshot(clocks), sampleWording)
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

  @Test func `without an agent keys start it, or leave`() {
    let view = WatchView(nil, sampleWording)
    #expect(view.action(.character("r")) == .startAgent)
    #expect(view.action(.character("s")) == nil)
    #expect(view.action(.character("q")) == .quit)
  }

  /// What a click on the first `words` on the screen asks for.
  private func click(_ words: String, _ columns: Int, _ rows: Int, in view: WatchView) -> KeyAction?
  {
    let lines = view.lines(WatchView.Size(columns: columns, rows: rows), at: sampleNow)
    for (row, line) in lines.enumerated() {
      guard let place = line.plain.firstRange(of: words) else { continue }
      let column = StyledText(String(line.plain[..<place.lowerBound])).width
      return view.action(.click(column: column, row: row), on: lines)
    }
    return nil
  }

  @Test(arguments: [(20, 8), (40, 20), (60, 24), (90, 30), (120, 50)])
  func `a click chooses what it is on, or does what a key does`(columns: Int, rows: Int) {
    var view = WatchView(snapshot(alarmsOfAllKinds), sampleWording)
    for (name, choice) in [
      ("Medicine", .alarm("med")), ("13:01", .alarm("med")), ("Tea", .timer("tea")),
      ("2:52", .timer("tea")),
    ] as [(String, Choice)] {
      #expect(click(name, columns, rows, in: view) == .select(choice))
    }
    #expect(click("q quit", columns, rows, in: view) == .quit)
    #expect(click("quit", columns, rows, in: view) == .quit)
    let none = view.lines(WatchView.Size(columns: columns, rows: rows), at: sampleNow)
    for (column, row) in [(0, 0), (columns - 1, 0), (0, rows), (columns, 0), (.max, .max)] {
      #expect(view.action(.click(column: column, row: row), on: none) == nil)
    }
    guard columns >= 60 else { return }
    view.selection = .alarm("work")
    #expect(click("u take back", columns, rows, in: view) == .call("Unskip", [.string("work")]))
    #expect(click("? keys", columns, rows, in: view) == .showKeys)
    view.showsKeys = true
    #expect(click("? back", columns, rows, in: view) == .showKeys)
    #expect(click("↓", columns, rows, in: view) == .select(.alarm("gym")))
    #expect(click("skip the alarm's", columns, rows, in: view) == .call("Skip", [.string("work")]))
    #expect(click("choose", columns, rows, in: view) == nil)
    view.selection = .timer("tea")
    #expect(click("space", columns, rows, in: view) == .timer("PauseTimer", id: "tea"))
    // What is typed stays.
    view.showsKeys = false
    view.entry = .init(.move("work"), "8:15")
    #expect(click("Medicine", columns, rows, in: view) == nil)
    #expect(
      click("Enter", columns, rows, in: view)
        == .enter(.init(.move("work"), "8:15"), "Move", [.string("work"), .string("8:15")]))
    #expect(click("Esc", columns, rows, in: view) == .type(nil))
    #expect(view.action(.wheel(1)) == nil)
  }

  @Test func `the wheel moves the choice, and stays at the ends`() {
    var view = WatchView(snapshot(alarmsOfAllKinds), sampleWording)
    func turn(_ step: Int, _ count: Int) -> [Choice?] {
      (0..<count).map { _ in
        if case .select(let choice)? = view.action(.wheel(step)) { view.selection = choice }
        return view.selection
      }
    }
    #expect(turn(1, 2) == [.alarm("med"), .alarm("moved")])
    #expect(turn(-1, 3) == [.alarm("med"), .alarm("med"), .alarm("med")])
    #expect(turn(1, 6).suffix(2) == [.timer("tea"), .timer("tea")])
    #expect(WatchView(nil, sampleWording).action(.wheel(1)) == nil)
  }

  @Test func `where nothing is set, a click adds an alarm`() {
    let view = WatchView(snapshot(status([:])), sampleWording)
    #expect(click("n adds one", 60, 20, in: view) == .type(.init(.add)))
  }
}
