// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the values of TOML and their positions, on which diagnostics and edits rely.

import Scheduling
import TOML
import Testing

@Suite struct TOMLTests {
  func value(_ text: String) throws -> TOMLValue {
    try #require(try TOMLDocument.parse("x = " + text).root["x"])
  }

  @Test func `every kind of value is read`() throws {
    let local = CivilDateTime(date(2026, 12, 24), time(7, 30, 15))
    let half: UInt32 = 500_000_000
    let kinds: [(String, TOMLValue.Kind)] = [
      (#""a\u0000\t가""#, .string("a\0\t가")), ("'\\n'", .string("\\n")),
      ("\"\"\"\na\nb\"\"\"", .string("a\nb")), ("0x10", .integer(16)), ("-1_000", .integer(-1000)),
      ("9223372036854775807", .integer(.max)), ("1.5", .float(1.5)), ("inf", .float(.infinity)),
      ("true", .boolean(true)), ("2026-12-24", .date(local.date)),
      ("07:30:15.5", .time(local.time, nanosecond: half)),
      ("2026-12-24T07:30:15.5", .dateTime(local, nanosecond: half)),
      ("2026-12-24 07:30:15.5-01:30", .offsetDateTime(local, nanosecond: half, minutesEast: -90)),
      ("2026-12-24 07:30:15.5Z", .offsetDateTime(local, nanosecond: half, minutesEast: 0)),
      ("0000-05-01", .date(date(1, 1, 1))),
      ("[]", .array([])), ("{}", .table(TOMLTable())),
    ]
    for (text, kind) in kinds { #expect(try value(text).kind == kind) }
    #expect(try value("07:30").kind == .time(time(7, 30)))
  }

  @Test func `a table keeps its keys in the order of the text`() throws {
    let root = try TOMLDocument.parse("z = 1\na = 2\n[m]\nb = 1\na = 2\n[c.d]\n[m.e]\n[[z2]]").root
    #expect(root.entries.map(\.key) == ["z", "a", "m", "c", "z2"])
    guard case .table(let m)? = root["m"]?.kind else {
      Issue.record("no table")
      return
    }
    #expect(m.entries.map(\.key) == ["b", "a", "e"])
    #expect(root["nothing"] == nil)
  }

  @Test func `each key and each value has its line and column`() throws {
    let text = "\u{FEFF}a = 'x'\r\n\t\"가\" = [1, {b = true}]\n\n[[t]]\nc.d = 07:30 # e\n[[t]]\n"
    let root = try TOMLDocument.parse(text).root
    var places: [String] = []
    func note(_ value: TOMLValue, _ name: String) {
      places.append("\(name) \(value.position.line):\(value.position.column)")
      switch value.kind {
      case .array(let elements): for element in elements { note(element, name + "[]") }
      case .table(let table): note(table, name + ".")
      default: break
      }
    }
    func note(_ table: TOMLTable, _ name: String) {
      for entry in table.entries {
        places.append("\(name)\(entry.key) \(entry.keyPosition.line):\(entry.keyPosition.column)")
        note(entry.value, name + entry.key)
      }
    }
    note(root, "")
    #expect(
      places == [
        "a 1:1", "a 1:5", "가 2:2", "가 2:8", "가[] 2:9", "가[] 2:12",
        "가[].b 2:13", "가[].b 2:17", "t 4:3", "t 4:1", "t[] 4:1", "t[].c 5:1",
        "t[].c 5:1", "t[].c.d 5:3", "t[].c.d 5:7", "t[] 6:1",
      ])
  }

  @Test func `letters of any script may be in keys, as in TOML 1.1`() throws {
    let root = try TOMLDocument.parse("é = 1\n가 = 2\nあ.ж = 3\n").root
    #expect(root.entries.map(\.key) == ["é", "가", "あ"])
    #expect(throws: TOMLError.self) { try TOMLDocument.parse("× = 1") }
  }

  @Test(
    "a limit of dots applies to keys only, not to values and comments",
    arguments: [
      (#"a = "\#(dots)""#, true), ("a = '\(dots)'", true), ("a = 1 # \(dots) # \(dots)", true),
      ("a = [" + String(repeating: "1.5, ", count: 400) + "]", true),
      ("a = [" + String(repeating: "'./x.ogg', ", count: 400) + "]", true),
      ("a = \"\"\"\n\(dots)\"\n\(dots)\"\"\"\"\"", true), ("a = '''\n\(dots)''\n'''", true),
      (#"a = "\"\#(dots)""#, true), ("a = \"\"\"\\\n\(dots)\"\"\"", true),
      (parts + " = 1", false), (String(repeating: "'a'.", count: 300) + "a = 1", false),
      ("a = {b = '''\n''', \(parts) = 1}", false), ("a = {b = '''x'''', \(parts) = 1}", false),
      (#"a = {b = "\"", \#(parts) = 1}"#, false), (#"a = {b = '\', \#(parts) = 1}"#, false),
      ("a = 1 # '\n\(parts) = 1", false), ("[\(parts)]", false),
    ])
  func countsDots(text: String, isRead: Bool) {
    do throws(TOMLError) {
      _ = try TOMLDocument.parse(Array(text.utf8))
      #expect(isRead, "\(text.prefix(40))")
    } catch {
      // A key with too many dots is refused before the text is parsed. Only the line of this error
      // is known, so its column is given as 1.
      var column: Int?
      if case .syntax(let place) = error { column = place.column }
      #expect(column == 1 && !isRead, "\(text.prefix(40)): \(error)")
    }
  }

  private static let dots = String(repeating: ".x", count: 300)
  private static let parts = String(repeating: "a.", count: 300) + "a"

  @Test func `a syntax error has a line and a column`() {
    let end = TOMLPosition(line: 2, column: 7)
    #expect(throws: TOMLError.syntax(at: end)) { try TOMLDocument.parse("\na = [1") }
  }
}
