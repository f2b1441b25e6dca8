// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests text for the terminal: its width, cutting, styles and tables. Also tests that control
// characters in the text have no effect.

import Language
import Screen
import Testing

@Suite struct StyledTextTests {
  @Test(arguments: [
    ("work", 4), ("일어나", 6), ("⏰ up", 5), ("é", 1), ("e\u{301}", 1), ("🇰🇷", 2), ("", 0),
    // Control characters are shown as text, such as `\u001B`, so that they do not affect the
    // terminal.
    ("\u{1B}[31m", 10), ("a\u{200B}b", 8),
  ])
  func `the width of a text is counted in columns`(text: String, width: Int) {
    #expect(StyledText(text).width == width)
  }

  @Test(arguments: [
    ("work", 4, "work"), ("work", 3, "wo…"), ("work", 1, "…"), ("work", 0, ""),
    // If a letter is two columns wide, it is not cut in half, so one column may stay empty.
    ("일어나", 6, "일어나"), ("일어나", 5, "일어…"), ("일어나", 4, "일…"), ("e\u{301}tude", 3, "e\u{301}t…"),
  ])
  func `a text is cut to a number of columns`(text: String, columns: Int, cut: String) {
    #expect(StyledText(text).cut(to: columns).plain == cut)
  }

  @Test func `a text is filled with spaces at its end, at its start, or on both sides`() {
    let text = StyledText("알람")
    #expect(text.fitted(7).plain == "알람   ")
    #expect(text.fitted(7, .right).plain == "   알람")
    #expect(text.fitted(7, .centre).plain == " 알람  ")
    #expect(text.fitted(3, .centre).plain == "알…")
  }

  @Test func `the palette decides which parts of a style are visible`() {
    let text =
      StyledText("a", Style(colour: .red, isBold: true)) + StyledText("b", .dim) + StyledText("c")
    #expect(text.rendered(.colour) == "\u{1B}[1;31ma\u{1B}[0m\u{1B}[2mb\u{1B}[0mc")
    #expect(text.rendered(.monochrome) == "\u{1B}[1ma\u{1B}[0mbc")
    #expect(text.rendered(.none) == "abc")
    #expect(text.plain == "abc")
  }

  @Test(arguments: [
    "\u{1B}]0;owned\u{7}", "\u{9B}2J", "\u{202E}kcab", "\u{2066}x", "a\r\nb", "\u{FEFF}",
    "\u{200B}",
    "\u{2060}", "\u{FFF9}",
  ])
  func `no text contains characters that control the terminal`(text: String) {
    for palette in [Palette.none, .monochrome, .colour] {
      let shown = StyledText(text).cut(to: 20).rendered(palette).unicodeScalars
      #expect(!shown.contains(where: TerminalText.acts))
    }
  }

  @Test func `tables are aligned in every script`() {
    let rows = [["07:30", "일어나", "", "in 8 h"], ["8:00", "⏰", "", "in 12 h"], ["9:00"]]
    #expect(
      Columns.lines(rows.map { $0.map { StyledText($0) } }).map(\.plain) == [
        "07:30  일어나  in 8 h", "8:00   ⏰      in 12 h", "9:00",
      ])
    #expect(Columns.lines([]) == [])
  }
}
