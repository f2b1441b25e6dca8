// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the help and the screen of `belfry watch` on a Korean desktop. A transcript tests what
// other commands print, `CatalogueTests.swift` checks that no text lacks a translation, and
// `OutputSchemaTests.swift` checks that the output for programs stays English.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct KoreanTests {
  private func desk() throws -> Desk {
    let lab = try Lab(.bus)
    try lab.speakKorean()
    return try Desk(lab)
  }

  @Test func `the help is in Korean, except for the words of the argument parser`() throws {
    let desk = try desk()
    let korean = "확실히 울리는 알람 시계.\n사용법: belfry "
    #expect(try desk.belfry("--help").output.hasPrefix(korean))
    // One locale that is not installed does not make the others unknown.
    let odd = try desk.belfry("--help", environment: ["LC_PAPER": "xx_XX.UTF-8"])
    #expect(odd.output.hasPrefix(korean))
    for path in try CommandWords(Lab()).commands.map(\.path) where !path.isEmpty {
      let help = try desk.belfry(path + ["--help"]).output
      let meanings = help.split(separator: "\n").drop { !$0.hasPrefix("USAGE:") }.filter {
        $0.count > 26 && !$0.contains("  belfry ") && $0.hasPrefix("  ")
          && $0.dropFirst(25).hasPrefix(" ")
      }
      for line in meanings
      where !["  --version", "  -h,", "  See "].contains(where: line.hasPrefix) {
        #expect(line.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }, "\(line)")
      }
    }
  }

  @Test func `the screen of belfry watch is in Korean, in columns, at any width`() throws {
    let desk = try desk()
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
    // The log is in English, because developers read it.
    try desk.startAgent(environment: ["TZ": "UTC"]).waitForErrors("alarms from ")
    let window = try Window(
      desk.lab, columns: 80, rows: 24, running: "belfry watch", environment: ["TZ": "UTC"])
    var text = try window.wait(for: "q 끝내기")
    #expect(text.last == "                  n 새 알람   w 스톱워치   ? 단축키   q 끝내기")
    // A Korean letter takes two columns. Both titles must still stand above their lists.
    let lists = "  알람 \(String(repeating: "─", count: 31))    세계 시계 "
    #expect(text.contains { $0.hasPrefix(lists) }, "\(text)")
    #expect(
      text.contains {
        // From 18:15 UTC on, it is already tomorrow in Kathmandu. The line then shows the word
        // tomorrow (내일), which leaves no room for how far Kathmandu is ahead.
        $0.contains(
          /^  2099년 12월 24일 오전 5:15 기차         카트만두 +오[전후] .*  (\+5시간 45분|내일)$/)
      }, "\(text)")
    #expect(text.contains { $0.contains(/\d{4}년 \d{1,2}월 \d{1,2}일 [월화수목금토일]요일$/) })
    // A narrow window shows the labels of alarms, and leaves out the remaining times.
    try window.resize(columns: 40, rows: 24)
    try window.wait(for: "40 columns") { $0.contains(" 2099년 12월 24일 오전 5:15 기차") }
    try window.type("?")
    text = try window.wait(for: "스톱워치 초기화")
    for line in ["z         나중에 다시 알림", "스페이스  타이머 일시 정지, 계속"] {
      #expect(text.contains { $0.hasSuffix(line) }, "\(text)")
    }
    #expect(text.last?.contains("? 뒤로   q 끝내기") == true)
  }
}
