// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares how Belfry and Python's `zoneinfo` (`Tests/Reference/zones.py`) read the machine's tz
// database: every zone, and thousands of random alarms. `BELFRY_SEED=17 swift test --filter Zones`
// repeats a run. Next: `ZoneFilesTests.swift`, for damaged databases.

import Configuration
import Foundation
import Lab
import Scheduling
import TestData
import Testing

@testable import System

struct ZonesTests {
  @Test func `every zone of the database has the changes and the offsets of the reference`()
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

  @Test func `a ring that a gap moves past midnight is left out if its new day is excepted`()
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
  @Test func `the days of repeating rules are those that dateutil calculates by RFC 5545`() throws {
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
  /// Reads the first columns of a line that the reference printed: zone, time, dates, and excepted
  /// dates.
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

/// Returns the beginning of the day `date` in UTC.
private func midnight(_ date: String) throws -> Instant {
  Instant(seconds: Int64(try #require(CivilDate(date)).daysSinceEpoch) * 86_400)
}
