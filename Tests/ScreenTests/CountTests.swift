// SPDX-License-Identifier: GPL-3.0-or-later

import Scheduling
import Screen
import Testing

@Suite struct CountTests {
  @Test(arguments: [
    (Duration.zero, "0:00"), (.milliseconds(1), "0:01"), (.seconds(59), "0:59"),
    (.milliseconds(59_001), "1:00"), (.seconds(3599), "59:59"), (.hours(26), "26:00:00"),
    (.seconds(-3), "0:00"),
  ])
  func `a countdown shows 0:00 only when all time is over`(left: Duration, text: String) {
    #expect(Count.down(left) == text)
  }

  @Test(arguments: [
    (Duration.zero, 0, "0:00"), (.milliseconds(999), 0, "0:00"), (.milliseconds(999), 1, "0:00.9"),
    (.milliseconds(61_005), 2, "1:01.00"), (.seconds(3661), 1, "1:01:01.0"),
    (.seconds(-3), 1, "0:00.0"),
  ])
  func `the stopwatch shows only time that has passed in full`(
    elapsed: Duration, digits: Int, text: String
  ) {
    #expect(Count.up(elapsed, digits: digits) == text)
  }

  @Test(arguments: [
    (0.0, "──────"), (0.5, "━━━───"), (0.6, "━━━╾──"), (1.0, "━━━━━━"), (7.0, "━━━━━━"),
    (-1.0, "──────"), (.nan, "──────"),
  ])
  func `a progress bar is heavy up to the part that is done`(part: Double, bar: String) {
    #expect(Count.bar(part, 6, .plain).plain == bar)
  }

  @Test func `large figures are as wide as the code that places them expects`() {
    for size in [Figures.Size.half, .full(1), .full(2)] {
      for text in ["", "1", "12:30", "0:00.5"] {
        let lines = Figures.lines(text, size, .plain)
        #expect(lines.count == size.rows)
        #expect(lines.allSatisfy { $0.width == Figures.width(of: text, size) })
      }
    }
  }
}
