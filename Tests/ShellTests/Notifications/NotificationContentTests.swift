// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that text written by strangers becomes harmless before a server shows it.

import Language
import Testing

@testable import Notifications

@Suite struct NoticeTests {
  @Test(arguments: [
    ("", ""),
    ("Work", "Work"),
    ("  Work\n", "Work"),
    ("a\nb\r\nc\u{2028}d\te", "a b c d e"),
    ("bell\u{7}, \u{1B}[31mred\u{1B}[0m, nul\u{0}, c1\u{9B}", "bell, [31mred[0m, nul, c1"),
    ("<b>&amp;</b>", "<b>&amp;</b>"),
    ("\u{202E}evil\u{202C} \u{2066}isolate", "evil isolate"),
    ("\u{202E}", ""),
    ("\u{200F}שלום", "\u{200F}שלום"),
    ("아침 👨‍👩‍👧‍👦", "아침 👨‍👩‍👧‍👦"),
    ("12345678901", "123456789…"),
    ("123456789\u{7}0", "1234567890"),
    (String(repeating: "👨‍👩‍👧‍👦", count: 11), String(repeating: "👨‍👩‍👧‍👦", count: 9) + "…"),
  ])
  func `any text becomes one short line without control characters`(
    _ text: String, _ expected: String
  ) {
    let limit = expected.hasPrefix("bell") || expected.count > 10 ? 100 : 10
    #expect(NotificationContent.line(text, atMost: limit) == expected)
  }

  @Test func `a paragraph keeps its lines`() {
    #expect(NotificationContent.paragraph("a\r\nb\n\nc\u{7}\n", atMost: 10) == "a\nb\n\nc")
  }

  @Test func `a letter keeps no more combining marks than any language needs`() {
    let tower = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(NotificationContent.line(tower, atMost: 10).unicodeScalars.count == 31)
  }

  @Test func `markup is escaped`() {
    #expect("<b>&amp;</b> \"'".markup == "&lt;b&gt;&amp;amp;&lt;/b&gt; \"'")
  }
}
