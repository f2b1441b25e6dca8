// SPDX-License-Identifier: GPL-3.0-or-later
//
// Splits the text of an iCalendar file (RFC 5545) into components and properties, each with its
// line. Values are kept as text. A file that is cut short, nested too deep or too large is refused.
// Next: `EventTime.swift`, which reads values, and `EventDays.swift`, which computes the days.

public struct CalendarProperty: Sendable {
  /// The name in capitals, such as `DTSTART`.
  public var name: String
  /// The parameters by name in capitals, without quotes.
  public var parameters: [String: String] = [:]
  /// The value as it is in the file, with its backslash escapes.
  public var value: String
  public var line: Int
}

public struct CalendarComponent: Sendable {
  /// The kind in capitals, such as `VEVENT`.
  public var kind: String
  public var line: Int
  public var properties: [CalendarProperty] = []
  public var parts: [CalendarComponent] = []

  /// The first property called `name` that has a value. An empty value means that the property is
  /// absent.
  public subscript(_ name: String) -> CalendarProperty? {
    properties.first { $0.name == name && !$0.value.isEmpty }
  }

  public func all(_ name: String) -> [CalendarProperty] {
    properties.filter { $0.name == name && !$0.value.isEmpty }
  }
}

public enum CalendarTextError: Error, Hashable, Sendable {
  /// The text is not iCalendar or is incomplete. `line` is the line of the error.
  case notWhole(line: Int)
  case tooMany
}

extension CalendarComponent {
  /// The maximum number of events and tasks, and of all components, of one file.
  public static let mostEvents = 20_000
  private static let mostParts = 4 * mostEvents
  private static let deepest = 8

  /// Reads the calendars of a file.
  public static func read(_ bytes: [UInt8]) throws(CalendarTextError) -> [CalendarComponent] {
    if let place = bytes.firstIndex(of: 0) {
      throw .notWhole(line: 1 + bytes[..<place].count { $0 == 10 })
    }
    var open = [CalendarComponent(kind: "", line: 1)]
    var (parts, events) = (0, 0)
    for (line, text) in unfolded(bytes) {
      let property = CalendarProperty(text, line)
      switch property.name {
      case "BEGIN":
        let kind = property.value.uppercased()
        open.append(CalendarComponent(kind: kind, line: line))
        parts += 1
        if kind == "VEVENT" || kind == "VTODO" { events += 1 }
        if events > mostEvents { throw .tooMany }
        if open.count > deepest + 1 || parts > mostParts { throw .notWhole(line: line) }
      case "END":
        guard open.count > 1, let closed = open.popLast() else { throw .notWhole(line: line) }
        open[open.count - 1].parts.append(closed)
      default: open[open.count - 1].properties.append(property)
      }
    }
    if open.count > 1 { throw .notWhole(line: open[open.count - 1].line) }
    let calendars = open[0].parts.filter { $0.kind == "VCALENDAR" }
    if calendars.isEmpty { throw .notWhole(line: 1) }
    return calendars
  }

  /// Joins lines that were folded: a line that begins with a space continues the one before it.
  private static func unfolded(_ bytes: [UInt8]) -> [(line: Int, text: [UInt8])] {
    var lines: [(line: Int, text: [UInt8])] = []
    var (number, start) = (1, 0)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
      let text = bytes[start..<end]
      if let first = text.first, first == 32 || first == 9, !lines.isEmpty {
        lines[lines.count - 1].text += text.dropFirst()
      } else if !text.isEmpty {
        lines.append((number, Array(text)))
      }
      start = end + 1
      if end + 1 < bytes.count, bytes[end] == 13, bytes[end + 1] == 10 { start += 1 }
      number += 1
    }
    return lines
  }
}

extension CalendarProperty {
  /// Reads a line such as `DTSTART;TZID="Asia/Seoul":20260102T090000`. A colon or semicolon in
  /// quotes belongs to the value of a parameter.
  fileprivate init(_ text: [UInt8], _ line: Int) {
    var (pieces, isQuoted, end) = ([[UInt8]()], false, text.count)
    for (place, byte) in text.enumerated() {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ":"), !isQuoted {
        end = place
        break
      } else if byte == UInt8(ascii: ";"), !isQuoted {
        pieces.append([])
      } else {
        pieces[pieces.count - 1].append(byte)
      }
    }
    self.line = line
    name = String(decoding: pieces[0], as: UTF8.self).trimmed.uppercased()
    value = String(decoding: text.dropFirst(end + 1), as: UTF8.self).trimmed
    for piece in pieces.dropFirst() {
      let parts = piece.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = String(decoding: parts[0], as: UTF8.self).trimmed.uppercased()
      parameters[name] = String(decoding: parts[1], as: UTF8.self).trimmed
    }
  }
}

extension String {
  var trimmed: String {
    let bytes = utf8
    func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(self[first...last])
  }
}
