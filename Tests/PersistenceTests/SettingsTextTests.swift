// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the settings in force are stored and read back. Nothing may be lost, because the agent
// starts with these settings.

import Cities
import Configuration
import Persistence
import Scheduling
import Testing

private let seoul = City(
  title: "Seoul", name: "Seoul", korean: "서울", local: "서울", region: "Seoul",
  country: "South Korea", koreanCountry: "대한민국", countryCode: "KR", latitude: 37.566,
  longitude: -126.9784, population: 9_776_000, zone: "Asia/Seoul")

private let day = CivilDate(daysSinceEpoch: 20_820)

@Suite struct SettingsTextTests {
  @Test func `settings are read as they were written`() {
    var settings = SettingsInForce(of: "/c.toml")
    settings.text = "# Gewohnheit, 습관\n[[alarm]]\ntime = 07:30\nlabel = \"L\\n\"\r\n\"\"\"\t'"
    settings.cities = [SettingsInForce.FoundCity(name: "서울", city: seoul)]
    settings.calendars = [
      HolidayFile("a.ics", ExceptedDays([day...day])),
      HolidayFile("a.ics", in: "Asia/Seoul", ExceptedDays()),
    ]
    #expect(SettingsText.parse(Array(SettingsText.render(settings).utf8)) == settings)
  }

  @Test func `of the texts that release 1.0.0 stored, the first is read`() {
    let text = """
      version = 3
      config = "/c"
      [[copies]]
      text = "[[alarm]]\\ntime = 07:30\\n"
      calendars = [{name = "a.ics", days = [[2026-12-25, 2026-12-25]]}]
      [[copies]]
      text = "[[alarm]]\\ntime = 99\\n"
      """
    let settings = SettingsText.parse(Array(text.utf8))
    #expect(settings?.config == "/c" && settings?.text == "[[alarm]]\ntime = 07:30\n")
    #expect(settings?.calendars.map(\.name) == ["a.ics"])
  }

  @Test(arguments: [
    "version = 2\nconfig = \"/c\"", "config = \"/c\"", "version = 3\nconfig = \"/c\"\ncopies = 7",
    "version = 4\ntext = 7", "version = 4\ncities = [{name = 7}]",
    "version = 4\ncalendars = [{days = [[2026-12-25, 2026-12-24]]}]", "version = ",
  ])
  func `stored settings with an invalid part are not used at all`(text: String) {
    #expect(SettingsText.parse(Array(text.utf8)) == nil)
  }

  @Test func `a key that a later release has added is ignored`() {
    let text = "version = 4\nconfig = \"/c\"\nlater = 1\n"
    #expect(SettingsText.parse(Array(text.utf8)) == SettingsInForce(of: "/c"))
  }
}
