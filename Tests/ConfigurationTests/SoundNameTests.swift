// SPDX-License-Identifier: GPL-3.0-or-later

import Configuration
import Language
import Testing

@Test(arguments: [
  ("Carillon", []),
  (
    "Carilon",
    ["2:9: warning: no sound is called \"Carilon\"\nhint: did you mean \"Carillon\"?"]
  ),
  (
    "/nowhere/gong.wav",
    [
      "2:9: warning: no sound is called \"/nowhere/gong.wav\"\n"
        + "hint: belfry sounds list shows all names; until this is fixed, the default sound plays"
    ]
  ),
])
func `a sound that does not exist gives a warning, and the setting is kept`(
  name: String, complaints: [String]
) {
  var context = context
  context.isKnownSound = { ["Carillon", "Kettle"].contains($0) }
  context.soundNames = { ["Carillon", "Kettle"] }
  let text = "[defaults]\nsound = \"\(name)\"\n"
  let reading = Configuration.read(Array(text.utf8), file: "c", in: context)
  #expect(reading.diagnostics.map { String($0.description.dropFirst(2)) } == complaints)
  #expect(reading.configuration.defaults.sounds == [name])
}

@Test func `each missing sound in a list is reported at its place`() {
  var context = context
  context.isKnownSound = { ["Carillon", "Kettle"].contains($0) }
  let text = "[defaults]\nsound = [\"Kettle\", \"Gong\"]\n[[alarm]]\ntime = 07:00\nsound = []\n"
  let reading = Configuration.read(Array(text.utf8), file: "c", in: context)
  #expect(
    reading.diagnostics.map { String($0.description.dropFirst(2)) } == [
      "2:20: warning: no sound is called \"Gong\"\n"
        + "hint: belfry sounds list shows all names; until this is fixed, the default sound plays",
      "5:9: error: sound is an empty list\nhint: leave out the key, or give it at least one value",
    ])
  #expect(reading.configuration.defaults.sounds == ["Kettle", "Gong"])
}

@Test func `an entry with an error keeps its earlier settings, and other changes are accepted`() {
  func reading(_ text: String) -> Reading { read(text) }
  let good = Configuration().replaced(
    by: reading(
      """
      [[alarm]]
      id = "a"
      time = 07:00
      [[alarm]]
      id = "b"
      time = 08:00
      [[timer]]
      name = "tea"
      duration = "4m"
      """))
  let times = { (configuration: Configuration) in
    configuration.alarms.map { "\($0.id) \($0.recurrence.time)" }.sorted()
  }

  let next = good.replaced(
    by: reading("[[alarm]]\nid = 'a'\ntime = 25\n[[alarm]]\nid = 'c'\ntime = 09:00"))
  #expect(times(next) == ["a 07:00", "c 09:00"])
  #expect(next.timers.isEmpty)

  // The user can switch an alarm off even if the alarm has an error.
  let off = good.replaced(
    by: reading("[[alarm]]\nid = 'a'\ntime = 07:00\nenabled = false\nvolume = 300"))
  #expect(off.alarms.map(\.enabled) == [false])

  // An alarm with an error and a new id may be one that is missing, so that one stays.
  let renamed = "[[alarm]]\nid = 'a'\ntime = 07:00\n[[alarm]]\nlabel = 'Job'\ntime = 25"
  #expect(times(good.replaced(by: reading(renamed))) == ["a 07:00", "b 08:00"])
  #expect(times(good.replaced(by: reading(renamed + "\nenabled = false"))) == ["a 07:00"])
  // But not if a new alarm without an error has its times.
  let another = renamed + "\n[[alarm]]\nid = 'c'\ntime = 08:00"
  #expect(times(good.replaced(by: reading(another))) == ["a 07:00", "c 08:00"])

  // A timer with an error keeps its settings as well, and another timer that is gone is removed.
  let timers = { (configuration: Configuration) in
    configuration.timers.map { "\($0.name) \($0.duration.wholeSeconds)" }
  }
  let egg = good.replaced(by: reading("[[timer]]\nname = 'egg'\nduration = '7m'"))
  let both = "timer = [{name = 'egg', duration = 7}, {name = 'tea', duration = '5m'}]"
  #expect(timers(egg) == ["egg 420"])
  #expect(timers(egg.replaced(by: reading(both))) == ["tea 300", "egg 420"])

  #expect(good.replaced(by: reading("no toml")) == good)
  // This text is TOML, but does not say which alarm is meant, so no alarm is removed.
  #expect(times(good.replaced(by: reading("[alarm]\ntime = 09:00"))) == ["a 07:00", "b 08:00"])
  let nameless = "timer = [{duration = '1m'}, {name = 'tea', duration = '5m'}]"
  #expect(timers(good.replaced(by: reading(nameless))) == ["tea 300"])
  let unreadable = good.replaced(by: reading("timer = 5"))
  #expect(unreadable.timers == good.timers && unreadable.alarms.isEmpty)
}

@Test func `if [defaults] or [agent] is no table, its earlier settings stay in force`() {
  let good = Configuration().replaced(
    by: read("[defaults]\nvolume = 30\n[agent]\ntray = false\n[[alarm]]\ntime = 07:00"))
  var keeping = context
  keeping.inForce = good
  for text in ["[[defaults]]\nvolume = 40\n[[agent]]\ntray = true", "defaults = 3\nagent = 3"] {
    let next = good.replaced(
      by: Configuration.read(Array(text.utf8), file: "config.toml", in: keeping))
    #expect(next.defaults.volume == 30 && !next.agent.tray)
  }
}

@Test func `a sound that cannot be played gives a warning, and is looked up only once`() {
  var (context, count) = (context, 0)
  context.isKnownSound = { _ in false }
  context.soundProblem = { _ in
    count += 1
    return (Message("\"~/a.m4a\" cannot be played"), Message("convert it"))
  }
  let text = "[defaults]\nsound = [\"~/a.m4a\", \"~/a.m4a\"]\n"
  let reading = Configuration.read(Array(text.utf8), file: "c", in: context)
  #expect(
    reading.diagnostics.map { String($0.description.dropFirst(2)) } == [
      "2:10: warning: \"~/a.m4a\" cannot be played\nhint: convert it",
      "2:21: warning: \"~/a.m4a\" cannot be played\nhint: convert it",
    ])
  #expect(count == 1)
}
