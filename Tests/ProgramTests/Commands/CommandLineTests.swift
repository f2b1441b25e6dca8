// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the command `belfry`: its exact output and error messages, and its exit status.
// `AgentCommandTests.swift` tests the commands that call the agent.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct CommandLineTests {
  static let household = """
    [[alarm]]
    time = 02:30
    days = "daily"
    timezone = "Europe/Berlin"
    label = "Night watch"

    [[alarm]]
    time = 05:15
    date = 2020-12-24
    label = "Train"

    [[alarm]]
    time = 15:00
    enabled = false

    """

  /// A command line, and the exit status, output and errors that it must have exactly.
  typealias Case = (line: String, status: Int32, output: String, errors: String)

  @Test func `the manual page names each field of the status`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.household)
    try desk.startAgent()
    try desk.belfry("timer 5m")
    let status = try JSONSerialization.jsonObject(
      with: Data(try desk.belfry("status --json").output.utf8))
    let page = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../../desktop/man/belfry.1")
        .standardized, encoding: .utf8)
    let words = Set(page.split { $0 == "\n" || $0 == " " }.map(String.init))
    #expect(fields(of: status).subtracting(words) == [])
  }

  /// Returns the names of all keys in a JSON value, at any depth.
  private func fields(of value: Any) -> Set<String> {
    if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(fields(of: $1)) } }
    guard let object = value as? [String: Any] else { return [] }
    return object.values.reduce(into: Set(object.keys)) { $0.formUnion(fields(of: $1)) }
  }

  func check(_ cases: [Case], on desk: Desk) throws {
    for (line, status, output, errors) in cases {
      let done = try desk.belfry(line)
      #expect(done.status == status, "belfry \(line)")
      #expect(done.output == output, "belfry \(line)")
      #expect(done.errors == errors, "belfry \(line)")
    }
  }

  @Test func `what the files tell needs no agent, and no bus`() throws {
    let desk = try Desk(Lab())
    let config = desk.config.path
    let gap = "--from 2026-03-28T12:00:00+01:00 --timezone Europe/Berlin"
    let overlap = "--from 2026-10-24T12:00:00+02:00 --timezone Europe/Berlin"
    try check(
      [
        ("config path", 0, config + "\n", ""), ("list", 0, "No alarm is set.\n", ""),
        ("next", 0, "No upcoming alarms\n", ""),
      ], on: desk)
    try desk.saveText(Self.household)
    let list = try desk.belfry("list")
    #expect(list.status == 0 && list.errors == "")
    let lines = list.output.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].hasPrefix("02:30  daily            night-watch  Night watch  Europe/Berlin  "))
    #expect(lines[1].hasPrefix("05:15  Thu 24 Dec 2020  train        Train        "))
    #expect(lines[1].hasSuffix("  over"))
    #expect(lines[2].hasPrefix("15:00  once") && lines[2].hasSuffix("off"))
    try check(
      [
        ("config path --config other.toml", 0, "\(desk.lab.home.path)/other.toml\n", ""),
        ("config check", 0, "\(config): no mistakes, 3 alarms\n", ""),
        ("config check --json", 0, "[]\n", ""),
        (
          "next --count 2 \(gap)", 0,
          """
          tomorrow 03:00    in 14 h      night-watch  Night watch  gap
          Mon 30 Mar 02:30  in 1 d 13 h  night-watch  Night watch

          """, ""
        ),
        (
          "next --count 2 \(overlap)", 0,
          """
          tomorrow 02:30    in 14 h 30 min  night-watch  Night watch  overlap
          Mon 26 Oct 02:30  in 1 d 15 h     night-watch  Night watch

          """, ""
        ),
        (
          "next --count 1 --json \(gap)", 0,
          """
          [
            {
              "id": "night-watch",
              "label": "Night watch",
              "at": "2026-03-29T03:00:00+02:00",
              "epoch": 1774746000,
              "note": "gap"
            }
          ]

          """, ""
        ),
        ("next --config no.toml", 1, "", "belfry: there is no no.toml\n"),
        ("list --config no.toml", 1, "", "belfry: there is no no.toml\n"),
        ("config check no.toml", 1, "", "belfry: there is no no.toml\n"),
      ], on: desk)
  }

  @Test func `no config yet is no mistake, and what names no file is one`() throws {
    let desk = try Desk(Lab())
    try check(
      [
        ("config check", 0, "there is no \(desk.config.path) yet: no alarm is set\n", ""),
        ("config check --json", 0, "[]\n", ""),
        // U+FFFD in a file name is valid: the user typed this character, and it does not stand for
        // bytes that are not UTF-8.
        ("list --config \u{FFFD}.toml", 1, "", "belfry: there is no \u{FFFD}.toml\n"),
        ("config check no\u{1B}[31m.toml", 1, "", "belfry: there is no no\\u001B[31m.toml\n"),
      ], on: desk)
    #expect(try desk.belfry("list --config=").status == 64)
    let bytes = try desk.lab.run(
      "bash", "-c", "belfry list --config $'no\\xff.toml' 2>&1; echo $?")
    #expect(bytes.output == "belfry: what you typed is not all UTF-8\n64\n")
  }

  @Test func `config check tells every mistake, and ends by the worst`() throws {
    let desk = try Desk(Lab())
    let days = "[[alarm]]\ntime = 07:30\ndays = \"mondy\"\n"
    let files = [("worse", days + "labl = \"Work\"\n"), ("bad", days), ("odd", "[agnt]\n")]
    for (name, text) in files {
      let file = desk.lab.home.appendingPathComponent("\(name).toml")
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    try check(
      [
        (
          "config check worse.toml", 1, "",
          """
          worse.toml:3:8: error: no weekday is called "mondy"
          hint: did you mean "monday"?
          worse.toml:4:1: warning: unknown key "labl"
          hint: did you mean "label"?

          """
        ),
        (
          "config check odd.toml", 0, "",
          "odd.toml:1:2: warning: unknown table \"agnt\"\nhint: did you mean \"agent\"?\n"
        ),
        (
          "config check bad.toml --json", 1,
          """
          [
            {
              "file": "bad.toml",
              "line": 3,
              "column": 8,
              "severity": "error",
              "message": "no weekday is called \\"mondy\\"",
              "hint": "did you mean \\"monday\\"?"
            }
          ]

          """, ""
        ),
      ], on: desk)
  }

  @Test func `sounds are listed by name, with where they are`() throws {
    let desk = try Desk(Lab())
    let list = try desk.belfry("sounds list")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Lab.repository.appendingPathComponent("Sounds").path)
    let names = files.filter { $0.hasSuffix(".ogg") }.map { $0.dropLast(4) }.sorted()
    #expect(list.status == 0 && list.errors == "")
    #expect(
      list.output.split(separator: "\n").compactMap { $0.split(separator: " ").first } == names)
    #expect(try desk.belfry("sounds").output == list.output)
    // Only `--all` lists the sounds of the desktop theme, which are clicks and test signals.
    let theme = desk.lab.home.appendingPathComponent(".local/share/sounds/freedesktop/stereo")
    try FileManager.default.createDirectory(at: theme, withIntermediateDirectories: true)
    try Data().write(to: theme.appendingPathComponent("bell.oga"))
    #expect(try desk.belfry("sounds").output == list.output)
    // The list must show the sound by its name, even if its path has many bytes that are not ASCII.
    let korean = desk.lab.home.appendingPathComponent("사용자의 자료")
    let sounds = korean.appendingPathComponent("belfry/sounds")
    try FileManager.default.createDirectory(at: sounds, withIntermediateDirectories: true)
    try Data().write(to: sounds.appendingPathComponent("종.ogg"))
    let there = try desk.lab.run("belfry", "sounds", environment: ["XDG_DATA_HOME": korean.path])
    #expect(there.output.contains("종"), "\(there)")
    // Belfry's own sounds were FLAC files before 1.0. A config with such a path is still valid.
    let old = "time = 08:00\nsound = \"\(sounds.path)/종.flac\"\n"
    try desk.saveText("[[alarm]]\n" + old)
    let check = try desk.lab.run(
      "belfry", "config", "check", environment: ["XDG_DATA_HOME": korean.path])
    #expect(check.status == 0 && !check.errors.contains("no sound"), "\(check)")
    let all = try desk.belfry("sounds --all").output
    #expect(all.contains("\nbell ") && all.split(separator: "\n").count == names.count + 1)
  }

  @Test func `wrong usage ends with 64 and words on standard error`() throws {
    let desk = try Desk(Lab())
    let moment = "is no moment: write it as 2026-11-21T07:30:00+09:00."
    for (line, complaint) in [
      ("nonsense", "there is no command \"nonsense\"\nhint: belfry --help shows them"),
      ("config chek", "there is no command \"config chek\"\nhint: did you mean \"config check\"?"),
      ("help snoze", "there is no command \"snoze\"\nhint: did you mean \"snooze\"?"),
      ("stop a b", "Unexpected argument 'b'"), ("skip", "Name alarms, or say --group."),
      ("next --count 0", "--count takes 1 to 1000, not 0."),
      ("next --count many", "The value 'many' is invalid for '--count <count>'"),
      ("next --timezone Mars", #"No time zone is called "Mars": write it as Asia/Seoul."#),
      ("next --from nonsense", #""nonsense" \#(moment)"#),
      ("next --from @-9223372036854775808", #""@-9223372036854775808" \#(moment)"#),
      ("explain work --from @1099511627777", #""@1099511627777" \#(moment)"#),
      ("snooze work never", #""never" is no duration: write it as 90s, 10m or 1h30m."#),
      ("snooze 0s", "A snooze of 0s would end at once: use stop."),
      ("snooze 5000d", "A snooze of 5000d is too long: a year is the longest."),
      ("list --nonsense", "Unknown option '--nonsense'"),
      ("sounds play Beeper --volume 101", "--volume takes 0 to 100, not 101."),
    ] {
      let done = try desk.belfry(line)
      #expect(done.status == 64 && done.output == "", "belfry \(line)")
      #expect(done.errors.hasPrefix("belfry: \(complaint)\n"), "belfry \(line): \(done.errors)")
      // Two lines: the first says what is wrong, the second what to do.
      let lines = done.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[1].hasPrefix("hint: "), "belfry \(line): \(done.errors)")
    }
  }

  @Test func `help is one screen, and has first what everybody needs`() throws {
    let desk = try Desk(Lab())
    for line in ["--help", "-h", "help"] {
      let help = try desk.belfry(line)
      #expect(help.status == 0 && help.errors == "", "belfry \(line)")
      let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 41 && lines.allSatisfy { $0.count <= 80 }, "\(help.output)")
      let commands = lines.filter { $0.hasPrefix("  ") }.compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
      let known = try CommandWords(Lab()).commands.map(\.path).filter { $0.count == 1 }.map {
        $0[0]
      }
      #expect(Set(commands) == Set(known).subtracting(["activate", "help"]))
      for word in ["add", "list", "next", "stop", "snooze", "timer", "watch", "doctor"] {
        #expect(lines.prefix(20).contains { $0.hasPrefix("  \(word) ") }, "\(word)")
      }
    }
  }

  @Test func `a word that would act on the terminal is shown, and does nothing`() throws {
    let desk = try Desk(Lab())
    for words in [
      ["next", "\u{1B}]0;owned\u{7}"], ["stop", "a", "\u{1B}[2J"], ["\u{1B}[2J"],
      ["--\u{1B}[2J"], ["list", "--config", "\u{9B}2J.toml", "now"],
    ] {
      let done = try desk.belfry(words)
      #expect(done.status == 64, "\(words)")
      let shown = done.errors + done.output
      #expect(!shown.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 0x9B })
    }
    let path = try desk.belfry(["config", "path", "--config", "\u{1B}[2J.toml"])
    #expect(path.output == "\(desk.lab.home.path)/\\u001B[2J.toml\n")
    let long = try desk.belfry(["next", String(repeating: "x", count: 100_000)])
    #expect(long.status == 64 && long.errors.utf8.count < 2000)
  }

  @Test func `what cannot be written is no success`() throws {
    let desk = try Desk(Lab(.bus))
    // Set 300 alarms. The list of them is longer than a buffer, so `belfry list` writes part of it
    // before the command ends.
    try desk.saveText(
      String(repeating: "[[alarm]]\ntime = 07:30\ndays = \"daily\"\n", count: 300))
    try desk.startAgent()
    for line in ["list", "config schema", "--help", "next --json", "--version", "follow"] {
      let done = try desk.lab.run("sh", "-c", "exec belfry \(line) >/dev/full")
      #expect(done.status == 1, "belfry \(line)")
      #expect(
        done.errors == "belfry: what was printed did not all arrive: No space left on device\n",
        "belfry \(line)")
    }
    // If the standard streams are closed, a file that is opened later must not get the file
    // descriptor of a standard stream.
    let closed = try desk.lab.run("sh", "-c", "exec belfry status <&- >&-")
    #expect(
      closed.status == 1
        && closed.errors == "belfry: what was printed did not all arrive: Bad file descriptor\n")
    // A reader that closes the pipe when it has read enough is no error.
    #expect(try desk.lab.run("sh", "-c", "belfry follow | head -c 1").status == 0)
    for line in ["list", "status --json"] {
      let done = try desk.lab.run(
        "bash", "-c", "(sleep 0.5; belfry \(line); echo $? >&2) | true")
      #expect(done.errors == "141\n", "belfry \(line)")
    }
  }
}
