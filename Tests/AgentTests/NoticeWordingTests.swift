// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact texts of notifications: which times have seconds, how lines end, and the order of
// the buttons. `Tests/ShellTests/Notifications` tests how notification servers show them.

import Configuration
import Language
import Notifications
import Presentation
import Scheduling
import System
import Testing

@testable import Agent

/// The current time in these tests: 2026-11-21 20:12:29 UTC, a Saturday.
private let now = Instant(seconds: 1_795_291_949)

@MainActor private let wording = Wording(zones: Zones(machine: "UTC"), clock: .twentyFourHours)

private func ahead(_ seconds: Int64) -> Instant { now + .seconds(seconds) }

@MainActor private func told(
  _ notice: Notice, remark: String? = nil, from moment: Instant = now
) -> NotificationContent {
  wording.notification(notice, remark: remark, now: moment)
}

@MainActor struct NoticeWordingTests {
  // MARK: - Seconds

  @Test func `a time less than two minutes ahead, or given with seconds, is shown with seconds`() {
    // 20:10:14, a time that the user entered with seconds.
    let given = ahead(-135)
    for (instant, seconds, expected) in [
      (given, Wording.Seconds.given, "20:10:14"), (ahead(-29), .given, "20:12"),
      (ahead(600), .near, "20:22"), (ahead(120), .near, "20:14"), (ahead(119), .near, "20:14:28"),
      (ahead(1), .near, "20:12:30"), (now, .near, "20:12"), (given, .near, "20:10"),
      (ahead(5), .never, "20:12"),
    ] {
      #expect(wording.time(instant, seconds, seenFrom: now) == expected)
    }
    // The question "Are you up?" is posted two minutes before the next ring. If posting it takes a
    // moment, the time is less than two minutes ahead, but must still have no seconds.
    #expect(
      wording.time(ahead(120), .near, seenFrom: now + .milliseconds(300)) == "20:14")
    let tomorrow = ahead(86_400)
    #expect(wording.moment(tomorrow, .near, seenFrom: now) == "tomorrow 20:12")
    #expect(wording.at(tomorrow, .given, seenFrom: now) == "tomorrow at 20:12:29")
  }

  @Test
  func `the text for servers that cannot update a countdown stays the same as the end comes near`()
  {
    var timer = TimerNotice(
      id: "tea", label: nil, preset: nil, length: .minutes(20),
      stand: .running(left: .minutes(20)), ends: ahead(1200))
    #expect(told(.timer(timer)).steadyBody == "Ends at 20:32.")
    #expect(told(.timer(timer), from: ahead(1190)).steadyBody == "Ends at 20:32.")
    (timer.length, timer.ends) = (.seconds(90), ahead(90))
    #expect(told(.timer(timer)).steadyBody == "Ends at 20:13:59.")
  }

  // MARK: - Texts

  @Test func `each kind of notification has the expected title and body`() {
    var ring = Ring(due: ahead(-29), since: ahead(-29))
    let work = Notice.ringing(id: "work", label: "Work", ring: ring, snooze: [.minutes(5)])
    #expect(told(work).title == "Work" && told(work).body == "Alarm, 20:12.")
    (ring.snoozeCount, ring.hushedUntil) = (1, ahead(60))
    for (notice, title, body) in [
      (
        Notice.ringing(id: "work", label: nil, ring: ring, snooze: []), "20:12",
        "Alarm, snoozed once, quiet until 20:13:29."
      ),
      (
        .rehearsal(id: "work", label: "Work", ring: ring), "Work",
        "Rehearsal: this is how it will ring."
      ),
      (
        .snoozed(id: "work", label: "Work", due: ahead(-29), until: ahead(600)), "Work",
        "Snoozed until 20:22."
      ),
      (
        .check(id: "work", label: "Work", due: ahead(-29), until: ahead(120)), "Work",
        "Are you up? It will ring again at 20:14 unless you answer."
      ),
      (
        .upcoming(id: "work", label: "Work", due: ahead(1800), movedFrom: ahead(3600)), "Work",
        "Rings at 20:42:29, moved from 21:12:29."
      ),
      (
        .bedtime(id: "work", label: "Work", due: ahead(28_771)), "Time to sleep",
        "“Work” rings tomorrow at 04:12, in 8 h."
      ),
      (
        .missed([
          Missed(id: "work", label: "Work", dues: [ahead(-29)], reason: .unanswered),
          Missed(
            id: "tea", label: "Take the pills", dues: [ahead(-10)], reason: .unanswered,
            isTimer: true),
        ]), "2 missed alarms",
        "Work, 20:12: nobody answered.\nTake the pills, 20:12: nobody answered."
      ),
      (
        .ending(id: "tea", label: "Tea", round: nil, left: .minutes(1)), "Tea", "1 min left."
      ),
      (
        .clockUnset, "No alarm can ring: the clock is not set",
        "It shows 2026-11-21. Once it is right, alarms will ring.\n"
          + "To set it: “sudo timedatectl set-ntp true”."
      ),
    ] {
      #expect(told(notice).title == title)
      #expect(told(notice).body == body)
    }
  }

  @Test func `a media player shows a ring in few words`() {
    var ring = Ring(due: ahead(-29), since: ahead(-29))
    func words() -> [String] {
      [
        .ringing(id: "work", label: "Work", ring: ring, snooze: []),
        .ringing(id: "work", label: nil, ring: ring, snooze: []),
        .rehearsal(id: "work", label: "Work", ring: ring),
        .timer(
          TimerNotice(
            id: "tea", label: "Tea", preset: nil, length: .seconds(90),
            stand: .ringing(ring, overtime: .zero))),
      ].map { wording.fewWords(of: $0, now: now) }
    }
    #expect(words() == ["Alarm, 20:12", "Alarm", "Rehearsal", "Time's up"])
    ring.hushedUntil = ahead(60)
    #expect(Set(words()) == ["Quiet until 20:13:29"])
  }

  @Test func `a finished timer shows since when the time is up, and its length`() {
    let ring = Ring(due: ahead(-235), since: ahead(-235))
    let body = { (overtime: Duration) in
      TimerNotice(
        id: "tea", label: "Tea", preset: nil, length: .seconds(5),
        stand: .ringing(ring, overtime: overtime))
    }
    #expect(told(.timer(body(.zero))).body == "Time's up (5 s timer).")
    #expect(told(.timer(body(.seconds(180)))).body == "Time's up, 3 min ago (5 s timer).")
    #expect(told(.timer(body(.seconds(180)))).steadyBody == "Time's up since 20:08 (5 s timer).")
    #expect(
      told(.timer(body(.zero)), remark: "There is no sound \"x\"; a plain tone plays instead.").body
        == "Time's up (5 s timer).\nThere is no sound \"x\"; a plain tone plays instead.")
  }

  @Test func `an error in the config is shown with its place and with what still applies`() {
    let error = Diagnostic(
      file: "/home/me/config.toml", line: 3, column: 8, severity: .error,
      message: Message("no weekday is called \("\"mondy\"")"),
      hint: Message("did you mean \"\("monday")\"?"))
    let notice = wording.configProblem(error, of: 3, Message("Your previous alarms still apply."))
    #expect(notice.title == "There is an error in your alarm settings")
    #expect(
      notice.body == """
        config.toml:3:8: no weekday is called "mondy".
        did you mean "monday"?
        2 more; to see them: “belfry config check”.
        Your previous alarms still apply.
        """)
  }

  @Test func `quiet notifications of alarms or timers may be combined into one`() {
    let timer = TimerNotice(
      id: "tea", label: "Tea", preset: nil, length: .minutes(5),
      stand: .running(left: .minutes(5)), ends: ahead(300))
    for (notice, title, label, order) in [
      (Notice.timer(timer), "Timers", "Tea", Int64(300)),
      (.snoozed(id: "a", label: "Work", due: now, until: ahead(600)), "Alarms", "Work", 600),
      (.upcoming(id: "a", label: nil, due: ahead(1800)), "Alarms", "20:42:29", 1800),
      (.bedtime(id: "a", label: "Gym", due: ahead(28_800)), "Alarms", "Gym", 28_800),
    ] {
      let gathering = told(notice).gathering
      #expect(gathering?.title == title && gathering?.label == label)
      #expect(gathering?.order == now.seconds + order)
    }
    // The user must not overlook these notifications, so each of them stays on its own.
    let missed = Missed(id: "a", label: nil, dues: [now], reason: .off)
    #expect(told(.missed([missed])).gathering == nil)
    #expect(told(.check(id: "a", label: nil, due: now, until: now)).gathering == nil)
  }

  @Test func `of more than six missed rings, the last six are listed`() {
    let missed = (1...7).map {
      Missed(id: "a\($0)", label: "Pill \($0)", dues: [now], reason: .off)
    }
    let all = told(.missed(missed))
    #expect(all.title == "7 missed alarms")
    let lines = all.body.split(separator: "\n")
    #expect(lines.count == 7 && lines[0].hasPrefix("Pill 2, "))
    #expect(lines[6] == "More: “belfry history”.")
    #expect(told(.missed(missed.suffix(6))).body.split(separator: "\n").count == 6)
  }

  // MARK: - Lines

  @Test func `each line of a notification ends in exactly one punctuation mark`() {
    for (line, expected) in [
      ("Alarm, 07:30", "Alarm, 07:30."), ("Over.", "Over."), ("Over?", "Over?"),
      ("Snoozing…", "Snoozing…"), ("he said \"no.\"", "he said \"no.\""),
      ("write \"10m\"", "write \"10m\"."), ("(5 s timer)", "(5 s timer)."),
      ("20:20에 끝났습니다 (5초 타이머)", "20:20에 끝났습니다 (5초 타이머)."),
      ("응답 없음", "응답 없음."), ("起きましたか？", "起きましたか？"),
    ] {
      #expect(Wording.body([line]) == expected)
    }
    #expect(Wording.body(["one\ntwo", nil, "", "three."]) == "one.\ntwo.\nthree.")
  }

  @Test
  func `a notification without buttons shows a command to type, in quotes before the full stop`() {
    let ring = Ring(due: ahead(-29), since: ahead(-29))
    for (notice, expected) in [
      (
        Notice.ringing(id: "work", label: "Work", ring: ring, snooze: [.minutes(5)]),
        "Alarm, 20:12.\nTo answer: “belfry stop work” or “belfry snooze work”."
      ),
      (
        .bedtime(id: "work", label: nil, due: ahead(28_771)),
        "The alarm rings tomorrow at 04:12, in 8 h.\nSkip this alarm: “belfry skip work”."
      ),
    ] {
      #expect(told(notice).bodyWithoutActions == expected)
    }
  }

  // MARK: - Buttons

  @Test func `each kind of notification has the expected buttons, with Stop as the last one`() {
    let ring = Ring(due: now, since: now)
    func timer(_ stand: TimerNotice.Stand) -> Notice {
      .timer(TimerNotice(id: "tea", label: nil, preset: nil, length: .minutes(5), stand: stand))
    }
    for (notice, labels) in [
      (
        Notice.ringing(id: "a", label: nil, ring: ring, snooze: [.minutes(5), .minutes(10)]),
        ["Quiet for 1 min", "Snooze 5 min", "Snooze 10 min", "Stop"]
      ),
      (.rehearsal(id: "a", label: nil, ring: ring), ["Quiet for 1 min", "Stop"]),
      (timer(.ringing(ring, overtime: .zero)), ["Quiet for 1 min", "+1 min", "Restart", "Stop"]),
      (timer(.running(left: .minutes(5))), ["Pause", "+1 min", "Cancel"]),
      (timer(.snoozed(until: now)), ["Stop"]),
      (
        .snoozed(id: "a", label: nil, due: now, until: now, snooze: [.minutes(5)]),
        ["Snooze 5 min", "Stop"]
      ),
      (.check(id: "a", label: nil, due: now, until: now), ["I'm up", "I'm up"]),
      (.upcoming(id: "a", label: nil, due: now), ["Skip"]),
      (.bedtime(id: "a", label: nil, due: now), ["Skip this alarm"]),
    ] {
      #expect(told(notice).actions.map(\.label) == labels)
    }
  }
}
