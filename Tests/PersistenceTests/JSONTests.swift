// SPDX-License-Identifier: GPL-3.0-or-later

import Persistence
import Testing

@Test(arguments: [
  (JSON.null, "null"),
  (.boolean(true), "true"),
  (.integer(-5), "-5"),
  (.integer(.max), "9223372036854775807"),
  (.number(0.5), "0.5"),
  (.number(.infinity), "null"),
  (.string("일어나 ⏰"), "\"일어나 ⏰\""),
  (.string("a\"b\\c\n\t"), #""a\"b\\c\n\t""#),
  (.string("\u{1B}[31m\u{7F}\u{9B}\u{202E}\u{0}"), #""\u001B[31m\u007F\u009B\u202E\u0000""#),
  (.array([.integer(1), .string("x")]), "[1,\"x\"]"),
  (.object(["b": .integer(1), "a": nil, "c": .null]), #"{"b":1,"c":null}"#),
])
func `JSON is written as RFC 8259 requires`(value: JSON, text: String) {
  #expect(value.text == text)
}

@Test func `JSON for people has each member on its own line`() {
  let value = JSON.array([.object(["id": .string("a"), "days": .array([])]), .object([])])
  #expect(
    value.pretty() == """
      [
        {
          "id": "a",
          "days": []
        },
        {}
      ]
      """)
}
