// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which instant a local time means, in zones with unusual changes of clocks. The expected
// instants were computed with Python's `zoneinfo`.

import Scheduling
import Testing

@Suite("Local time to instant")
struct ZoneRulesTests {
  struct Row: CustomTestStringConvertible {
    var zone: String
    var local: String
    /// The expected instant in UTC; nil if the date does not exist.
    var utc: String?
    var note: ZoneNote?

    init(_ zone: String, _ local: String, _ utc: String?, _ note: ZoneNote? = nil) {
      (self.zone, self.local, self.utc, self.note) = (zone, local, utc, note)
    }
    var testDescription: String { "\(local) in \(zone)" }
  }

  static let rows = [
    // On 29 March, the hour from 02:00 is left out; on 25 October, it comes twice.
    Row("Europe/Berlin", "2026-03-28 02:30", "2026-03-28 01:30"),
    Row("Europe/Berlin", "2026-03-29 01:59:59", "2026-03-29 00:59:59"),
    Row("Europe/Berlin", "2026-03-29 02:00", "2026-03-29 01:00", .gap),
    Row("Europe/Berlin", "2026-03-29 02:30", "2026-03-29 01:00", .gap),
    Row("Europe/Berlin", "2026-03-29 02:59:59", "2026-03-29 01:00", .gap),
    Row("Europe/Berlin", "2026-03-29 03:00", "2026-03-29 01:00"),
    Row("Europe/Berlin", "2026-10-25 01:59:59", "2026-10-24 23:59:59"),
    Row("Europe/Berlin", "2026-10-25 02:00", "2026-10-25 00:00", .overlap),
    Row("Europe/Berlin", "2026-10-25 02:30", "2026-10-25 00:30", .overlap),
    Row("Europe/Berlin", "2026-10-25 02:59:59", "2026-10-25 00:59:59", .overlap),
    Row("Europe/Berlin", "2026-10-25 03:00", "2026-10-25 02:00"),
    // A zone west of Greenwich.
    Row("America/New_York", "2026-03-08 02:30", "2026-03-08 07:00", .gap),
    Row("America/New_York", "2026-03-08 03:00", "2026-03-08 07:00"),
    Row("America/New_York", "2026-11-01 01:30", "2026-11-01 05:30", .overlap),
    Row("America/New_York", "2026-11-01 02:00", "2026-11-01 07:00"),
    // Zones without summer time.
    Row("America/Sao_Paulo", "2026-11-01 00:30", "2026-11-01 03:30"),
    Row("Asia/Seoul", "2026-03-29 02:30", "2026-03-28 17:30"),
    Row("Asia/Kathmandu", "2026-11-23 07:30", "2026-11-23 01:45"),
    Row("UTC", "2026-03-29 02:30", "2026-03-29 02:30"),
    // A zone in which clocks change by half an hour.
    Row("Australia/Lord_Howe", "2026-04-05 01:15", "2026-04-04 14:15"),
    Row("Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04 14:45", .overlap),
    Row("Australia/Lord_Howe", "2026-04-05 02:00", "2026-04-04 15:30"),
    Row("Australia/Lord_Howe", "2026-10-04 02:10", "2026-10-03 15:30", .gap),
    Row("Australia/Lord_Howe", "2026-10-04 02:30", "2026-10-03 15:30"),
    // On the last Friday of April, midnight itself is left out.
    Row("Africa/Cairo", "2026-04-23 23:59:59", "2026-04-23 21:59:59"),
    Row("Africa/Cairo", "2026-04-24 00:00", "2026-04-23 22:00", .gap),
    Row("Africa/Cairo", "2026-04-24 00:30", "2026-04-23 22:00", .gap),
    Row("Africa/Cairo", "2026-04-24 01:00", "2026-04-23 22:00"),
    Row("Africa/Cairo", "2026-10-29 23:30", "2026-10-29 20:30", .overlap),
    Row("Africa/Cairo", "2026-10-30 00:00", "2026-10-29 22:00"),
    // A zone in which clocks go back for Ramadan and forward after it.
    Row("Africa/Casablanca", "2026-02-15 02:30", "2026-02-15 01:30", .overlap),
    Row("Africa/Casablanca", "2026-03-22 02:30", "2026-03-22 02:00", .gap),
    // A zone in which clocks change by two hours.
    Row("Antarctica/Troll", "2026-03-29 02:30", "2026-03-29 01:00", .gap),
    Row("Antarctica/Troll", "2026-10-25 01:00", "2026-10-24 23:00", .overlap),
    Row("Antarctica/Troll", "2026-10-25 02:59", "2026-10-25 00:59", .overlap),
    Row("Antarctica/Troll", "2026-10-25 03:00", "2026-10-25 03:00"),
    // A zone that left out a whole day.
    Row("Pacific/Apia", "2011-12-29 23:59:59", "2011-12-30 09:59:59"),
    Row("Pacific/Apia", "2011-12-30 00:00", nil),
    Row("Pacific/Apia", "2011-12-30 12:00", nil),
    Row("Pacific/Apia", "2011-12-31 00:00", "2011-12-30 10:00"),
    // An unknown zone behaves as UTC.
    Row("Middle/Earth", "2026-11-23 07:30", "2026-11-23 07:30"),
  ]

  @Test(
    "A time in a gap becomes the end of the gap, a time in an overlap the first of the two",
    arguments: rows)
  func resolve(row: Row) {
    let resolved = TestZones().resolve(CivilDateTime(row.local), in: row.zone)
    #expect(resolved?.instant.utc == row.utc)
    #expect(resolved?.note == row.note)
  }

  @Test("A zone of nil stands for the machine's zone")
  func machineZone() {
    let local = CivilDateTime("2026-11-23 07:30")
    #expect(
      TestZones(machine: "Asia/Seoul").resolve(local, in: nil)?.instant.utc == "2026-11-22 22:30"
    )
  }

  @Test("In every zone, a local time outside a gap converts to an instant and back")
  func roundTrip() {
    let zones = TestZones()
    for zone in Set(Self.rows.map(\.zone)) {
      for quarter in 0..<(366 * 96) {
        let local = CivilDateTime(
          localSeconds: CivilDateTime("2026-01-01 00:00").localSeconds + Int64(quarter) * 900)
        let resolved = zones.resolve(local, in: zone)
        let shown = resolved.map { zones.civil(at: $0.instant, in: zone) }
        let isRight = resolved?.note == .gap ? shown ?? local > local : shown == local
        if !isRight { Issue.record("\(local.text) in \(zone) comes back as \(shown?.text ?? "-")") }
      }
    }
  }
}
