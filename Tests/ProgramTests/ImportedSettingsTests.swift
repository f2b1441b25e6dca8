// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry import` with settings that other clock programs write today, and with settings that
// cannot be read. Each of these costs only itself, and is named. The settings are written by hand
// after the sources of gnome-clocks 51, kclock 26.08 and kalarm 26.08. `ImportTests.swift` has
// files that the programs wrote themselves.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ImportedSettingsTests {
  /// Returns the output of an import. The files are written into the home folder first; `~` in them
  /// stands for its path.
  private func imported(
    _ source: String, _ files: [String: String]
  ) throws -> (output: String, errors: String) {
    let desk = try Desk(Lab())
    let home = desk.lab.home.path
    for (path, text) in files {
      try desk.lab.write(text.replacing("~", with: home), to: path)
    }
    let done = try desk.belfry(
      ["import", source.replacing("~", with: home)], environment: ["TZ": "Europe/Berlin"])
    return (done.output.replacing(home, with: "~"), done.errors)
  }

  private static let places = [
    ".config/glib-2.0/settings/keyfile",
    ".var/app/org.gnome.clocks/config/glib-2.0/settings/keyfile",
  ]

  /// Each case has the values of GNOME Clocks' keys, the lines that the output must have, and text
  /// that it must not have.
  private static let gnome: [(String, [String], String)] = [
    (
      "alarms=[{'name': <'A'>, 'hour': <7>, 'minute': <30>, 'ring_time': "
        + "<'2097-01-04T07:30:00+01'>, 'days': <[1, 2]>, 'sound_uri': <'file://~/low%2Ewav'>}]",
      [#"sound = "~/low.wav""#, "time = 07:30"], "# not imported"
    ),
    (
      "alarms=[{'name': <'A'>, 'hour': <7>, 'minute': <30>, 'sound_uri': "
        + "<'file:///app/share/sounds/gone.oga'>}, {'name': <'B'>, 'hour': <8>, 'minute': <0>, "
        + "'sound_uri': <'resource:///org/gnome/clocks/sounds/alarms/beep-beep.oga'>}]",
      [
        "# not imported: A: its sound /app/share/sounds/gone.oga is missing",
        "# not imported: B: its sound, which is a part of that program: "
          + "resource:///org/gnome/clocks/sounds/alarms/beep-beep.oga",
      ], "sound ="
    ),
    (
      "alarms=[{'name': <'Train'>, 'hour': <5>, 'minute': <15>, 'ring_time': "
        + "<'2025-03-02T05:15:00+01'>, 'days': <@ai []>, 'ring_minutes': <5>}]",
      ["enabled = false"], "# not imported"
    ),
    (
      "alarms=[{'name': <'Train'>, 'hour': <5>, 'minute': <15>, 'ring_time': "
        + "<'2097-03-02T05:15:00.5+01:00'>, 'days': <@ai []>, 'ring_minutes': <5>}, "
        + "{'name': <'Old'>, 'hour': <6>, 'minute': <15>, 'ring_time': "
        + "<'2025-03-02T05:15:00Z'>, 'days': <[7]>}]",
      ["time = 05:15", "time = 06:15"], "enabled"
    ),
    (
      "alarms=[{'name': <'A'>, 'hour': <7>, 'minute': <30>, 'days': <[1, 2]>, 'active': <true>}]\n"
        + "timers=\"[{'duration': <240>, 'name': <''>}]\"\nworld-clocks='[]'",
      [
        #"days = ["mon", "tue"]"#,
        "# not imported: /org/gnome/clocks/timers: its value cannot be read",
        "# not imported: /org/gnome/clocks/world-clocks: its value cannot be read",
      ], "[[timer]]"
    ),
    (
      "alarms=[{'name': <'A'>, 'hour': <int64 7>, 'minute': <30>, 'snooze_minutes': <'x'>, "
        + "'ring_minutes': <9000>, 'volume': <80>, 'days': <[1, 9]>}]\n"
        + "timers=[{'name': <'Tea'>, 'duration': <'x'>}]",
      [
        "time = 07:30", "# not imported: A: its snooze_minutes cannot be read",
        "# not imported: A: its ring_minutes cannot be read",
        "# not imported: A: its days cannot be read",
        "# not imported: A: the unknown setting volume",
        "# not imported: Tea: its duration cannot be read",
        "# not imported: a timer without a duration: Tea",
      ], "snooze ="
    ),
  ]

  @Test(arguments: gnome.indices)
  func `settings of GNOME Clocks are imported, or named if they cannot be read`(index: Int) throws {
    let (text, lines, absent) = Self.gnome[index]
    let file = Self.places[index % Self.places.count]
    let (output, errors) = try imported("gnome-clocks", [file: "[org/gnome/clocks]\n\(text)\n"])
    for line in lines { #expect(output.contains(line + "\n"), "\(output)\(errors)") }
    #expect(!output.contains(absent), "\(output)")
  }

  @Test func `a file that cannot be read costs only that file`() throws {
    let alarm = "alarms=[{'name': <'A'>, 'hour': <7>, 'minute': <30>}]"
    let (output, _) = try imported(
      "gnome-clocks",
      [".config/dconf/user": "no database", Self.places[0]: "[org/gnome/clocks]\n\(alarm)\n"])
    #expect(output.contains("time = 07:30\n"), "\(output)")
    #expect(output.contains("# not imported: ~/.config/dconf/user is damaged"), "\(output)")
  }

  @Test(arguments: [
    ("~/low.wav", #"sound = "~/low.wav""#), ("file://~/low.wav", #"sound = "~/low.wav""#),
    ("", "duration = \"4m\""), ("~/gone.ogg", "# not imported: timers: its sound ~/gone.ogg is"),
  ])
  func `KClock's sound of all timers is a path, and not JSON`(sound: String, line: String) throws {
    let alarm =
      #"{"enabled":true,"hours":6,"minutes":45,"daysOfWeek":31,"name":"Work","ringDuration":"x","#
      + #""tone":1,"audioPath":""}"#
    let text = """
      [Alarms]
      {1}=\(alarm)
      {2}={"hours":

      [Timers]
      defaultAudio=\(sound)
      timersList=[{"label":"Tea","length":240,"looping":false,"commandTimeout":""}]

      """
    let (output, errors) = try imported(
      "kclock", [".var/app/org.kde.kclock/config/kclockdrc": text])
    for line in [
      line, "time = 06:45", #"name = "Tea""#,
      "# not imported: Work: its ringDuration cannot be read",
      "# not imported: Work: the unknown setting tone",
      "# not imported: ~/.var/app/org.kde.kclock/config/kclockdrc: its {2} cannot be read",
    ] { #expect(output.contains(line), "\(output)\(errors)") }
  }

  private static func event(_ flags: String, _ lines: String = "", alarm: String = "") -> String {
    """
    BEGIN:VCALENDAR
    VERSION:2.0
    X-KDE-KALARM-VERSION:2.7.0
    BEGIN:VEVENT
    X-KDE-KALARM-FLAGS:LOCAL\(flags)
    X-KDE-KALARM-TYPE:ACTIVE
    UID:A
    DTSTART:20970105T073000\(lines)
    BEGIN:VALARM
    DESCRIPTION:A
    ACTION:DISPLAY
    TRIGGER:PT0S
    END:VALARM\(alarm)
    END:VEVENT
    END:VCALENDAR

    """.replacing("\n", with: "\r\n")
  }

  private static func sound(_ volume: String, _ flags: String = "") -> String {
    "\nBEGIN:VALARM\nACTION:AUDIO\nATTACH:file://~/low.wav\nTRIGGER:PT0S\n"
      + "X-KDE-KALARM-VOLUME:\(volume)\(flags)\nEND:VALARM"
  }

  /// Each case has an event of KAlarm, and the lines that the output must have.
  private static let events: [(String, [String])] = [
    (event("", alarm: sound("0.80;0.10;30")), ["volume = 80", #"fade_in = "30s""#]),
    (event("", alarm: sound("0.80;-1.00;0")), ["volume = 80"]),
    (
      event("", alarm: sound("0.80;0.10;99999999")),
      ["volume = 80", "# not imported: A: its fade-in: 0.80;0.10;99999999"]
    ),
    (event("", alarm: sound("loud")), ["# not imported: A: its volume: loud"]),
    (
      event("", alarm: sound("0.50", "\nX-KDE-KALARM-FLAGS:SPEAK")),
      ["volume = 50", "# not imported: A: reading its text aloud"]
    ),
    (event(";SKIP;20970120T073000", "\nRRULE:FREQ=DAILY"), ["from = 2097-01-20"]),
    (event(";SKIP;20970120T080000", "\nRRULE:FREQ=DAILY"), ["from = 2097-01-21"]),
    (
      event(";SKIP;20970120T073000", "\nRRULE:FREQ=DAILY;INTERVAL=2"),
      ["from = 2097-01-05", "# not imported: A: skipping its rings until 20970120T073000"]
    ),
    (event(";REMINDER;-15M"), [#"upcoming = "15m""#]),
    (
      event(";REMINDER;ONCE;-1D"),
      [#"upcoming = "1d""#, "# not imported: A: a reminder of its first ring only"]
    ),
    (
      event(";REMINDER;15M;LATECANCEL;5"),
      [#"late = "5m""#, "# not imported: A: its reminder: 15M"]
    ),
    (
      event(";DEFER;15;NEWFLAG"),
      [#"snooze = "15m""#, "# not imported: A: the unknown setting NEWFLAG"]
    ),
    (event(";DEFER;9D"), ["# not imported: A: the length of its snooze: 9D"]),
    (
      event("", alarm: sound("-1.00;-1.00;0", "\nREPEAT:-2\nDURATION:PT5S")),
      ["# not imported: A: the pauses between the repeats of its sound"]
    ),
  ]

  @Test(arguments: events.indices)
  func `settings of KAlarm are imported, or named if they cannot be`(index: Int) throws {
    let (text, lines) = Self.events[index]
    let (output, errors) = try imported("~/a.ics", ["a.ics": text])
    for line in lines { #expect(output.contains(line + "\n"), "\(output)\(errors)") }
  }

  @Test(arguments: [".config", ".var/app/org.kde.kalarm/config"])
  func `KAlarm's list of calendars says which are folders, missing or off`(folder: String) throws {
    func resource(_ number: Int, _ path: String, _ type: String, _ enabled: String) -> String {
      """
      [Resource_\(number)]
      AlarmTypes=Active
      Enabled=\(enabled)
      \(path)
      Type=\(type)

      """
    }
    let resources =
      resource(1, "Path[$e]=$HOME/tunes", "Dir", "Active")
      + resource(2, "Path=~/off.ics", "File", "") + resource(4, "Path=~/bad.ics", "File", "Active")
      + resource(111, "Path=~/gone.ics", "File", "Active")
    let (output, errors) = try imported(
      "kalarm",
      [
        "\(folder)/kalarmresources": resources, "off.ics": Self.event(""), "bad.ics": "no calendar",
        "tunes/one": Self.event(""),
      ])
    for line in [
      "time = 07:30", "enabled = false", "# not imported: a folder of calendars: ~/tunes",
      "# not imported: a calendar that is missing: ~/gone.ics", "~/bad.ics",
    ] { #expect(output.contains(line), "\(output)\(errors)") }
  }

  @Test func `a value that Belfry does not allow costs only its setting`() throws {
    let (output, errors) = try imported(
      "~/a.ics", ["a.ics": Self.event(";LATECANCEL;4000000000")])
    #expect(output.contains("time = 07:30\ndate = 2097-01-05\n"), "\(output)\(errors)")
    #expect(!output.contains("late =") && output.contains("# not imported: A: its late: "))
    // A label that is too long is only cut, and that is said as well.
    let label = String(repeating: "x", count: 5000)
    let alarm = "alarms=[{'name': <'\(label)'>, 'hour': <7>, 'minute': <30>, 'days': <[1]>}]"
    let (cut, _) = try imported(
      "gnome-clocks", [Self.places[0]: "[org/gnome/clocks]\n\(alarm)\n"])
    #expect(cut.contains("time = 07:30\ndays = [\"mon\"]\nlabel = \"xxx"))
    #expect(cut.contains(": \"label\" is longer than 1000 bytes, and is cut there\n"))
  }
}
