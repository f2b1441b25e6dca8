// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zone that programs are in.

import Foundation
import Lab
import Testing

struct ZoneTests {
  @Test(
    "TZ goes before the machine's zone, and one that is nonsense is UTC",
    arguments: [
      ("Asia/Seoul", "07:30:00+09:00"), (":Asia/Seoul", "07:30:00+09:00"),
      (":/usr/share/zoneinfo/Asia/Kathmandu", "07:30:00+05:45"), ("EST5", "07:30:00-05:00"),
      ("nonsense", "07:30:00+00:00"),
    ])
  func variable(zone: String, at: String) throws {
    let desk = try Desk(Lab())
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\ndays = \"daily\"\n")
    let next = try desk.belfry(
      "next --json --from 2026-06-01T00:00:00Z", environment: ["TZ": zone])
    #expect(next.output.contains(at), "\(next)")
  }
}
