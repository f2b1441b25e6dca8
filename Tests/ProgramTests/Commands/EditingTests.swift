// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the commands that change the config, as a user sees them: what they print, and what they
// refuse. No agent is running. `ConfigEditTests.swift` tests how an edit changes the bytes of a
// file, and `SharedFileTests.swift` tests how the file is saved. Next: `EditingLiveTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct EditingTests {
  let desk: Desk

  init() throws { desk = try Desk(Lab()) }

  @Test func `times, days and lengths are typed as people say them`() throws {
    func day(_ days: Double) -> String { Second(epoch: Lab.now + days * 86_400).date }
    for (line, settings) in [
      ("내일 7시", "time = 07:00\ndate = \(day(1))\n"),
      ("noon --days 평일", "time = 12:00\ndays = \"weekdays\"\n"),
      ("7.30 pm mon-fri", "time = 19:30\ndays = \"weekdays\"\n"),
      ("자정 --days 월~수,토", "time = 00:00\ndays = [\"mon\", \"tue\", \"wed\", \"sat\"]\n"),
      ("오후 3시 반 --date 모레", "time = 15:30\ndate = \(day(2))\n"),
      ("every other day 7:30 --from 2099-01-01", nil),
      ("tomorrow 7:30 --date today", nil), ("7:30 mon --days tue", nil), ("7", nil),
    ] as [(String, String?)] {
      try desk.saveText("")
      let done = try desk.belfry("add \(line)")
      let text = try desk.text
      #expect(text == settings.map { "[[alarm]]\n\($0)" } ?? "", "\(line): \(done.errors)")
      #expect(done.status == (settings == nil ? 64 : 0) || line == "7", "\(line)")
    }
    try desk.saveText("")
    #expect(
      try desk.belfry("add tomorrow 7:30 --date today").errors
        .contains("\"tomorrow 7:30\" already says on which days it rings: leave out --date."))
    let soon = try desk.belfry("add in 10 minutes").output
    #expect(soon.firstMatch(of: /\nrings in (10 min|9 min 5\d s)\n$/) != nil, "\(soon)")
    try desk.belfry(["add", "every 2 weeks mon 7:30", "--id=bins", "--snooze=half an hour,1:30"])
    let bins = try desk.text
    #expect(bins.contains("days = [\"mon\"]\nevery = \"2 weeks\"\nfrom = "))
    #expect(bins.hasSuffix("snooze = [\"half an hour\", \"1:30\"]\n"))
    try desk.belfry("edit bins --time 정오 --until 2099-01-01")
    #expect(try desk.text.contains("time = 12:00\n"))
    #expect(try desk.belfry("config check").errors == "")
  }

  @Test func `an alarm that is added makes the config, and tells its id and when it rings`() throws
  {
    try FileManager.default.removeItem(at: desk.config.deletingLastPathComponent())
    let done = try desk.belfry("add 7:30 --days weekdays --label Work")
    #expect(done.status == 0 && done.errors == "")
    #expect(done.output.wholeMatch(of: /work\nrings in (\d+ (d|h|min|s) ?){1,2}\n/) != nil)
    #expect(try desk.text == "[[alarm]]\ntime = 07:30\ndays = \"weekdays\"\nlabel = \"Work\"\n")
    #expect(try desk.belfry("config check").errors == "")
    let again = try desk.belfry(["add", "7:30", "am", "--label", "Work", "--snooze", "5m, 10m"])
    #expect(again.output.hasPrefix("work-2\nrings in "))
    #expect(
      try desk.text.hasSuffix(
        "\nid = \"work-2\"\ntime = 07:30\nlabel = \"Work\"\nsnooze = [\"5m\", \"10m\"]\n"))
    let train = try desk.belfry(
      "add 05:15:30 --date 2099-12-24 --id train --timezone Asia/Seoul --sound Beeper --volume 0 "
        + "--fade-in 0s --ring-for forever --unanswered miss --auto-snoozes 0 --late 1h "
        + "--upcoming 0s --before 10m --bedtime 7h30m --no-wake --except 2026-01-02 --disabled")
    #expect(train.output == "train\noff\n" && train.status == 0)
    #expect(
      try desk.text.hasSuffix(
        """

        [[alarm]]
        id = "train"
        time = 05:15:30
        date = 2099-12-24
        except = [2026-01-02]
        timezone = "Asia/Seoul"
        enabled = false
        sound = "Beeper"
        volume = 0
        fade_in = "0s"
        ring_for = "forever"
        unanswered = "miss"
        auto_snoozes = 0
        late = "1h"
        upcoming = "0s"
        wake = false
        before = "10m"
        bedtime = "7h30m"

        """))
    let json = try desk.belfry("edit train --label x --json").output
    #expect(
      json.hasPrefix("{\n  \"id\": \"train\",\n  \"label\": \"x\",\n  \"time\": \"05:15:30\",\n"))
  }

  static let household = """
    [[alarm]]
    time = 07:30
    days = "daily"
    label = "Work"

    [[alarm]]
    time = 05:15
    date = 2020-12-24
    label = "Train"

    [[alarm]]
    time = 15:00
    enabled = false

    [[alarm]]
    time = 16:00
    date = 2020-12-24
    enabled = false

    """

  @Test func `alarms are switched and removed by several ids, all or none`() throws {
    try desk.saveText(Self.household)
    for (line, status, output, errors) in [
      (
        "disable work nope", 1, "",
        "belfry: no alarm is called \"nope\"\n"
          + "hint: belfry list shows them\n"
      ),
      (
        "remove work wrok", 1, "",
        "belfry: no alarm is called \"wrok\"\n"
          + "hint: did you mean \"work\"?\n"
      ),
      ("enable Work", 1, "", "belfry: no alarm is called \"Work\"\nhint: did you mean \"work\"?\n"),
      (
        "edit trian --time 5:00", 1, "",
        "belfry: no alarm is called \"trian\"\nhint: did you mean \"train\"?\n"
      ),
    ] as [(String, Int32, String, String)] {
      let done = try desk.belfry(line)
      #expect(done.status == status && done.output == output, "belfry \(line)")
      #expect(done.errors == errors, "belfry \(line)")
      #expect(try desk.text == Self.household)
    }
    #expect(try desk.belfry("disable work train").output == "disabled work\ndisabled train\n")
    #expect(try desk.belfry("enable work").output.hasPrefix("enabled work, rings in "))
    #expect(try desk.belfry("remove --done").output == "removed train\nremoved 1600\n")
    #expect(try desk.belfry("remove --done").output == "No alarm is over.\n")
    let removed = try desk.belfry("rm work 1500 --json").output
    let ids = removed.matches(of: /"id": "(.*)"/).map { $0.output.1 }
    #expect(ids == ["work", "1500"] && removed.contains("\"time\": \"07:30\""))
    #expect(try desk.text == "")
  }

  @Test func `an alarm whose day is past rings at its next time when it is enabled`() throws {
    try desk.saveText(Self.household)
    #expect(try desk.belfry("enable train").output.hasPrefix("enabled train, rings in "))
    #expect(try desk.belfry("next").output.contains("train"))
    #expect(try !desk.text.contains("2020-12-24\nlabel"))
    #expect(try desk.belfry("enable 1600").output.hasPrefix("enabled 1600, rings in "))
    #expect(try !desk.text.contains("2020-12-24"))
  }

  @Test func `others that are called otherwise then are named`() throws {
    try desk.saveText("[[alarm]]\ntime = 07:30\n[[alarm]]\ntime = 07:30\ndays = \"daily\"\n")
    let done = try desk.belfry("remove 0730")
    #expect(done.output == "removed 0730\n" && done.status == 0)
    #expect(done.errors == "belfry: 0730-2 is called 0730 now\n")
    #expect(try desk.text == "[[alarm]]\ntime = 07:30\ndays = \"daily\"\n")
    #expect(try desk.belfry("edit 0730 --label Gym").output.hasPrefix("gym\nrings in "))
    let taken = try desk.belfry("add 8:00 --id gym")
    #expect(taken.status == 1)
    #expect(taken.errors == "belfry: an alarm is called \"gym\" already\nhint: choose another id\n")
  }

  @Test func `a sound that is not there is told, and taken`() throws {
    let done = try desk.belfry("add 7:30 --sound Beper")
    #expect(done.status == 0 && done.output.hasPrefix("0730\nrings in "))
    #expect(done.errors == "belfry: no sound is called \"Beper\"\nhint: did you mean \"Beeper\"?\n")
  }

  @Test func `nonsense is wrong usage, and changes nothing`() throws {
    try desk.saveText(Self.household)
    for (arguments, complaint) in [
      (["add"], "Missing expected argument '<time> ...'"),
      (
        ["add", "25:00"],
        "TIME must be a time of day, not \"25:00\"\n"
          + "hint: write it like 07:30 or \"7:30 pm\""
      ),
      (["add", "-1:00"], "Missing expected argument '<time> ...'"),
      (["add", "7:30", "--days", "mondy"], "no weekday is called \"mondy\"\nhint: did you mean"),
      (["add", "7:30", "--date", "2020-01-01"], "it would never ring: its day is past\n"),
      (
        ["add", "7:30", "--date", "2099-01-01", "--except", "2099-01-01"],
        "it would never ring: all its days are left out\n"
      ),
      (
        ["add", "7:30", "--days=mon", "--until=2020-12-31"], "it would never ring: its last day is"
      ),
      (
        ["add", "7:30", "--volume", "99999999999999999999"],
        #"--volume must be a whole number from 0 to 100, not "99999999999999999999""#
      ),
      (["add", "7:30", "--auto-snoozes", "-1"], "Missing value for '--auto-snoozes <count>'"),
      (["add", "7:30", "--id", "two words"], #"--id must be one word of letters, digits, "-","#),
      (["edit", "work"], "Say what to change, such as --time 7:15."),
      (["edit", "work", "--unset", "time"], "An alarm needs its time: use --time."),
      (
        ["edit", "work", "--unset", "vlume"],
        "An alarm has no key \"vlume\".\nhint: did you mean \"volume\"?"
      ),
      (
        ["edit", "work", "--unset", "fade-in", "--fade-in", "5s"],
        "--fade-in and --unset fade_in contradict each other."
      ),
      (["remove"], "Name the alarms to remove, or say --done."),
      (["remove", "work", "--done"], "Name the alarms to remove, or say --done."),
      (["enable"], "Name alarms, or say --group."),
    ] {
      let done = try desk.belfry(arguments)
      #expect(done.status == 64 && done.output == "", "belfry \(arguments)")
      #expect(done.errors.hasPrefix("belfry: \(complaint)"), "\(arguments): \(done.errors)")
    }
    let label = String(repeating: "k", count: 1001)
    for line in ["add 7:30 --label", "world add Seoul --label", "pause today --label"] {
      let done = try desk.belfry("\(line) \(label)")
      #expect(done == (1, "", "belfry: a label has at most 1000 bytes\n"), "\(line)")
    }
    #expect(try desk.text == Self.household)
  }

  @Test func `a config that cannot be edited says where, and what to do`() throws {
    let broken = "[[alarm]]\ntime = 7:30\n"
    try desk.saveText(broken)
    let hour = "2:8: error: this line is not valid TOML\nhint: write time = 07:30"
    try desk.expectFailure("add 8:00", "\(desk.config.path):\(hour)")
    #expect(try desk.text == broken)
    try desk.expectFailure(
      "add 8:00 --config /",
      "/ is a folder, not a file\nhint: move it away, or name another file with --config")
    try desk.expectFailure(
      "add 8:00 --config /dev/null/x/config.toml",
      "mkdir /dev/null/x: Not a directory; the config is unchanged")
  }
}
