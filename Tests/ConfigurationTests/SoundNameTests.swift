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
      "5:9: error: \"sound\" is an empty list\nhint: leave out the key, or give it at least one value",
    ])
  #expect(reading.configuration.defaults.sounds == ["Kettle", "Gong"])
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
