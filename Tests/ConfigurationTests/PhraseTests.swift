// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which texts in a desktop's search are requests to Belfry, and which are not.

import Configuration
import Scheduling
import Testing

private let workdays = week(1...5)
private let (monday, friday) = (Days.Ordinal(.first, .monday), Days.Ordinal(.last, .friday))

private func week(_ days: some Sequence<Int>) -> Days {
  Days(Set(days.map { Weekday.allCases[$0 - 1] }))
}

private func week(_ days: Int...) -> Days { week(days) }

/// A Monday, which the tests use as the current day.
private let today = CivilDate(year: 2026, month: 11, day: 23)!
private let now = Instant(seconds: Int64(today.daysSinceEpoch) * 86_400 + 9 * 3600)

/// A time zone like UTC whose clocks go back once, by an hour at 03:00 on the next day.
private struct Zone: ZoneRules {
  static let change = Instant(seconds: Int64(today.daysSinceEpoch) * 86_400 + 27 * 3600)

  func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    instant < Self.change
      ? ZoneInterval(start: nil, end: Self.change, offset: 0)
      : ZoneInterval(start: Self.change, end: nil, offset: -3600)
  }
  func isKnown(_ zone: String) -> Bool { true }
  func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun { .staysDown }
}

private func phrase(_ text: String, weekdays: [[String]] = []) -> Phrase? {
  Phrase(text, at: now, in: Zone(), weekdays: WeekdayNames(localized: weekdays))
}

private func phrase(alarm text: String) -> Phrase? { Phrase(alarm: text, at: now, in: Zone()) }

private func alarm(_ time: String, _ dates: Recurrence.Dates = .once, _ label: String? = nil)
  throws -> Phrase
{
  .alarm(try #require(TimeText.parse(time)), dates, label: label)
}

private func every(
  _ count: Int, _ unit: Interval.Unit, _ days: Days = Days(), inDays ahead: Int
) -> Recurrence.Dates {
  .every(Interval(count, unit, from: today.adding(days: ahead)), days)
}

struct PhraseTests {
  @Test func `a text that no person types is no phrase, and costs no time`() {
    let start = ContinuousClock.now
    for piece in [
      "1h ", "1 h ", "7시 ", "한 ", "mon ", "on ", "mon,", "1st ", "월 ", "a ", "e\u{301}", "다시 ",
      "\u{301}",
    ] {
      for count in [100, 300, 100_000] {
        let text = String(repeating: piece, count: count)
        for whole in [
          "timer \(text)", "\(text) timer", "alarm \(text)", "\(text)알람", "7:30 \(text)", text,
        ] {
          if whole.utf8.count > 1000 { #expect(phrase(whole) == nil) } else { _ = phrase(whole) }
        }
      }
    }
    // Reading these texts took half a minute when the time grew with the square of the length.
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test(
    arguments: [
      ("timer 10m", .timer(.seconds(600), label: nil)),
      ("timer 10", .timer(.seconds(600), label: nil)),
      ("Timer 10 min", .timer(.seconds(600), label: nil)),
      ("timer 1h30m", .timer(.seconds(5400), label: nil)),
      ("timer 1 hour 30 minutes", .timer(.seconds(5400), label: nil)),
      ("timer 1 hour and 30 minutes", .timer(.seconds(5400), label: nil)),
      ("timer for 5 minutes", .timer(.seconds(300), label: nil)),
      ("timer 1h 30 min Green tea", .timer(.seconds(5400), label: "Green tea")),
      ("timer 90 seconds for eggs", .timer(.seconds(90), label: "eggs")),
      ("10 min timer", .timer(.seconds(600), label: nil)),
      ("10m Timer", .timer(.seconds(600), label: nil)),
      ("countdown 5m", .timer(.seconds(300), label: nil)),
      ("timer 10 apples", .timer(.seconds(600), label: "apples")),
      ("timer 1.5h", .timer(.seconds(5400), label: nil)),
      ("timer 1:30 eggs", .timer(.seconds(90), label: "eggs")),
      ("timer 1:30:00", .timer(.seconds(5400), label: nil)),
      ("half an hour timer", .timer(.seconds(1800), label: nil)),
      ("timer in 10 min", .timer(.seconds(600), label: nil)),
      ("timer 1h 30 apples", .timer(.seconds(3600), label: "30 apples")),
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
  func `a phrase is what it says`(text: String, meant: Phrase) {
    #expect(phrase(text) == meant)
  }

  @Test(
    arguments: [
      ("7:30 weekdays Work", "7:30", workdays, "Work"),
      ("alarm 7:30 weekdays Work", "7:30", workdays, "Work"),
      ("7:30 weekdays Work time", "7:30", workdays, "Work time"),
      ("weekdays at 7:30 for Work", "7:30", workdays, "Work"),
      ("7:30 pm mon, wed and fri Gym", "19:30", week(1, 3, 5), "Gym"),
      ("7 pm mon wed Gym, pool", "19:00", week(1, 3), "Gym, pool"),
      ("mon,wed 7:30", "7:30", week(1, 3), nil), ("7:30 Sat.", "7:30", week(6), nil),
      ("alarm at 9 on sundays for church", "9:00", week(7), "church"),
      ("alarm 9 daily", "9:00", week(1...7), nil), ("9:00 weekends", "9:00", week(6, 7), nil),
      ("alarm 9 every day", "9:00", week(1...7), nil),
      ("every day at 9pm Pills", "21:00", week(1...7), "Pills"),
      ("wake me up at 6 every weekday", "6:00", workdays, nil),
      ("9:00 1st mon,last fri Rent", "9:00", Days([], [monday, friday]), "Rent"),
      ("alarm every last friday 9:00", "9:00", Days([], [friday]), nil),
      ("7:30 montag Arbeit", "7:30", week(1), "Arbeit"),
      ("평일 7시 30분 출근", "7:30", workdays, "출근"), ("매일 저녁 9시 약", "21:00", week(1...7), "약"),
      ("7시 반 주말마다 산책", "7:30", week(6, 7), "산책"), ("7:30 평일 알람", "7:30", workdays, nil),
      ("매주 월요일 수요일에 오후 3시 회의", "15:00", week(1, 3), "회의"),
      ("월 수 금 7:30 운동", "7:30", week(1, 3, 5), "운동"), ("7:30 토 일", "7:30", week(6, 7), nil),
      ("월수금 7시 운동", "7:00", week(1, 3, 5), "운동"), ("알람 7시 화목 수영", "7:00", week(2, 4), "수영"),
      ("회의 월요일 3시 알람", "3:00", week(1), "회의"), ("목 7시", "7:00", week(4), nil),
      ("첫째 월요일 9시 월세", "9:00", Days([], [monday]), "월세"),
      ("운동 월 화 수 목 금 토 일 오후 7 시 30 분 알람", "19:30", week(1...7), "운동"),
      // These are alarms without days.
      ("alarm 7:30 monastery", "7:30", Days(), "monastery"),
      ("alarm 7:30 The sunday papers", "7:30", Days(), "The sunday papers"),
      ("alarm 19:30 evening walk", "19:30", Days(), "evening walk"),
      ("알람 7시 목 운동", "7:00", Days(), "목 운동"), ("알람 7시 나무 수목 관리", "7:00", Days(), "나무 수목 관리"),
      ("alarm 7:30 Room 12.", "7:30", Days(), "Room 12."),
      ("alarm 7:30 book of the week", "7:30", Days(), "book of the week"),
      // These are alarms with ranges of days.
      ("7:30 mon-fri Work", "7:30", workdays, "Work"), ("월~금 7시 출근", "7:00", workdays, "출근"),
      ("alarm 9 fri-mon", "9:00", week(5, 6, 7, 1), nil),
      ("월요일과 수요일 7시 운동", "7:00", week(1, 3), "운동"),
      // These are the ways to write am and pm.
      ("weekdays 7:30 p.m. Gym", "19:30", workdays, "Gym"), ("mon 7 p.m.", "19:00", week(1), nil),
      ("7.30 pm. daily", "19:30", week(1...7), nil), ("alarm 7.30 pm", "19:30", Days(), nil),
    ] as [(String, String, Days, String?)])
  func `an alarm on days`(text: String, time: String, days: Days, label: String?) throws {
    let names = ["Montag", "Dienstag", "Mittwoch"].map { [$0, String($0.prefix(2))] }
    #expect(
      phrase(text, weekdays: names)
        == .alarm(
          try #require(TimeText.parse(time)), days.isEmpty ? .once : .days(days), label: label))
  }

  @Test(
    arguments: [
      ("내일 7시 반 출근", "7:30", 1, "출근"), ("내일 아침 7시에 깨워 줘", "7:00", 1, nil),
      ("모레 8시 알람", "8:00", 2, nil), ("내일모레 9시 알람", "9:00", 2, nil), ("글피 8시 알람", "8:00", 3, nil),
      ("내일 7시", "7:00", 1, nil), ("알람 오늘 오후 9시 약", "21:00", 0, "약"),
      ("alarm tomorrow 7:30", "7:30", 1, nil), ("wake me tomorrow at 7", "7:00", 1, nil),
      ("7:30 tomorrow Train", "7:30", 1, "Train"),
      ("tomorrow 6:15 for the train", "6:15", 1, "the train"),
      ("alarm 2026-12-25 7:00 Gifts", "7:00", 32, "Gifts"),
      // Words that Belfry does not understand become the label, so that the user sees them in the
      // result.
      ("tomorrow 7:30 next month's rent", "7:30", 1, "next month's rent"),
    ] as [(String, String, Int, String?)])
  func `an alarm on a day`(text: String, time: String, ahead: Int, label: String?) throws {
    let date = today.adding(days: ahead)
    #expect(phrase(text) == .alarm(try #require(TimeText.parse(time)), .on(date), label: label))
  }

  @Test(
    arguments: [
      ("in 10 minutes", 600, nil), ("alarm in 10 min", 600, nil), ("10분 뒤 알람", 600, nil),
      ("10분 후", 600, nil), ("10분후에 깨워 줘", 600, nil),
      ("in half an hour Call home", 1800, "Call home"),
      ("wake me up in 1.5 h", 5400, nil), ("한 시간 반 뒤 회의 알람", 5400, "회의"),
      ("빨래 20분 뒤 알람", 1200, "빨래"), ("in 90 s for eggs", 90, "eggs"),
    ] as [(String, Int, String?)])
  func `an alarm so long from now, to the second`(text: String, seconds: Int, label: String?) throws
  {
    let clock = 9 * 3600 + seconds
    let time = CivilTime(hour: clock / 3600, minute: clock / 60 % 60, second: clock % 60)
    #expect(phrase(text) == .alarm(try #require(time), .on(today), label: label))
  }

  @Test func `an alarm from now is none at a time that comes twice`() throws {
    #expect(phrase("in 16 h") == (try alarm("1:00", .on(today.adding(days: 1)))))
    #expect(phrase("in 17 h") == (try alarm("2:00", .on(today.adding(days: 1)))))
    for text in ["in 18 h", "in 18.5 h", "18시간 뒤 알람"] { #expect(phrase(text) == nil) }
    #expect(phrase("in 19 h") == (try alarm("3:00", .on(today.adding(days: 1)))))
    #expect(phrase("in 2 days 7:30 x") == (try alarm("7:30", .on(today.adding(days: 2)), "x")))
    #expect(phrase("3일 뒤 7시 알람") == (try alarm("7:00", .on(today.adding(days: 3)))))
  }

  @Test(
    arguments: [
      ("every 2 weeks 7:30", "7:30", every(2, .weeks, inDays: 1), nil),
      ("every 2 weeks at 9:30 Bins", "9:30", every(2, .weeks, inDays: 0), "Bins"),
      ("7:30 every 2 weeks on mon Bins", "7:30", every(2, .weeks, week(1), inDays: 7), "Bins"),
      ("mon, thu every 2 weeks 7:30", "7:30", every(2, .weeks, week(1, 4), inDays: 3), nil),
      ("every other day noon Pills", "12:00", every(2, .days, inDays: 0), "Pills"),
      (
        "every 2 months first monday 9:00", "9:00",
        every(2, .months, Days([], [monday]), inDays: 14), nil
      ),
      ("2주마다 월요일 7시 분리수거", "7:00", every(2, .weeks, week(1), inDays: 7), "분리수거"),
      ("격주 금요일 오후 3시 회의", "15:00", every(2, .weeks, week(5), inDays: 4), "회의"),
      ("3일마다 오전 10시 물 주기", "10:00", every(3, .days, inDays: 0), "물 주기"),
    ] as [(String, String, Recurrence.Dates, String?)])
  func `an alarm not every week is counted from the first day on which it rings`(
    text: String, time: String, dates: Recurrence.Dates, label: String?
  ) throws {
    #expect(phrase(text) == (try alarm(time, dates, label)))
  }

  @Test func `noon and midnight are times`() throws {
    for (text, meant) in [
      ("alarm noon", try alarm("12:00")), ("midnight alarm", try alarm("0:00")),
      ("정오에 알람", try alarm("12:00")),
      ("내일 정오 점심", try alarm("12:00", .on(today.adding(days: 1)), "점심")),
      ("자정 평일 약", try alarm("0:00", .days(workdays), "약")),
      ("noon weekdays Lunch", try alarm("12:00", .days(workdays), "Lunch")),
    ] { #expect(phrase(text) == meant) }
  }

  @Test func `what add takes is all of it a time`() throws {
    func when(_ text: String) -> Phrase? {
      Phrase(when: text, at: now, in: Zone(), weekdays: WeekdayNames())
    }
    #expect(when("내일 7시") == (try alarm("7:00", .on(today.adding(days: 1)))))
    #expect(when("7:30 pm") == (try alarm("19:30")))
    for text in ["in 10 minutes", "10분 뒤 알람", "alarm in 10 minutes"] {
      #expect(when(text) == (try alarm("9:10", .on(today))))
    }
    #expect(when("7:30 mon-fri") == (try alarm("7:30", .days(workdays))))
    for text in ["7", "mon 7", "7:30 Work", "sunrise", "sunrise - 30m", "10 minutes", "tomorrow"] {
      #expect(when(text) == nil)
    }
  }

  @Test(arguments: [
    "", " ", "tim", "timer", "timer 0", "timer 0s", "timer 10x", "timer 99999999999d", "alar",
    "alarm 25", "alarm 7:60", "alarm clock", "wake", "wake lan", "stopwatch", "snooze work",
    "snooze 5m now", "time", "time in", "firefox", "next train", "10m", "7:30",
    "7 monday", "5 weekdays off", "weekdays", "monday 7", "7:30 Work", "weekdays Work 7:30",
    "daily", "24 sat", "7:60 mon", "monday", "mon fri", "noon", "in", "in 10", "in 0 min", "10 min",
    "alarm 10 min", "half an hour", "every 2 weeks", "2 weeks 7:30", "every 0 days 7:30",
  ])
  func `all else is none`(text: String) {
    #expect(phrase(text) == nil)
  }

  @Test(arguments: [
    "alarm 7:30 next month", "alarm 7:30 next week", "alarm 7:30 weekly", "alarm 7:30 24.12.",
    "alarm 24.12. 7:30", "alarm 7:30 next friday", "alarm 7:30 for 3 days", "alarm 7 30",
    "alarm 7:30 2026-02-30", "alarm 7:30 on the 24th", "alarm 24 dec 7:30", "alarm 7:30 24/12",
    "7:30 weekdays until Friday", "timer 5m 30", "timer 10m every day", "wake me at 7 next week",
    "알람 7:30 다음 달", "다음 주 7시 알람", "알람 7시 매달", "알람 7시 12월 24일",
  ])
  func `words that only say when, and are not understood, are no label`(text: String) {
    #expect(phrase(text) == nil)
    #expect(phrase(alarm: text) == nil)
  }

  @Test(arguments: [
    "Next month's report", "weekly report", "Room 30", "24.12. party", "May", "day off",
    "다음 주 발표", "매주 회의",
  ])
  func `a label may have such words beside others`(label: String) throws {
    #expect(phrase("alarm 7:30 \(label)") == (try alarm("7:30", .once, label)))
  }

  @Test func `where an alarm is asked for, a time is enough`() throws {
    for (text, time, days, label) in [
      ("7:30", "7:30", Days(), nil), ("7", "7:00", Days(), nil),
      ("7:30 Work", "7:30", Days(), "Work"),
      ("7 weekdays time to go", "7:00", workdays, "time to go"),
      ("alarm 7:30 Work", "7:30", Days(), "Work"), ("7시 반 알람", "7:30", Days(), nil),
      ("불 끄기 평일 밤 11시", "23:00", workdays, "불 끄기"),
    ] as [(String, String, Days, String?)] {
      #expect(
        phrase(alarm: text)
          == .alarm(
            try #require(TimeText.parse(time)), days.isEmpty ? .once : .days(days), label: label))
    }
    for text in ["", " ", "alarm", "Work", "weekdays", "timer 5m", "25:00 mon"] {
      #expect(phrase(alarm: text) == nil)
    }
    #expect(phrase(alarm: String(repeating: "7 ", count: 501)) == nil)
  }

  // MARK: - In Korean

  @Test(
    arguments: [
      ("타이머 10분", 600, nil), ("타이머 10", 600, nil), ("타이머10분", 600, nil), ("타이머 10m", 600, nil),
      ("10분 타이머", 600, nil), ("10 분 타이머", 600, nil), ("10분타이머", 600, nil), ("10분 timer", 600, nil),
      ("카운트다운 5분", 300, nil), ("타이머 1시간 30분", 5400, nil), ("타이머 1시간30분", 5400, nil),
      ("타이머 1시간 반", 5400, nil), ("한 시간 반 타이머", 5400, nil), ("두시간 타이머", 7200, nil),
      ("타이머 90초", 90, nil), ("타이머 1 시간 30 초", 3630, nil), ("2일 타이머", 172_800, nil),
      ("타이머 10분간", 600, nil), ("30분 후 타이머", 1800, nil), ("타이머 10분 녹차", 600, "녹차"),
      ("라면 3분 타이머", 180, "라면"), ("3분 컵 라면 타이머", 180, "컵 라면"), ("컵 라면 타이머 3분", 180, "컵 라면"),
      ("timer tea 3 min", 180, "tea"), ("타이머 10 분식", 600, "분식"), ("타이머 3분 한 잔", 180, "한 잔"),
    ] as [(String, Int, String?)])
  func `a timer in Korean`(text: String, seconds: Int, label: String?) {
    #expect(phrase(text) == .timer(.seconds(seconds), label: label))
  }

  @Test(
    arguments: [
      ("알람 7시 30분", "07:30", nil), ("알람 7시30분", "07:30", nil), ("알람 7시 반", "07:30", nil),
      ("알람 7시반", "07:30", nil), ("7시 반 알람", "07:30", nil), ("7시 30분에 알람", "07:30", nil),
      ("7시30분알람", "07:30", nil), ("알람 7 시 30 분", "07:30", nil), ("일곱 시 반 알람", "07:30", nil),
      ("알람 7", "07:00", nil), ("알람 7:30", "07:30", nil), ("7:30에 알람", "07:30", nil),
      ("알람 오전 7:30", "07:30", nil), ("알람 오후 7:30", "19:30", nil), ("알람 오후 7시", "19:00", nil),
      ("오후7시 알람", "19:00", nil), ("알람 19시 5분", "19:05", nil), ("알람 오후 19시", "19:00", nil),
      ("알람 오전 12시", "00:00", nil), ("알람 오후 12시", "12:00", nil), ("알람 낮 12시", "12:00", nil),
      ("알람 낮 11시", "11:00", nil), ("알람 낮 2시", "14:00", nil), ("알람 밤 11시", "23:00", nil),
      ("알람 밤 12시", "00:00", nil), ("알람 밤 1시", "01:00", nil), ("알람 새벽 5시", "05:00", nil),
      ("저녁 여섯시 알람", "18:00", nil), ("알람 7시 30분 15초", "07:30:15", nil),
      ("아침 6시 15분에 깨워 줘", "06:15", nil), ("7시에 깨워줘", "07:00", nil), ("7시 반에 깨워 줘", "07:30", nil),
      ("알람 7시 회의", "07:00", "회의"), ("7시 회의 알람", "07:00", "회의"),
      ("기차 오전 5시 15분 알람", "05:15", "기차"), ("주간 회의 알람 오후 3시", "15:00", "주간 회의"),
    ] as [(String, String, String?)])
  func `an alarm in Korean`(text: String, time: String, label: String?) throws {
    #expect(phrase(text) == .alarm(try #require(TimeText.parse(time)), label: label))
  }

  @Test(
    arguments: [
      ("타이머 녹차", .preset("녹차")), ("녹차 타이머", .preset("녹차")),
      ("알람", .next), ("다음 알람", .next), ("다음알람", .next), ("다음", .next),
      ("중지", .stop(nil)), ("정지", .stop(nil)), ("알람 끄기", .stop(nil)), ("알람 중지", .stop(nil)),
      ("회의 알람 중지", .stop("회의")), ("중지 회의", .stop("회의")), ("회의 중지", .stop("회의")),
      ("다시 알림", .snooze(nil)), ("다시알림", .snooze(nil)), ("알람 다시 알림", .snooze(nil)),
      ("다시 알림 5분", .snooze(.seconds(300))), ("5분 후 다시 알림", .snooze(.seconds(300))),
      ("5분 뒤에 다시 알림", .snooze(.seconds(300))), ("다시 알림 한 시간", .snooze(.seconds(3600))),
      ("서울 시간", .time(city: "서울")), ("뉴욕 현재 시각", .time(city: "뉴욕")),
      ("지금 도쿄 몇 시", .time(city: "도쿄")), ("두바이 시간", .time(city: "두바이")),
      ("시간 서울", .time(city: "서울")), ("time 서울", .time(city: "서울")),
    ] as [(String, Phrase)])
  func `a phrase in Korean`(text: String, meant: Phrase) {
    #expect(phrase(text) == meant)
  }

  @Test(arguments: [
    "타이", "타이머", "타이머 0분", "타이머 10개월", "알람 25시", "알람 7시 60분", "알람 시계", "오전",
    "깨워줘", "스톱워치", "다시", "알림", "다시 알림 회의", "다시 알림 5분 회의", "다음 기차", "시간", "1시간", "30 시간",
    "10분", "7시 30분", "시간표", "근무시간", "한국", "파이어폭스", "반", "7시 반",
    "평일", "월요일", "7 월요일", "일 7", "7:30 목 운동", "월수금", "수목 드라마",
  ])
  func `all else in Korean is none`(text: String) {
    #expect(phrase(text) == nil)
  }

  @Test(
    arguments: [
      ("timer 90 min Green tea", ["timer", "start", "1h30m", "--label=Green tea"]),
      ("timer list", ["timer", "start", "list"]), ("timer --help", nil),
      ("alarm 7 pm", ["add", "19:00"]),
      ("7:30 sat sun --x", ["add", "07:30", "--days=sat,sun", "--label=--x"]),
      ("9:00 last fri", ["add", "09:00", "--days=last fri"]),
      (
        "every 2 weeks mon 7:30",
        ["add", "07:30", "--days=mon", "--every=2 weeks", "--from=2026-11-30"]
      ),
      ("in 90 s", ["add", "09:01:30", "--date=2026-11-23"]),
      ("tomorrow 9:00 x", ["add", "09:00", "--date=2026-11-24", "--label=x"]),
      ("alarm 7:30 --help", ["add", "07:30", "--label=--help"]),
      ("stop", ["stop"]), ("stop --help", ["stop", "--", "--help"]),
      ("snooze 1h", ["snooze", "1h"]),
      ("next", nil), ("time in tokyo", nil),
    ] as [(String, [String]?)])
  func `what it does is a command`(text: String, command: [String]?) {
    #expect(phrase(text)?.command == command)
  }

  @Test(
    arguments: [
      ("7:30 sat sun --x", [#"time = 07:30"#, #"days = "weekends""#, #"label = "--x""#]),
      ("tomorrow 9:00", ["time = 09:00", "date = 2026-11-24"]), ("timer 5m", []), ("stop", []),
    ] as [(String, [String])])
  func `an alarm is one of the config`(text: String, settings: [String]) {
    #expect(
      phrase(text)?.settings.map { "\($0.key) = \($0.value?.text ?? "")" } == settings)
  }
}
