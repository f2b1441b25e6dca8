// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the actions of keys and clicks on the screen of `belfry watch`.

import Configuration
import Language
import Presentation
import Scheduling
import Screen
import System
import Testing

@Suite struct WatchKeysTests {
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
  func `each key does what the footer says`(key: Character, action: KeyAction) {
    #expect(WatchView(read(everything), sampleWording).action(.character(key)) == action)
  }

  @Test func `keys act on the timer that is selected`() {
    var view = WatchView(read(everything), sampleWording)
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

  @Test func `one of several ringing alarms can be selected and stopped alone`() {
    let ringing = { (id: String) in
      row(["id": .string(id), "label": .string(""), "state": .string("ringing")])
    }
    let both = status(["alarms": .dictionaries([ringing("work"), ringing("pills")])])
    var view = WatchView(read(both), sampleWording)
    #expect(view.action(.character("s")) == .call("Stop", [.string("")]))
    #expect(view.action(.down) == .select(.alarm("work")))
    view.selection = .alarm("work")
    #expect(view.action(.character("s")) == .call("Stop", [.string("work")]))
    #expect(view.action(.down) == .select(.alarm("pills")))
    #expect(shown(both, 60, 12) { $0.selection = .alarm("pills") }.contains("ringing  ▸ pills"))
  }

  @Test func `keys act on the alarm that is selected, and not on a timer`() {
    var view = WatchView(read(alarmsOfAllKinds), sampleWording)
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

  @Test func `without an agent, keys only start the agent or quit`() {
    let view = WatchView(nil, sampleWording)
    #expect(view.action(.character("r")) == .startAgent)
    #expect(view.action(.character("s")) == nil)
    #expect(view.action(.character("q")) == .quit)
  }

  /// Returns the action of a click on the first place on the screen that shows `words`.
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
  func `a click selects the row under it, or does what a key in the footer does`(
    columns: Int, rows: Int
  ) {
    var view = WatchView(read(alarmsOfAllKinds), sampleWording)
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
    // While the user is typing a line, a click on a row does not discard that line.
    view.showsKeys = false
    view.entry = .init(.move("work"), "8:15")
    #expect(click("Medicine", columns, rows, in: view) == nil)
    #expect(
      click("Enter", columns, rows, in: view)
        == .enter(.init(.move("work"), "8:15"), "Move", [.string("work"), .string("8:15")]))
    #expect(click("Esc", columns, rows, in: view) == .type(nil))
    #expect(view.action(.wheel(1)) == nil)
  }

  @Test func `the mouse wheel moves the selection and stops at the ends of the list`() {
    var view = WatchView(read(alarmsOfAllKinds), sampleWording)
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

  @Test func `without any alarm, a click adds one`() {
    let view = WatchView(read(status([:])), sampleWording)
    #expect(click("press n to add one", 60, 20, in: view) == .type(.init(.add)))
  }
}
