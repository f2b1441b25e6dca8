// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the settings in force are stored and read back. Nothing may be lost, because the agent
// starts with these settings.

import Configuration
import Persistence
import Scheduling
import Testing

private let seoul = City(
  title: "Seoul", name: "Seoul", korean: "서울", local: "서울", region: "Seoul",
  country: "South Korea", koreanCountry: "대한민국", countryCode: "KR", latitude: 37.566,
  longitude: -126.9784, population: 9_776_000, zone: "Asia/Seoul")

/// A context without files of cities and calendars, so that these must come from the stored text.
private var blind: ReadingContext { ReadingContext(isKnownZone: { $0 == "Asia/Seoul" }) }

private let holidays = ExceptedDays(
  [CivilDate(daysSinceEpoch: 20_820)...CivilDate(daysSinceEpoch: 20_830)])

/// The context in which the agent reads a config, including the files of cities and calendars.
private var context: ReadingContext {
  var context = ReadingContext(isKnownZone: { $0 == "Asia/Seoul" })
  context.cities = { names in names.contains("서울") ? ["서울": seoul] : [:] }
  context.calendar = { _, zone in (zone == nil ? holidays : ExceptedDays(), nil, nil) }
  return context
}

private func read(_ text: String, keeping inForce: Configuration = Configuration()) -> Reading {
  var context = context
  context.inForce = inForce
  return Configuration.read(Array(text.utf8), file: "", in: context)
}

private let config = """
  # Gewohnheit, 습관
  [defaults]
  volume = 30
  [[alarm]]
  time = 07:30
  days = ["weekdays", "1st sun"]
  except = ["holidays.ics"]
  [[alarm]]
  time = "sunset - 30m"
  timezone = "Asia/Seoul"
  except = ["holidays.ics"]
  label = "L\\n"
  [[pause]]
  from = 2026-12-24
  [[clock]]
  city = "서울"
  """

private let fault = "[[alarm]]\nid = \"x\"\ntime = 99\n"

@Suite struct SettingsTextTests {
  /// Reads each of `texts` as a config, stores the settings, and reads them back. Returns the
  /// settings in force after that and before it.
  private func restarted(_ texts: [String]) throws -> (after: Configuration, before: Configuration)
  {
    var settings = SettingsInForce(of: "/c.toml")
    var inForce = Configuration()
    for text in texts {
      let reading = read(text, keeping: inForce)
      inForce = inForce.replaced(by: reading)
      settings.take(reading, in: blind)
    }
    let stored = try #require(SettingsText.parse(Array(SettingsText.render(settings).utf8)))
    #expect(stored == settings)
    return (stored.configuration(in: blind), inForce)
  }

  @Test(
    arguments: [
      [""], [config], [config.replacing("volume = 30", with: "volume = 101")],
      [
        config,
        config.replacing("volume = 30", with: "volume = 101").replacing("07:30", with: "99"),
      ],
      [config, "[[alarm]]\ntime = 99\nid = \"0730\"\n[[alarm]]\ntime = 09:00"],
      [config, "[[alarm]]\ntime = 99\n", "[[alarm]]\ntime = 10:00"],
      [config, config.replacing("[defaults]", with: "[[defaults]]")],
      [
        config, fault + "[[alarm]]\nid = \"c\"\ntime = 06:30",
        fault + "[[alarm]]\nid = \"c\"\ntime = 98\n[[alarm]]\nid = \"d\"\ntime = 09:00",
      ],
      [
        "[[alarm]]\nid = \"c\"\ntime = 07:30", fault + "[[alarm]]\nid = \"c\"\ntime = 06:30",
        fault + "[[alarm]]\nid = \"c\"\ntime = 98\nenabled = false",
        fault + "[[alarm]]\nid = \"c\"\ntime = 97\n[agent]\nmixer_floor = 40",
        fault + "[[alarm]]\nid = \"c\"\ntime = 97\n[agent]\nmixer_floor = 101",
      ],
    ])
  func `after a restart, the same settings are in force`(texts: [String]) throws {
    let (after, before) = try restarted(texts)
    #expect(after == before)
  }

  @Test func `a config is kept as long as a setting in force comes from it, but at most ten are`() {
    var settings = SettingsInForce(of: "/c.toml")
    for minute in 10..<30 {
      settings.take(read("\(fault)[[alarm]]\nid = \"c\"\ntime = 07:\(minute)"), in: blind)
    }
    #expect(settings.copies.count == 1)
    var faults = ""
    for hour in 10..<22 {
      let alarm = "[[alarm]]\nid = \"a\(hour)\"\ntime = "
      settings.take(read("\(faults)\(alarm)\(hour):00"), in: blind)
      faults += alarm + "99\n"
    }
    #expect(settings.copies.count == 10)
    #expect(settings.configuration(in: blind).alarms.count == 10)
  }

  @Test func `after a restart, the days of a calendar file are known`() {
    var settings = SettingsInForce(of: "/c.toml")
    settings.take(read(config), in: blind)
    #expect(settings.calendars.map(\.days) == [holidays, ExceptedDays()])
    settings.take(read("[[alarm]]"), in: blind)
    #expect(settings.calendars.map(\.days) == [holidays, ExceptedDays()])
  }

  @Test(arguments: [
    "version = 2\nconfig = \"/c\"", "config = \"/c\"", "version = 3\ncopies = 7",
    "version = 3\ncopies = [{text = 7}]", "version = 3\ncopies = [{cities = [{name = 7}]}]",
    "version = 3\ncopies = [{calendars = [{days = [[2026-12-25, 2026-12-24]]}]}]", "version = ",
  ])
  func `stored settings with an invalid part are not used at all`(text: String) {
    #expect(SettingsText.parse(Array(text.utf8)) == nil)
  }

  @Test func `a key that a later release has added is ignored`() {
    let text = "version = 3\nconfig = \"/c\"\nlater = 1\n"
    #expect(SettingsText.parse(Array(text.utf8)) == SettingsInForce(of: "/c"))
  }
}
