// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands that change the config, as a user meets them: what they print, what they do to the
// file and what they leave alone. No agent runs. Next:
// `EditingFaultTests.swift`, `EditingLiveTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct EditingTests {
  let desk: Desk

  init() throws { desk = try Desk(Lab()) }

  var text: String {
    get throws { String(decoding: try Data(contentsOf: desk.config), as: UTF8.self) }
  }

  private func mode(of url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test func `an edit of one of very many changes its lines, and no other byte`() throws {
    let blocks = (0..<3000).map { i in
      let (mark, end) = (i % 7 == 0 ? "# \(i)\r\n" : "", i % 2 == 0 ? "\r\n" : "\n")
      return mark + "[[alarm]]  # \(i)\n  id   = \"a\(i)\"\(end)  time = 07:30\n\n"
    }
    try blocks.joined().write(to: desk.config, atomically: true, encoding: .utf8)
    func expect(_ command: String, _ output: String, _ change: (inout [String]) -> Void) throws {
      var blocks = blocks
      change(&blocks)
      let done = try desk.belfry(command)
      #expect(done.output.hasPrefix(output) && done.errors == "" && done.status == 0)
      #expect(try text == blocks.joined(), "\(command)")
    }
    let off = { (block: String) in block.replacing("07:30\n", with: "07:30\n  enabled = false\n") }
    try expect("disable a7 a2999 a0", "disabled a7\ndisabled a2999\ndisabled a0\n") {
      for i in [7, 2999, 0] { $0[i] = off($0[i]) }
    }
    try expect("enable a0 a7", "enabled a0, rings in ") {
      for i in [0, 7] { $0[i] = $0[i].replacing("07:30\n", with: "07:30\n  enabled = true\n") }
      $0[2999] = off($0[2999])
    }
    try blocks.joined().write(to: desk.config, atomically: true, encoding: .utf8)
    try expect("edit a8 --label Tea", "a8\nrings in ") {
      $0[8] = $0[8].replacing("07:30\n", with: "07:30\n  label = \"Tea\"\n")
    }
    try blocks.joined().write(to: desk.config, atomically: true, encoding: .utf8)
    try expect("remove a7", "removed a7\n") { $0[7] = "" }
  }

  @Test func `days as people live them are added, changed, and told`() throws {
    func expect(_ command: [String], _ answer: Regex<Substring>, _ settings: String?) throws {
      let done = try desk.belfry(command)
      #expect((done.output + done.errors).wholeMatch(of: answer) != nil, "\(done)")
      if let settings { #expect(try text == "[[alarm]]\nid = \"a\"\n\(settings)\n") }
    }
    let rings = /a\nrings in .*\n/
    try expect(
      ["add", "7:30", "--id=a", "--days=mon,thu", "--every=2 weeks", "--from=2099-11-23"], rings,
      "time = 07:30\ndays = [\"mon\", \"thu\"]\nevery = \"2 weeks\"\nfrom = 2099-11-23")
    try expect(
      ["edit", "a", "--until=2098-01-01"], /belfry: until is before from: .*\n/, nil)
    try expect(
      ["edit", "a", "--days=1st mon"], /belfry: a day such as "1st mon" is of a month.*\n/, nil)
    try expect(
      ["edit", "a", "--unset=from"], /belfry: every needs from.*\n/,
      "time = 07:30\ndays = [\"mon\", \"thu\"]\nevery = \"2 weeks\"\nfrom = 2099-11-23")
    #expect(
      try desk.belfry("list").output.contains(
        "every second week on Monday and Thursday, from Mon 23 Nov 2099  a"))
    try expect(
      ["edit", "a", "--every=3 days"], rings,
      "time = 07:30\nevery = \"3 days\"\nfrom = 2099-11-23")
    try expect(
      ["edit", "a", "--days=last Friday,weekends"], rings,
      "time = 07:30\ndays = [\"sat\", \"sun\", \"last fri\"]\nfrom = 2099-11-23")
    try expect(
      ["edit", "a", "--date=2099-12-24"], rings, "time = 07:30\ndate = 2099-12-24")
    try expect(
      ["edit", "a", "--every=1 months", "--from=2020-01-31", "--until=2020-12-31"], /a\nover\n/,
      "time = 07:30\nevery = \"1 months\"\nfrom = 2020-01-31\nuntil = 2020-12-31")
    #expect(
      try desk.belfry("explain a").output.contains("nothing is to come: its last day is past"))
    try expect(
      ["add", "7:30", "--days=mon", "--until=2020-12-31"],
      /belfry: it would never ring: its last day is past\.\n/, nil)
  }

  @Test func `an alarm that is added makes the config, and tells its id and when it rings`() throws
  {
    try FileManager.default.removeItem(at: desk.config.deletingLastPathComponent())
    let done = try desk.belfry("add 7:30 --days weekdays --label Work")
    #expect(done.status == 0 && done.errors == "")
    #expect(done.output.wholeMatch(of: /work\nrings in (\d+ (d|h|min|s) ?){1,2}\n/) != nil)
    #expect(try text == "[[alarm]]\ntime = 07:30\ndays = \"weekdays\"\nlabel = \"Work\"\n")
    #expect(try desk.belfry("config check").errors == "")
    let again = try desk.belfry(["add", "7:30", "am", "--label", "Work", "--snooze", "5m, 10m"])
    #expect(again.output.hasPrefix("work-2\nrings in "))
    #expect(
      try text.hasSuffix(
        "\n\n[[alarm]]\nid = \"work-2\"\ntime = 07:30\nlabel = \"Work\"\nsnooze = [\"5m\", \"10m\"]\n"
      ))
    let train = try desk.belfry(
      "add 05:15:30 --date 2099-12-24 --id train --timezone Asia/Seoul --sound Beeper --volume 0 "
        + "--fade-in 0s --ring-for forever --unanswered miss --auto-snoozes 0 --late 1h "
        + "--upcoming 0s --before 10m --bedtime 7h30m --no-wake --except 2026-01-02 --disabled")
    #expect(train.output == "train\noff\n" && train.status == 0)
    #expect(
      try text.hasSuffix(
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

  @Test func `names of days are those of the user's language, and are written in English`() throws {
    let german = ["TZ": "UTC", "LC_ALL": "de_DE.UTF-8"]
    try desk.belfry("add 7:30 --days sat,sun,mon", environment: german)
    #expect(try text == "[[alarm]]\ntime = 07:30\ndays = [\"mon\", \"sat\", \"sun\"]\n")
    try desk.belfry(["edit", "0730", "--days", "Saturday, sun"])
    #expect(try text == "[[alarm]]\ntime = 07:30\ndays = \"weekends\"\n")
  }

  /// A file as nobody would write it, and it after a command.
  private static let cases: [(before: String, line: String, after: String)] = [
    (
      "\u{FEFF}# mine\r\n\r\n[[ alarm ]]\t# w\r\n\ttime=07:30\r\n\tlabel='Work' # l",
      "disable work",
      "\u{FEFF}# mine\r\n\r\n[[ alarm ]]\t# w\r\n\ttime=07:30\r\n\tlabel='Work' # l\r\n\tenabled=false"
    ),
    (
      "[[alarm]]\ntime  = 07:30   # early\nlabel = \"Work\"\n\n\n[agent]\n",
      "edit work --time 6:45",
      "[[alarm]]\ntime  = 06:45   # early\nlabel = \"Work\"\n\n\n[agent]\n"
    ),
    (
      "[[alarm]]\ndate = 2099-12-24 # once\ntime = 07:30\n[[alarm]]\ntime = 08:00\n",
      "edit 0730 --days mon --except 2027-01-04",
      "[[alarm]]\ntime = 07:30\ndays = [\"mon\"]\nexcept = [2027-01-04]\n[[alarm]]\ntime = 08:00\n"
    ),
    (
      "[[alarm]]\ntime = 07:30\nexcept = [ # holidays\n  2027-01-01,\n]\nsound = 'x' # s\n",
      "edit 0730 --except 2027-01-01,2027-05-01 --unset sound --unset label",
      "[[alarm]]\ntime = 07:30\nexcept = [ # holidays\n  2027-01-01, 2027-05-01,\n]\n"
    ),
    (
      "# a\n[agent]\n\n# w\n[[alarm]]\ntime = 07:30\n# free\n\n# b\n[[alarm]]\ntime = 08:00",
      "remove 0730 0800", "# a\n[agent]"
    ),
    ("[[alarm]]\ntime = 07:30\n", "enable 0730 0730", "[[alarm]]\ntime = 07:30\n"),
    (
      "[[alarm]]\ntime = 07:30\ndays = \"mondy\"\n", "edit 0730 --days mon",
      "[[alarm]]\ntime = 07:30\ndays = [\"mon\"]\n"
    ),
  ]

  @Test func `a command changes the bytes of its entry, and no other`() throws {
    let kept = desk.lab.home.appendingPathComponent("dotfiles.toml")
    try FileManager.default.createSymbolicLink(at: desk.config, withDestinationURL: kept)
    for (before, line, after) in Self.cases {
      try Data(before.utf8).write(to: kept)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: kept.path)
      let done = try desk.belfry(line)
      #expect(done.status == 0 && done.errors == "", "belfry \(line): \(done.errors)")
      #expect(try text == after, "belfry \(line)\n\(before)")
      #expect(try mode(of: kept) == 0o600)
    }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: desk.config.path) == kept.path)
    let folder = desk.config.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["config.toml"])
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
      ("disable work nope", 1, "", "belfry: no alarm is called \"nope\": belfry list shows them\n"),
      ("remove work wrok", 1, "", "belfry: no alarm is called \"wrok\": did you mean \"work\"?\n"),
      ("enable Work", 1, "", "belfry: no alarm is called \"Work\": did you mean \"work\"?\n"),
      (
        "edit trian --time 5:00", 1, "",
        "belfry: no alarm is called \"trian\": did you mean \"train\"?\n"
      ),
    ] as [(String, Int32, String, String)] {
      let done = try desk.belfry(line)
      #expect(done.status == status && done.output == output, "belfry \(line)")
      #expect(done.errors == errors, "belfry \(line)")
      #expect(try text == Self.household)
    }
    #expect(try desk.belfry("disable work train").output == "disabled work\ndisabled train\n")
    #expect(try desk.belfry("enable work").output.hasPrefix("enabled work, rings in "))
    #expect(try desk.belfry("remove --done").output == "removed train\nremoved 1600\n")
    #expect(try desk.belfry("remove --done").output == "No alarm is over.\n")
    #expect(try desk.belfry("remove work 1500 --json").output == "[\n  \"work\",\n  \"1500\"\n]\n")
    #expect(try text == "")
  }

  @Test func `an alarm whose day is past rings at its next time when it is enabled`() throws {
    try desk.saveText(Self.household)
    #expect(try desk.belfry("enable train").output.hasPrefix("enabled train, rings in "))
    #expect(try desk.belfry("next").output.contains("train"))
    #expect(try !text.contains("2020-12-24\nlabel"))
    #expect(try desk.belfry("enable 1600").output.hasPrefix("enabled 1600, rings in "))
    #expect(try !text.contains("2020-12-24"))
  }

  @Test func `others that are called otherwise then are named`() throws {
    try desk.saveText("[[alarm]]\ntime = 07:30\n[[alarm]]\ntime = 07:30\ndays = \"daily\"\n")
    let done = try desk.belfry("remove 0730")
    #expect(done.output == "removed 0730\n" && done.status == 0)
    #expect(done.errors == "belfry: 0730-2 is called 0730 now\n")
    #expect(try text == "[[alarm]]\ntime = 07:30\ndays = \"daily\"\n")
    #expect(try desk.belfry("edit 0730 --label Gym").output.hasPrefix("gym\nrings in "))
    let taken = try desk.belfry("add 8:00 --id gym")
    #expect(taken.status == 1)
    #expect(taken.errors == "belfry: an alarm is called \"gym\" already: take another id\n")
  }

  @Test func `a sound that is not there is told, and taken`() throws {
    let done = try desk.belfry("add 7:30 --sound Beper")
    #expect(done.status == 0 && done.output.hasPrefix("0730\nrings in "))
    #expect(done.errors == "belfry: no sound is called \"Beper\": did you mean \"Beeper\"?\n")
  }
}
