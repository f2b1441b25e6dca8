// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a complete config has the settings that the manual describes, and that each key
// changes only its own setting.

import Configuration
import Scheduling
import Testing

@Suite struct CompleteFileTests {
  let reading = read(completeFile)
  var configuration: Configuration { reading.configuration }

  @Test func `the complete config has no errors and no warnings`() {
    #expect(reading.diagnostics == [])
    #expect(reading.isTOML && !reading.hasErrors && !reading.hasNamelessAlarms)
    #expect(reading.faultyAlarms.isEmpty && reading.faultyTimers.isEmpty)
  }

  @Test func `the complete config has the default settings, except for those that it changes`() {
    var ring = RingSettings()
    ring.sounds = ["Carillon"]
    ring.onRing = [["notify-my-lamp", "on"]]
    ring.onStop = [["notify-my-lamp", "off"]]
    #expect(configuration.defaults == ring)
    var agent = AgentSettings()
    agent.onClose = .stop
    #expect(configuration.agent == agent)
    #expect(read("").configuration == Configuration())
  }

  @Test func `the alarms of the complete config are read, in their order`() throws {
    let (ring, alarms) = (configuration.defaults, configuration.alarms)
    let workdays: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
    let christmas = try #require(CivilDate(year: 2026, month: 12, day: 25))
    let eve = try #require(CivilDate(year: 2026, month: 12, day: 24))
    #expect(
      alarms == [
        Alarm(
          id: "work", label: "Work",
          recurrence: Recurrence(
            time: time(7, 30), dates: .days(Days(workdays)), except: [christmas]),
          ring: ring),
        Alarm(
          id: "train", label: "Train",
          recurrence: Recurrence(time: time(5, 15), dates: .on(eve), zone: "Asia/Seoul"), ring: ring
        ),
        Alarm(
          id: "1500", recurrence: Recurrence(time: time(15, 0), dates: .once), enabled: false,
          ring: ring),
      ])
  }

  @Test func `the timer and the clock are read, and the timer does not fade in by default`() {
    var ring = configuration.defaults
    ring.sounds = ["Kettle"]
    ring.fadeIn = .zero
    #expect(configuration.timers == [TimerPreset(name: "tea", duration: .minutes(4), ring: ring)])
    #expect(configuration.clocks == [WorldClock(city: nil, named: "Seoul", label: "Home")])
  }

  @Test func `pauses and chimes are read, except for those with an error`() throws {
    let found = read(
      """
      pause = [
        {from = 2026-12-24, until = 2027-01-03, label = "Christmas"},
        {from = 2026-12-24, until = 2026-12-23},
        {from = 2026-12-25, group = "school"},
      ]
      chime = [
        {every = "30m", between = ["07:00", "22:00"], days = "mon", sound = "Gong"},
        {every = "7m"},
        {every = "1h"},
      ]
      """)
    #expect(found.diagnostics.count { $0.severity == .error } == 2)
    let days = [(12, 24), (12, 25)].compactMap { CivilDate(year: 2026, month: $0, day: $1) }
    #expect(
      found.configuration.pauses == [
        Pause(
          from: days[0], until: CivilDate(year: 2027, month: 1, day: 3), label: "Christmas"),
        Pause(from: days[1], group: "school"),
      ])
    #expect(
      found.configuration.chimes == [
        Chime(
          every: .minutes(30), between: Chime.Hours(time(7, 0), time(22, 0)),
          days: Days([.monday]), sounds: ["Gong"]),
        Chime(every: .hours(1), sounds: ["Clock"]),
      ])
  }

  @Test func `an alarm and a timer override every default`() {
    let everything = """
      sound = "Gong"
      volume = 1
      fade_in = "0s"
      snooze = ["5m", "10m", "30m"]
      ring_for = "forever"
      unanswered = "miss"
      auto_snoozes = 0
      late = "1h"
      upcoming = "0s"
      wake = false
      on_ring = [["lamp", "on"], ["curtain", "up"]]
      on_stop = []
      """
    var expected = RingSettings()
    (expected.sounds, expected.volume, expected.fadeIn) = (["Gong"], 1, .zero)
    (expected.snooze, expected.ringFor) = ([.minutes(5), .minutes(10), .minutes(30)], nil)
    (expected.unanswered, expected.autoSnoozeLimit, expected.late) = (.miss, 0, .hours(1))
    (expected.upcoming, expected.wake) = (.zero, false)
    expected.onRing = [["lamp", "on"], ["curtain", "up"]]
    let reading = read(
      completeFile + "[[alarm]]\ntime = 06:00\n\(everything)\n"
        + "[[timer]]\nname = \"egg\"\nduration = \"7m\"\nlabel = \"Egg\"\n\(everything)\n")
    #expect(reading.diagnostics == [])
    #expect(reading.configuration.alarms.last?.ring == expected)
    var egg = TimerPreset(name: "egg", duration: .minutes(7), ring: expected)
    egg.label = "Egg"
    #expect(reading.configuration.timers.last == egg)
  }

  @Test func `defaults apply to alarms and timers before and after them in the file`() {
    let reading = read(
      """
      [[alarm]]
      time = 06:00
      [[timer]]
      name = "tea"
      duration = "4m"
      [defaults]
      volume = 33
      fade_in = "1m"
      """)
    #expect(reading.configuration.alarms.map(\.ring.volume) == [33])
    #expect(reading.configuration.alarms.map(\.ring.fadeIn) == [.minutes(1)])
    #expect(reading.configuration.timers.map(\.ring.volume) == [33])
    #expect(reading.configuration.timers.map(\.ring.fadeIn) == [.zero])
  }

  @Test func `every agent setting is read`() {
    let reading = read(
      """
      [agent]
      clock = "12h"
      on_close = "ring"
      device = ["hw:0", "default"]
      mixer = "leave"
      mixer_floor = 100
      pause_media = false
      countdown = false
      tray = false
      wake_ahead = "0s"
      lock_screen = "count"
      """)
    var expected = AgentSettings()
    expected.lockScreen = .count
    (expected.clock, expected.onClose) = (.twelveHours, .ring)
    expected.devices = ["hw:0", "default"]
    (expected.mixer, expected.mixerFloor) = (.leave, 100)
    (expected.pauseMedia, expected.countdown, expected.wakeAhead) = (false, false, .zero)
    expected.tray = false
    #expect(reading.configuration.agent == expected)
    #expect(reading.diagnostics == [])
    #expect(read("agent.clock = \"24h\"").configuration.agent.clock == .twentyFourHours)
    #expect(read("agent.on_close = \"snooze\"").configuration.agent.onClose == .snooze)
  }

  @Test func `a clock is a city or a zone`() {
    let reading = read("clock = [{timezone = \"Asia/Seoul\"}, {city = \"Bonn\", label = \"\"}]")
    #expect(
      reading.configuration.clocks == [
        WorldClock(zone: "Asia/Seoul"), WorldClock(city: nil, named: "Bonn"),
      ])
    #expect(reading.diagnostics == [])
  }
}

func time(_ hour: Int, _ minute: Int, _ second: Int = 0) -> CivilTime {
  guard let time = CivilTime(hour: hour, minute: minute, second: second) else {
    fatalError("the test names a time that does not exist")
  }
  return time
}

func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
  guard let date = CivilDate(year: year, month: month, day: day) else {
    fatalError("the test names a date that does not exist")
  }
  return date
}
