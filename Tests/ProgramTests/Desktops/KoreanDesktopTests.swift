// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests notifications on a Korean desktop. `KoreanTests.swift` tests the output of commands.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct KoreanDesktopTests {
  @Test func `notifications of alarms and timers, and the output of belfry doctor, are in Korean`()
    throws
  {
    let lab = try Lab(.notifications, .sound)
    try lab.speakKorean()
    let desk = try Desk(lab)
    try desk.startAgent()
    let due = Second.ahead(2)
    try desk.save(
      Desk.alarm("work", at: due, #"label = "출근""#, #"sound = "nowhere""#),
      Desk.alarm("tea", at: due, #"label = "차""#, #"ring_for = "1s""#, #"unanswered = "miss""#),
      Desk.alarm("walk", at: due, #"label = "산책""#, #"ring_for = "1s""#, #"unanswered = "miss""#))
    func wait(_ text: String, since: Epoch) throws -> PostedNotification {
      try desk.lab.busWatch.waitForNotification(since: since) { $0.text.hasPrefix(text) }
    }
    func wait(_ text: Regex<Substring>, since: Epoch) throws -> PostedNotification {
      try desk.lab.busWatch.waitForNotification(since: since) {
        $0.text.prefixMatch(of: text) != nil
      }
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
    // The reason in JSON is a code word in English, whatever the language of the user is.
    #expect(try desk.status().missed.map(\.reason) == ["unanswered", "unanswered"])
    let pressed = try desk.lab.press("snooze:3", on: ringing).time
    _ = try wait("알람, \(due.shown), 다시 알림 1번.", since: pressed)
    try desk.belfry("stop")

    let before = Lab.now
    try desk.belfry("timer 3s --label 라면")
    let counting = try wait(/3초 중 [123]초 남음\./, since: before)
    #expect(counting.buttons == ["pause: 일시 정지", "add-minute: +1분", "cancel: 취소"])
    _ = try wait(/(?:\d+초 전에 끝났습니다|시간이 다 되었습니다) \(3초 타이머\)\./, since: before)
    try desk.belfry("stop")
    // Output in JSON is in English, because programs read it. Output for people is in their
    // language.
    #expect(try desk.diagnosis()["bus"]?.message == "the session bus answers")
    #expect(
      try desk.belfry("doctor").output.contains("버스           정상  세션 버스가 응답합니다\n"))
  }
}
