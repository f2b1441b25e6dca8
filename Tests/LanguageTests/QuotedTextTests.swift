// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how messages shorten long texts.

import Language
import Testing

@Test func `a long text is cut at its end, and a path in its middle`() {
  func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
  for (text, shown) in [
    ("short", "short"), (many("a", 61), many("a", 60) + "…"),
    ("/home/someone/Music/" + many("x", 41), "/home/someone/Music/…" + many("x", 40)),
    (
      "/home/someone/Music/" + many("x", 50) + "/rooster.ogg",
      "/home/someone/Music/…" + many("x", 28) + "/rooster.ogg"
    ), ("/a/" + many("\n", 70), "/a/" + many("\\n", 17) + "…" + many("\\n", 40)),
  ] { #expect(TerminalText.quoted(text) == "\"\(shown)\"") }
}

/// A combining mark after a slash, and a prepended letter before it, make one `Character` with it.
@Test func `a path is divided at each slash, also beside a letter that joins it`() {
  let path = "/home/\u{301}x/\u{0D4E}/y"
  #expect(OutsideText.names(in: path) == ["home", "\u{301}x", "\u{0D4E}", "y"])
  #expect(OutsideText.lastSlash(in: path).map { String(path[$0...]) } == "/y")
  #expect(OutsideText.hasSlash("a\u{0D4E}/b") && OutsideText.isAbsolute("/\u{301}x"))
}
