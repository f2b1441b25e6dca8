// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests zone files that are missing, cut short, damaged or changed, and every kind of value of
// `TZ`. There must always be a time zone, and no file may end the program.

import Foundation
import Scheduling
import Testing

@testable import System

struct ZoneFilesTests {
  static let database = "/usr/share/zoneinfo"
  /// A moment in the European summer: 2026-07-01T00:00:00Z.
  let summer = Instant(seconds: 1_782_864_000)

  private func offset(_ files: ZoneFiles, in zone: String? = nil) -> Int {
    Zones(files: files).interval(containing: summer, in: zone).offset
  }

  @Test(arguments: [
    ("Asia/Seoul", 9 * 3600, "Asia/Seoul"), (":Asia/Seoul", 9 * 3600, "Asia/Seoul"),
    ("/usr/share/zoneinfo/Asia/Seoul", 9 * 3600, "Asia/Seoul"),
    ("KST-9", 9 * 3600, "KST-9"), ("<+0545>-5:45", 20_700, "<+0545>-5:45"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", 7200, "CET-1CEST,M3.5.0,M10.5.0/3"),
    ("EST5EDT", -4 * 3600, "EST5EDT"), ("right/Europe/Berlin", 7200, "right/Europe/Berlin"),
    ("", 0, "UTC"), (":", 0, "UTC"), ("nonsense", 0, "nonsense"),
    ("../../etc/passwd", 0, "../../etc/passwd"),
    ("/etc/passwd", 0, "/etc/passwd"), ("/dev/zero", 0, "/dev/zero"),
    ("KST-9,", 0, "KST-9,"), ("CET-1CEST,M13.5.0,M10.5.0", 0, "CET-1CEST,M13.5.0,M10.5.0"),
  ])
  func `TZ names a zone, a file or a rule; anything else is UTC`(
    variable: String, seconds: Int, name: String
  ) {
    let files = ZoneFiles(
      folder: Self.database, localTime: Self.database + "/Asia/Tokyo", variable: variable)
    #expect(offset(files) == seconds)
    #expect(files.machineName == name)
  }

  @Test func `without TZ, the zone is that of the file localtime, with its name if it has one`()
    throws
  {
    let scratch = try Scratch()
    let link = scratch["localtime"]
    let files = ZoneFiles(folder: Self.database, localTime: link, variable: nil)
    #expect(offset(files) == 0)
    #expect(files.machineName == link)
    for (target, seconds, name) in [
      ("/usr/share/zoneinfo/Europe/Berlin", 7200, "Europe/Berlin"),
      ("../../../../../../../../usr/share/zoneinfo/Asia/Seoul", 32_400, "Asia/Seoul"),
      ("/nowhere", 0, link),
    ] {
      try? FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      #expect(offset(files) == seconds, "\(target)")
      #expect(files.machineName == name, "\(target)")
    }
  }

  @Test func `if the machine's zone file is removed, the zone stays until there is another`() throws
  {
    let scratch = try Scratch()
    let link = scratch["localtime"]
    func point(to zone: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: "/usr/share/zoneinfo/\(zone)")
    }
    try point(to: "Asia/Seoul")
    var zones = Zones(files: ZoneFiles(folder: Self.database, localTime: link, variable: nil))
    func offset() -> Int { zones.interval(containing: Instant(seconds: 0), in: nil).offset }
    #expect(offset() == 32_400)
    try FileManager.default.removeItem(atPath: link)
    zones = zones.renewed()
    #expect(offset() == 32_400)
    try point(to: "Europe/Berlin")
    zones = zones.renewed()
    #expect(offset() == 3600)
  }

  @Test(arguments: [
    "", "Europe", "zone.tab", "../zoneinfo/Europe/Berlin", "+09:00", "KST-9", "europe/berlin",
  ])
  func `a name without a file in the database is no zone`(name: String) {
    #expect(!Zones.exists(name))
  }

  @Test func `a zone file that is cut short or damaged does not end the program`() throws {
    for name in ["Asia/Seoul", "right/Asia/Seoul", "Etc/UTC"] {
      let whole = Array(try Data(contentsOf: URL(fileURLWithPath: "\(Self.database)/\(name)")))
      for length in 0..<whole.count {
        #expect(throws: ZoneDataError.self) { try ZoneData(file: Array(whole[..<length])) }
      }
      for place in whole.indices {
        for damage: UInt8 in [0x00, 0x7F, 0xFF] {
          var bytes = whole
          bytes[place] = damage
          let data = try? ZoneData(file: bytes)
          for second in [Int64.min / 2_000_000, 0, 1_782_864_000, Int64.max / 2_000_000] {
            _ = data?.interval(containing: Instant(seconds: second))
          }
        }
      }
    }
  }

  @Test func `rules that can no longer be read stay as they were, and changed rules are read`()
    throws
  {
    let scratch = try Scratch()
    let (seoul, berlin) = ("\(Self.database)/Asia/Seoul", "\(Self.database)/Europe/Berlin")
    let file = scratch["Home"]
    try FileManager.default.copyItem(atPath: seoul, toPath: file)
    let files = ZoneFiles(folder: scratch.folder.path, localTime: file, variable: nil)
    func offsets(_ zones: Zones) -> [Int] {
      ["Home", nil].map { zones.interval(containing: summer, in: $0).offset }
    }
    var zones = Zones(files: files)
    #expect(offsets(zones) == [32_400, 32_400])
    try Data(contentsOf: URL(fileURLWithPath: berlin)).prefix(700)
      .write(to: URL(fileURLWithPath: file))
    #expect(offsets(zones) == [32_400, 32_400])
    zones = zones.renewed()
    #expect(offsets(zones) == [32_400, 32_400])
    try FileManager.default.removeItem(atPath: file)
    zones = zones.renewed()
    #expect(zones.interval(containing: summer, in: "Home").offset == 32_400)
    try FileManager.default.copyItem(atPath: berlin, toPath: file)
    zones = zones.renewed()
    #expect(offsets(zones) == [7200, 7200])
  }
}
