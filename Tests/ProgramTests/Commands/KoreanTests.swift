// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the texts that a user of a Korean desktop reads: a table of commands and their output, a
// ring, and the screen of `belfry watch`. Other tests check in English when each text is shown, and
// `CatalogueTests.swift` checks that no text lacks a translation. Output for programs stays
// English.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct KoreanTests {
  private func desk() throws -> Desk {
    let lab = try Lab(.bus)
    try lab.speakKorean()
    return try Desk(lab)
  }

  /// Checks the output of each command. In `printed`, `#` stands for a number and `~` for any text.
  static func check(_ texts: [(line: String, printed: String)], on desk: Desk) throws {
    for (line, printed) in texts {
      let done = try desk.belfry(line)
      let pattern = NSRegularExpression.escapedPattern(for: printed)
        .replacing("#", with: "[0-9]+").replacing("~", with: "(?s:.*)")
      let text = done.output + done.errors
      #expect(text.range(of: "^\(pattern)\n$", options: .regularExpression) != nil, "\(text)")
    }
  }

  private static let withoutConfig = [
    ("list", "맞춰 둔 알람이 없습니다."), ("next", "울릴 알람이 없습니다"),
    ("history", "아직 울린 것이 없습니다."),
    ("world", "맞춰 둔 시계가 없습니다. 시계를 추가하려면: belfry world add Seoul"),
    ("list --config no.toml", "belfry: no.toml 파일이 없습니다"),
    ("nonsense", "belfry: \"nonsense\" 명령이 없습니다\n힌트: 목록을 보려면 belfry --help"),
    ("remove", "belfry: 지울 알람을 지정하거나 --done을 쓰십시오.\n힌트: belfry help remove"),
    ("config chek", "belfry: \"config chek\" 명령이 없습니다\n힌트: 혹시 \"config check\"입니까?"),
    ("next --count 0", "belfry: --count에는 1부터 1000까지 쓸 수 있습니다: 0\n~"),
    ("next --timezone Mars", "belfry: \"Mars\" 시간대가 없습니다. Asia/Seoul처럼 쓰십시오.\n~"),
    ("snooze work never", "belfry: \"never\": 길이가 아닙니다. 90s, 10m, 1h30m처럼 쓰십시오.\n~"),
    ("timer 5", "belfry: 길이에는 단위가 있어야 합니다: 5m 또는 5s.\n~"),
    ("list --nonsense", "belfry: Unknown option ~"),
    ("add 17:45 --id work --label 출근", "work\n~에 울립니다"),
    ("disable work", "work: 껐습니다"), ("remove work", "work: 지웠습니다"),
    ("world add 서울 --label 집", "집  #:#  ~  +9시간  해 #:#~#:#"),
    ("world search ㅅㅇ --count 1", "Seoul  서울  Seoul, South Korea  Asia/Seoul"),
    ("world remove 집", "집: 지웠습니다"),
  ]

  private static let household = """
    [[alarm]]
    time = 02:30
    days = "daily"
    timezone = "Europe/Berlin"
    label = "야간 당직"
    id = "night"

    [[alarm]]
    time = 05:15
    date = 2020-12-24
    label = "기차"
    id = "train"

    [[alarm]]
    time = 15:00
    enabled = false

    """

  private static let gap = "--from 2026-03-28T12:00:00+01:00 --timezone Europe/Berlin --count 2"

  private static let withHousehold = [
    ("config check", "~: 오류 없음, 알람 3개"),
    (
      "list",
      """
      02:30  매일                   night  야간 당직  Europe/Berlin  ~ 후
      05:15  2020년 12월 24일 (목)  train  기차                      끝남
      15:00  한 번                  1500                             꺼짐
      """
    ),
    (
      "next \(gap)",
      """
      내일 03:00           14시간 후      night  야간 당직  없는 시각
      3월 30일 (월) 02:30  1일 13시간 후  night  야간 당직
      """
    ),
    (
      "explain night \(gap)",
      """
      야간 당직 (night): 02:30, 매일, Europe/Berlin
      내일 03:00           14시간 후      Europe/Berlin에는 2026-03-29 02:30 시각이 없음: \
      그 뒤 첫 시각인 03:00에 울림
      3월 30일 (월) 02:30  1일 13시간 후
      컴퓨터를 깨움: 예, 깨울 수 있다면: belfry doctor
      """
    ),
    (
      "explain 1500", "1500: 15:00, 한 번\n울릴 일이 없습니다: 꺼져 있습니다 (enabled = false)"
    ),
    ("explain nigth", "belfry: \"nigth\" 알람이 없습니다\n힌트: 혹시 \"night\"입니까?"),
    ("enable x", "belfry: \"x\" 알람이 없습니다\n힌트: 목록은 belfry list로 볼 수 있습니다"),
    ("add 7:30 --id night", "belfry: \"night\" 알람이 이미 있습니다\n힌트: 다른 식별자를 쓰십시오"),
    ("edit night --unset sond", "belfry: 알람에 \"sond\" 키는 없습니다.\n힌트: 혹시 \"sound\"입니까?\n~"),
    ("edit night --days 월요닐", "belfry: \"월요닐\" 요일은 없습니다\n힌트: 혹시 \"월요일\"입니까?\n~"),
    ("world remove x", "belfry: \"x\" 시계가 없습니다\n힌트: 목록은 belfry world로 볼 수 있습니다"),
  ]

  private static let rules = [
    (#"days = ["mon", "thu"], every = "2 weeks", from = 2026-01-05"#, "2주마다 월요일, 목요일"),
    (#"days = ["첫째 월요일", "마지막 금"]"#, "매월 첫째 월요일, 마지막 금요일"),
    (#"days = ["wed", "2nd tue"]"#, "매주 수요일, 매월 둘째 화요일"),
    (#"every = "3 days", from = 2026-01-05"#, "3일마다"),
    (#"every = "1 months", from = 2026-01-15"#, "매월 15일"),
    (#"every = "3 months", from = 2025-12-31"#, "3개월마다 말일"),
    (#"every = "4 years", from = 2024-02-29"#, "4년마다 2월 말일"),
    (#"every = "1 years", from = 2025-12-24"#, "매년 12월 24일"),
    (#"days = ["last thu"], every = "1 years", from = 2025-11-01"#, "매년 11월 마지막 목요일"),
    (#"days = "mon", until = 2020-01-06"#, "월, 2020년 1월 6일 (월)까지"),
  ]

  /// Lines of a config, and the Korean error message for each.
  private static let mistakes = [
    ("[[alarm]]\n", "1:1: 오류: 이 알람에는 시각이 없습니다\n힌트: 이렇게 쓰십시오: time = 07:30"),
    (
      "[defaults]\nsnooze = 10\n",
      "2:10: 오류: snooze의 값이 10입니다: 길이에는 단위가 있어야 합니다\n"
        + "힌트: 분이면 \"10m\", 초이면 \"10s\"라고 쓰십시오"
    ),
    (
      "[defaults]\nunanswered = \"mis\"\n",
      "2:14: 오류: unanswered에 쓸 수 있는 값: \"snooze\" 또는 \"miss\" (지금: \"mis\")\n"
        + "힌트: 혹시 \"miss\"입니까?"
    ),
    (
      "[defaults]\nclock = \"24h\"\n",
      "2:1: 경고: 알 수 없는 키 \"clock\"\n힌트: \"clock\"의 자리는 [agent] 아래입니다"
    ),
    (
      "[[alarm]]\ntime = 07:30\nlabel = \"Work\n",
      "3:9: 오류: 이 글에는 닫는 따옴표가 없습니다\n"
        + "힌트: 따옴표 안의 글은 같은 행에서 끝나야 합니다"
    ),
    (
      "[[alarm]]\ntime = 07:30\n\ntime = 08:30\n",
      "4:1: 오류: time: 두 번 정했습니다. 처음은 2행입니다\n"
        + "힌트: 둘 가운데 하나만 남기십시오"
    ),
  ]

  @Test func `what commands print of files is Korean`() throws {
    let desk = try desk()
    try Self.check(Self.withoutConfig, on: desk)
    try desk.saveText(Self.household)
    try Self.check(Self.withHousehold, on: desk)
    try desk.belfry("edit night --days 화,목요일")
    #expect(try desk.text.contains(#"["tue", "thu"]"#))
    for (text, told) in Self.mistakes {
      try desk.saveText(text)
      try Self.check([("config check", "~config.toml:\(told)")], on: desk)
    }
    try desk.saveText(
      Self.rules.enumerated().map { "[[alarm]]\ntime = 07:30:\($0 + 10)\n\($1.0)\n" }.joined()
        .replacing(/, (every|from|until)/) { "\n\($0.1)" })
    try Self.check(
      [("list", Self.rules.map { "07:30:#  \($1)  ~" }.joined(separator: "\n"))], on: desk)
  }

  @Test func `what the agent is asked, it answers in Korean`() throws {
    let desk = try desk()
    try Self.check(
      [("timer list", "belfry: 에이전트가 실행 중이 아니고 버스가 시작할 수 없습니다\n해결: belfryd")],
      on: desk)
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\nenabled = false\n")
    try desk.startAgent()
    try Self.check(
      [
        ("timer list", "맞춰 둔 타이머가 없습니다."),
        ("timer recent", "아직 시작한 타이머가 없습니다."),
        ("timer pause", "belfry: 타이머가 없습니다"),
        ("timer 90m --label 빨래", "빨래: ~에 울립니다 (1시간 30분 후)"),
        ("timer list", "빨래  빨래  1시간 30분 중 1시간 #분~ 남음, ~에 울림"),
        ("timer pause", "빨래: 일시 정지, 1시간 #분~ 남음"), ("timer cancel", "빨래: 취소했습니다"),
        ("stopwatch", "초기 상태  0:00.000"),
        ("stopwatch lap", "belfry: 스톱워치가 실행 중이 아닙니다: belfry stopwatch start"),
        ("stopwatch start", "실행 중"), ("stopwatch lap", "랩 1  #:#.#  #:#.#"),
        ("stopwatch lap", "랩 2  ~"), ("stopwatch stop", "멈춤  #:#.#"),
        ("stopwatch", "~가장 ~가장 ~"), ("stopwatch show --csv", "lap,split,total,mark\n1,~"),
        ("stopwatch reset", "초기 상태"), ("ack", "놓친 알람이 없습니다"),
        ("stop", "belfry: 울리는 것이 없습니다"), ("skip work", "belfry: work: 꺼져 있습니다"),
        ("stop wrok", "belfry: \"wrok\" 알람이 없습니다\n힌트: 혹시 \"work\"입니까?"),
      ], on: desk)
  }

  @Test func `help is Korean but for what is the parser's`() throws {
    let desk = try desk()
    try Self.check([("--help", "울리는 알람 시계.\n사용법: belfry ~")], on: desk)
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

  @Test func `what programs read is the same in every language`() throws {
    let desk = try desk()
    try desk.saveText(Self.household + "[[alarm]]\ntime = \"late\"\n")
    for line in ["next --json --count 1 \(Self.gap)", "sounds list --json", "--version"] {
      let korean = try desk.belfry(line)
      let english = try desk.belfry(line, environment: ["TZ": "UTC", "LANGUAGE": "en"])
      #expect(korean.output == english.output && korean.status == 0, "belfry \(line)")
    }
    let told = try desk.belfry("config check --json").output
    #expect(told.contains(#""severity": "error""#) && told.contains(#""time must be "#))
    let script = try desk.belfry("--generate-completion-script bash").output
    #expect(script.contains("complete -o filenames -F _belfry belfry"))
  }
}
