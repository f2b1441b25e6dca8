// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sample statuses, such as an agent may send, for the tests in this folder.

import Configuration
import Presentation
import Scheduling
import Screen
import System

/// 2026-11-21 12:56:29 UTC, a Saturday, which all tests in this folder take as the present time.
let sampleNow = Now(
  wall: Instant(seconds: 1_795_265_789), boot: .seconds(1_000), bootID: "this one")

let utc = Zones(machine: "UTC")

func at(_ seconds: Int64, _ key: String = "at") -> [Variant.Entry] {
  let instant = sampleNow.wall + .seconds(seconds)
  return [
    .init(key, .string(utc.rfc3339(instant, in: nil))),
    .init(key == "at" ? "epoch" : key + "_epoch", .int64(instant.seconds)),
  ]
}

func row(_ entries: KeyValuePairs<String, Variant>) -> [Variant.Entry] {
  entries.map { Variant.Entry($0, $1) }
}

func alarm(_ id: String, _ label: String, in seconds: Int64) -> [Variant.Entry] {
  row(["id": .string(id), "label": .string(label), "state": .string("scheduled")]) + at(seconds)
}

/// Returns `alarm` with its next ring in a pause, which ends with the date `day` or, if that is
/// nil, when the user resumes the alarms.
func paused(_ alarm: [Variant.Entry], until day: String? = nil) -> [Variant.Entry] {
  alarm + row(["paused": .boolean(true)]) + (day.map { [.init("paused_until", .string($0))] } ?? [])
}

func pause(_ from: String, until day: String? = nil, group: String? = nil) -> [Variant.Entry] {
  row(["number": .int64(1), "from": .string(from)])
    + (day.map { [.init("until", .string($0))] } ?? [])
    + (group.map { [.init("group", .string($0))] } ?? [])
}

/// Returns an alarm that was stopped, has no upcoming ring, and checks whether the user is up.
func checked(isAsked: Bool) -> [Variant.Entry] {
  row(["id": .string("work"), "label": .string("Work"), "state": .string("checking")])
    + at(60, "asks") + row(["asked": .boolean(isAsked)]) + at(180, "rings_again")
}

func snoozed(_ id: String, _ label: String, until seconds: Int64) -> [Variant.Entry] {
  row(["id": .string(id), "label": .string(label), "state": .string("snoozed")])
    + at(seconds, "snoozed_until") + at(86_400)
}

func timer(
  _ id: String, _ label: String, _ state: String, of length: Int64, left: Int64
) -> [Variant.Entry] {
  row([
    "id": .string(id), "label": .string(label), "state": .string(state), "length": .int64(length),
    "left": .int64(max(0, left)),
  ]) + (state == "paused" ? [] : at(left))
}

func lap(_ number: Int64, _ split: Double, _ total: Double, _ mark: String? = nil) -> [Variant
  .Entry]
{
  row(["lap": .int64(number), "split": .double(split), "total": .double(total)])
    + (mark.map { [Variant.Entry("mark", .string($0))] } ?? [])
}

func city(_ label: String, _ timezone: String, _ offset: Int64) -> [Variant.Entry] {
  row([
    "label": .string(label), "timezone": .string(timezone), "offset": .int64(offset),
  ]) + at(0)
}

/// Returns a status with the parts in `parts` and the settings of the agent, and nothing else.
func status(_ parts: KeyValuePairs<String, Variant>, clock: String = "24h") -> Variant {
  let agent = row([
    "clock": .string(clock), "config": .string("/home/me/.config/belfry/config.toml"),
  ])
  return .dictionary(parts.map { .init($0, $1) } + [.init("agent", .dictionary(agent))])
}

let quietMorning = status([
  "alarms": .dictionaries([
    alarm("work", "Work", in: 31_000), alarm("wake", "일어나 ⏰", in: 75_000),
    alarm("train", "Train", in: 86_400 * 33),
  ])
])

let alarmsOfAllKinds = status([
  "alarms": .dictionaries([
    row(["id": .string("gym"), "label": .string("Gym"), "state": .string("off")]),
    alarm("last", "Last", in: 600) + row(["skipped": .boolean(true)]),
    alarm("moved", "Moved", in: 40_000) + at(0, "moved_from"),
    alarm("work", "Work", in: 31_000)
      + row(["skipped": .boolean(true)]) + at(90_000, "resumes_at"),
    snoozed("med", "Medicine", until: 320),
  ]),
  "timers": .dictionaries([timer("tea", "Tea", "running", of: 240, left: 172)]),
])

let everything = status([
  "ringing": .dictionaries([
    row([
      "id": .string("shift"), "label": .string("Night shift"),
      "snoozes": .int64(2),
    ]) + at(-100, "since")
  ]),
  "alarms": .dictionaries([
    alarm("work", "Work", in: 31_000), alarm("wake", "일어나 ⏰", in: 75_000),
    snoozed("med", "Medicine", until: 320), alarm("train", "Train", in: 86_400 * 33),
  ]),
  "missed": .dictionaries([
    row([
      "id": .string("gym"), "label": .string("Gym"), "count": .int64(1),
      "reason": .string("unanswered"),
    ]) + at(-40_000)
  ]),
  "timers": .dictionaries([
    timer("tea", "Tea", "running", of: 240, left: 172),
    timer("eggs", "Eggs", "paused", of: 420, left: 300),
    timer("pizza", "피자 🍕", "ringing", of: 900, left: -75),
  ]),
  "stopwatch": .dictionary(
    row([
      "state": .string("running"), "elapsed": .double(240.5),
      "laps": .dictionaries([
        lap(1, 61.23, 61.23, "fastest"), lap(2, 65.1, 126.33), lap(3, 92.42, 218.75, "slowest"),
      ]),
    ])),
  "clocks": .dictionaries([
    city("Home", "Asia/Seoul", 32_400), city("Kathmandu", "Asia/Kathmandu", 20_700),
    city("서울 친구", "Pacific/Auckland", 46_800),
  ]),
])

let hostile =
  "\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}kcab\r\n\u{200B}" + "e"
  + String(repeating: "\u{301}", count: 10)

let hostileStatus = status([
  "ringing": .dictionaries([
    row(["id": .string(hostile), "label": .string(hostile), "snoozes": .int64(.max)])
  ]),
  "alarms": .dictionaries([alarm(hostile, hostile, in: 60), snoozed(hostile, "", until: -5)]),
  "missed": .dictionaries([row(["id": .string(hostile), "count": .int64(.min)])]),
  "timers": .dictionaries([
    timer(hostile, hostile, "running", of: .min, left: .max),
    timer(hostile, hostile, "paused", of: 0, left: .min),
    timer("", "", "ringing", of: .max, left: -1),
  ]),
  "stopwatch": .dictionary(
    row([
      "state": .string("running"), "elapsed": .double(.infinity), "since_epoch": .int64(.max),
      "laps": .dictionaries([lap(.min, .nan, -.infinity, hostile), lap(.max, 1e300, -1e300)]),
    ])),
  "clocks": .dictionaries([city(hostile, hostile, .min), city("", "", .max)]),
])

/// Reads `status`, as a program does that gets it from the bus.
func read(_ status: Variant) -> Status {
  var status = Status.read(status) ?? Status()
  status.asOf = sampleNow
  return status
}

let sampleWording = Wording(zones: utc, clock: .twentyFourHours)

/// Returns the screen of `belfry watch`, without the spaces at the ends of its lines.
@MainActor func shown(
  _ status: Variant?, _ columns: Int, _ rows: Int, _ change: (inout WatchView) -> Void = { _ in }
) -> String {
  var view = WatchView(status.map(read), sampleWording)
  change(&view)
  let lines = view.lines(WatchView.Size(columns: columns, rows: rows), at: sampleNow)
  return lines.map { line in
    var text = line.plain[...]
    while text.last == " " { text.removeLast() }
    return text + "\n"
  }.joined()
}
