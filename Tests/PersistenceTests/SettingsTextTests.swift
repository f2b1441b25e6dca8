// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests storing the settings in force and reading them back. Nothing may be lost, because the agent
// starts with these settings.

import Configuration
import Scheduling
import Testing

@testable import Persistence

/// Settings in which every field differs from the blank record.
private let fullSettings: SettingsInForce = {
  func date(_ day: Int) -> CivilDate { CivilDate(daysSinceEpoch: day) }
  func time(_ hour: Int, _ minute: Int, _ second: Int = 0) -> CivilTime {
    CivilTime(hour: hour, minute: minute, second: second) ?? .midnight
  }
  var ring = RingSettings()
  (ring.sounds, ring.devices) = (["Birds", "~/a \"b\".ogg"], ["hw:1", "default"])
  (ring.volume, ring.fadeIn) = (30, .milliseconds(1500))
  (ring.snooze, ring.snoozes, ring.check) = ([], 3, .minutes(5))
  (ring.ringFor, ring.unanswered, ring.autoSnoozes) = (nil, .miss, 1)
  (ring.late, ring.upcoming, ring.wake) = (.zero, .zero, false)
  (ring.onRing, ring.onStop) = ([["play", "a b"], ["x"]], [["y", ""]])
  (ring.before, ring.onBefore, ring.bedtime) = (.minutes(10), [["kettle", "on"]], .hours(8))
  var agent = AgentSettings()
  (agent.clock, agent.onClose, agent.devices) = (.twelveHours, .ring, ["tee"])
  (agent.mixer, agent.mixerFloor, agent.pauseMedia) = (.leave, 10, false)
  (agent.countdown, agent.tray, agent.wakeAhead) = (false, false, .seconds(5))
  agent.lockScreen = .count
  var configuration = Configuration()
  (configuration.defaults, configuration.agent) = (ring, agent)
  configuration.pauses = [
    Pause(from: date(20_800), until: date(20_810), group: "work", label: "Christmas"),
    Pause(from: date(20_900)),
  ]
  let seoul = City(
    title: "Seoul", name: "Seoul", korean: "서울", local: "서울", region: "Seoul",
    country: "South Korea", koreanCountry: "대한민국", countryCode: "KR", latitude: 37.566,
    longitude: -126.9784, population: 9_776_000, zone: "Asia/Seoul")
  let monthly = Days([.monday, .sunday], [Days.Ordinal(.last, .friday), .init(.first, .tuesday)])
  var rules = [
    Recurrence(time: time(7, 30), dates: .days(monthly), except: [date(20_812), date(20_815)]),
    Recurrence(
      time: time(23, 59, 59), dates: .every(Interval(2, .weeks, from: date(20_780)), Days()),
      zone: "Asia/Seoul", from: date(20_781), until: date(21_000)),
    Recurrence(time: .midnight, dates: .on(date(20_850))),
    Recurrence(time: time(15, 0), dates: .once),
  ]
  rules[0].calendars = [
    HolidayFile("holidays.ics", ExceptedDays([date(20_820)...date(20_830)])), HolidayFile("b.ics"),
  ]
  rules[2].sun = SunTime(
    .sunset, offset: .zero - .minutes(30), city: "Seoul", latitude: 37.5, longitude: -0.25)
  configuration.alarms = rules.enumerated().map { index, rule in
    var alarm = Alarm(
      id: "알람 \(index)", label: "L\n\"", group: "work", recurrence: rule, enabled: index > 0,
      ring: ring)
    alarm.take(configuration.pauses)
    return alarm
  }
  var focus = TimerPreset(name: "focus", duration: .minutes(25), label: "Focus", ring: ring)
  (focus.then, focus.flow, focus.rounds, focus.warn) = ("rest", true, nil, .minutes(1))
  configuration.timers = [focus, TimerPreset(name: "tea", duration: .minutes(4), ring: ring)]
  configuration.clocks = [
    WorldClock(place: .city(seoul, as: "서울"), label: "Home"),
    WorldClock(place: .city(nil, as: "Atlantis")), WorldClock(place: .zone("UTC")),
  ]
  configuration.chimes = [
    Chime(
      every: .minutes(30), between: Chime.Hours(time(9, 0), time(18, 30)), days: monthly,
      sounds: ["Clock"])
  ]
  return SettingsInForce(configuration, of: "/home/a/config.toml")
}()

@Suite struct SettingsTextTests {
  @Test(arguments: [SettingsInForce(Configuration(), of: "/c.toml"), fullSettings])
  func `settings are read back as they were`(settings: SettingsInForce) {
    #expect(SettingsText.parse(Array(SettingsText.render(settings).utf8)) == settings)
  }

  /// If there is a new setting, it must be added here, too. Otherwise an agent would start without
  /// that setting.
  @Test func `every setting has its field`() {
    func expectFields<Record: StoredRecord>(
      of record: Record, besides others: [String] = [],
      _ place: SourceLocation = #_sourceLocation
    ) {
      let properties = Mirror(reflecting: record).children.compactMap(\.label)
      #expect(
        properties.count - others.count == Record.fields.count, "\(properties)",
        sourceLocation: place)
    }
    let configuration = fullSettings.configuration
    expectFields(of: configuration.defaults)
    expectFields(of: configuration.agent)
    expectFields(of: configuration.alarms[0])
    expectFields(of: configuration.alarms[0].recurrence, besides: ["paused"])
    expectFields(of: configuration.pauses[0])
    expectFields(of: configuration.timers[0])
    expectFields(of: configuration.clocks[0])
    expectFields(of: configuration.chimes[0])
    // The path of the config is one field. Each part of the configuration is another field.
    let parts = Mirror(reflecting: configuration).children.count
    #expect(SettingsInForce.fields.count == parts + 1)
  }

  /// Every field of the full settings differs from the blank record, so every field must be
  /// written.
  @Test func `a field that is as in the blank record is left out, and no other`() {
    #expect(
      SettingsText.render(SettingsInForce(Configuration(), of: "")).hasSuffix("\nversion = 1\n"))
    guard case .table(let ring) = fullSettings.configuration.defaults.stored,
      case .table(let agent) = fullSettings.configuration.agent.stored
    else {
      Issue.record("a record is a table")
      return
    }
    #expect(ring.entries.map(\.key) == RingSettings.fields.map(\.key))
    #expect(agent.entries.map(\.key) == AgentSettings.fields.map(\.key))
  }

  @Test(arguments: [
    "alarms = [{id = 7}]", "alarms = [{recurrence = {dates = {days = []}}}]",
    "alarms = [{recurrence = {dates = {count = 0, unit = 'weeks', start = 2026-11-23, days = []}}}]",
    "alarms = [{recurrence = {except = [[2026-12-25, 2026-12-24]]}}]",
    "defaults = {unanswered = \"ring\"}", "defaults = 7", "pauses = [{from = \"today\"}]",
    "clocks = [{place = {name = \"Seoul\"}}]", "chimes = [{days = [9]}]",
  ])
  func `settings that are not all valid are none`(line: String) {
    let start = "version = 1\nconfig = \"/c\"\n"
    #expect(SettingsText.parse(Array(start.utf8)) != nil)
    #expect(SettingsText.parse(Array((start + line + "\n").utf8)) == nil)
  }

  @Test func `a key of a later release is passed over`() {
    let text = "version = 1\nconfig = \"/c\"\nlater = 1\n"
    #expect(
      SettingsText.parse(Array(text.utf8)) == SettingsInForce(Configuration(), of: "/c"))
  }
}
