// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact text that `belfry` without a command prints and that desktop bars show, and which
// differences between two statuses count as a change.

import Configuration
import Presentation
import Scheduling
import Screen
import System
import Testing

@Suite struct TellingTests {
  private func summary(_ status: Variant) -> String {
    Summary(read(status), in: utc).lines.map { $0.plain + "\n" }.joined()
  }

  private func bar(_ status: Variant) -> String {
    Bar(read(status), in: utc).line
  }

  @Test func `the summary has a line for each alarm, timer and clock`() {
    #expect(
      summary(everything) == """
        ringing    Night shift (shift)  since 12:54, snoozed twice
        ringing    피자 🍕 (pizza)      since 12:55
        snoozed    Medicine (med)       until 13:01
        timer      Tea (tea)            until 12:59, in 2 min 52 s
        paused     Eggs (eggs)          5 min left
        stopwatch  4:00.5               running, 3 laps
        missed     Gym (gym)            01:49:49: nobody answered
        next       Work (work)          21:33:09, in 8 h 36 min
        then       일어나 ⏰ (wake)     tomorrow 09:46:29, in 20 h 50 min
        then       Train (train)        Thu 24 Dec 12:56:29, in 33 d
        clock      Home                 21:56, +9 h
        clock      Kathmandu            18:41, +5 h 45 min
        clock      서울 친구            01:56, tomorrow, +13 h
        belfry ack: acknowledge what was missed

        """)
    #expect(
      summary(quietMorning) == """
        next  Work (work)       21:33:09, in 8 h 36 min
        then  일어나 ⏰ (wake)  tomorrow 09:46:29, in 20 h 50 min
        then  Train (train)     Thu 24 Dec 12:56:29, in 33 d

        """)
    #expect(summary(status([:])) == "No alarm is set. Add one: belfry add 7:30\n")
  }

  @Test func `an alarm that checks whether the user is up is shown, although it has no other ring`()
  {
    for (isAsked, text) in [
      (false, "stopped; asks at 12:57:29 whether you are up"),
      (true, "are you up? It will ring again at 12:59 unless you answer"),
    ] {
      let told = summary(status(["alarms": .dictionaries([checked(isAsked: isAsked)])]))
      #expect(told == "check  Work (work)  \(text)\n")
    }
  }

  @Test func `if all alarms are switched off or have ended, there are no upcoming alarms`() {
    for state in ["off", "over"] {
      let work = row(["id": .string("work"), "label": .string("Work"), "state": .string(state)])
      let told = summary(status(["alarms": .dictionaries([work])]))
      #expect(told == "No upcoming alarms\n")
    }
  }

  @Test func `paused alarms are shown as paused, not as missing`() {
    let silent = row([
      "id": .string("work"), "label": .string("Work"), "state": .string("scheduled"),
    ])
    for (alarms, pause, told, text, tooltip) in [
      (
        [paused(silent)], pause("2026-11-01"),
        """
        paused  all alarms  until resumed
        belfry resume: end today's pauses

        """, "paused until resumed", "paused: all alarms, until resumed"
      ),
      (
        [paused(alarm("work", "Work", in: 86_400 * 3), until: "2026-11-23")],
        pause("2026-11-22", until: "2026-11-23"),
        """
        paused  all alarms   Sun 22 Nov to Mon 23 Nov
        next    Work (work)  Tue 24 Nov 12:56:29, in 3 d

        """, "paused until Mon 23 Nov",
        #"paused: all alarms, Sun 22 Nov to Mon 23 Nov\nTue 12:56 Work"#
      ),
      (
        [paused(silent), alarm("gym", "Gym", in: 600)], pause("2026-11-21", group: "office"),
        """
        paused  group office  until resumed
        next    Gym (gym)     13:06:29, in 10 min
        belfry resume: end today's pauses

        """, "13:06 Gym", #"paused: group office, until resumed\n13:06 Gym"#
      ),
    ] {
      let status = status([
        "alarms": .dictionaries(alarms), "pauses": .dictionaries([pause]),
      ])
      #expect(summary(status) == told)
      let kind = text.hasPrefix("paused") ? "paused" : "next"
      #expect(
        bar(status)
          == #"{"text":"\#(text)","tooltip":"\#(tooltip)","alt":"\#(kind)","class":"\#(kind)"}"#)
    }
  }

  @Test func `in a bar, a ring comes before a snooze, for alarms and timers`() {
    let both = status([
      "alarms": .dictionaries([snoozed("med", "Medicine", until: 320)]),
      "timers": .dictionaries([timer("tea", "Tea", "ringing", of: 240, left: -75)]),
    ])
    let tooltip = #"Tea over since 12:55\nMedicine snoozed until 13:01"#
    #expect(
      bar(both)
        == #"{"text":"Tea is over","tooltip":"\#(tooltip)","alt":"ringing","class":"ringing"}"#)
  }

  @Test func `a bar shows what is most urgent, in Pango's markup`() {
    let alarms = Variant.dictionaries([alarm("work", "R&D <\"'>", in: 31_000)])
    let tea = Variant.dictionaries([timer("tea", "Tea", "running", of: 240, left: 172)])
    let med = Variant.dictionaries([snoozed("med", "Medicine", until: 320)])
    for (status, text, tooltip, kind) in [
      (status([:]), "", "No upcoming alarms", "none"),
      (
        status(["alarms": alarms]), "21:33 R&amp;D &lt;\\\"'&gt;",
        "21:33 R&amp;D &lt;\\\"'&gt;", "next"
      ),
      (
        status(["alarms": alarms, "timers": tea]), "12:59 Tea",
        #"Tea until 12:59\n21:33 R&amp;D &lt;\"'&gt;"#, "timer"
      ),
      (
        status(["alarms": med]), "13:01 Medicine", "Medicine snoozed until 13:01", "snoozed"
      ),
      (
        status(["alarms": .dictionaries([checked(isAsked: false)])]), "12:59 Work", "12:59 Work",
        "next"
      ),
      (
        everything, "Night shift rings",
        #"Night shift ringing since 12:54\n피자 🍕 over since 12:55\n"#
          + #"Medicine snoozed until 13:01\nTea until 12:59\nEggs paused, 5:00 left\n21:33 Work\n"#
          + #"Sun 09:46 일어나 ⏰\n24 Dec 12:56 Train\nthe stopwatch is running\nmissed Gym 01:49"#,
        "ringing"
      ),
    ] {
      let line =
        #"{"text":"\#(text)","tooltip":"\#(tooltip)","alt":"\#(kind)","class":"\#(kind)"}"#
      #expect(bar(status) == line)
    }
  }

  @Test func `a bar gets no control characters and no text of excessive length`() {
    let line = bar(hostileStatus)
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    #expect(line.unicodeScalars.count < 4000)
  }

  @Test func `a status changes at the moment for which a paused ring was set`() {
    let ring = sampleNow.wall + .seconds(600)
    for (epoch, isTurn) in [(ring.seconds, true), (sampleNow.wall.seconds - 5, false)] {
      let work = paused(
        alarm("work", "Work", in: 90_000) + row(["paused_ring_epoch": .int64(epoch)]))
      let turn = read(status(["alarms": .dictionaries([work])]))
        .nextTurn(after: sampleNow.wall, in: utc)
      #expect((turn == ring) == isTurn)
    }
  }

  @Test func `the passage of time alone is no change of a status`() {
    func later(_ seconds: Double) -> Variant {
      let whole = Int64(seconds)
      return status([
        "timers": .dictionaries([
          timer("tea", "Tea", "running", of: 240, left: 172).map {
            $0.key == "left" ? .init("left", .int64(172 - whole)) : $0
          },
          timer("eggs", "Eggs", "paused", of: 420, left: 300),
          timer("pizza", "", "ringing", of: 900, left: -75) + [
            .init("overtime", .int64(75 + whole))
          ],
        ]),
        "stopwatch": .dictionary(
          row([
            "state": .string("running"), "elapsed": .double(240.5 + seconds),
            "since_epoch": .int64(1_795_265_548),
          ])),
        "clocks": .dictionaries([
          row([
            "timezone": .string("Asia/Seoul"), "offset": .int64(32_400),
            "relative_day": .string("today"),
          ]) + at(whole)
        ]),
      ])
    }
    #expect(read(later(0)).steady == read(later(30)).steady)
  }

  @Test func `a status that is read is written in the same way`() throws {
    for sent in [everything, alarmsOfAllKinds] {
      #expect(read(.dictionary(read(sent).entries)) == read(sent))
    }
    let work = checked(isAsked: true) + row(["until": .string("2027-06-30")]) + at(90_000)
    let entries = try #require(Status.Alarm.read(.dictionary(work))).entries
    #expect(Set(entries).isSuperset(of: work))
    #expect(entries.count == work.count + 2, "time and enabled are always there")
  }

  @Test func `what the user does is a change of the status`() {
    let before = read(everything).steady
    for timers in [
      [timer("tea", "Tea", "running", of: 240, left: 232)],
      [timer("tea", "Tea", "paused", of: 240, left: 172)],
      [timer("tea", "Tea", "paused", of: 240, left: 173)], [],
    ] {
      let after = read(status(["timers": .dictionaries(timers)])).steady
      #expect(after.timers != before.timers)
    }
    let stopped = row(["state": .string("stopped"), "elapsed": .double(1)])
    let watch = read(status(["stopwatch": .dictionary(stopped)])).steady
    #expect(watch.stopwatch.elapsed == 1)
  }

  @Test(arguments: [
    // The status changes at the next midnight, here or in Seoul, or when summer time ends in New
    // York on 1 November 2026.
    ("2026-11-21T12:56:29Z", [String](), "2026-11-22T00:00:00+00:00"),
    ("2026-11-21T12:56:29Z", ["Asia/Seoul"], "2026-11-21T15:00:00+00:00"),
    ("2026-11-01T05:30:00Z", ["America/New_York"], "2026-11-01T06:00:00+00:00"),
    ("2026-11-21T12:56:29Z", ["Nowhere/At_All", "../etc"], "2026-11-22T00:00:00+00:00"),
  ])
  func `a status changes at the next midnight, here or in the city of a clock`(
    now: String, zones: [String], turn: String
  ) throws {
    let clocks = zones.map { row(["timezone": .string($0)]) }
    let instant = try #require(InstantText.parse(now, in: nil, utc))
    let next = read(status(["clocks": .dictionaries(clocks)])).nextTurn(after: instant, in: utc)
    #expect(utc.rfc3339(next, in: nil) == turn)
  }
}
