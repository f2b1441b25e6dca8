// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import Values

@Test(arguments: [
  (Value.null, "null"),
  (.boolean(true), "true"),
  (.integer(-5), "-5"),
  (.integer(.max), "9223372036854775807"),
  (.number(0.5), "0.5"),
  (.number(.infinity), "null"),
  (.string("일어나 ⏰"), "\"일어나 ⏰\""),
  (.string("a\"b\\c\n\t"), #""a\"b\\c\n\t""#),
  (.string("\u{1B}[31m\u{7F}\u{9B}\u{202E}\u{0}"), #""\u001B[31m\u007F\u009B\u202E\u0000""#),
  (.list([.integer(1), .string("x")]), "[1,\"x\"]"),
  (.table(["b": .integer(1), "a": nil, "c": .null]), #"{"b":1,"c":null}"#),
])
func `JSON is written as RFC 8259 requires`(value: Value, text: String) {
  #expect(value.json == text)
}

@Test func `JSON for people has each member on its own line`() {
  let value = Value.list([.table(["id": .string("a"), "days": .list([])]), .table([])])
  #expect(
    value.prettyJSON() == """
      [
        {
          "id": "a",
          "days": []
        },
        {}
      ]
      """)
}

struct JSONReaderTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-5", "9223372036854775807", "0.5", "\"일어나 ⏰\"",
    #""a\"b\\c\n\t""#, #"[1,"x",[],{}]"#, #"{"a":1,"b":{"c":[null]}}"#, "1795386600.012",
  ])
  func `JSON that is written is read back`(text: String) {
    #expect(Value(json: text)?.json == text)
    #expect(Value(json: " \n\t\(text) \r\n")?.json == text)
  }

  @Test func `spaces are allowed around every part of JSON`() {
    let text = #"{ "a" : [ 1 , true , [ ] ] , "b" : { } , "c" : "x" }"#
    #expect(Value(json: text)?.json == #"{"a":[1,true,[]],"b":{},"c":"x"}"#)
    #expect(Value(json: text.replacing(" ", with: "\r\n\t "))?.json == Value(json: text)?.json)
  }

  @Test(arguments: [
    (#""\u0041\u00e9\ud83d\ude00\/\b\f\r""#, "Aé😀/\u{8}\u{C}\r"), (#""\u001b""#, "\u{1B}"),
  ])
  func `escape sequences are read`(text: String, value: String) {
    #expect(Value(json: text) == .string(value))
  }

  @Test(arguments: [
    "", " ", "nul", "truee", "-", "1e", "1e+", "--1", "0x1", "NaN", "1 2", "1e999",
    "\"", "\"\n\"", #""\x""#, #""\u12""#, #""\ud83d""#, #""\ud83dx""#, #""\udc00""#, "[", "[1",
    "[1,]", "[,1]", "]", "{", "{}}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", "{1:1}",
  ])
  func `a text that is not JSON is refused`(text: String) {
    #expect(Value(json: text) == nil)
  }

  @Test func `numbers are read as whole numbers if possible`() {
    #expect(Value(json: "9223372036854775808") == .number(9_223_372_036_854_775_808))
    #expect(Value(json: "-1.5E+2") == .number(-150) && Value(json: "0") == .integer(0))
    #expect(Value(json: "-0")?.number == 0 && Value(json: "10")?.integer == 10)
  }

  @Test func `depth brings nothing down`() {
    for (begin, end) in [("[", "]"), (#"{"":"#, "}"), (#"[{"":"#, "}]")] {
      #expect(Value(json: String(repeating: begin, count: 1_000_000)) == nil)
      for depth in [31, 32] {
        let count = begin.hasPrefix("[{") ? depth / 2 : depth
        let head = String(repeating: begin, count: count)
        let text = head + "1" + String(repeating: end, count: count)
        #expect((Value(json: text) == nil) == (depth == 32), "\(text)")
      }
    }
  }
}
