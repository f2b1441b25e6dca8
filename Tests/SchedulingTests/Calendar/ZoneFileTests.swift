// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the reader of zone files (TZif, RFC 9636) with files that the tests put together as bytes,
// both whole and damaged. `ZonesTests` reads the zone files of the machine; `ZoneDataTests.swift`
// tests the rules after the last change.

import Scheduling
import Testing

private struct ZoneFile {
  var times: [Int64] = [0, 1000]
  /// For each time in `times`, the index in `types` of the UTC offset that begins then.
  var indices: [UInt8] = [1, 0]
  /// The UTC offsets, each with the position of its abbreviation in `names`.
  var types: [(offset: Int32, name: UInt8)] = [(3600, 0), (7200, 4)]
  var names = "CET\0CEST\0"
  var leapSeconds: [(from: Int64, total: Int32)] = []
  /// How many marks there are of offsets in universal time, and of offsets in standard time.
  var marks = (utc: 0, standard: 0)
  var version = "2"
  var footer = "\n\n"

  /// The file: the data with times of 4 bytes and, from version 2 on, again with times of 8 bytes.
  var bytes: [UInt8] {
    block(4) + (version == "2" ? block(8) + Array(footer.utf8) : [])
  }

  private func block(_ bytesPerTime: Int) -> [UInt8] {
    var block = Array("TZif\(version)".utf8) + Array(repeating: 0, count: 15)
    for count in [
      marks.utc, marks.standard, leapSeconds.count, times.count, types.count, names.utf8.count,
    ] {
      block += Self.bigEndian(Int64(count), 4)
    }
    for time in times { block += Self.bigEndian(time, bytesPerTime) }
    block += indices
    for type in types { block += Self.bigEndian(Int64(type.offset), 4) + [0, type.name] }
    block += names.utf8
    for leap in leapSeconds {
      block += Self.bigEndian(leap.from, bytesPerTime) + Self.bigEndian(Int64(leap.total), 4)
    }
    return block + Array(repeating: 1, count: marks.utc + marks.standard)
  }

  private static func bigEndian(_ number: Int64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

@Suite("Zone files")
struct ZoneFileTests {
  private static func interval(_ file: ZoneFile, at seconds: Int64) throws -> ZoneInterval {
    try ZoneData(file: file.bytes).interval(containing: Instant(seconds: seconds))
  }

  private static func interval(
    _ start: Int64?, _ end: Int64?, _ offset: Int, _ abbreviation: String
  ) -> ZoneInterval {
    ZoneInterval(
      start: start.map { Instant(seconds: $0) }, end: end.map { Instant(seconds: $0) },
      offset: offset, abbreviation: abbreviation)
  }

  @Test("The intervals of a file begin and end with its changes")
  func intervals() throws {
    let file = ZoneFile()
    for (seconds, expected) in [
      (-1, Self.interval(nil, 0, 3600, "CET")), (0, Self.interval(0, 1000, 7200, "CEST")),
      (999, Self.interval(0, 1000, 7200, "CEST")), (1000, Self.interval(1000, nil, 3600, "CET")),
    ] {
      #expect(try Self.interval(file, at: Int64(seconds)) == expected, "at \(seconds)")
    }
  }

  @Test("Marks of universal and standard time are passed over, and version 1 has one block")
  func marks() throws {
    for marks in [(utc: 2, standard: 0), (0, 2), (1, 2)] {
      let file = ZoneFile(marks: marks, footer: "\nCET-1\n")
      #expect(try Self.interval(file, at: 2000) == Self.interval(1000, nil, 3600, "CET"))
    }
    let first = ZoneFile(version: "\0")
    #expect(try Self.interval(first, at: 0) == Self.interval(0, 1000, 7200, "CEST"))
    #expect(throws: ZoneDataError.cutShort) { try ZoneData(file: ZoneFile(version: "3").bytes) }
  }

  @Test("Each of many intervals is found")
  func many() throws {
    let times = (0..<100).map { Int64($0) * 1000 }
    let file = ZoneFile(times: times, indices: times.indices.map { UInt8(1 - $0 % 2) })
    for time in times.dropLast() {
      let interval = try Self.interval(file, at: time + 999)
      #expect(interval.start?.seconds == time && interval.end?.seconds == time + 1000)
    }
  }

  @Test("A zone may always have had the same offset")
  func constant() throws {
    let file = ZoneFile(times: [], indices: [], types: [(3600, 0)])
    #expect(try Self.interval(file, at: 0) == Self.interval(nil, nil, 3600, "CET"))
  }

  @Test("Offsets of almost 25 hours west and 26 hours east are allowed")
  func longestOffsets() throws {
    let file = ZoneFile(types: [(-89_999, 0), (93_599, 4)])
    #expect(try Self.interval(file, at: 0).offset == 93_599)
    #expect(try Self.interval(file, at: 1000).offset == -89_999)
  }

  @Test("A change to the same offset is no change")
  func sameOffset() throws {
    let file = ZoneFile(times: [0, 500, 1000], indices: [1, 1, 0])
    #expect(try Self.interval(file, at: 600) == Self.interval(0, 1000, 7200, "CEST"))
  }

  @Test("After the last change, the rule at the end of the file decides")
  func rule() throws {
    let file = ZoneFile(footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n")
    // By this rule, summer time lasts from 1970-03-29 01:00 to 1970-10-25 01:00, both in UTC.
    #expect(
      try Self.interval(file, at: 10_000_000) == Self.interval(7_520_400, 25_664_400, 7200, "CEST"))
    #expect(try Self.interval(file, at: 1000) == Self.interval(1000, 7_520_400, 3600, "CET"))
  }

  @Test("Leap seconds that the times include are taken out")
  func leapSeconds() throws {
    let file = ZoneFile(times: [0, 1002], leapSeconds: [(500, 1), (900, 2), (2000, 3)])
    #expect(try Self.interval(file, at: 0) == Self.interval(0, 1000, 7200, "CEST"))
    let same = ZoneFile(times: [0, 502], leapSeconds: [(502, 1)])
    #expect(try Self.interval(same, at: 0) == Self.interval(0, 501, 7200, "CEST"))
  }

  @Test("Times before the year 1 and after the year 9999 have an interval")
  func endsOfTime() throws {
    let rule = try #require(ZoneData(rule: "CET-1CEST,M3.5.0,M10.5.0/3"))
    #expect(rule.interval(containing: .distantPast).offset == 3600)
    #expect(rule.interval(containing: .distantPast).start == nil)
    #expect(rule.interval(containing: .distantFuture).end == nil)
    // RFC 9636 allows a first change that is as early as this one, far before the range of
    // `Instant`.
    let file = ZoneFile(times: [-1 << 59, 1000], leapSeconds: [(500, 1)])
    #expect(
      try Self.interval(file, at: 0)
        == Self.interval(Instant.distantPast.seconds, 999, 7200, "CEST"))
    #expect(ZoneData.utc.interval(containing: .distantPast) == Self.interval(nil, nil, 0, "UTC"))
  }

  @Test("Damaged files are refused, with the reason")
  func damaged() {
    let whole = ZoneFile().bytes
    #expect(throws: ZoneDataError.cutShort) { try ZoneData(file: []) }
    #expect(throws: ZoneDataError.notZoneData) { try ZoneData(file: [0] + whole) }
    for count in 4..<whole.count {
      #expect(throws: ZoneDataError.cutShort, "\(count)") {
        try ZoneData(file: Array(whole.prefix(count)))
      }
    }
    for (file, reason) in [
      (ZoneFile(types: []), "no offset"), (ZoneFile(indices: [1, 2]), "no such offset"),
      (ZoneFile(times: [1000, 1000]), "changes out of order"),
      (ZoneFile(types: [(93_600, 0), (0, 0)]), "an offset of days"),
      (ZoneFile(types: [(-90_000, 0), (0, 0)]), "an offset of days"),
      (ZoneFile(types: [(0, 9), (0, 0)]), "no such abbreviation"),
      (ZoneFile(footer: "CET-1\n"), "no last line"),
      (ZoneFile(footer: "\nCET\n"), "its rule is none"),
    ] {
      #expect(throws: ZoneDataError.damaged(reason)) { try ZoneData(file: file.bytes) }
    }
  }
}
