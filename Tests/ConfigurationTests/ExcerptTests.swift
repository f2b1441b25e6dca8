// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how a terminal shows diagnostics: with the line of the file, with a caret under the error,
// and without characters that control the terminal.

import Configuration
import Language
import Testing

@Suite struct ExcerptTests {
  /// Returns what a terminal shows of the first diagnostic about `text`, without its headline.
  func excerpt(_ text: String) -> [String] { excerpt(Array(text.utf8)) }

  func excerpt(_ bytes: [UInt8]) -> [String] {
    let shown = read(bytes).diagnostics.first?.description(showing: SourceLines(bytes)) ?? ""
    return shown.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map(
      String.init)
  }

  @Test func `the wrong line and a caret are shown between the message and the hint`() {
    let text = "[[alarm]]\ntime = 07:30\ndays = \"mondy\"\n"
    #expect(
      read(text).diagnostics.map { $0.description(showing: SourceLines(Array(text.utf8))) } == [
        """
        config.toml:3:8: error: no weekday is called "mondy"
            days = "mondy"
                   ^
        hint: did you mean "monday"?
        """
      ])
  }

  @Test func `the words are in the user's language, and the form stays the same`() {
    let german = [
      "error": "Fehler", "no weekday is called %1$s": "kein Wochentag heißt %1$s",
      "hint: %1$s": "Hinweis: %1$s", "did you mean \"%1$s\"?": "ist „%1$s“ gemeint?",
    ]
    let text = "[[alarm]]\ntime = 07:30\ndays = \"mondy\"\n"
    let translated = { (message: Message) in message.text { german[$0.key] ?? $0.key } }
    let found = read(text).diagnostics[0]
    let shown = found.description(showing: SourceLines(Array(text.utf8)), in: translated)
    #expect(
      shown == """
        config.toml:3:8: Fehler: kein Wochentag heißt "mondy"
            days = "mondy"
                   ^
        Hinweis: ist „monday“ gemeint?
        """)
    let lines = shown.split(separator: "\n")
    #expect(found.description(in: translated) == "\(lines[0])\n\(lines[3])")
  }

  @Test(
    "the caret is right under the column of the error",
    arguments: [
      ("\t\tvolme = 1", "      volme = 1", 6),
      ("agent = {mixer = \"가\", volme = 1}", "    agent = {mixer = \"가\", volme = 1}", 21),
      ("alarm = [{label = \"가나\"}]", "    alarm = [{label = \"가나\"}]", 13),
      ("defaults = {sound = \"가나\", volme = 1}", "    defaults = {sound = \"가나\", volme = 1}", 32),
      ("\u{FEFF}volme = 1\r\n", "    volme = 1", 4),
      ("[", "    [", 5),
    ])
  func caret(text: String, line: String, column: Int) {
    let shown = excerpt(text)
    #expect(shown.first == line)
    #expect(shown.dropFirst().first?.count == column + 1)
  }

  @Test func `accents joined from two code points take one column, and wide letters two`() {
    #expect(TerminalText.width(of: "e") == 1)
    #expect(TerminalText.width(of: "\u{301}") == 0)
    #expect(TerminalText.width(of: "\u{200D}") == 0)
    #expect(["가", "あ", "中", "Ａ", "⏰", "👍"].map(TerminalText.width) == [2, 2, 2, 2, 2, 2])
    #expect(["é", "ж", "…", "─"].map(TerminalText.width) == [1, 1, 1, 1])
  }

  @Test func `characters that control a terminal are not shown`() {
    let hostile = "# \u{9B}31m \u{202E}\nvolme = 1 # \u{9B}2J\u{2066}\u{85}\n"
    let source = SourceLines(Array(hostile.utf8))
    let shown = Diagnostic(
      file: "f", line: 2, column: 1, severity: .error, message: Message(verbatim: "m")
    ).description(showing: source)
    #expect(shown == "f:2:1: error: m\n    volme = 1 # \u{FFFD}2J\u{FFFD}\u{FFFD}\n    ^")
    #expect(
      TerminalText.quoted("a\u{1B}]0;x\u{7}\n\t\u{2028}") == #""a\u001B]0;x\u0007\n\t\u2028""#)
    #expect(excerpt([0x61, 0xFF, 0x0A]).first == "    a\u{FFFD}")
  }

  @Test func `a long text is cut in a message, and a long line is cut around the caret`() {
    let long = String(repeating: "가", count: 200)
    #expect(TerminalText.quoted(long) == "\"" + long.prefix(60) + "…\"")
    #expect(TerminalText.quoted("a" + String(repeating: "\u{301}", count: 999)).utf8.count < 130)
    for column in [1, 39, 40, 150, 390] {
      let text = String(repeating: "x", count: 400)
      let shown = Diagnostic(
        file: "f", line: 1, column: column, severity: .error, message: Message(verbatim: "m")
      ).description(showing: SourceLines(Array(text.utf8))).split(separator: "\n")
      #expect(shown.count == 3)
      #expect(shown[1].count <= 4 + 76 + 2)
      #expect(shown[1].hasPrefix(column < 40 ? "    xxx" : "    …xxx"))
      #expect(shown[1].hasSuffix(column == 390 ? "xxx" : "xxx…"))
      #expect(shown[2].last == "^" && shown[2].count <= shown[1].count)
    }
    // A line of 76 characters is shown whole.
    for count in [76, 77] {
      let line = excerpt(String(repeating: "x", count: count)).first
      #expect(line?.hasPrefix("    …") == (count > 76))
    }
  }

  @Test func `a line of wide letters is shown with the caret up to column 10,000`() {
    let text = String(repeating: "👍", count: 20_000)
    let shown = Diagnostic(
      file: "f", line: 1, column: 10_000, severity: .error, message: Message(verbatim: "m")
    ).description(showing: SourceLines(Array(text.utf8))).split(separator: "\n")
    #expect(shown[1] == "    …" + String(repeating: "👍", count: 76) + "…")
    #expect(shown[2] == String(repeating: " ", count: 4 + 1 + 2 * 38) + "^")
  }

  @Test(
    "a place that the text does not have gives no excerpt",
    arguments: [(1, 1), (3, 1), (0, 1), (2, 10_001), (2, 0)])
  func noExcerpt(line: Int, column: Int) {
    let diagnostic = Diagnostic(
      file: "f", line: line, column: column, severity: .warning, message: Message(verbatim: "m"),
      hint: Message(verbatim: "h"))
    let source = SourceLines(Array("\nab".utf8))
    #expect(diagnostic.description(showing: source) == "f:\(line):\(column): warning: m\nhint: h")
  }
}
