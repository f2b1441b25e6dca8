// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how Swift's types are converted to the tree of values and back. `SoundMessageTests.swift`
// and `OutputKeyTests.swift` test the types that Belfry sends.

import Scheduling
import Testing
import Values

private struct Sample: Codable, Equatable {
  enum Colour: String, Codable { case red, green }
  enum Act: Codable, Equatable {
    case stop
    case play(String, after: Duration?)
  }

  var id = "", isLoud = false
  var count = 0, size: Int64 = 0, small: UInt8 = 0
  var share = 0.0
  var length = Duration.zero
  var canSnooze: Bool?
  var colour = Colour.red
  var act = Act.stop
  var words: [String] = []
  var acts: [Act] = []
  var due: Instant?
}

private let full = Sample(
  id: "a", isLoud: true, count: -3, size: 1 << 53, small: 255, share: 0.5,
  length: .microseconds(-7), canSnooze: false, colour: .green,
  act: .play("x", after: .milliseconds(2)), words: ["b", ""], acts: [.play("", after: nil), .stop],
  due: Instant(microseconds: 1_795_386_600_012_345))

struct ValueCoderTests {
  @Test func `each property has a key, and an enum is its raw value or its case`() {
    #expect(
      Value(encoding: full).json == #"{"id":"a","is_loud":true,"count":-3,"#
        + #""size":9007199254740992,"small":255,"share":0.5,"length":-7,"can_snooze":false,"#
        + #""colour":"green","act":{"play":{"_0":"x","after":2000}},"words":["b",""],"#
        + #""acts":[{"play":{"_0":""}},{"stop":{}}],"due":"2026-11-22T22:30:00.012345Z"}"#)
  }

  @Test(arguments: [Sample(), full])
  fileprivate func `a value is read as it was written`(sample: Sample) {
    #expect(Value(encoding: sample).decoded() == sample)
  }

  @Test func `a list of texts has this type even if it is empty`() {
    #expect(Value(encoding: [String]()) == .list([], of: .string))
    #expect(Value(encoding: [Bool]()) == .list([]))
  }

  /// In each entry, the value has another type than the property, or is out of its range.
  @Test(arguments: [
    ("id", "7"), ("is_loud", "0"), ("count", "1.5"), ("size", "9007199254740993"),
    ("small", "256"), ("share", #""1""#), ("share", "1e300"), ("length", "-9007199254740993"),
    ("can_snooze", "null"), ("words", #"["a",1]"#), ("acts", #"[{"sing":{}}]"#), ("due", "7"),
    ("other", "7"),
  ])
  func `a value that is missing or of another type counts as 0, empty or nil`(
    key: String, value: String
  ) {
    let text = #"{"\#(key)":\#(value),"colour":"red","act":{"stop":{}}}"#
    #expect(Value(json: text)?.decoded() == Sample(), "\(text)")
  }

  @Test(arguments: ["7", "[]", "{}", #"{"colour":"blue","act":{"stop":{}}}"#, #"{"colour":"red"}"#])
  func `a struct without the value of an enum cannot be read`(text: String) {
    #expect(Value(json: text)?.decoded(Sample.self) == nil)
  }

  @Test func `an optional is not nil because its value has another type`() {
    #expect(Value.integer(7).decoded(String?.self) == String??.none)
    #expect(Value.null.decoded(String?.self) == .some(nil))
    #expect(Value.string("a").decoded(String?.self) == .some("a"))
  }

  @Test(
    arguments: [
      (Value.date(CivilDate(daysSinceEpoch: 20_820)), "2027-01-02"),
      (.time(.midnight), "00:00"),
      (.dateTime(CivilDateTime(localSeconds: 1)), "1970-01-01T00:00:01"),
      (.instant(Instant(microseconds: -1)), "1969-12-31T23:59:59.999999Z"),
      (.instant(Instant(seconds: 0)), "1970-01-01T00:00:00Z"), (.string("x"), nil),
    ] as [(Value, String?)])
  func `dates and times are written as in RFC 3339`(value: Value, text: String?) {
    #expect(value.dateText == text)
  }
}
