// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which settings are in force after a config was saved, above all with errors in it.

import Cities
import Configuration
import Scheduling
import Testing

private let seoul = City(
  title: "Seoul", name: "Seoul", korean: "서울", local: "서울", region: "Seoul",
  country: "South Korea", koreanCountry: "대한민국", countryCode: "KR", latitude: 37.566,
  longitude: -126.9784, population: 9_776_000, zone: "Asia/Seoul")

/// The context in which the agent reads a config, including the files of cities and calendars.
private var files: ReadingContext {
  var files = context
  files.cities = { names in
    Dictionary(names.filter { $0 != "Sweul" }.map { ($0, seoul) }) { first, _ in first }
  }
  files.calendar = { _, _ in
    let christmas = CivilDate(daysSinceEpoch: 20_812)
    return (ExceptedDays([christmas...christmas]), nil, nil)
  }
  return files
}

/// Returns the settings in force after each of `texts` was saved in turn.
private func inForce(_ texts: [String]) -> (settings: SettingsInForce, configuration: Configuration)
{
  var (settings, configuration) = (SettingsInForce(of: "/c.toml"), Configuration())
  for text in texts {
    let reading = Configuration.read(Array(text.utf8), file: "", in: files)
    (settings, configuration) = settings.replaced(by: reading, in: context)
    // The stored text, read again without any file, has the same meaning, and the same reading
    // again changes nothing.
    #expect(settings.configuration(in: context) == configuration, "\(settings.text)")
    #expect(settings.replaced(by: reading, in: context).settings == settings)
  }
  return (settings, configuration)
}

/// Returns the alarms in force, each with its time and volume.
private func alarms(_ texts: String...) -> [String] {
  inForce(texts).configuration.alarms.map {
    "\($0.id) \($0.recurrence.sun.map { "sun of \($0.city)" } ?? "\($0.recurrence.time)") "
      + "\($0.ring.volume)\($0.enabled ? "" : " off")"
  }
}

@Suite struct SettingsInForceTests {
  static let two = """
    [[alarm]]
    id = "a"
    time = 07:00
    volume = 40
    [[alarm]]
    label = "B!"
    time = 08:00

    """

  @Test func `a table with an error keeps its last valid form`() {
    let faulty = Self.two.replacing("07:00", with: "25")
    #expect(alarms(Self.two, faulty) == ["a 07:00 40", "b 08:00 80"])
    #expect(alarms(Self.two, faulty.replacing("08:00", with: "09:00")).last == "b 09:00 80")
    // The unit is the table: a valid key of the table is not in force either.
    #expect(
      alarms(Self.two, faulty.replacing("volume = 40", with: "volume = 50\nenabled = false"))
        == ["a 07:00 40", "b 08:00 80"])
    // An entry that never had a valid form is not in force.
    #expect(alarms(faulty) == ["b 08:00 80"])
    #expect(alarms(Self.two, "[[alarm]]\nid = 'c'\ntime = 25") == [])
    // The last valid form counts, however many errors came before and after it.
    let third = Self.two.replacing("07:00", with: "06:00")
    #expect(
      alarms(faulty, Self.two, faulty, third, faulty, faulty) == ["a 06:00 40", "b 08:00 80"])
    #expect(
      alarms(third, Self.two.replacing("08:00", with: "x"), Self.two, faulty)
        == ["a 07:00 40", "b 08:00 80"])
  }

  @Test func `an error that hides an id keeps all entries of the kind that are not in the file`() {
    let hidden = "[[alarm]]\ntime = 25\n[[alarm]]\nid = 'a'\ntime = 06:00\n"
    #expect(alarms(Self.two, hidden) == ["a 06:00 80", "b 08:00 80"])
    #expect(alarms(Self.two, hidden, hidden) == ["a 06:00 80", "b 08:00 80"])
    #expect(alarms(Self.two, hidden, "[[alarm]]\nid = 'a'\ntime = 06:00") == ["a 06:00 80"])
    for text in ["[alarm]\ntime = 09:00", "alarm = 5", "alarm = [5]"] {
      #expect(alarms(Self.two, text) == ["a 07:00 40", "b 08:00 80"])
    }
    #expect(alarms(Self.two, "") == [])
    #expect(alarms(Self.two, "no toml") == ["a 07:00 40", "b 08:00 80"])
  }

  @Test func `an id that was made stays the same beside kept alarms`() {
    let three = ["07:00", "08:00", "09:00"].map { "[[alarm]]\nlabel = 'x'\ntime = \($0)\n" }
    let faulty = three[1] + three[0].replacing("07:00", with: "25") + three[2]
    #expect(alarms(three.joined()) == ["x 07:00 80", "x-2 08:00 80", "x-3 09:00 80"])
    #expect(alarms(three.joined(), faulty) == ["x 08:00 80", "x-2 08:00 80", "x-3 09:00 80"])
  }

  @Test func `every kind of table keeps its last valid form`() {
    let good = """
      [defaults]
      volume = 30
      snooze = "3m"
      [agent]
      tray = false
      mixer_floor = 30
      [[timer]]
      name = "tea"
      duration = "4m"
      then = "egg"
      [[timer]]
      name = "egg"
      duration = "5m"
      [[pause]]
      from = 2026-12-24
      until = 2026-12-26
      [[pause]]
      from = 2026-12-31
      group = "g"
      [[clock]]
      city = "서울"
      [[clock]]
      timezone = "Asia/Seoul"
      label = "S"
      [[chime]]
      every = "1h"
      [[chime]]
      every = "30m"
      between = [09:00, 12:00]
      """
    let before = inForce([good]).configuration
    for (old, new) in [
      ("volume = 30", "volume = 300"), ("snooze = \"3m\"", "snooze = 3\nvolume = 50"),
      ("[defaults]", "[[defaults]]"), ("[agent]", "[[agent]]"),
      ("tray = false", "tray = 7\nmixer_floor = 31"), ("\"4m\"", "4"), ("\"egg\"", "\"eg\""),
      ("until = 2026-12-26", "until = 2026-12-23"), ("2026-12-24", "24"), ("\"g\"", "7"),
      ("서울", "Sweul"), ("\"S\"", "5"), ("\"1h\"", "\"7m\""), ("12:00]", "99]"),
    ] {
      let text = good.replacing(old, with: new, maxReplacements: 1)
      let after = inForce([good, text]).configuration
      #expect(after.defaults == before.defaults && after.agent == before.agent, "\(new)")
      #expect(after.pauses.count == 2 && Set(after.pauses) == Set(before.pauses), "\(new)")
      #expect(
        after.timers.sorted { $0.name < $1.name } == before.timers.sorted { $0.name < $1.name })
      #expect(after.clocks.map(\.zone) == before.clocks.map(\.zone), "\(new)")
      #expect(Set(after.chimes) == Set(before.chimes), "\(new)")
    }
  }

  @Test func `a kept timer starts nothing if the next timer is gone`() {
    let good = "[[timer]]\nname = 'tea'\nduration = '4m'\nthen = 'egg'\n"
    let egg = "[[timer]]\nname = 'egg'\nduration = '5m'"
    #expect(inForce([good + egg, good]).configuration.timers.map(\.name) == ["tea"])
  }

  @Test func `an alarm by the sun keeps its city, although the clock that named it is gone`() {
    let clock = "[[clock]]\ncity = 'Seoul'\n"
    let alarm = "[[alarm]]\ntime = 'sunrise'\n"
    for text in [
      alarm, clock.replacing("Seoul", with: "Sweul") + "[[clock]]\ncity='Busan'\n" + alarm,
    ] {
      #expect(alarms(clock + alarm, text) == ["sunrise sun of Seoul 80"])
    }
    let noMistake = alarm + "city = '서울'\n[[alarm]]\nid = 'x'\ntime = 99\n"
    #expect(alarms(clock + alarm, clock + noMistake) == ["sunrise sun of Seoul 80"])
  }

  @Test func `the days of a calendar stay with an alarm that has an error`() throws {
    let good = "[[alarm]]\ntime = 07:00\nexcept = ['a.ics']\n"
    let (settings, configuration) = inForce([good, good + "volume = 300"])
    #expect(settings.calendars.map(\.name) == ["a.ics"])
    #expect(configuration.alarms.first?.recurrence.calendars.first?.days.isEmpty == false)
    #expect(inForce([good, ""]).settings.calendars.isEmpty)
  }

  @Test func `a text without errors is stored as it is`() {
    let text = "# why\n\(Self.two)"
    #expect(inForce([Self.two.replacing("08:00", with: "x"), text]).settings.text == text)
  }
}
