// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a user whose desktop speaks Korean reads, to the letter: notifications as they arrive at the
// server, what the command prints, and the screen of `belfry watch`. Words that programs read stay
// English. Next: `CatalogueTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct KoreanTests {
  private func desk(_ parts: Lab.Part...) throws -> Desk {
    let lab = try parts.isEmpty ? Lab(.notifications, .sound) : Lab(.bus)
    try lab.speakKorean()
    return try Desk(lab)
  }

  @Test func `a ringing alarm and its buttons speak Korean`() throws {
    let desk = try desk()
    let due = Second.ahead(2)
    try desk.save(
      Desk.alarm("work", at: due, #"label = "출근""#, #"sound = "nowhere""#))
    try desk.startAgent()
    let ringing = try desk.lab.busWatch.waitForNotification(since: due.epoch - 1) {
      $0.body.contains("소리가 없어")
    }
    #expect(ringing.title == "출근")
    #expect(
      ringing.text == """
        알람, \(due.shown).
        "nowhere" 소리가 없어 대신 Carillon 소리가 울립니다.
        """)
    #expect(
      ringing.buttons == [
        "default: 1분 동안 소리 끄기", "snooze:3: 3초 후 다시 알림", "snooze:600: 10분 후 다시 알림",
        "stop: 중지",
      ])
    let pressed = try desk.lab.press("snooze:3", on: ringing).time
    let snoozed = try desk.waitForNotification("출근", since: pressed)
    #expect(snoozed.text.wholeMatch(of: /(내일 )?\d\d:\d\d(:\d\d)?에 다시 알림\./) != nil)
    #expect(snoozed.buttons == ["stop: 중지"])
    let again = try desk.lab.busWatch.waitForNotification(since: pressed) {
      $0.body.hasPrefix("알람, ")
    }
    #expect(again.body.hasPrefix("알람, \(due.shown), 1번 미룸."))
    #expect(try desk.status().ringing.map(\.label) == ["출근"])
  }

  @Test func `a timer counts down and rings in Korean`() throws {
    let desk = try desk()
    try desk.saveText("[defaults]\nsound = \"~/low.wav\"\n")
    try desk.startAgent()
    let before = Lab.now
    try desk.belfry(["timer", "3s", "--label", "라면"])
    let counting = try desk.waitForNotification("라면", since: before)
    #expect(counting.text == "3초 중 3초 남음.")
    #expect(counting.buttons == ["pause: 일시 정지", "add-minute: +1분", "cancel: 취소"])
    let ring = try desk.lab.busWatch.waitForNotification(since: before) {
      $0.text == "끝났습니다 (3초 타이머)."
    }
    #expect(
      ring.buttons == [
        "default: 1분 동안 소리 끄기", "add-minute: +1분", "restart: 다시 시작", "stop: 중지",
      ])
  }

  @Test func `what was missed is told in Korean, with why`() throws {
    let desk = try desk()
    let due = Second.ahead(2)
    try desk.save(
      Desk.alarm("tea", at: due, #"label = "차""#, #"late = "0s""#),
      Desk.alarm("walk", at: due, #"label = "산책""#, #"late = "0s""#))
    let early = try desk.startAgent()
    early.terminate()
    try early.waitForExit()
    desk.wait(until: due.epoch + 5.2)
    try desk.startAgent()
    let missed = try desk.waitForNotification("놓친 알람 2개")
    #expect(
      Set(missed.body.split(separator: "\n").map(String.init)) == [
        "차, \(due.shown): Belfry 꺼짐.",
        "산책, \(due.shown): Belfry 꺼짐.",
      ])
    #expect(missed.buttons == ["acknowledge: 확인"])
    // A reason is a word of the state, whatever language it is told in.
    #expect(try desk.status().missed.map(\.reason) == ["off", "off"])
  }

  @Test func `a summary's columns stand under one another in Korean`() throws {
    let desk = try desk(.bus)
    try desk.saveText(
      """
      [agent]
      clock = "12h"

      [[alarm]]
      id = "train"
      time = 05:15
      date = 2099-12-24
      label = "기차"

      [[alarm]]
      time = 18:45:30
      date = 2099-12-25
      label = "Dinner"

      [[clock]]
      timezone = "Asia/Kathmandu"
      label = "카트만두"

      """)
    try desk.startAgent(environment: ["TZ": "UTC"])
    let lines = try desk.belfry("").output.split(separator: "\n").map(String.init)
    let patterns = [
      /다음    기차 \(train\)     2099년 12월 24일 \(목\) 오전 5:15, \d+일( \d+시간)? 후/,
      /그다음  Dinner \(dinner\)  2099년 12월 25일 \(금\) 오후 6:45:30, \d+일( \d+시간)? 후/,
      /시계    카트만두         오[전후] \d{1,2}:\d\d(, 내일)?, \+5시간 45분/,
    ]
    #expect(lines.count == patterns.count)
    for (line, pattern) in zip(lines, patterns) {
      #expect(line.wholeMatch(of: pattern) != nil, "\(line)")
    }
    #expect(try desk.status().alarms.map(\.state) == ["scheduled", "scheduled"])
  }

  @Test func `the doctor speaks Korean, and programs read the same words as ever`() throws {
    let desk = try desk()
    try desk.saveText("[[alarm]]\ntime = 07:30\nlabel = \"출근\"\n")
    try desk.startAgent()
    let found = try desk.diagnosis()
    #expect(found["config"]?.message == "\(desk.config.path): 알람 1개, 오류 없음")
    #expect(found["bus"]?.message == "세션 버스가 응답합니다")
    #expect(found["agent"]?.message.hasSuffix(", 프로세스 \(desk.agent.pid)") == true)
    #expect(found["device"]?.message == "default: 1초 동안 무음을 재생했습니다")
    #expect(found["sounds"]?.message == "Carillon: 끝까지 읽었습니다")
    let closing = "알림이 닫히는 클릭을 하면 알람 소리가 1분 동안 꺼집니다"
    let notifications = try #require(found["notifications"]?.message)
    #expect(notifications.hasSuffix(", 단추는 따로 여는 메뉴에 있음. \(closing)"))
    #expect(found["do-not-disturb"]?.message == "꺼짐")
    let table = try desk.belfry("doctor").output.split(separator: "\n")
    #expect(table.contains("버스           정상  세션 버스가 응답합니다"))
    #expect(found.checks.allSatisfy { ["ok", "warning", "error", "unknown"].contains($0.state) })
  }

  @Test func `the whole screen speaks Korean at any width`() throws {
    let desk = try desk(.bus)
    try desk.saveText(
      """
      [agent]
      clock = "12h"

      [[alarm]]
      time = 05:15
      date = 2099-12-24
      label = "기차"

      [[alarm]]
      time = 18:45
      date = 2099-12-25
      label = "Dinner"

      """)
    try desk.startAgent(environment: ["TZ": "UTC"])
    let window = try Window(
      desk.lab, columns: 80, rows: 24, running: "belfry watch", environment: ["TZ": "UTC"])
    var text = try window.wait(for: "q 끝내기")
    #expect(text.last == "                  n 새 알람   w 스톱워치   ? 단축키   q 끝내기")
    let index = try #require(text.firstIndex { $0.contains("알람 ──") })
    // As wide as the list: 64 columns.
    #expect(text[index] == "        알람 " + String(repeating: "─", count: 59))
    let rows = [
      /\x20{8}2099년 12월 24일 오전 5:15  기차 +\d+일( \d+시간)?/,
      /\x20{8}2099년 12월 25일 오후 6:45  Dinner +\d+일( \d+시간)?/,
    ]
    for (line, row) in zip(text[(index + 1)...], rows) {
      #expect(line.wholeMatch(of: row) != nil, "\(line)")
    }
    let today = /\s*\d{4}년 \d{1,2}월 \d{1,2}일 [월화수목금토일]요일/
    #expect(text.contains { $0.wholeMatch(of: today) != nil })
    #expect(text.contains { $0.contains(/[█▀▄] +오[전후]$/) })

    // Names come before how long it is.
    try window.resize(columns: 40, rows: 24)
    try window.wait(for: "40 columns") { $0.contains(" 2099년 12월 24일 오전 5:15 기차") }
    try window.type("?")
    text = try window.wait(for: "스톱워치 초기화")
    let keys = text.filter { $0.contains(/^ +([^\s█▀▄]|↑ ↓|스페이스)  +\S/) }
    #expect(
      keys.map { $0.trimmingCharacters(in: .whitespaces) } == [
        "s         울리는 것을 중지", "z         울리는 것을 나중에 다시 알림",
        "↑ ↓       알람이나 타이머 고르기",
        "-         알람의 다음 울림 건너뛰기", "v         옮기기",
        "u         건너뛰기, 옮기기 되돌리기",
        "o         알람 켜기, 끄기", "t         알람 지금 울려 보기",
        "스페이스  타이머 일시 정지, 계속", "+         타이머 1분 더하기",
        "x         타이머 취소", "R         타이머 다시 시작", "a         마지막 타이머 다시",
        "l         랩", "m         놓친 알람 확인", "n         알람 추가",
        "w         스톱워치 시작, 멈춤", "0         스톱워치 초기화",
      ])
    #expect(text.last?.contains("? 뒤로   q 끝내기") == true)
  }

  @Test func `the agent's own words are Korean where people read them`() throws {
    let desk = try desk(.bus)
    let help = try desk.lab.run("belfryd", "--help")
    #expect(help.output.hasPrefix("사용법: belfryd [--config FILE] "))
    let misuse = try desk.lab.run("belfryd", "--nonsense")
    #expect(misuse.status == 64)
    #expect(misuse.errors.hasPrefix("belfryd: --nonsense 옵션이 없습니다\n사용법: belfryd "))
    let agent = try desk.startAgent()
    // The log is for whoever mends it.
    try agent.waitForErrors("alarms from ")
  }
}
