// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is taken for an order to Belfry among all that is typed into a desktop's search.

import Configuration
import Scheduling
import Testing

struct PhraseTests {
  @Test(
    arguments: [
      ("timer 10m", .timer(.seconds(600), label: nil)),
      ("timer 10", .timer(.seconds(600), label: nil)),
      ("Timer 10 min", .timer(.seconds(600), label: nil)),
      ("timer 1h30m", .timer(.seconds(5400), label: nil)),
      ("timer 1 hour 30 minutes", .timer(.seconds(5400), label: nil)),
      ("timer 1h 30 min Green tea", .timer(.seconds(5400), label: "Green tea")),
      ("timer 90 seconds for eggs", .timer(.seconds(90), label: "eggs")),
      ("10 min timer", .timer(.seconds(600), label: nil)),
      ("10m Timer", .timer(.seconds(600), label: nil)),
      ("countdown 5m", .timer(.seconds(300), label: nil)),
      ("timer 10 apples", .timer(.seconds(600), label: "apples")),
      ("timer tea", .preset("tea")), ("timer green tea", .preset("green tea")),
      ("tea timer", .preset("tea")),
      ("alarm 7:30", .alarm(CivilTime(hour: 7, minute: 30, second: 0)!, label: nil)),
      ("alarm 7:30 pm", .alarm(CivilTime(hour: 19, minute: 30, second: 0)!, label: nil)),
      ("alarm at 7 pm Gym", .alarm(CivilTime(hour: 19, minute: 0, second: 0)!, label: "Gym")),
      ("alarm 7", .alarm(CivilTime(hour: 7, minute: 0, second: 0)!, label: nil)),
      ("wake me up at 6:15", .alarm(CivilTime(hour: 6, minute: 15, second: 0)!, label: nil)),
      ("7:30 alarm", .alarm(CivilTime(hour: 7, minute: 30, second: 0)!, label: nil)),
      (
        "alarm 07:30 for the train",
        .alarm(CivilTime(hour: 7, minute: 30, second: 0)!, label: "the train")
      ),
      ("alarm", .next), ("next alarm", .next), ("next", .next),
      ("stop", .stop(nil)), ("STOP", .stop(nil)), ("stop work", .stop("work")),
      ("snooze", .snooze(nil)), ("snooze 5m", .snooze(.seconds(300))),
      ("snooze 5 minutes", .snooze(.seconds(300))),
      ("time in tokyo", .time(city: "tokyo")), ("time new york", .time(city: "new york")),
      ("tokyo time", .time(city: "tokyo")), ("서울 time", .time(city: "서울")),
    ] as [(String, Phrase)])
  func `a phrase is what it says`(text: String, phrase: Phrase) {
    #expect(Phrase(text) == phrase)
  }

  @Test(arguments: [
    "", " ", "tim", "timer", "timer 0", "timer 0s", "timer 10x", "timer 99999999999d", "alar",
    "alarm 25", "alarm 7:60", "alarm clock", "wake", "wake lan", "stopwatch", "snooze work",
    "snooze 5m now", "time", "time in", "firefox", "next train", "10m", "7:30",
  ])
  func `all else is none`(text: String) {
    #expect(Phrase(text) == nil)
  }

  @Test(
    arguments: [
      ("timer 90 min Green tea", ["timer", "start", "1h30m", "--label=Green tea"]),
      ("timer list", ["timer", "start", "list"]), ("timer --help", nil),
      ("alarm 7 pm", ["add", "19:00"]), ("alarm 7:30 --help", ["add", "07:30", "--label=--help"]),
      ("stop", ["stop"]), ("stop --help", ["stop", "--", "--help"]),
      ("snooze 1h", ["snooze", "1h"]),
      ("next", nil), ("time in tokyo", nil),
    ] as [(String, [String]?)])
  func `what it does is a command`(text: String, command: [String]?) {
    #expect(Phrase(text)?.command == command)
  }
}
