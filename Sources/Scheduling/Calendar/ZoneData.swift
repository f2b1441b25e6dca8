// SPDX-License-Identifier: GPL-3.0-or-later
//
// The past and future offsets of one time zone, read from the bytes of a tz database file (TZif,
// RFC 9636) or from a POSIX rule. The bytes are not trusted: data that are cut short or contradict
// themselves are refused. Leap seconds are removed, because `Instant` does not count them. The
// caller opens the file; `ZoneRule.swift` reads the rule.

public enum ZoneDataError: Error, Hashable, Sendable {
  case notZoneData
  case cutShort
  /// The data contradict themselves; the text says how, in a few words.
  case damaged(String)
}

public struct ZoneData: Hashable, Sendable {
  /// The offset before the first change.
  private var first: ZoneRule.Offset
  /// The changes of the offset, in order of time. Each change has another offset than the change
  /// before.
  private var changes: [Change] = []
  /// The rule for the time after the last change; nil if the offset does not change any more.
  private var rule: ZoneRule?

  private struct Change: Hashable, Sendable {
    var at: Instant
    var offset: ZoneRule.Offset
  }

  public static let utc = ZoneData(first: ZoneRule.Offset(abbreviation: "UTC", seconds: 0))

  private init(first: ZoneRule.Offset) { self.first = first }

  /// Reads a rule that POSIX allows in `TZ`, such as `KST-9`; nil if `text` is not such a rule.
  public init?(rule text: String) {
    guard let rule = ZoneRule(text) else { return nil }
    first = rule.standard
    self.rule = rule
  }

  public init(file bytes: [UInt8]) throws(ZoneDataError) {
    var reader = ZoneReader(rest: bytes[...])
    var block = try reader.block(bytesPerTime: 4)
    // From version 2 on, a second block contains the same data with times of eight bytes. After it
    // comes a rule for the time after the last change.
    if block.version >= UInt8(ascii: "2") {
      block = try reader.block(bytesPerTime: 8)
      rule = try reader.footer()
    }
    first = block.types[0]
    for (time, type) in zip(block.times, block.indices) where block.types[type] != last {
      changes.append(Change(at: time, offset: block.types[type]))
    }
  }

  private var last: ZoneRule.Offset { changes.last?.offset ?? first }

  public func interval(containing instant: Instant) -> ZoneInterval {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= instant { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, rule != nil { return ruled(instant) }
    return ZoneInterval(
      start: low == 0 ? nil : changes[low - 1].at, end: low < changes.count ? changes[low].at : nil,
      offset: low == 0 ? first : changes[low - 1].offset)
  }

  /// Returns the interval that contains `instant`, which must not be before the last change,
  /// because only the time after that change follows the rule.
  private func ruled(_ instant: Instant) -> ZoneInterval {
    let begin = changes.last?.at
    var (start, offset) = (begin, last)
    for change in rule?.changes(around: instant) ?? [] where change.offset != offset {
      if let begin, change.at <= begin { continue }
      if change.at > instant {
        return ZoneInterval(start: start, end: change.at, offset: offset)
      }
      (start, offset) = (change.at, change.offset)
    }
    return ZoneInterval(start: start, end: nil, offset: offset)
  }
}

extension ZoneInterval {
  fileprivate init(start: Instant?, end: Instant?, offset: ZoneRule.Offset) {
    self.init(
      start: start, end: end, offset: offset.seconds, abbreviation: offset.abbreviation)
  }
}

// MARK: - Reading

private struct ZoneBlock {
  var version: UInt8
  /// The times of the changes, ascending.
  var times: [Instant] = []
  /// For each of the `times`, the index in `types` of the offset that begins then.
  var indices: [Int] = []
  /// The offsets. Not empty once the block has been read.
  var types: [ZoneRule.Offset] = []
}

private struct ZoneReader {
  var rest: ArraySlice<UInt8>

  mutating func block(bytesPerTime: Int) throws(ZoneDataError) -> ZoneBlock {
    guard try read(4).elementsEqual("TZif".utf8) else { throw .notZoneData }
    var block = ZoneBlock(version: try read(1).first ?? 0)
    _ = try read(15)
    let counts = try numbers(6, bytes: 4).map { Int($0) }
    let (utc, standard, leaps, changes) = (counts[0], counts[1], counts[2], counts[3])
    let (types, letters) = (counts[4], counts[5])
    guard types > 0, counts.allSatisfy({ $0 >= 0 }) else { throw .damaged("no offset") }
    let times = try numbers(changes, bytes: bytesPerTime)
    block.indices = try read(changes).map { Int($0) }
    let records = try read(types * 6)
    let names = try read(letters)
    let corrections = try self.corrections(leaps, bytesPerTime)
    _ = try read(standard + utc)
    block.types = try self.types(records, names)
    guard block.indices.allSatisfy({ $0 < types }) else { throw .damaged("no such offset") }
    guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw .damaged("changes out of order")
    }
    block.times = times.map {
      Instant(seconds: $0) - .seconds(corrections.seconds(until: $0))
    }
    return block
  }

  /// The rule on the last line of the file; nil if that line is empty.
  mutating func footer() throws(ZoneDataError) -> ZoneRule? {
    guard try read(1).first == UInt8(ascii: "\n") else { throw .damaged("no last line") }
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { throw .cutShort }
    if end == rest.startIndex { return nil }
    guard let rule = ZoneRule(String(decoding: rest[..<end], as: UTF8.self)) else {
      throw .damaged("its rule is none")
    }
    return rule
  }

  private func types(
    _ records: ArraySlice<UInt8>, _ names: ArraySlice<UInt8>
  ) throws(ZoneDataError) -> [ZoneRule.Offset] {
    var reader = ZoneReader(rest: records)
    var types: [ZoneRule.Offset] = []
    while !reader.rest.isEmpty {
      let seconds = try reader.numbers(1, bytes: 4)[0]
      // The second byte says whether the offset is summer time, which does not matter here.
      let name = try reader.read(2).last.map { Int($0) } ?? 0
      // RFC 9636 allows offsets from about 25 hours west to 26 hours east.
      guard (-89_999...93_599).contains(seconds) else { throw .damaged("an offset of days") }
      guard name < names.count else { throw .damaged("no such abbreviation") }
      let letters = names.dropFirst(name).prefix { $0 != 0 }
      types.append(
        ZoneRule.Offset(
          abbreviation: String(decoding: letters, as: UTF8.self), seconds: Int(seconds)))
    }
    return types
  }

  /// Reads the leap seconds that are counted in the file's times. Only the zone files under
  /// `right/` count leap seconds.
  private mutating func corrections(
    _ count: Int, _ bytesPerTime: Int
  ) throws(ZoneDataError) -> [(from: Int64, seconds: Int64)] {
    var corrections: [(from: Int64, seconds: Int64)] = []
    for _ in 0..<count {
      corrections.append(
        (try numbers(1, bytes: bytesPerTime)[0], try numbers(1, bytes: 4)[0]))
    }
    return corrections
  }

  private mutating func numbers(_ count: Int, bytes: Int) throws(ZoneDataError) -> [Int64] {
    let block = try read(count * bytes)
    return stride(from: block.startIndex, to: block.endIndex, by: bytes).map { start in
      let number = block[start..<start + bytes].reduce(0) { $0 << 8 | UInt64($1) }
      return bytes == 4
        ? Int64(Int32(truncatingIfNeeded: number)) : Int64(truncatingIfNeeded: number)
    }
  }

  private mutating func read(_ count: Int) throws(ZoneDataError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw .cutShort }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

extension [(from: Int64, seconds: Int64)] {
  fileprivate func seconds(until time: Int64) -> Int64 {
    last { $0.from <= time }?.seconds ?? 0
  }
}
