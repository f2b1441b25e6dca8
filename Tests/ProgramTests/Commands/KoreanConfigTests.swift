// SPDX-License-Identifier: GPL-3.0-or-later
//
// The config in Korean: what is wrong with it and how that is told, and the days of the week as
// Koreans call them. In English: `DiagnosticTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct KoreanConfigTests {
  private let desk: Desk

  init() throws {
    desk = try Desk(Lab(.bus))
    try desk.lab.speakKorean()
  }

  @Test(
    arguments: [
      (
        "[[alarm]]\ntime = 07:30\ndays = \"mondy\"\n",
        "3:8: 오류: \"mondy\" 요일은 없습니다\n힌트: 혹시 \"monday\"입니까?\n"
      ),
      ("[[alarm]]\n", "1:1: 오류: 이 알람에는 시각이 없습니다\n힌트: 이렇게 쓰십시오: time = 07:30\n"),
      (
        "[defaults]\nvolume = \"80%\"\n",
        "2:10: 오류: volume에 쓸 수 있는 값: 0에서 100까지의 정수 (지금: \"80%\")\n힌트: 따옴표 없이 쓰십시오: 80\n"
      ),
      (
        "[defaults]\nsnooze = 10\n",
        "2:10: 오류: snooze의 값이 10입니다: 길이에는 단위가 있어야 합니다\n"
          + "힌트: 분이면 \"10m\", 초이면 \"10s\"라고 쓰십시오\n"
      ),
      (
        "[defaults]\nring_for = []\nunanswered = \"mis\"\n",
        "2:12: 오류: ring_for에 쓸 수 있는 값: 길이 또는 \"forever\" (지금: 목록)\n"
          + "힌트: \"90s\", \"10m\", \"1h30m\"처럼 쓰십시오\n"
          + "|3:14: 오류: unanswered에 쓸 수 있는 값: \"snooze\" 또는 \"miss\" (지금: \"mis\")\n"
          + "힌트: 혹시 \"miss\"입니까?\n"
      ),
      (
        "[defaults]\nvolme = 1\nclock = \"24h\"\n",
        "2:1: 경고: 알 수 없는 키 \"volme\"\n힌트: 혹시 \"volume\"입니까?\n"
          + "|3:1: 경고: 알 수 없는 키 \"clock\"\n힌트: \"clock\"의 자리는 [agent] 아래입니다\n"
      ),
      (
        "[defaults]\nsnooze = [\"1m\", \"2m\", \"3m\", \"4m\"]\n",
        "2:10: 오류: snooze에 길이가 4개 있습니다. 셋까지 쓸 수 있습니다\n"
      ),
      (
        "[[alarm]]\ntime = 7:30\n",
        "2:8: 오류: 시각의 시는 두 자리로 씁니다\n힌트: 이렇게 쓰십시오: 07:30\n"
      ),
      (
        "[[alarm]]\ntime = 07:30\nlabel = \"Work\n",
        "3:9: 오류: 이 글에는 닫는 따옴표가 없습니다\n"
          + "힌트: 따옴표 안의 글은 같은 행에서 끝나야 합니다\n"
      ),
      (
        "[[alarm]]\ntime = 07:30\nlabel = Work\ntime = 08:30\n",
        "3:9: 오류: 글에는 따옴표가 필요합니다\n힌트: 이렇게 쓰십시오: label = \"Work\"\n"
      ),
      (
        "[[alarm]]\ntime = 07:30\n\ntime = 08:30\n",
        "4:1: 오류: time: 이 알람에서 두 번 정했습니다. 처음은 2행입니다\n"
          + "힌트: 둘 가운데 하나만 남기십시오\n"
      ),
    ])
  func `a mistake is told in Korean`(text: String, told: String) throws {
    try desk.saveText(text)
    let place = desk.config.path + ":"
    let lines = told.split(separator: "|").map { place + $0 }.joined()
    let check = try desk.belfry("config check")
    #expect(check.errors == lines)
    #expect(check.status == (told.contains("오류") ? 1 : 0))
  }

  @Test func `other programs get the severity in English, and the words in Korean`() throws {
    try desk.saveText("[[alarm]]\ntime = \"late\"\n")
    let found = try JSONDecoder().decode(
      [[String: Field]].self, from: Data(desk.belfry("config check --json").output.utf8))
    #expect(
      found == [
        [
          "file": .text(desk.config.path), "line": .number(2), "column": .number(8),
          "severity": .text("error"), "message": .text("time에 쓸 수 있는 값: 시각 (지금: \"late\")"),
          "hint": .text("07:30이나 \"7:30 pm\"처럼 쓰십시오"),
        ]
      ])
  }

  private enum Field: Decodable, Equatable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self =
        if let number = try? container.decode(Int.self) { .number(number) } else {
          .text(try container.decode(String.self))
        }
    }
  }

  @Test func `days are called as in Korean, and written in English`() throws {
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\ndays = [\"월\", \"수요일\"]\n")
    let check = try desk.belfry("config check")
    #expect(check.output == "\(desk.config.path): 오류 없음, 알람 1개\n" && check.errors == "")
    let added = try desk.belfry("add 8:15 --days 화,목요일 --label 운동")
    #expect(added.output.hasPrefix("운동\n") && added.output.hasSuffix(" 후에 울립니다\n"))
    #expect(added.status == 0 && added.errors == "")
    let text = try String(contentsOf: desk.config, encoding: .utf8)
    #expect(text.hasSuffix("time = 08:15\ndays = [\"tue\", \"thu\"]\nlabel = \"운동\"\n"))
    #expect(
      try desk.belfry("edit work --days 월요닐").errors.contains(
        "\"월요닐\" 요일은 없습니다: 혹시 \"월요일\"입니까?"))
  }

  @Test func `why an edit was not made is told in Korean`() throws {
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\n")
    for (line, told) in [
      ("enable wrok", "\"wrok\" 알람이 없습니다: 혹시 \"work\"입니까?"),
      ("remove x", "\"x\" 알람이 없습니다: 목록은 belfry list로 볼 수 있습니다"),
      ("add 7:30 --id work", "\"work\" 알람이 이미 있습니다. 다른 식별자를 쓰십시오"),
      ("world remove x", "\"x\" 시계가 없습니다: 목록은 belfry world로 볼 수 있습니다"),
    ] {
      let done = try desk.belfry(line)
      #expect(done.errors == "belfry: \(told)\n" && done.status == 1)
    }
    #expect(try desk.belfry("disable work").output == "work: 껐습니다\n")
  }

  @Test func `the agent answers over the bus in Korean`() throws {
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\nenabled = false\n")
    try desk.startAgent()
    for (line, told) in [
      ("stop", "울리는 것이 없습니다"), ("skip work", "work: 꺼져 있습니다"),
      ("stop wrok", "\"wrok\" 알람이 없습니다: 혹시 \"work\"입니까?"),
      ("timer pause", "타이머가 없습니다"), ("stopwatch lap", "스톱워치가 실행 중이 아닙니다: belfry stopwatch start"),
    ] {
      let done = try desk.belfry(line)
      #expect(done.errors == "belfry: \(told)\n" && done.status == 1)
    }
  }
}
