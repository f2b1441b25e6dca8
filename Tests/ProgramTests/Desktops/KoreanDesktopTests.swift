// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests notifications and the screen of `belfry watch` on a Korean desktop. `KoreanTests.swift`
// tests the output of commands.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct KoreanDesktopTests {
  private func desk(_ parts: Lab.Part...) throws -> Desk {
    let lab = try parts.count > 1 ? Lab(.notifications, .sound) : Lab(.bus)
    try lab.speakKorean()
    return try Desk(lab)
  }

  @Test func `an alarm, a timer, a missed alarm and the doctor speak Korean`() throws {
    let desk = try desk(.notifications, .sound)
    let due = Second.ahead(2)
    try desk.save(
      Desk.alarm("work", at: due, #"label = "출근""#, #"sound = "nowhere""#),
      Desk.alarm("tea", at: due, #"label = "차""#, #"ring_for = "1s""#, #"unanswered = "miss""#),
      Desk.alarm("walk", at: due, #"label = "산책""#, #"ring_for = "1s""#, #"unanswered = "miss""#))
    try desk.startAgent()
    func wait(_ text: String, since: Epoch) throws -> PostedNotification {
      try desk.lab.busWatch.waitForNotification(since: since) { $0.text.hasPrefix(text) }
    }
    let complaint = "\"nowhere\" 소리가 없어 대신 Carillon 소리가 울립니다."
    let ringing = try wait("알람, \(due.shown).\n\(complaint)", since: due.epoch - 1)
    #expect(
      ringing.buttons == [
        "default: 1분 동안 소리 끄기", "snooze:3: 3초 후 다시 알림", "snooze:600: 10분 후 다시 알림",
        "stop: 중지",
      ])
    let missed = try desk.waitForNotification("놓친 알람 2개")
    #expect(missed.body.contains("산책, \(due.shown): 응답 없음."))
    #expect(missed.buttons == ["acknowledge: 확인"])
    // The reason is a code word, which does not depend on the language of the message.
    #expect(try desk.status().missed.map(\.reason) == ["unanswered", "unanswered"])
    let pressed = try desk.lab.press("snooze:3", on: ringing).time
    let snoozed = try desk.waitForNotification("출근", since: pressed)
    #expect(snoozed.text.hasSuffix("에 다시 알림.") && snoozed.buttons == ["stop: 중지"])
    _ = try wait("알람, \(due.shown), 1번 미룸.", since: pressed)
    try desk.belfry("stop")

    let before = Lab.now
    try desk.belfry("timer 3s --label 라면")
    let counting = try wait("3초 중 3초 남음.", since: before)
    #expect(counting.buttons == ["pause: 일시 정지", "add-minute: +1분", "cancel: 취소"])
    let over = try wait("끝났습니다 (3초 타이머).", since: before)
    #expect(over.buttons.suffix(3) == ["add-minute: +1분", "restart: 다시 시작", "stop: 중지"])
    try desk.belfry("stop")

    let edited = Lab.now
    let bed = Second(epoch: Lab.now + 7200)
    try desk.save(
      Desk.alarm("bed", at: bed, #"label = "출근""#, #"bedtime = "2h10m""#),
      Desk.alarm("nap", at: .ahead(2), #"label = "낮잠""#))
    let bedtime = try desk.waitForNotification("잘 시간입니다", since: edited)
    #expect(bedtime.buttons == ["skip: 이 알람 건너뛰기"])
    let nap = try wait("알람, ", since: edited)
    let hushed = try desk.lab.press("default", on: nap).time
    let quiet = try desk.waitForNotification("낮잠", since: hushed)
    #expect(quiet.text.contains("까지 소리 끔"), "\(quiet.text)")
    try desk.saveText("[[alarm]\n")
    let broken = try desk.waitForNotification("알람 설정 파일에 오류가 있습니다", since: hushed)
    #expect(broken.body.hasSuffix("이전 설정을 계속 사용합니다."), "\(broken.body)")
    try desk.belfry("stop")

    // Output for programs is in English; output for people is in their language.
    #expect(try desk.diagnosis()["bus"]?.message == "the session bus answers")
    #expect(
      try desk.belfry("doctor").output.contains("버스           정상  세션 버스가 응답합니다\n"))
  }

  @Test func `the summary and the whole screen speak Korean, in columns, at any width`() throws {
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
      time = 18:45
      date = 2099-12-25
      label = "Dinner"

      [[clock]]
      timezone = "Asia/Kathmandu"
      label = "카트만두"

      """)
    let misuse = try desk.lab.run("belfryd", "--nonsense").errors
    #expect(misuse.hasPrefix("belfryd: --nonsense 옵션이 없습니다\n사용법: belfryd [--config FILE] "))
    // The log is in English: developers read it.
    try desk.startAgent(environment: ["TZ": "UTC"]).waitForErrors("alarms from ")
    try KoreanTests.check(
      [
        (
          "status",
          """
          다음    기차 (train)     2099년 12월 24일 (목) 오전 5:15, #일~ 후
          그다음  Dinner (dinner)  2099년 12월 25일 (금) 오후 6:45, #일~ 후
          시계    카트만두         오~ #:#~, +5시간 45분
          """
        )
      ], on: desk)

    let window = try Window(
      desk.lab, columns: 80, rows: 24, running: "belfry watch", environment: ["TZ": "UTC"])
    var text = try window.wait(for: "q 끝내기")
    #expect(text.last == "                  n 새 알람   w 스톱워치   ? 단축키   q 끝내기")
    // Korean letters take two columns. The titles of both lists must still stand above their lists.
    let lists = "  알람 \(String(repeating: "─", count: 31))    세계 시계 "
    #expect(text.contains { $0.hasPrefix(lists) }, "\(text)")
    #expect(
      text.contains {
        $0.contains(/^  2099년 12월 24일 오전 5:15 기차         카트만두 +오[전후] .*  \+5시간 45분$/)
      }, "\(text)")
    #expect(text.contains { $0.contains(/\d{4}년 \d{1,2}월 \d{1,2}일 [월화수목금토일]요일$/) })
    // In a narrow window, the names of alarms are shown, and the remaining times are left out.
    try window.resize(columns: 40, rows: 24)
    try window.wait(for: "40 columns") { $0.contains(" 2099년 12월 24일 오전 5:15 기차") }
    try window.type("?")
    text = try window.wait(for: "스톱워치 초기화")
    for line in ["z         울리는 것을 나중에 다시 알림", "스페이스  타이머 일시 정지, 계속"] {
      #expect(text.contains { $0.hasSuffix(line) }, "\(text)")
    }
    #expect(text.last?.contains("? 뒤로   q 끝내기") == true)
  }
}
