// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a status keeps how an alarm or a timer stands, and the rule of an alarm: whoever reads
// a status gets the values from which it was made.

import Configuration
import Presentation
import Scheduling
import System
import Testing

@Suite struct StatusOfAlarmTests {
  private static let now = sampleNow.wall
  private static func later(_ minutes: Int64) -> Instant { now + .minutes(minutes) }
  private static let check = Standing.Check(
    asks: later(1), ringsAgain: later(3), isAsked: true)
  private static let next = Standing.Next(
    due: later(60), note: .gap, movedFrom: later(30))
  private static let pause = Standing.Pause(
    due: later(20), until: CivilDate(year: 2027, month: 1, day: 3))

  private static let standings = [
    Standing(state: .off), Standing(state: .over, repeats: true), Standing(state: .ringing),
    Standing(state: .snoozed(until: later(9)), next: next, wanted: next.due),
    Standing(state: .checking(check), next: next, wanted: later(1500), repeats: true),
    Standing(state: .scheduled, next: next, wanted: next.due, repeats: true),
    Standing(state: .scheduled, next: next, wanted: nil),
    Standing(state: .scheduled, next: next, wanted: later(90), pause: pause, repeats: true),
    Standing(state: .scheduled, pause: Standing.Pause(due: later(20), until: nil), repeats: true),
  ]

  @Test func `a status keeps how an alarm stands`() throws {
    for standing in Self.standings {
      let days = Recurrence.Dates.days(Days([.monday]))
      let rule = Recurrence(time: .midnight, dates: standing.repeats ? days : .once)
      let sent = Status.Alarm(Alarm(id: "work", recurrence: rule), standing, in: utc)
      let read = try #require(Status.Alarm.read(.dictionary(sent.entries)))
      #expect(read.standing == standing)
    }
  }

  @Test func `a status keeps the rule of an alarm as far as words need it`() throws {
    let start = try #require(CivilDate(year: 2026, month: 11, day: 21))
    var excepted = Recurrence(
      time: CivilTime(hour: 7, minute: 30) ?? .midnight, dates: .days(Days([.monday, .friday])),
      zone: "Asia/Seoul", until: start.adding(days: 90))
    excepted.except = ExceptedDays([start...start, start.adding(days: 3)...start.adding(days: 9)])
    excepted.calendars = [HolidayFile("holidays.ics")]
    var rising = Recurrence(time: .midnight, dates: .once)
    rising.sun = SunTime(.sunrise, offset: .minutes(-30), city: "Seoul", latitude: 0, longitude: 0)
    for rule in [
      excepted, rising, Recurrence(time: .midnight, dates: .on(start)),
      Recurrence(
        time: .midnight, dates: .every(Interval(2, .weeks, from: start), Days()), from: start),
    ] {
      let sent = Status.Alarm(
        Alarm(id: "work", recurrence: rule), Standing(state: .off), in: utc)
      let read = try #require(Status.Alarm.read(.dictionary(sent.entries)))
      #expect(read.rule == rule)
    }
    #expect(Status.Alarm.faulty("work").rule == nil)
  }
}
