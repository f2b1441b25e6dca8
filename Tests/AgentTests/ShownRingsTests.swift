// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what the icon in the panel and the media player show of a schedule, what their answer to
// all rings does, and to which volume an alarm raises the output. `TrayTests.swift` and
// `MediaKeyTests.swift` in ProgramTests use a real panel and a real media key.

import Configuration
import Notifications
import Presentation
import Sound
import System
import Testing

@testable import Agent
@testable import Scheduling

@MainActor struct ShownRingsTests {
  /// 2026-11-21 20:12:29 UTC, a Saturday.
  private static let begin = Instant(seconds: 1_795_291_949)
  private let zones = Zones(machine: "UTC")
  private var schedule = Schedule()
  private var now = Now(wall: begin, boot: .seconds(1000), bootID: "this one")

  private var wording: Wording { Wording(zones: zones, clock: .twentyFourHours) }

  private mutating func apply(_ events: [Event], after seconds: Int64 = 0) {
    now.wall = now.wall + .seconds(seconds)
    now.boot += .seconds(seconds)
    for event in events { _ = schedule.apply(event, at: now, in: zones) }
  }

  private func alarm(_ id: String, _ time: CivilTime, _ label: String?) -> Alarm {
    var ring = RingSettings()
    ring.snooze = [.minutes(5)]
    let daily = Recurrence(time: time, dates: .days(Days(Set(Weekday.allCases))))
    return Alarm(id: id, label: label, recurrence: daily, ring: ring)
  }

  private func start(_ label: String, _ minutes: Int64) -> Event {
    .startTimer(
      TimerOrder(id: label.lowercased(), RecentTimer(duration: .minutes(minutes), label: label)))
  }

  /// Returns the lines of the icon's menu, each with its buttons.
  private var menu: [String]? {
    TrayContent(of: schedule, in: wording, at: now).map { content in
      content.things.map { thing in
        ([thing.line] + thing.answers.map(\.button.label)).joined(separator: " | ")
      } + content.recents.map(\.line) + (content.next.map { [$0] } ?? [])
    }
  }

  @Test mutating func `the icon is there while something is ringing, snoozed or counting down`() {
    apply([.configured([alarm("work", CivilTime(hour: 20, minute: 13)!, "Work")])])
    #expect(menu == nil)
    apply([start("Tea", 4), start("Eggs", 1), .timer("eggs", .cancel)])
    #expect(
      menu == [
        "Tea: Ends at 20:16 | Pause | +1 min | Cancel", "Again: Eggs, 1 min", "Next: Work, 20:13",
      ])
    apply([.tick], after: 31)
    #expect(menu?.first == "Work: Alarm, 20:13 | Quiet for 1 min | Snooze 5 min | Stop")
    #expect(TrayContent(of: schedule, in: wording, at: now)?.isRinging == true)
    apply([.snooze("work", .minutes(5)), .timer("tea", .cancel)])
    #expect(
      menu == [
        "Work: Snoozed until 20:18 | Stop", "Again: Eggs, 1 min", "Again: Tea, 4 min",
        "Next: Work, Sun 20:13",
      ])
    #expect(TrayContent(of: schedule, in: wording, at: now)?.isRinging == false)
    apply([.stop("work")])
    #expect(menu == nil)
  }

  @Test mutating func `the icon shows ten timers at most, and three recent ones`() {
    apply([.configured([])])
    for number in 1...20 { apply([start("T\(number)", Int64(number))]) }
    for number in 12...20 { apply([.timer("t\(number)", .cancel)]) }
    let content = TrayContent(of: schedule, in: wording, at: now)
    #expect(content?.things.count == 10 && content?.recents.count == 3)
  }

  /// The texts of the media player, such as `Work | Alarm, 20:13`, with `| quiet` if all rings are
  /// silenced.
  private var track: String? {
    MediaControls.Track(of: schedule, in: wording, at: now.wall).map {
      "\($0.title) | \($0.line)\($0.isQuiet ? " | quiet" : "")"
    }
  }

  @Test mutating func `the media player shows everything that is ringing`() {
    let time = CivilTime(hour: 20, minute: 13)!
    apply([.configured([alarm("work", time, "Work"), alarm("bus", time, nil)]), start("Tea", 1)])
    #expect(track == nil)
    apply([.tick], after: 31)
    #expect(track == "Work, 20:13 | Alarm, 20:13")
    apply([.hush("work")])
    #expect(track == "Work, 20:13 | Quiet until 20:14")
    apply([.hush("bus")])
    #expect(track == "Work, 20:13 | Quiet until 20:14 | quiet")
    apply([.stop("work"), .stop("bus"), .tick], after: 29)
    #expect(track == "Tea | Time's up")
    apply([.stop("tea")])
    #expect(track == nil)
  }

  private func ring(snoozes: [Duration] = [.minutes(5)], since seconds: Int64 = 0) -> OpenRing {
    var settings = RingSettings()
    (settings.snooze, settings.fadeIn) = (snoozes, .seconds(30))
    return OpenRing(
      kind: .alarm, id: "work", settings: settings,
      ring: Ring(due: Self.begin, since: Self.begin + .seconds(seconds)))
  }

  @Test func `the play key snoozes a ring, or silences it if it cannot be snoozed`() {
    var rehearsal = ring()
    rehearsal.isRehearsal = true
    for (ring, answer, event) in [
      (ring(), RingAnswer.stop, Event.stop("work")), (ring(), .silence, .hush("work")),
      (ring(), .snooze, .snooze("work", .minutes(5))), (ring(snoozes: []), .snooze, .hush("work")),
      (rehearsal, .snooze, .hush("work")),
    ] {
      #expect(answer.event(for: ring) == event)
    }
  }

  @Test func `the volume is raised for an alarm through the output that plays`() {
    var (settings, left) = (AgentSettings(), AgentSettings())
    settings.mixerFloor = 40
    left.mixer = .leave
    let output = Output(control: "sink:hda")
    func target(_ ring: OpenRing?, _ settings: AgentSettings, _ output: Output?) -> VolumeTarget? {
      VolumeTarget(for: ring, settings, on: output, at: Self.begin + .seconds(10))
    }
    for (since, elapsed) in [(0, Duration.seconds(10)), (4, .seconds(6)), (20, .zero)] {
      #expect(
        target(ring(since: Int64(since)), settings, output)
          == VolumeTarget(output, floor: 40, fadeIn: .seconds(30), elapsed: elapsed))
    }
    #expect(target(nil, settings, output) == nil)
    #expect(target(ring(), settings, nil) == nil)
    #expect(target(ring(), left, output) == nil)
  }
}
