// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares how Belfry and Python's `zoneinfo` (`Tests/Reference/zones.py`) read the machine's tz
// database: every zone, and thousands of random alarms. `BELFRY_SEED=17 swift test --filter Zones`
// repeats a run. Next: `ZoneFilesTests.swift`, for damaged databases.

import Configuration
import Foundation
import Lab
import Scheduling
import Testing

@testable import System

struct ZonesTests {
  @Test func `every zone of the database changes when the reference says, and to that offset`()
    throws
  {
    let zones = Zones()
    let lines = try ZoneReference.ask("offsets", String(Chance.firstSeed))
    #expect(lines.count > 300)
    for line in lines {
      let zone = line[0]
      #expect(zones.isKnown(zone), "\(zone)")
      let (since, until) = (try midnight("2024-01-01"), try midnight("2036-01-01"))
      var changes: [String] = []
      var interval = zones.interval(containing: since, in: zone)
      while let end = interval.end, end < until {
        let next = zones.interval(containing: end, in: zone)
        if next.offset != interval.offset { changes.append("\(end.seconds) \(next.offset)") }
        interval = next
      }
      #expect(changes.joined(separator: ",") == line[1], "\(zone)")
      for moment in line[2].split(separator: ",") {
        let instant = Instant(seconds: try #require(Int64(moment.split(separator: " ")[0])))
        let found = zones.interval(containing: instant, in: zone)
        #expect(
          "\(instant.seconds) \(found.offset) \(found.abbreviation)" == moment,
          "\(zone), seed \(Chance.firstSeed)")
        #expect(
          found.start ?? instant <= instant && instant < found.end ?? .distantFuture, "\(zone)")
      }
    }
  }

  /// Each line has a zone, a date, the time of a daily alarm, and the first rings from that date
  /// on, in local time. `RecurrenceTests` has a longer table, which needs no tz database.
  nonisolated static let table = """
    Europe/Berlin        2026-03-28  02:30  28 02:30+01:00, 29 03:00+02:00 gap, 30 02:30+02:00
    Europe/Berlin        2026-10-24  02:30  24 02:30+02:00, 25 02:30+02:00 overlap, 26 02:30+01:00
    America/New_York     2026-03-07  02:30  07 02:30-05:00, 08 03:00-04:00 gap, 09 02:30-04:00
    America/New_York     2026-11-01  01:30  01 01:30-04:00 overlap, 02 01:30-05:00
    America/Sao_Paulo    2026-10-18  00:00  18 00:00-03:00, 19 00:00-03:00
    America/Sao_Paulo    2018-11-04  00:00  04 01:00-02:00 gap, 05 00:00-02:00
    Australia/Lord_Howe  2026-10-03  02:15  03 02:15+10:30, 04 02:30+11:00 gap, 05 02:15+11:00
    Australia/Lord_Howe  2026-04-04  01:45  04 01:45+11:00, 05 01:45+11:00 overlap, 06 01:45+10:30
    Africa/Cairo         2026-04-23  00:30  23 00:30+02:00, 24 01:00+03:00 gap, 25 00:30+03:00
    Africa/Cairo         2026-10-29  23:30  29 23:30+03:00 overlap, 30 23:30+02:00
    Africa/Casablanca    2026-02-14  02:30  14 02:30+01:00, 15 02:30+01:00 overlap, 16 02:30+00:00
    Africa/Casablanca    2026-03-21  02:30  21 02:30+00:00, 22 03:00+01:00 gap, 23 02:30+01:00
    Asia/Seoul           2026-03-29  02:30  29 02:30+09:00, 30 02:30+09:00
    Asia/Seoul           1988-05-08  02:30  08 03:00+10:00 gap, 09 02:30+10:00
    Asia/Kathmandu       2026-12-31  00:00  31 00:00+05:45, 01 00:00+05:45
    Pacific/Apia         2011-12-29  07:30  29 07:30-10:00, 31 07:30+14:00, 01 07:30+14:00
    Antarctica/Troll     2026-03-29  01:30  29 03:00+02:00 gap, 30 01:30+02:00
    Antarctica/Troll     2026-10-25  02:30  25 02:30+02:00 overlap, 26 02:30+00:00
    Europe/Dublin        2026-03-29  01:30  29 02:00+01:00 gap, 30 01:30+01:00
    Europe/Berlin        2060-03-28  02:30  28 03:00+02:00 gap, 29 02:30+02:00
    EST5EDT              2026-03-08  02:30  08 03:00-04:00 gap, 09 02:30-04:00
    right/Europe/Berlin  2026-03-29  02:30  29 03:00+02:00 gap, 30 02:30+02:00
    """

  @Test(arguments: table.split(separator: "\n").map(String.init))
  func `alarms ring at the right time when clocks change, on every continent`(row: String) throws {
    let columns = row.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true)
    let zone = String(columns[0])
    let time = columns[2].split(separator: ":").compactMap { Int($0) }
    let rule = Recurrence(
      time: try #require(CivilTime(hour: time[0], minute: time[1])),
      dates: .days(Days(Set(Weekday.allCases))), zone: zone)
    let expected = columns[3].split(separator: ",").map { $0.trimmingPrefix(" ") }
    let zones = Zones()
    let date = try #require(CivilDate(String(columns[1])))
    let midnight = CivilDateTime(date, try #require(CivilTime(hour: 0, minute: 0)))
    var after = try #require(zones.resolve(midnight, in: zone)).instant - .seconds(1)
    var rings: [String] = []
    while rings.count < expected.count, let next = rule.next(after: after, in: zones) {
      let text = zones.rfc3339(next.due, in: zone)
      let note = next.note.map { " \($0)" } ?? ""
      rings.append(
        "\(text.dropFirst(8).prefix(2)) \(text.dropFirst(11).prefix(5))\(text.suffix(6))\(note)")
      after = next.due
    }
    #expect(rings == expected.map(String.init))
  }

  @Test func `what a gap pushes over midnight is excepted with the day on which it would ring`()
    throws
  {
    let zones = Zones()
    let noon = try #require(InstantText.parse("2026-03-28T12:00:00Z", in: nil, zones))
    let time = try #require(CivilTime(hour: 23, minute: 30))
    for (except, rings) in [
      (28, ["2026-03-29T00:00:00-01:00", "2026-03-29T23:30:00-01:00"]),
      (29, ["2026-03-30T23:30:00-01:00", "2026-03-31T23:30:00-01:00"]),
    ] {
      let rule = Recurrence(
        time: time, dates: .days(Days(Set(Weekday.allCases))),
        except: [try #require(CivilDate(year: 2026, month: 3, day: except))],
        zone: "America/Scoresbysund")
      let first = try #require(rule.next(after: noon, in: zones))
      let second = try #require(rule.next(after: first.due, in: zones))
      #expect([first, second].map { zones.rfc3339($0.due, in: rule.zone) } == rings)
    }
  }

  @Test func `random alarms ring in every zone when the reference says`() throws {
    let zones = Zones()
    let lines = try ZoneReference.ask("rings", String(Chance.firstSeed), "5000")
    var differing: [String] = []
    for line in lines {
      let rule = try #require(Recurrence(line), "\(line)")
      var after = Instant(seconds: try #require(Int64(line[4])))
      var rings: [String] = []
      while rings.count < (rule.repeats ? 4 : 1), let next = rule.next(after: after, in: zones) {
        rings.append("\(next.due.seconds)" + (next.note.map { " \($0.rawValue)" } ?? ""))
        after = next.due
      }
      if rings.joined(separator: ",") != line[5] {
        differing.append("\(line.joined(separator: " ")): \(rings.joined(separator: ","))")
      }
    }
    #expect(lines.count == 5000)
    #expect(differing == [], "seed \(Chance.firstSeed)")
  }

  /// `BELFRY_RULES=100000` makes this test compare 100,000 rules, in portions. Each portion has a
  /// seed of its own.
  @Test func `repeated days are those of dateutil by RFC 5545`() throws {
    let zones = Zones()
    let count = Chance.asked("BELFRY_RULES") ?? 2000
    var (compared, differing): (Int, [String]) = (0, [])
    for portion in 0..<UInt64((count + 1999) / 2000) {
      let seed = Chance.firstSeed + portion
      let lines = try ZoneReference.ask("rules", String(seed), "2000")
      let text = "alarm = [\n" + lines.map { $0[0] + ",\n" }.joined() + "]"
      let context = ReadingContext(isKnownZone: zones.isKnown)
      let reading = Configuration.read(Array(text.utf8), file: "rules.toml", in: context)
      let rules = reading.configuration.alarms.map(\.recurrence)
      #expect(rules.count == lines.count && !reading.hasErrors, "seed \(seed)")
      compared += rules.count
      for (rule, line) in zip(rules, lines) {
        let found = try rings(rule, after: line[1], until: line[2], in: zones)
        if found != line[3] {
          differing.append("\(seed): \(line.joined(separator: " ")): \(found)")
        }
      }
    }
    print("\(compared) rules compared, seeds from \(Chance.firstSeed)")
    #expect(compared >= count)
    #expect(differing.prefix(10) == [], "\(differing.count), seeds from \(Chance.firstSeed)")
  }

  /// Returns the first four rings of `rule`, in the form in which the reference writes them.
  private func rings(
    _ rule: Recurrence, after: String, until: String, in zones: Zones
  ) throws -> String {
    var after = Instant(seconds: try #require(Int64(after)))
    let last = try #require(CivilDate(until))
    var rings: [String] = []
    while rings.count < 4, let next = rule.next(after: after, in: zones), next.date <= last {
      rings.append("\(next.due.seconds)" + (next.note.map { " \($0.rawValue)" } ?? ""))
      after = next.due
    }
    return rings.joined(separator: ",")
  }
}

extension Recurrence {
  /// Reads the first columns of an answer of the reference: zone, time, dates, and excepted dates.
  fileprivate init?(_ columns: [String]) {
    let clock = columns[1].split(separator: ":").compactMap { Int($0) }
    guard let time = CivilTime(hour: clock[0], minute: clock[1], second: clock[2]) else {
      return nil
    }
    let dates: Dates? =
      if columns[2] == "once" {
        .once
      } else if let date = CivilDate(columns[2]) {
        .on(date)
      } else {
        .days(Days(Set(columns[2].compactMap { $0.wholeNumberValue }.compactMap(Weekday.init))))
      }
    guard let dates else { return nil }
    let except = columns[3].split(separator: ",").compactMap { CivilDate(String($0)) }
    self.init(time: time, dates: dates, except: Set(except), zone: columns[0])
  }
}

extension CivilDate {
  fileprivate init?(_ text: String) {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    self.init(year: parts[0], month: parts[1], day: parts[2])
  }
}

/// Returns the beginning of a day in UTC.
private func midnight(_ date: String) throws -> Instant {
  Instant(seconds: Int64(try #require(CivilDate(date)).daysSinceEpoch) * 86_400)
}
