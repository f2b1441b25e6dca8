// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the line that a user types in `belfry watch`, and what Enter does with it.

import Presentation
import Scheduling
import Screen
import System
import Testing

struct WatchEntryTests {
  /// Types `text` into `view`, and returns the action of the last key.
  private func type(_ text: String, in view: inout WatchView) -> KeyAction? {
    var last: KeyAction?
    for letter in text {
      last = view.action(.character(letter))
      if case .type(let entry)? = last { view.entry = entry }
    }
    return last
  }

  @Test func `the user adds an alarm by typing it`() {
    var view = WatchView(read(everything), sampleWording)
    let work = row([
      "time": .string("07:30"), "days": .string("mon,tue,wed,thu,fri"),
      "label": .string("Work q?"),
    ])
    #expect(
      type("n7:30 weekdaXX\u{7F}\u{8}ys Work q?\n", in: &view)
        == .enter(.init(.add, "7:30 weekdays Work q?"), "AddAlarm", [.dictionary(work)]))
    #expect(
      type("\u{15}8\r", in: &view)
        == .enter(.init(.add, "8"), "AddAlarm", [.dictionary(row(["time": .string("08:00")]))]))
    #expect(
      type("\u{15}soon\n", in: &view) == .remark(#""soon" has no time at its beginning or end"#))
    #expect(view.action(.down) == nil && view.action(.character("\u{9B}")) == nil)
    #expect(type("\u{15} \n", in: &view) == .type(nil))
    #expect(type("n" + String(repeating: "가", count: 99), in: &view) == nil)
    #expect(view.entry?.text.utf8.count == 198)
    #expect(view.action(.escape) == .type(nil))
  }

  @Test func `the user moves an alarm by typing a time`() {
    var view = WatchView(read(alarmsOfAllKinds), sampleWording)
    view.selection = .alarm("gym")
    #expect(view.action(.character("v")) == nil)
    view.selection = .alarm("work")
    for (text, time) in [("v8:1q\u{7F}5\n", "8:15"), ("\u{15}3 pm\r", "3 pm")] {
      #expect(
        type(text, in: &view)
          == .enter(.init(.move("work"), time), "Move", [.string("work"), .string(time)]))
    }
    #expect(type("\u{15} \n", in: &view) == .type(nil))
    #expect(view.action(.escape) == .select(nil))
  }

  @Test(
    arguments: [
      (60, .add, "", "        A time, days and a label, such as 7:30 weekdays Work"),
      (60, .add, "soon", "        A time, days and a label, such as 7:30 weekdays Work"),
      (60, .add, "7:30 weekdays Work", "  Rings Mon 07:30, in 1 d 18 h   weekdays   Work"),
      (60, .add, "13:00", "  Rings 13:00, in 3 min 31 s   once"),
      (60, .add, "in 10 minutes tea", "  Rings 13:06, in 10 min   once   tea"),
      (
        80, .add, "오전 9시 첫째 월요일",
        "  Rings 7 Dec 09:00, in 15 d 20 h   the first Monday of each month"
      ),
      (60, .move("work"), "8", "  A time such as 8:15 or 3:30 pm"),
    ] as [(Int, WatchView.Entry.Purpose, String, String)])
  func `the alarm that the typed text would make is shown during typing`(
    columns: Int, purpose: WatchView.Entry.Purpose, text: String, told: String
  ) {
    var view = WatchView(read(alarmsOfAllKinds), sampleWording)
    view.entry = WatchView.Entry(purpose, text)
    let lines = view.lines(WatchView.Size(columns: columns, rows: 12), at: sampleNow).map(\.plain)
    #expect(lines.count == 12)
    #expect(lines[10].trimmed == told.trimmed)
    #expect(lines[11].contains(text))
  }

  @Test func `the end of the typed text is visible at any width of the window`() {
    var view = WatchView(read(alarmsOfAllKinds), sampleWording)
    for entry in [WatchView.Entry(.add, "7:30 평일 일어나 ⏰"), .init(.move("work"), "8:15 ⏰")] {
      view.entry = entry
      for columns in 1...90 {
        let lines = view.lines(WatchView.Size(columns: columns, rows: 8), at: sampleNow)
        #expect(lines.count == 8 && lines.allSatisfy { $0.width <= columns })
        if columns >= 12 { #expect(lines[7].plain.contains("⏰ ")) }
      }
      for rows in 1...7 {
        #expect(view.lines(WatchView.Size(columns: 40, rows: rows), at: sampleNow).count == rows)
      }
    }
    // An error is shown on the line above the typed text.
    view.remark = "no"
    let lines = view.lines(WatchView.Size(columns: 60, rows: 8), at: sampleNow).map(\.plain)
    #expect(lines[6].trimmed == "no" && lines[7].contains("Work once at: 8:15 ⏰ "))
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
