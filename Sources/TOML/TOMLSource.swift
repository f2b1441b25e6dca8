// SPDX-License-Identifier: GPL-3.0-or-later
//
// A text with the places of what is in it, its lines, and how bytes are put into it and
// taken out. Line ends are those of the place. Next: `EntryLocation.swift`.

struct TOMLSource {
  private(set) var bytes: [UInt8]
  /// Of the text before any splice.
  let statements: [TOMLLayout.Statement]
  /// Behind a byte order mark.
  let start: Int

  init(_ bytes: [UInt8]) throws(TOMLLayout.Failure) {
    self.bytes = bytes
    statements = try TOMLLayout.statements(of: bytes)
    start = TOMLDocument.start(of: bytes)
  }

  /// Bytes to put in the place of others.
  struct Splice {
    var range: Range<Int>
    var text: [UInt8]

    init(_ range: Range<Int>, _ text: some Sequence<UInt8> = []) {
      (self.range, self.text) = (range, Array(text))
    }
    init(at offset: Int, _ text: some Sequence<UInt8>) { self.init(offset..<offset, text) }
  }

  /// Makes all of them at once: none lies in another, those at one place keep their order.
  mutating func splice(_ splices: [Splice]) {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + splices.reduce(0) { $0 + $1.text.count })
    var done = 0
    let sorted = splices.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }.map(\.element)
    for splice in sorted {
      result += bytes[done..<max(done, splice.range.lowerBound)]
      result += splice.text
      done = max(done, splice.range.upperBound)
    }
    bytes = result + bytes[done...]
  }

  // MARK: - Lines

  /// Where the line with this offset begins.
  func lineStart(_ offset: Int) -> Int {
    let newline = bytes[start..<offset].lastIndex(of: UInt8(ascii: "\n"))
    return newline.map { $0 + 1 } ?? start
  }

  /// Where the line with this offset ends, in front of its line end.
  func lineEnd(_ offset: Int) -> Int {
    let next = nextLine(offset)
    return next - lineBreakLength(before: next)
  }

  /// Where the line after the one with this offset begins, or the text ends.
  func nextLine(_ offset: Int) -> Int {
    bytes[offset...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
  }

  /// The line end of the line with this offset; of the last one, that of the line before.
  func lineBreak(at offset: Int) -> [UInt8] {
    var next = nextLine(offset)
    if lineBreakLength(before: next) == 0 { next = lineStart(offset) }
    let length = lineBreakLength(before: next)
    return length == 0 ? [UInt8(ascii: "\n")] : Array(bytes[next - length..<next])
  }

  /// Of the line end in front of the line that begins there; none for the first.
  func lineBreakLength(before next: Int) -> Int {
    guard next > start, bytes[next - 1] == UInt8(ascii: "\n") else { return 0 }
    return next - 2 >= start && bytes[next - 2] == UInt8(ascii: "\r") ? 2 : 1
  }

  /// White space at the beginning of the line with this offset.
  func indentation(_ offset: Int) -> [UInt8] {
    let line = bytes[lineStart(offset)..<lineEnd(offset)]
    return Array(line.prefix(while: Self.isSpace))
  }

  /// Whether only white space stands before it in its line.
  func isFirstInLine(_ offset: Int) -> Bool {
    bytes[lineStart(offset)..<offset].allSatisfy(Self.isSpace)
  }

  /// What a line that begins at `offset`, outside of any value, is.
  enum Line { case blank, comment, other }

  func line(_ offset: Int) -> Line {
    let first = bytes[offset..<lineEnd(offset)].first { !Self.isSpace($0) }
    return first.map { $0 == UInt8(ascii: "#") ? .comment : .other } ?? .blank
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  // MARK: - How keys are written

  /// How the keys of a table are written, learnt from those that are there.
  struct Style {
    private var before: [UInt8] = [UInt8(ascii: " ")]
    private var after: [UInt8] = [UInt8(ascii: " ")]
    /// The column of `=`, where all have the same.
    private var width: Int?

    /// `key = value`, where `longest` other key is written with it.
    func assignment(_ key: String, _ value: String, longest: Int = 0) -> [UInt8] {
      let key = Array(TOMLText.key(key).utf8)
      let padding = width.map { max($0, longest + 1) - key.count } ?? before.count
      let spaces =
        width == nil ? before : Array(repeating: UInt8(ascii: " "), count: max(1, padding))
      return key + spaces + [UInt8(ascii: "=")] + after + value.utf8
    }
  }

  func style(of items: [TOMLLayout.Item]) -> Style {
    Style(items.map { ($0.key.count, Array(bytes[$0.key.upperBound..<$0.value.lowerBound])) })
  }
}

extension TOMLSource.Style {
  /// From the length of each key, and what is between it and its value.
  fileprivate init(_ keys: [(length: Int, separator: [UInt8])]) {
    guard let last = keys.last else { return }
    let sides = keys.map { key in
      let equals = key.separator.firstIndex(of: UInt8(ascii: "=")) ?? 0
      return (spaces: Array(key.separator[..<equals]), end: key.length + equals)
    }
    let isEven = sides.allSatisfy { $0.end == sides[0].end }
    let isPadded = sides.contains { $0.spaces.count > 1 && !$0.spaces.contains(UInt8(ascii: "\t")) }
    width = isEven && isPadded ? sides[0].end : nil
    before = sides.last?.spaces ?? []
    after = Array(last.separator.drop { $0 != UInt8(ascii: "=") }.dropFirst())
  }
}
