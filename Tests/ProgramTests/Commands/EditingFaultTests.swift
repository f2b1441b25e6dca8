// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edits by command that make no sense, cannot be done, or meet others: nothing is lost by them.

import Foundation
import Lab
import Testing

extension EditingTests {
  @Test func `nonsense is wrong usage, and changes nothing`() throws {
    try desk.saveText(Self.household)
    let long = String(repeating: "x", count: 101)
    for (arguments, complaint) in [
      (["add"], "Missing expected argument '<time> ...'"),
      (["add", ""], #"TIME must be a time of day, not "": write it like 07:30 or "7:30 pm""#),
      (
        ["add", "25:00"],
        #"TIME must be a time of day, not "25:00": write it like 07:30 or "7:30 pm""#
      ),
      (["add", "24:00"], #"TIME must be a time of day, not "24:00": midnight is 00:00."#),
      (["add", "7:30:00.5"], "TIME has a fraction of a second: write whole seconds."),
      (
        ["add", "7:30", "xm"],
        #"TIME must be a time of day, not "7:30 xm": write it like 07:30 or "7:30 pm""#
      ),
      (["add", "-1:00"], "Missing expected argument '<time> ...'"),
      (
        ["add", "7:30\n[[alarm]]"],
        #"TIME must be a time of day, not "7:30\n[[alarm]]": write it like 07:30 or "7:30 pm""#
      ),
      (
        ["add", "7:30", "--days", "mondy"], #"no weekday is called "mondy": did you mean "monday"?"#
      ),
      (
        ["add", "7:30", "--days", ""],
        #"no weekday is called "": write ["mon", "fri"], or "weekdays", "weekends", "daily""#
      ),
      (
        ["add", "7:30", "--date", "2026-02-30"],
        #"--date must be a date, not "2026-02-30": write it like 2026-12-24, without quotes."#
      ),
      (["add", "7:30", "--date", "2020-01-01"], "it would never ring: its day is past."),
      (
        ["add", "7:30", "--date", "2099-01-01", "--except", "2099-01-01"],
        "it would never ring: its only day is left out."
      ),
      (
        ["add", "7:30", "--date", "99999-01-01"],
        #"--date must be a date, not "99999-01-01": write it like 2026-12-24, without quotes."#
      ),
      (
        ["add", "7:30", "--days", "mon", "--date", "2099-01-01"],
        "an alarm has either days or a date, not both."
      ),
      (
        ["add", "7:30", "--volume", "101"],
        "--volume must be a whole number from 0 to 100, not 101."
      ),
      (["add", "7:30", "--volume=-1"], "--volume must be a whole number from 0 to 100, not -1."),
      (
        ["add", "7:30", "--volume", "99999999999999999999"],
        #"--volume must be a whole number from 0 to 100, not "99999999999999999999""#
      ),
      (
        ["add", "7:30", "--snooze", "10"],
        #"--snooze is "10": a duration needs a unit: write "10m" for minutes, "10s" for seconds."#
      ),
      (
        ["add", "7:30", "--snooze", "1m,2m,3m,4m"],
        "--snooze has 4 durations: it takes up to three."
      ),
      (["add", "7:30", "--snooze", "0s"], #"--snooze must be at least "1s", not "0s""#),
      (
        ["add", "7:30", "--ring-for", "99999999d"],
        #"--ring-for must be at most "36500d", not "99999999d""#
      ),
      (["add", "7:30", "--auto-snoozes", "-1"], "Missing value for '--auto-snoozes <count>'"),
      (
        ["add", "7:30", "--auto-snoozes=-1"],
        "--auto-snoozes must be a whole number, 0 or more, not -1."
      ),
      (
        ["add", "7:30", "--unanswered", "mis"],
        #"--unanswered must be "snooze" or "miss", not "mis": did you mean "miss"?"#
      ),
      (
        ["add", "7:30", "--timezone", "Mars"],
        #"no time zone is called "Mars": write it like "Asia/Seoul""#
      ),
      (
        ["add", "7:30", "--id", "two words"],
        #"--id must be one word of letters, digits, "-", "_" and ".", not "two words": write "two-words""#
      ),
      (["add", "7:30", "--id", long], "--id is longer than 100 characters."),
      (
        ["add", "7:30", "--id", "\u{1B}[31m"],
        #"--id must be one word of letters, digits, "-", "_" and ".", not "\u001B[31m": write "31m""#
      ),
      (
        ["add", "7:30", "--sound", ""],
        "--sound is empty: leave it out where there is nothing to say."
      ),
      (["edit", "work"], "Say what to change, such as --time 7:15."),
      (
        ["edit", "work", "--time", "x"],
        #"--time must be a time of day, not "x": write it like 07:30 or "7:30 pm""#
      ),
      (["edit", "work", "--unset", "time"], "An alarm needs its time: use --time."),
      (
        ["edit", "work", "--unset", "vlume"],
        #"An alarm has no key "vlume": did you mean "volume"?"#
      ),
      (
        ["edit", "work", "--unset", "fade-in", "--fade-in", "5s"],
        "--fade-in and --unset fade_in are one too many."
      ),
      (["remove"], "Name the alarms to remove, or say --done."),
      (["remove", "work", "--done"], "Name the alarms to remove, or say --done."),
      (["enable"], "Name alarms, or say --group."),
    ] {
      let done = try desk.belfry(arguments)
      #expect(done.status == 64, "belfry \(arguments)")
      #expect(done.output == "", "belfry \(arguments)")
      // What shows in the words alone comes with their usage.
      let told = ["Error", "belfry"].contains { done.errors.hasPrefix("\($0): \(complaint)\n") }
      #expect(told, "belfry \(arguments): \(done.errors)")
      #expect(try text == Self.household)
    }
  }

  @Test func `an edit that breaks its alarm is refused, though another has the same error`() throws
  {
    let text = """
      [[alarm]]
      id = "a"
      time = "sunset"
      every = "2 weeks"

      [[alarm]]
      id = "b"
      time = 07:00

      """
    try desk.saveText(text)
    for (line, complaint) in [
      ("edit b --every '2 weeks'", "every needs from, the day that it is counted from"),
      (
        "edit b --time sunset", "a time by the sun needs a city, and neither this alarm nor a clock"
      ),
      ("add sunset", "a time by the sun needs a city, and neither this alarm nor a clock"),
    ] {
      let words = line.split(separator: "'")
      let arguments =
        words[0].split(separator: " ").map(String.init) + words.dropFirst().map(String.init)
      let done = try desk.belfry(arguments)
      #expect(done.status == 64 && done.errors.contains(complaint), "\(line): \(done.errors)")
      #expect(try self.text == text)
    }
    #expect(try desk.belfry("edit b --label B").status == 0)
    #expect(try desk.belfry("disable a").output.hasPrefix("disabled a"))
  }

  @Test func `a label that is too long is refused, and nothing is written`() throws {
    let desk = try Desk(Lab())
    let label = String(repeating: "k", count: 1001)
    for line in ["add 7:30 --label", "world add Seoul --label", "pause today --label"] {
      let done = try desk.belfry("\(line) \(label)")
      #expect(done.status == 1, "\(line)")
      #expect(done.errors == "belfry: a label has at most 1000 bytes\n", "\(line)")
    }
    #expect(!FileManager.default.fileExists(atPath: desk.config.path))
  }

  @Test func `hostile labels are written so that nothing acts on a terminal`() throws {
    let label = "\u{1B}]0;x\u{7} \"]]\n[[alarm]]\\ \u{202E}가"
    try desk.belfry(["add", "7:30", "--label", label])
    #expect(
      try text
        == "[[alarm]]\ntime = 07:30\nlabel = \"\\u001B]0;x\\u0007 \\\"]]\\n[[alarm]]\\\\ \\u202E가\"\n"
    )
    #expect(try desk.belfry("list --json").output.contains("\\u001B]0;x\\u0007 \\\"]]\\n[[alarm]]"))
  }

  @Test func `a config that cannot be edited says where, and what to do`() throws {
    let name = desk.config.path
    for (text, line, complaint) in [
      (
        "[[alarm]]\ntime = 7:30\n", "add 8:00",
        "\(name):2:8: error: the hour of a time has two digits\nhint: write 07:30"
      ),
      (
        "\n[alarm]\ntime = 07:30\n", "add 8:00",
        "\(name):2:1: error: alarm must be a list of tables\nhint: begin each with [[alarm]]"
      ),
      ("alarm = 3\n", "remove x", "no alarm is called \"x\": belfry list shows them"),
    ] {
      try desk.saveText(text)
      let done = try desk.belfry(line)
      #expect(done.status == 1 && done.output == "", "belfry \(line)")
      #expect(done.errors == "belfry: \(complaint)\n", "belfry \(line)")
      #expect(try self.text == text)
    }
    let folder = try desk.belfry("add 8:00 --config /")
    #expect(folder.status == 1)
    #expect(
      folder.errors
        == "belfry: / is a folder, not a file: move it away, or name another file with --config\n")
    let nowhere = try desk.belfry("add 8:00 --config /dev/null/x/config.toml")
    #expect(nowhere.status == 1)
    #expect(
      nowhere.errors == "belfry: mkdir /dev/null/x: Not a directory; the config is as it was\n")
  }

  @Test func `a full disk costs nothing`() throws {
    try desk.saveText(Self.household)
    let belfry = Lab.programs.appendingPathComponent("belfry").path
    let done = try desk.lab.run("sh", "-c", "ulimit -f 0; exec \(belfry) add 8:00 2>&1 | cat")
    let draft = desk.config.deletingLastPathComponent().appendingPathComponent(".config.toml.new")
    #expect(
      done.output
        == "belfry: write \(draft.path): File too large: make room; the config is as it was\n")
    #expect(try text == Self.household)
    #expect(!FileManager.default.fileExists(atPath: draft.path))
  }

  @Test func `of many commands at once, none is lost`() throws {
    let programs = try (0..<8).map { number in
      try desk.lab.start("belfry", arguments: ["add", "7:30", "--label", "Number \(number)"])
    }
    for program in programs { #expect(try program.waitForExit(within: 60) == .status(0)) }
    let labels = try text.matches(of: /Number (\d)/).map { $0.1 }
    #expect(Set(labels).count == 8 && labels.count == 8)
    #expect(try desk.belfry("config check").status == 0)
  }

  @Test func `an editor that saves all the time loses no save, and no command what it did`() throws
  {
    try desk.saveText("# save 0\n")
    // It keeps what commands added, as a person does who edits the file.
    let editor = try desk.lab.start(
      "python3",
      arguments: [
        "-c",
        """
        import re, sys, time
        path = sys.argv[1]
        for i in range(1, 200):
          text = open(path).read()
          new = re.sub(r'# save \\d+', '# save %d' % i, text)
          open(path, 'w').write(new)
          deadline = time.monotonic() + 5
          while ('# save %d\\n' % i) not in open(path).read():
            if time.monotonic() > deadline: sys.exit('save %d is lost' % i)
          time.sleep(.01)
        """, desk.config.path,
      ])
    var added = 0
    while editor.isRunning, added < 200 {
      added += 1
      let done = try desk.belfry("add 7:30 --id a\(added)")
      #expect(
        done.status == 0
          || done.errors.hasSuffix("is being written by another program: try again\n"))
    }
    #expect(try editor.waitForExit(within: 60) == .status(0))
    #expect(editor.errors == "")
    #expect(try text.hasPrefix("# save 199\n"))
    #expect(try desk.belfry("config check").status == 0)
  }
}
