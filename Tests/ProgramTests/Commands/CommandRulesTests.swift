// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests rules that hold for every command. The tests read the list of commands from the program
// itself. A noun alone, such as `belfry timer`, changes nothing, each option in the help has an
// effect, and all errors have the same form. `OutputSchemaTests.swift` tests what commands print as
// JSON.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct CommandRulesTests {
  private static let config = """
    [[alarm]]
    id = "work"
    time = 07:30
    days = "weekdays"

    [[clock]]
    city = "Seoul"
    label = "Home"

    [[alarm]]
    id = "gym"
    time = 18:00
    days = "daily"
    group = "sport"

    [[pause]]
    from = 2020-01-01
    group = "sport"

    """

  /// For each command, arguments with which it succeeds. Commands that need no arguments are
  /// missing.
  private static let arguments = [
    "add": "7:30", "edit": "work --label Work", "remove": "work", "enable": "work",
    "disable": "work", "explain": "work", "move": "work 8:15", "skip": "work", "unskip": "work",
    "rehearse": "work", "stop": "work", "snooze": "work", "import": "kclock",
    "pause add": "tomorrow", "pause remove": "1", "timer start": "5m", "timer until": "15:00",
    "timer pause": "tea", "timer resume": "tea", "timer extend": "tea", "timer cancel": "tea",
    "timer restart": "tea", "timer forget": "1", "world search": "seoul",
    "world add": "Asia/Kathmandu", "world remove": "Home", "world move": "Home 1",
    "sounds play": "Carillon", "sounds add": "low.wav",
  ]

  private let commands: [CommandWords.Known]

  init() throws {
    commands = try CommandWords(Lab()).commands.filter {
      $0.isShown && !$0.path.isEmpty && $0.path[0] != "help"
    }
  }

  private func line(_ command: CommandWords.Known, _ more: String...) -> String {
    let words = command.path.joined(separator: " ")
    return ([words, Self.arguments[words]] + more).compactMap(\.self).joined(separator: " ")
  }

  @Test func `a noun alone, such as belfry timer, shows something and changes nothing`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.config)
    // The status changes when an alarm rings or would ring, and at midnight in Seoul: at 15:00 UTC.
    for hour in [7.5, 15, 18] { Second.waitIfNear(hour * 3600, of: 86_400) }
    try desk.startAgent()
    let before = try desk.belfry("status --json").output
    let nouns = commands.filter(\.isGroup).map { $0.path.joined(separator: " ") }
    #expect(Set(nouns) == ["config", "pause", "sounds", "stopwatch", "timer", "world"])
    for noun in nouns {
      let done = try desk.belfry(noun)
      #expect(done.status == 0 && !done.output.isEmpty, "belfry \(noun): \(done.errors)")
      for option in noun == "config" ? ["--json"] : ["--json", "--color=always"] {
        #expect(try desk.belfry("\(noun) \(option)").status == 0, "belfry \(noun) \(option)")
      }
    }
    #expect(try desk.text == Self.config)
    let time = /"(at|epoch|left|pid)": .*/
    #expect(
      try desk.belfry("status --json").output.replacing(time, with: "")
        == before.replacing(time, with: ""))
  }

  @Test func `each key of an alarm has an option of add and edit, and each option is explained`()
    throws
  {
    let page = try String(
      contentsOf: Lab.repository.appendingPathComponent("desktop/man/belfry.1"), encoding: .utf8)
    let explained = Set(
      page.split(separator: "\n").filter { $0.contains("Fl ") }
        .flatMap { $0.matches(of: /[ ]-([a-z][a-z-]*)/) }.map { "--\($0.1)" })
    for command in commands {
      for option in command.options where option.hasPrefix("--") {
        #expect(
          explained.contains(option),
          """
          Add the option \(option) of "belfry \(command.path.joined(separator: " "))" to \
          desktop/man/belfry.1 (.Fl \(option.dropFirst()))
          """)
      }
    }
    let printed = try Desk(Lab()).belfry("config schema").output
    let schema = try JSONSerialization.jsonObject(with: Data(printed.utf8))
    let alarm = try #require(
      ((schema as? [String: Any])?["properties"] as? [String: Any])?["alarm"] as? [String: Any])
    let items = try #require(alarm["items"] as? [String: Any])
    let keys = try #require(items["properties"] as? [String: Any]).keys
    // The time is an argument of `add`, and has its own option in `edit`. Two commands of their own
    // change `enabled`. The commands of an alarm are only in the config.
    let others = ["time", "enabled", "on_before", "on_ring", "on_stop"]
    for key in keys where !others.contains(key) {
      let option = "--" + key.replacing("_", with: "-")
      for command in commands where ["add", "edit"].contains(command.path.joined()) {
        #expect(
          command.options.contains(option),
          """
          Add the option \(option) to Sources/belfry/AlarmOptions.swift, so that \
          "belfry \(command.path.joined())" can set the key \(key) of an alarm
          """)
      }
    }
  }

  @Test func `each command takes --json, and takes --config only if it reads the config`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.config)
    try desk.startAgent()
    let leaves = commands.filter { !$0.isGroup }
    #expect(leaves.filter { !$0.options.contains("--json") }.map(\.path) == [])
    let indifferent = [
      ["config", "schema"], ["sounds", "list"], ["sounds", "add"], ["world", "search"],
    ]
    let withoutConfig = leaves.filter { !$0.options.contains("--config") }.map(\.path)
    #expect(Set(withoutConfig) == Set(indifferent))
    for command in leaves {
      let line = line(command, "--config other.toml")
      let done = try desk.belfry(line, environment: ["TZ": "UTC", "EDITOR": "true"])
      guard !indifferent.contains(command.path) else {
        #expect(done.status == 64, "belfry \(line)")
        continue
      }
      // The file `other.toml` does not exist. A command that obeys `--config` creates this file,
      // names it in its output, or fails: the file has no alarm, or the running agent reads another
      // config.
      let other = desk.lab.home.appendingPathComponent("other.toml")
      let isMade = FileManager.default.fileExists(atPath: other.path)
      let isNamed = (done.output + done.errors).contains("other.toml")
      #expect(isMade || isNamed || done.status == 1 || command.path == ["resume"], "belfry \(line)")
      try? FileManager.default.removeItem(at: other)
    }
    #expect(try desk.text == Self.config)
    for line in [
      "history --json --config x.toml", "history --totals --config x.toml", "history --by day",
      "config check x.toml --config y.toml",
    ] {
      #expect(try desk.belfry(line).status == 64, "belfry \(line)")
    }
  }

  @Test func `the option --color colours each table, and is refused for any other output`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.config)
    try desk.startAgent()
    for line in ["timer 5m --label Tea", "timer pause tea", "stopwatch start", "stopwatch lap"] {
      try desk.belfry(line)
    }
    try desk.lab.write(Self.ring, to: ".local/state/belfry/history.jsonl")
    for command in commands where command.options.contains("--color") && command.path != ["watch"] {
      let colours = "\u{1B}["
      let loud = try desk.belfry(
        line(command, "--color=always"), environment: ["TZ": "UTC", "NO_COLOR": "1"])
      #expect(loud.output.contains(colours), "belfry \(line(command)): \(loud)")
      for option in ["--color=never", "--color=auto"] {
        #expect(try !desk.belfry(line(command, option)).output.contains(colours), "\(command)")
      }
      #expect(try desk.belfry(line(command, "--color=always --json")).status == 64, "\(command)")
      #expect(try desk.belfry(line(command, "--color=blue")).status == 64, "\(command)")
    }
    for line in [
      "timer 5m --color=always", "pause today --color=always",
      "stopwatch show --csv --color=always",
    ] {
      #expect(try desk.belfry(line).status == 64, "belfry \(line)")
    }
  }

  private static let ring =
    #"{"id":"work","label":"Work","kind":"alarm","due":"2026-11-20T06:30:00Z","#
    + #""due_epoch":1795156200,"snoozes":0,"answer":"stopped","#
    + #""answered":"2026-11-20T06:31:00Z","answered_epoch":1795156260}"# + "\n"

  @Test func `a table has headings and colours on a terminal, and neither in a pipe`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.config)
    try desk.startAgent()
    try desk.belfry("timer 5m")
    for (line, heading) in [
      ("world", "City  Time "), ("timer", "Id  State"), ("sounds", "Name "),
      ("world search seoul -n 1", "City   Korean  "),
    ] {
      let shown = try desk.lab.run(
        "script", "--quiet", "--return", "--command", "belfry \(line)", "/dev/null",
        environment: ["TERM": "xterm", "TZ": "UTC"])
      let first = shown.output.split(whereSeparator: \.isNewline).first ?? ""
      let words = first.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(words.hasPrefix(heading) && words != first, "belfry \(line): \(shown)")
      #expect(try !desk.belfry(line).output.hasPrefix(heading), "belfry \(line)")
    }
  }

  @Test func `each error has the same form: the program, the reason, and hints or fixes`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.config)
    func check(_ line: String, _ status: Int32) throws {
      let done = try desk.belfry(line)
      #expect(done.status == status && done.output == "", "belfry \(line): \(done)")
      let lines = done.errors.split(separator: "\n")
      #expect(lines.first?.hasPrefix("belfry: ") == true, "belfry \(line): \(done.errors)")
      let rest = lines.dropFirst().allSatisfy { $0.hasPrefix("hint: ") || $0.hasPrefix("fix: ") }
      #expect(rest, "belfry \(line): \(done.errors)")
    }
    for command in commands {
      let path = command.path.joined(separator: " ")
      try check(path + " --nonsense", 64)
      if !command.isGroup, Self.arguments[path] != nil,
        !["stop", "snooze", "pause add"].contains(path),
        !path.hasPrefix("timer ") || path == "timer until"
      {
        try check(path, 64)
      }
    }
    for line in [
      "stop a b", "timer 5", "timer 0s", "snooze 5", "snooze x never", "next -n many", "nonsense",
      "help nonsense", "config chek", "list --color", "timer --label Tea", "world move Home x",
    ] {
      try check(line, 64)
    }
    for line in [
      "stop", "timer", "stopwatch lap", "list --config x.toml", "world remove x",
      "sounds play Nope", "enable x", "watch",
    ] {
      try check(line, 1)
    }
  }
}
