// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry import` with files that other clock programs and their libraries wrote.
// `Imported/README.md` lists these files. To test a damaged file, a test cuts off the end of one of
// them.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ImportTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Imported")

  /// Copies a file of the folder `Imported`, or its first `count` bytes, to the place in the home
  /// folder where the clock program would keep it.
  static func put(
    _ name: String, at place: String, _ desk: Desk, first count: Int? = nil
  ) throws {
    let file = desk.lab.home.appendingPathComponent(place)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
    try bytes.prefix(count ?? bytes.count).write(to: file)
  }

  /// An imported alarm, timer or clock in the output of `belfry import --json`, with only the
  /// fields that these tests check.
  private struct Entry: Decodable {
    var kind, id, toml: String?
    var state: String
  }

  /// Returns the text of a file in the folder `Imported`: the config entries that an import should
  /// print.
  static func entries(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test(
    arguments: [
      ("dconf-user", ".config/dconf/user"), ("keyfile", ".config/glib-2.0/settings/keyfile"),
      ("keyfile", ".var/app/org.gnome.clocks/config/glib-2.0/settings/keyfile"),
    ])
  func `GNOME Clocks is imported from each place where its settings may be, but not a second time`(
    file: String, place: String
  ) throws {
    let desk = try Desk(Lab(.bus))
    try Self.put(file, at: place, desk)
    let entries = try Self.entries("gnome-clocks.toml")
    let shown = try desk.belfry("import gnome-clocks")
    #expect(shown.status == 0 && shown.errors == "")
    #expect(
      shown.output == entries + "\n# nothing has been written yet: to write it, use --write\n")
    #expect(!FileManager.default.fileExists(atPath: desk.config.path))
    let json = try JSONDecoder().decode(
      [Entry].self, from: Data(desk.belfry("import gnome-clocks --json").output.utf8))
    #expect(json.compactMap(\.toml).joined(separator: "\n") == entries)
    #expect(Set(json.map(\.kind)) == ["alarm", "timer", "clock"])
    #expect(json.allSatisfy { $0.id != nil && $0.state == "new" })

    let wrote = try desk.belfry("import gnome-clocks --write")
    #expect(wrote.output == entries + "\n# wrote 8 entries\n")
    #expect(wrote.errors.hasPrefix("belfry: the agent is not running, so no alarm will ring\n"))
    #expect(try desk.text == entries)
    #expect(try desk.belfry("config check").status == 0)
    let repeated = try desk.belfry("import gnome-clocks --write")
    #expect(repeated.errors == "")
    let again = repeated.output.split(separator: "\n")
    #expect(again.count == 9 && again.last == "# nothing is new")
    #expect(again.dropLast().allSatisfy { $0.hasPrefix("# already in the config: ") })
    #expect(try desk.text == entries)
  }

  @Test(
    arguments: [
      ("gnome-clocks-dconf", ".config/dconf/user"),
      ("gnome-clocks-keyfile", ".config/glib-2.0/settings/keyfile"),
    ])
  func `the files that GNOME Clocks writes are imported, and its disabled alarms stay disabled`(
    file: String, place: String
  ) throws {
    let desk = try Desk(Lab())
    try Self.put(file, at: place, desk)
    #expect(
      try desk.belfry("import gnome-clocks").output
        == Self.entries("gnome-clocks-itself.toml") + """

          # not imported: the world clock Springfield: belfry world search knows no such city
          # nothing has been written yet: to write it, use --write

          """)
  }

  @Test func `the settings that GNOME Clocks 51 writes are imported`() throws {
    let desk = try Desk(Lab())
    try Self.put("gnome-clocks-51-dconf", at: ".config/dconf/user", desk)
    let output = try desk.belfry("import gnome-clocks").output
    let settings = "snooze = \"10m\"\nring_for = \"5m\"\n"
    for entry in [
      "time = 07:30\ndays = \"weekdays\"\nlabel = \"Work, early\"\n\(settings)",
      "time = 05:15\nlabel = \"Train\"\nenabled = false\nsnooze = \"3m\"\nring_for = \"1m\"\n",
      "# not imported: Train: its sound, which is a part of that program: resource:///org/gnome/",
    ] { #expect(output.contains(entry), "\(output)") }
    // Whether the sound of this alarm exists depends on the machine.
    #expect(output.contains("time = 10:09\ndays = [\"mon\"]\nlabel = \"Nap\"\n"), "\(output)")
  }

  @Test func `an imported timer whose label looks like a duration gets another name`() throws {
    let desk = try Desk(Lab())
    try Self.put("keyfile", at: ".config/glib-2.0/settings/keyfile", desk)
    let file = desk.lab.home.appendingPathComponent(".config/glib-2.0/settings/keyfile")
    let text = try String(contentsOf: file, encoding: .utf8)
    for (label, name) in [
      ("1h30m", "timer-1h30m"), ("5", "timer-5"), ("5 m", "5-m"), ("", "timer-4m"),
    ] {
      try text.replacing("'name': <'Tea'>", with: "'name': <'\(label)'>")
        .write(to: file, atomically: true, encoding: .utf8)
      let entry =
        "[[timer]]\nname = \"\(name)\"\nduration = \"4m\"\n"
        + (label.isEmpty ? "" : "label = \"\(label)\"\n")
      let done = try desk.belfry("import gnome-clocks")
      #expect(done.status == 0 && done.output.contains(entry), "\(done)")
    }
  }

  @Test
  func `KClock's alarms and timers are added to the config, and what cannot be imported is named`()
    throws
  {
    let desk = try Desk(Lab())
    try Self.put("kclockdrc", at: ".config/kclockdrc", desk)
    let file = desk.lab.home.appendingPathComponent(".config/kclockdrc")
    try String(contentsOf: file, encoding: .utf8)
      .replacing(#""label":"Bread""#, with: #""label":"Rye bread""#)
      .write(to: file, atomically: true, encoding: .utf8)
    let timer = "[[timer]]\nname = \"Tea\"\nduration = \"5m\"\n\n"
    let alarms = """
      [[alarm]]   # mine
      id = "mine"
      time = 07:30
      days = "weekdays"
      label = "Work"
      sound = "~/low.wav"

      [[alarm]]
      id = "sunday"
      time = 10:00

      """
    try desk.saveText(timer + alarms)
    let output = try desk.belfry("import kclock --write").output
    for line in [
      "# already in the config: Work", "# wrote 4 entries",
      #"# not imported: Nap "late" \ 낮잠: its sound /nowhere/bell.ogg is missing"#,
      "# not imported: Rye bread: its command: notify-send done",
    ] { #expect(output.split(separator: "\n").contains { $0 == line }, "\(output)") }
    let text = try desk.text
    #expect(text.hasPrefix(timer) && text.contains(alarms))
    // An imported alarm does not get the id of an existing alarm, and an imported timer does not
    // get the name of an existing timer.
    for entry in [
      "[[alarm]]\ntime = 15:05\nlabel = \"Nap \\\"late\\\" \\\\ 낮잠\"\nsnooze = \"3m\"\n"
        + "ring_for = \"forever\"\n",
      "[[alarm]]\nid = \"sunday-2\"\ntime = 09:00\ndays = [\"sun\"]\nlabel = \"Sunday\"\n",
      "[[timer]]\nname = \"Tea-2\"\nduration = \"4m\"\n",
      "[[timer]]\nname = \"rye-bread\"\nduration = \"25m\"\nlabel = \"Rye bread\"\n",
    ] { #expect(text.contains(entry), "\(text)") }
    #expect(try desk.belfry("config check").status == 0)
    let again = try desk.belfry("import kclock --write").output
    #expect(again.contains("# nothing is new"), "\(again)")
  }

  @Test(arguments: [
    (
      "alarm-clock-applet-dconf",
      [
        "[[alarm]]\ntime = 07:30\ndays = \"weekdays\"\nlabel = \"Wake up\"\nenabled = false\n",
        "[[alarm]]\ntime = 00:04:05\nlabel = \"Alarm!\"\nenabled = false\n",
      ]
    ),
    (
      "dconf-user",
      [
        "[[alarm]]\ntime = 07:30\ndays = \"weekdays\"\nlabel = \"Wake up\"\n",
        "[[timer]]\nname = \"Tea\"\nduration = \"4m\"\n",
        "[[alarm]]\ntime = 15:05\nlabel = \"Nap\"\nenabled = false\n",
        "[[alarm]]\ntime = 01:00\nenabled = false\n",
        #"# not imported: Nap: its command: xmms -p "x""#,
      ]
    ),
  ])
  func `the alarms and timers of Alarm Clock Applet are imported`(file: String, entries: [String])
    throws
  {
    let desk = try Desk(Lab())
    try Self.put(file, at: ".config/dconf/user", desk)
    let output = try desk.belfry("import alarm-clock-applet").output
    // Do not compare the whole output: it depends on whether this machine has the alarm's sound
    // file.
    for entry in entries { #expect(output.contains(entry), "\(output)") }
  }

  @Test func `the import of a missing or damaged file names the file and writes nothing`() throws {
    let desk = try Desk(Lab())
    try desk.saveText("# mine\n")
    for program in ["gnome-clocks", "kclock", "kalarm", "alarm-clock-applet"] {
      let done = try desk.belfry("import \(program) --write")
      #expect(done.status == 1 && done.errors.contains(" found: there is no "), "\(done.errors)")
    }
    for count in [0, 10, 24, 100, 700, 1500] {
      try Self.put("dconf-user", at: ".config/dconf/user", desk, first: count)
      let done = try desk.belfry("import gnome-clocks --write")
      #expect(done.status == 1 && done.errors.contains("dconf/user is damaged"), "\(count)")
    }
    // A damaged line of KClock's file costs only that line.
    try Self.put("kclockdrc", at: ".config/kclockdrc", desk, first: 400)
    let done = try desk.belfry("import kclock")
    #expect(done.output.contains("label = \"Nap") && done.output.contains("} cannot be read"))
    let unknown = try desk.belfry("import outlook")
    #expect(unknown.status == 64 && unknown.errors.contains("There is no import from \"outlook\""))
    #expect(try desk.text == "# mine\n")
  }
}
