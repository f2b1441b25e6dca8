// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fuzzes what is read from the bus: values of right and wrong types, and values of any bytes, must
// be converted, and described to the user, without a crash. `run` builds and runs this fuzzer.

import CGLib
import Configuration
import Language
import Presentation
import Scheduling
import Screen
import Values

@testable import System

/// Makes a value from the fuzzer's bytes.
struct Maker {
  var bytes: ArraySlice<UInt8>

  mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

  static let keys = [
    "ringing", "next", "alarms", "pauses", "missed", "timers", "stopwatch", "clocks", "agent", "id",
    "label", "at", "epoch", "moved_from", "moved_from_epoch", "since", "since_epoch", "snoozes",
    "can_snooze", "unanswered_checks", "note", "time", "city", "days", "every", "date", "from",
    "except", "group", "timezone", "enabled", "state", "paused", "paused_until",
    "paused_ring_epoch", "until", "snoozed_until_epoch", "asks_epoch", "asked",
    "rings_again_epoch", "skipped", "resumes_at_epoch", "number", "kind", "count", "reason",
    "preset", "round", "rounds", "then", "length", "left", "overtime", "elapsed", "laps", "lap",
    "split", "total", "mark", "offset", "relative_day", "sunrise_epoch", "sunset_epoch", "sun",
    "version", "pid", "config", "alarm_count", "clock", "wake", "wake_problem", "wake_fix",
    "next_chime_epoch", "notifications", "problems", "duration", "until_time", "rehearsal",
  ]
  static let words = [
    "", "07:30", "2026-11-29", "9999-12-31", "mon", "2 weeks", "scheduled", "ringing", "snoozed",
    "checking", "over", "running", "paused", "stopped", "Asia/Seoul", "no/such", "sunrise",
    "\u{1b}[31m", "\u{202e}x", "timer", "12h", "locked", "up", "24:00", "00:00",
  ]
  static let numbers: [Int64] = [
    0, 1, -1, 59, 3600, 86_400, 31_622_401, 1 << 31, 1 << 32, 1 << 53, .max, .min, .max - 1,
    .max / 1_000_000, .min / 1_000_000, 253_402_300_799, 1_795_265_789,
  ]

  mutating func text() -> String {
    let index = byte()
    if index < Self.words.count { return Self.words[index] }
    let text = bytes.prefix(index % 64)
    bytes = bytes.dropFirst(text.count)
    return String(decoding: text, as: UTF8.self)
  }

  mutating func number() -> Int64 {
    let index = byte()
    if index < Self.numbers.count { return Self.numbers[index] }
    return (0..<8).reduce(0) { sum, _ in sum << 8 | Int64(byte()) }
  }

  mutating func value(_ depth: Int = 0) -> Variant {
    switch byte() % (depth > 4 ? 7 : 13) {
    case 0: return .boolean(byte() % 2 == 0)
    case 1: return .int32(Int32(truncatingIfNeeded: number()))
    case 2: return .uint32(UInt32(truncatingIfNeeded: number()))
    case 3, 4: return .int64(number())
    case 5: return .double(Double(bitPattern: UInt64(bitPattern: number())))
    case 6: return .string(text())
    case 7: return .boxed(value(depth + 1))
    case 8: return .tuple((0..<byte() % 4).map { _ in value(depth + 1) })
    case 9: return .strings((0..<byte() % 5).map { _ in text() })
    case 10: return .dictionaries((0..<byte() % 4).map { _ in entries(depth + 1) })
    default: return .dictionary(entries(depth + 1))
    }
  }

  private mutating func entries(_ depth: Int) -> [Variant.Entry] {
    (0..<byte() % 12).map { _ in
      Variant.Entry(Self.keys[byte() % Self.keys.count], value(depth + 1))
    }
  }

  /// Types that other programs may send instead of those that are expected.
  static let types = [
    "y", "n", "q", "i", "u", "h", "x", "t", "d", "s", "o", "g", "v", "as", "ay", "a{sv}",
    "aa{sv}", "a{us}", "a{oa{sa{sv}}}", "(sssida{sv})", "av", "aav", "(v)", "a(so)", "a{tv}",
  ]

  /// A value of the remaining bytes, as the bus would pass it on: in normal form.
  mutating func raw() -> Variant {
    let type = g_variant_type_new(Self.types[byte() % Self.types.count])
    defer { g_variant_type_free(type) }
    let data = g_bytes_new(Array(bytes), gsize(bytes.count))
    defer { g_bytes_unref(data) }
    let value = g_variant_ref_sink(g_variant_new_from_bytes(type, data, 0))
    defer { g_variant_unref(value) }
    let normal = g_variant_get_normal_form(value)!
    defer { g_variant_unref(normal) }
    return Variant(normal)
  }
}

@MainActor let utc = Zones(machine: "UTC")

@MainActor func describe(_ value: Variant) {
  let zones = utc
  let now = Now(wall: Instant(seconds: 1_795_265_789), boot: .seconds(9), bootID: "")
  let wording = Wording(zones: zones, clock: .twentyFourHours)
  _ = Value(value).json
  let answers: [[any Record]?] = [
    Status.Answered.readAll(value), Status.Recent.readAll(value), Status.Missed.readAll(value),
    Status.Timer.readAll(value), Status.Alarm.readAll(value), Status.City.readAll(value),
  ]
  _ = answers
  _ = (Status.Agent.read(value), Status.Coming.read(value))
  guard var status = Status.read(value) else { return }
  status.asOf = now
  _ = status.nextTurn(after: now.wall, in: zones)
  for alarm in status.alarms {
    _ = wording.long(alarm.standing, seenFrom: now.wall)
    _ = wording.short(alarm.standing, seenFrom: now.wall)
    _ = wording.reply(alarm, seenFrom: now.wall)
  }
  for timer in status.timers { _ = wording.long(timer.standing, seenFrom: now.wall) }
  for (columns, rows) in [(20, 8), (80, 30)] {
    var view = WatchView(status, wording)
    for _ in 0..<2 {
      _ = view.lines(WatchView.Size(columns: columns, rows: rows), at: now)
      view.showsKeys = true
    }
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
func take(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var maker = Maker(bytes: Array(UnsafeBufferPointer(start: start, count: count))[...])
  if maker.byte() % 4 == 0 {
    let value = maker.raw()
    MainActor.assumeIsolated { describe(value) }
    return 0
  }
  let value = maker.value()
  let sent = g_variant_ref_sink(value.gvariant)!
  defer { g_variant_unref(sent) }
  let received = Variant(sent)
  MainActor.assumeIsolated { describe(received) }
  return 0
}
