// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that an import loses nothing without a word. A setting that is taken over, and a setting
// that is named, both show in the output. So if the output is the same without a line of the file,
// that line is lost.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct NothingLostTests {
  private struct Sample {
    var source: String
    /// Where the other program keeps the file, in the home folder.
    var place: String
    var text: String
    /// What separates the parts that are removed one by one.
    var separator: Character
    /// Parts that contain one of these texts need not be named.
    var unneeded: [String]
  }

  private static let calendar = [
    "BEGIN:", "END:", "VERSION:", "PRODID:",
    // The calendar itself needs these.
    "UID:", "DTSTAMP:", "CREATED:", "LAST-MODIFIED:", "SEQUENCE:", "TRANSP:",
    // These mean the same as nothing.
    "ACTION:DISPLAY", "ACTION:AUDIO", "TYPE:ACTIVE", "TRIGGER:PT0S",
    // The number of repeats, which is named, needs a length.
    "DURATION:PT5M",
  ]

  private static var samples: [Sample] {
    let kalarm = """
      BEGIN:VEVENT
      DTSTART:20970105T073000
      SUMMARY:Name
      X-KDE-KALARM-TYPE:ACTIVE
      X-KDE-KALARM-FLAGS:DEFER
       ;15
       ;ACKCONF
       ;EXHOLIDAYS
       ;WORKTIME
       ;LATECANCEL;5
       ;REMINDER;ONCE;-10M
      X-KDE-KALARM-REPEAT:5M:2
      STATUS:DISABLED
      BEGIN:VALARM
      ACTION:AUDIO
      ATTACH:file:///nowhere/bell.ogg
      TRIGGER:PT0S
      REPEAT:-2
      DURATION:PT5M
      X-KDE-KALARM-VOLUME:0.80;0.10;30
      X-KDE-KALARM-FLAGS:SPEAK
      END:VALARM
      BEGIN:VALARM
      ACTION:DISPLAY
      DESCRIPTION:Text
      TRIGGER:PT0S
      X-KDE-KALARM-FONTCOLOR:#ffffff
      END:VALARM
      END:VEVENT
      END:VCALENDAR
      """
    let clocks = """
      [org/gnome/clocks]
      alarms=[{'name': <'A'>, 'id': <'1'>, 'hour': <7>, 'minute': <30>, 'days': <[1]>, \
      'snooze_minutes': <9>, 'ring_minutes': <4>, 'ring_time': <'2097-01-07T07:30:00+01'>, \
      'sound_uri': <'file:///nowhere/bell.ogg'>, 'unknown': <1>}]
      timers=[{'duration': <240>, 'name': <'Tea'>}]
      world-clocks=[{'location': <(uint32 2, <('UTC', '@UTC', false, @a(dd) [], @a(dd) [])>)>}]
      """
    let kclock = """
      [Alarms]
      {1}={"audioPath":"/nowhere/bell.ogg","daysOfWeek":31,"enabled":false,"hours":7,\
      "minutes":30,"name":"A","ringDuration":4,"snoozeDuration":9,"snoozedLength":0,\
      "unknown":1,"uuid":"{1}"}

      [Timers]
      defaultAudio=/nowhere/bell.ogg
      timersList=[{"commandTimeout":"date","label":"Tea","length":240,"looping":true,"uuid":"{2}"}]

      [Timezones]
      Asia/Seoul=true
      """
    let applet = """
      [io/github/alarm-clock-applet]
      alarms=[uint32 0, 1, 2]
      show-label=true

      [io/github/alarm-clock-applet/alarm-0]
      active=true
      message='A'
      repeat=['mon']
      sound-file='file:///nowhere/bell.ogg'
      sound-repeat=false
      time=int64 27000
      timestamp=int64 4000000000

      [io/github/alarm-clock-applet/alarm-1]
      type='timer'
      time=int64 240
      unknown=1

      [io/github/alarm-clock-applet/alarm-2]
      command='date'
      notify-type='command'
      """
    let keyFile = ".config/glib-2.0/settings/keyfile"
    return [
      Sample(
        source: "~/a.ics", place: "a.ics", text: table("Calendars/properties.ics"),
        separator: "\n", unneeded: calendar),
      Sample(
        source: "kalarm", place: ".local/share/kalarm/calendar.ics",
        text: "BEGIN:VCALENDAR\n\(kalarm)", separator: "\n", unneeded: calendar),
      Sample(
        source: "gnome-clocks", place: keyFile, text: clocks, separator: ",",
        unneeded: ["'id':"]),
      Sample(
        source: "kclock", place: ".config/kclockdrc", text: kclock, separator: ",",
        unneeded: ["uuid", "snoozedLength"]),
      Sample(
        source: "alarm-clock-applet", place: keyFile, text: applet, separator: "\n",
        unneeded: ["[", "show-label", "timestamp"]),
    ]
  }

  @Test(arguments: 0..<5) func `each part of a file is imported or named`(index: Int) throws {
    let sample = Self.samples[index]
    let desk = try Desk(Lab())
    let source = sample.source.replacing("~", with: desk.lab.home.path)
    func imported(_ parts: [Substring]) throws -> String {
      let text = parts.joined(separator: String(sample.separator))
      try desk.lab.write(text, to: sample.place)
      return try desk.belfry(["import", source], environment: ["TZ": "Europe/Berlin"]).output
    }
    let parts = sample.text.split(
      separator: sample.separator, omittingEmptySubsequences: false)
    let whole = try imported(parts)
    #expect(whole.hasPrefix("[["), "\(whole)")
    var lost: [Substring] = []
    for (place, part) in parts.enumerated() {
      if part.isEmpty || sample.unneeded.contains(where: part.contains) { continue }
      var fewer = parts
      fewer.remove(at: place)
      if try imported(fewer) == whole { lost.append(part) }
    }
    #expect(lost.isEmpty, "\(lost.joined(separator: "\n"))\n\n\(whole)")
  }
}
