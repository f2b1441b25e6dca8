// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command `belfry` as a Korean meets it, to the letter: help, errors, tables, and the parser's
// own words. That the same is so in English is the matter of the other tests of this folder.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct KoreanCommandTests {
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

  private func koreanDesk(_ parts: Lab.Part...) throws -> Desk {
    let desk = try Desk(parts.isEmpty ? Lab() : Lab(.bus))
    try desk.lab.speakKorean()
    return desk
  }

  // MARK: - Help

  @Test func `help is Korean but for the headings, which are the parser's`() throws {
    let desk = try koreanDesk()
    let help = try desk.belfry("--help")
    #expect(help.status == 0 && help.errors == "")
    #expect(
      help.output.hasPrefix(
        """
        OVERVIEW: 울리는 알람 시계.

        알람은 텍스트 파일 ~/.config/belfry/config.toml의 항목입니다:

          [[alarm]]
          time  = 07:30
          days  = "weekdays"
          label = "Work"

        저장하면 바로 적용됩니다. 예:

          belfry add 7:30 --days weekdays --label Work
                                위의 항목을 써 넣습니다
          belfry                울리는 것, 실행 중인 것, 다음에 올 것

        """))
    #expect(help.output.contains("\n  watch                   시계, 알람, 타이머, 스톱워치를 "))
    let usage = try desk.belfry("remove --help").output
    let ways = ["<id> ...", "--group <name>", "--done"].map { "belfry remove \($0)\n" }
    #expect(usage.contains("USAGE: " + ways.joined(separator: "       ") + "\n"))
  }

  @Test func `no help has a line of ours that stayed English`() throws {
    let desk = try koreanDesk()
    let commands = [
      "status", "watch", "follow", "stop", "snooze", "ack", "add", "edit", "remove", "enable",
      "disable", "list", "next", "explain", "move", "skip", "unskip", "timer", "timer start",
      "timer list",
      "timer pause", "timer resume", "timer add", "timer cancel", "timer restart", "timer recent",
      "timer until", "timer again", "timer forget", "pause", "pause add", "pause list",
      "pause remove", "resume",
      "stopwatch", "stopwatch start", "stopwatch stop", "stopwatch lap", "stopwatch reset",
      "stopwatch show", "world", "world list", "world search", "world add", "world remove",
      "world move", "doctor", "history", "config", "config path", "config edit", "config check",
      "config schema", "sounds", "sounds list", "sounds play", "activate",
    ]
    for command in commands {
      let help = try desk.belfry("\(command) --help").output
      let meanings = help.split(separator: "\n").drop { !$0.hasPrefix("USAGE:") }
        .filter {
          $0.count > 26 && !$0.contains("  belfry ") && $0.hasPrefix("  ")
            && $0.dropFirst(25).hasPrefix(" ")
        }
      #expect(!meanings.isEmpty, "\(command)")
      for line in meanings
      where !["  --version", "  -h,", "  See "].contains(where: line.hasPrefix) {
        #expect(Self.hasHangul(line), "\(command): \(line)")
      }
    }
  }

  private static func hasHangul(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
  }

  // MARK: - Wrong usage

  @Test func `wrong usage is told in Korean, where the words are ours`() throws {
    let desk = try koreanDesk()
    for (line, said) in [
      (
        "nonsense",
        """
        오류: "nonsense" 명령이 없습니다. 명령 목록: belfry --help
        Usage: belfry <subcommand>
          See 'belfry --help' for more information.
        """
      ),
      (
        "remove",
        """
        오류: 지울 알람을 지정하거나 --done을 쓰십시오.
        Usage: belfry remove <id> ...
               belfry remove --group <name>
               belfry remove --done
          See 'belfry remove --help' for more information.
        """
      ),
    ] {
      let done = try desk.belfry(line)
      #expect(done.errors == said + "\n", "belfry \(line)")
      #expect(done.status == 64 && done.output == "", "belfry \(line)")
    }
    for (line, complaint) in [
      ("lst", #""lst" 명령이 없습니다. 혹시 "list"입니까?"#),
      ("config chek", #""config chek" 명령이 없습니다. 혹시 "config check"입니까?"#),
      ("next --count 0", "--count에는 1부터 1000까지 쓸 수 있습니다: 0"),
      ("next --timezone Mars", #""Mars" 시간대가 없습니다. Asia/Seoul처럼 쓰십시오."#),
      ("snooze work never", #""never": 길이가 아닙니다. 90s, 10m, 1h30m처럼 쓰십시오."#),
      ("timer 5", "길이에는 단위가 있어야 합니다: 5m 또는 5s."),
      ("edit work --unset sond", #"알람에 "sond" 키는 없습니다. 혹시 "sound"입니까?"#),
    ] {
      let done = try desk.belfry(line)
      let told = ["오류", "belfry"].contains { done.errors.hasPrefix("\($0): \(complaint)\n") }
      #expect(told, "belfry \(line): \(done.errors)")
      #expect(done.status == 64, "belfry \(line)")
    }
    #expect(try desk.belfry("list --nonsense").errors.hasPrefix("오류: Unknown option "))
  }

  @Test func `what programs read is the same in every language`() throws {
    let desk = try koreanDesk()
    try desk.saveText(Self.household)
    for line in [
      "next --json --count 1 --from 2026-03-28T12:00:00+01:00 --timezone Europe/Berlin",
      "sounds list --json", "--version",
    ] {
      let korean = try desk.belfry(line)
      let english = try desk.belfry(line, environment: ["TZ": "UTC", "LANGUAGE": "en"])
      #expect(korean.output == english.output, "belfry \(line)")
      #expect(korean.status == 0)
    }
    let script = try desk.belfry("--generate-completion-script bash")
    #expect(script.output.contains("complete -o filenames -F _belfry belfry"))
  }

  // MARK: - What the files tell

  @Test func `days as people live them are told in Korean`() throws {
    let desk = try koreanDesk()
    let rules = [
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
    try desk.saveText(
      rules.enumerated().map { "[[alarm]]\ntime = 07:30:\($0 + 10)\n\($1.0)\n" }.joined()
        .replacing(", every", with: "\nevery").replacing(", from", with: "\nfrom")
        .replacing(", until", with: "\nuntil"))
    #expect(try desk.belfry("config check").errors == "")
    let lines = try desk.belfry("list").output.split(separator: "\n")
    try #require(lines.count == rules.count)
    for (line, (_, words)) in zip(lines, rules) {
      #expect(line.dropFirst("07:30:10  ".count).hasPrefix("\(words)  "), "\(line)")
    }
  }

  @Test func `alarms and their rings are told in Korean, in columns`() throws {
    let desk = try koreanDesk()
    #expect(try desk.belfry("list").output == "맞춰 둔 알람이 없습니다.\n")
    #expect(try desk.belfry("next").output == "울릴 알람이 없습니다\n")
    try desk.saveText(Self.household)
    let lines = try desk.belfry("list").output.split(separator: "\n").map(String.init)
    try #require(lines.count == 3)
    #expect(lines[0].hasPrefix("02:30  매일                   night  야간 당직  Europe/Berlin  "))
    #expect(lines[0].hasSuffix(" 후"))
    #expect(lines[1] == "05:15  2020년 12월 24일 (목)  train  기차                      끝남")
    #expect(lines[2] == "15:00  한 번                  1500                             꺼짐")
    let gap = "--from 2026-03-28T12:00:00+01:00 --timezone Europe/Berlin --count 2"
    #expect(
      try desk.belfry("next \(gap)").output == """
        내일 03:00           14시간 후      night  야간 당직  없는 시각
        3월 30일 (월) 02:30  1일 13시간 후  night  야간 당직

        """)
    #expect(
      try desk.belfry("explain night \(gap)").output == """
        야간 당직 (night): 02:30, 매일, Europe/Berlin
        내일 03:00           14시간 후      Europe/Berlin에는 2026-03-29 02:30 시각이 없음: 그 뒤 첫 시각인 03:00에 울림
        3월 30일 (월) 02:30  1일 13시간 후
        컴퓨터를 깨움: 예, 깨울 수 있다면: belfry doctor

        """)
    #expect(
      try desk.belfry("explain 1500").output == """
        1500: 15:00, 한 번
        울릴 일이 없습니다: 꺼져 있습니다 (enabled = false)

        """)
    try desk.expectFailure("explain nigth", #""nigth" 알람이 없습니다: 혹시 "night"입니까?"#)
    try desk.expectFailure("list --config no.toml", "no.toml 파일이 없습니다")
    #expect(try desk.belfry("history").output == "아직 울린 것이 없습니다.\n")
  }

  @Test func `an alarm is set, and taken away, in Korean`() throws {
    let desk = try koreanDesk()
    // Far enough from a whole number of hours, which is told without minutes.
    let due = Second.ahead(5.5 * 3600)
    let added = try desk.belfry(["add", due.time, "--label", "출근", "--id", "work"])
    #expect(
      added.output.wholeMatch(of: /work\n5시간 (29|30)분 후에 울립니다\n/) != nil, "\(added)")
    #expect(try desk.belfry("disable work").output == "work: 껐습니다\n")
    #expect(try desk.belfry("remove work").output == "work: 지웠습니다\n")
  }

  @Test func `the time elsewhere is told in Korean`() throws {
    let desk = try koreanDesk()
    #expect(
      try desk.belfry("world").output
        == "맞춰 둔 시계가 없습니다. 시계를 추가하려면: belfry world add Seoul\n")
    let added = try desk.belfry(["world", "add", "서울", "--label", "집"])
    #expect(
      added.output.wholeMatch(
        of: /집  \d\d:\d\d  (오늘|내일)  \+9시간  해 \d\d:\d\d~\d\d:\d\d\n/) != nil,
      "\(added)")
    #expect(
      try desk.belfry("world search ㅅㅇ --count 1").output
        == "Seoul  서울  Seoul, South Korea  Asia/Seoul\n")
    #expect(try desk.belfry("world remove 집").output == "집: 지웠습니다\n")
  }

  // MARK: - With an agent

  @Test func `timers and the stopwatch answer in Korean`() throws {
    let desk = try koreanDesk(.bus)
    try desk.expectFailure(
      "timer list",
      "에이전트가 실행 중이 아니고 버스가 시작하는 방법을 모릅니다. belfryd를 실행하십시오")
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    try desk.expect("timer list", "맞춰 둔 타이머가 없습니다.")
    try desk.expect("timer recent", "아직 시작한 타이머가 없습니다.")
    let started = try desk.belfry(["timer", "90m", "--label", "빨래"])
    let timer = try #require(try desk.timers().first)
    let end = timer.end.toTheMinute.shown(tomorrow: "내일")
    #expect(started.output == "\(timer.id): \(end)에 울립니다 (1시간 30분 후)\n")
    #expect(
      try desk.belfry("timer list").output.wholeMatch(
        of: /\S+  빨래  1시간 30분 중 1시간 \d+분 남음, .*\d\d:\d\d(:\d\d)?에 울림\n/) != nil)
    #expect(
      try desk.belfry("timer pause").output.wholeMatch(
        of: /\S+: 일시 정지, 1시간 \d+분 남음\n/) != nil)
    try desk.expect("timer cancel", "\(timer.id): 취소했습니다")

    try desk.expect("stopwatch", "초기 상태  0:00.000")
    try desk.expect("stopwatch start", "실행 중")
    #expect(
      try desk.belfry("stopwatch lap").output.wholeMatch(
        of: /랩 1  \d+:\d\d\.\d\d\d  \d+:\d\d\.\d\d\d\n/) != nil)
    _ = try desk.belfry("stopwatch lap")
    let stopped = try desk.belfry("stopwatch stop").output
    #expect(stopped.wholeMatch(of: /멈춤  \d+:\d\d\.\d\d\d\n/) != nil)
    let shown = try desk.belfry("stopwatch").output
    #expect(shown.contains("가장 빠름") && shown.contains("가장 느림"))
    #expect(try desk.belfry("stopwatch show --csv").output.hasPrefix("lap,split,total,mark\n1,"))
    try desk.expect("stopwatch reset", "초기 상태")
    try desk.expect("ack", "놓친 알람이 없습니다")
  }
}
