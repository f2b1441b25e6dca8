// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks what every command prints with `--json` against the published schema. The user's language
// is Korean, but the text in JSON must be English. Next: `CommandRulesTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct OutputSchemaTests {
  private static let config = """
    [defaults]
    sound = "~/low.wav"
    volume = 100
    fade_in = "0s"

    [[alarm]]
    id = "work"
    time = 07:30
    days = "weekdays"
    label = "Work"

    [[alarm]]
    id = "gym"
    time = 18:00
    days = ["1st tue"]
    until = 2090-01-01
    except = ["2089-01-01..2089-01-03"]
    group = "sport"

    [[clock]]
    city = "Seoul"
    label = "Home"

    [[timer]]
    name = "focus"
    duration = "25m"

    """

  /// Command lines in the order in which they run. `command` names the command whose schema the
  /// output must fit.
  private static let ofAlarms: [(line: String, command: String)] = [
    ("list", "list"), ("next", "next"), ("explain work", "explain"), ("skip work", "skip"),
    ("unskip work", "unskip"), ("move work 8:15", "move"), ("next", "next"), ("list", "list"),
    ("explain work", "explain"), ("disable work", "disable"), ("enable work", "enable"),
    ("add 6:45 --label Train --id train", "add"), ("edit train --time 6:50", "edit"),
    ("pause today", "pause add"), ("pause", "pause list"), ("pause list", "pause list"),
    ("status", "status"), ("resume", "resume"), ("pause today", "pause add"),
    ("pause remove 1", "pause remove"), ("ack", "ack"), ("rehearse gym", "rehearse"),
    ("status", "status"), ("stop gym", "stop"), ("import own.ics", "import"),
    ("remove train", "remove"),
  ]

  private static let others: [(line: String, command: String)] = [
    ("timer 10m --label Tea", "timer start"), ("timer focus", "timer start"),
    ("timer start 2d", "timer start"), ("timer until 23:59", "timer until"),
    ("timer", "timer list"), ("timer list", "timer list"), ("timer ls", "timer list"),
    ("timer pause tea", "timer pause"), ("timer list", "timer list"),
    ("timer extend tea 2m", "timer extend"), ("timer resume tea", "timer resume"),
    ("timer add tea 2m", "timer extend"), ("timer restart tea", "timer restart"),
    ("timer cancel tea", "timer cancel"), ("timer again", "timer again"),
    ("timer recent", "timer recent"), ("timer forget 1", "timer forget"),
    ("stopwatch", "stopwatch show"), ("stopwatch start", "stopwatch start"),
    ("stopwatch lap", "stopwatch lap"), ("stopwatch lap", "stopwatch lap"),
    ("stopwatch lap", "stopwatch lap"), ("stopwatch show", "stopwatch show"),
    ("stopwatch stop", "stopwatch stop"), ("stopwatch reset", "stopwatch reset"),
    ("world", "world list"), ("world list", "world list"),
    ("world search kathmandu", "world search"), ("world add Asia/Kathmandu", "world add"),
    ("world add Pacific/Kiritimati --label East", "world add"), ("world move East 1", "world move"),
    ("world ls", "world list"), ("world rm East", "world remove"),
    ("sounds", "sounds list"), ("sounds list --all", "sounds list"),
    ("sounds play ~/low.wav --volume 1", "sounds play"),
    ("status", "status"), ("", "status"), ("history", "history"), ("history -n 1", "history"),
    ("config", "config path"), ("config path", "config path"), ("config check", "config check"),
    ("config check bad.toml", "config check"), ("config edit", "config edit"),
    ("config schema", "config schema"), ("doctor", "doctor"),
  ]

  /// Commands that keep running and print a line at each change. Only their first line is checked.
  private static let lasting = [("follow", "follow"), ("watch", "watch")]

  @Test func `what each command prints as JSON fits the schema, and is English`() throws {
    let lab = try Lab(.notifications, .sound)
    try lab.speakKorean()
    let desk = try Desk(lab)
    try desk.saveText(Self.config)
    try write(
      "[[alarm]]\ntime = 07:30\ndays = \"mondy\"\nlabl = \"x\"\n", to: "bad.toml", on: desk)
    try write(Self.calendar, to: "own.ics", on: desk)
    try desk.startAgent()
    var printed = try ringOnce(desk) + waybar(desk)
    for (line, command) in Self.others + Self.ofAlarms {
      let words = (line + " --json").split(separator: " ").map(String.init)
      let done = try desk.belfry(words, environment: ["TZ": "UTC", "EDITOR": "true"])
      let isFinding = command == "doctor" || line.hasSuffix("bad.toml")
      #expect(done.status == 0 || isFinding, "belfry \(line): \(done.errors)")
      printed.append(["line": line, "command": command, "text": done.output])
    }
    for (line, command) in Self.lasting {
      let done = try lab.run("sh", "-c", "belfry \(line) --json | head -n 1")
      printed.append(["line": line, "command": command, "text": done.output])
    }
    let faults = try faults(printed, on: desk)
    #expect(faults.isEmpty, "\(faults)")
    // If a command is missing from the tables above, this check fails.
    let seen = Set(printed.compactMap { $0["command"] })
    #expect(try Self.commands.subtracting(seen) == [])
  }

  /// All commands that the help shows, except groups of commands and `help` itself.
  private static var commands: Set<String> {
    get throws {
      let all = try CommandWords(Lab()).commands
      return Set(
        all.filter { $0.isShown && !$0.isGroup && $0.path != ["help"] }
          .map { $0.path.joined(separator: " ") })
    }
  }

  @Test func `the schema has each command, and the manual page names its shape`() throws {
    let file = Lab.repository.appendingPathComponent("desktop/samples/output.schema.json")
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: Any])
    #expect(try Set(properties.keys) == Self.commands.union(["follow --waybar"]))
    let page = Lab.repository.appendingPathComponent("desktop/man/belfry.1")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix(".It Li ") }
      .flatMap { $0.dropFirst(7).split(separator: " Ta ")[0].split(separator: " , ") }
    #expect(Set(rows.map(String.init)).symmetricDifference(properties.keys) == [])
  }

  // MARK: - Helpers

  /// Starts a timer, snoozes it when it rings, and stops it when it rings again. Returns what the
  /// commands `snooze` and `stop` printed.
  private func ringOnce(_ desk: Desk) throws -> [[String: String]] {
    try desk.belfry("timer 1s --label Egg")
    return try ["snooze egg 2s", "stop egg"].map { command in
      try desk.wait("the timer to ring") { try desk.timers().first?.state == "ringing" }
      let done = try desk.belfry(command + " --json")
      #expect(done.status == 0, "\(done.errors)")
      return [
        "line": command, "command": String(command.prefix { $0 != " " }), "text": done.output,
      ]
    }
  }

  private func waybar(_ desk: Desk) throws -> [[String: String]] {
    let line = try desk.lab.run("sh", "-c", "belfry follow --waybar | head -n 1")
    return [["line": "follow --waybar", "command": "follow --waybar", "text": line.output]]
  }

  private func write(_ text: String, to name: String, on desk: Desk) throws {
    try text.write(
      to: desk.lab.home.appendingPathComponent(name), atomically: true, encoding: .utf8)
  }

  private static let calendar = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    BEGIN:VEVENT\r
    UID:1\r
    SUMMARY:Dentist\r
    DTSTART:20900102T090000Z\r
    BEGIN:VALARM\r
    ACTION:DISPLAY\r
    TRIGGER:-PT10M\r
    END:VALARM\r
    END:VEVENT\r
    END:VCALENDAR\r

    """

  /// Returns the faults that an independent validator finds in `printed`, one on each line. Also
  /// checks that a moment equals its epoch, that no key has two types, and that no text is Korean.
  private func faults(_ printed: [[String: String]], on desk: Desk) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: printed)
    try data.write(to: desk.lab.home.appendingPathComponent("printed.json"))
    let schema = Lab.repository.appendingPathComponent("desktop/samples/output.schema.json").path
    let done = try desk.lab.run("/usr/bin/python3", "-c", Self.validate, schema, "printed.json")
    return done.output + done.errors
  }

  private static let validate = #"""
    import datetime, json, jsonschema, re, sys
    schema = json.load(open(sys.argv[1]))
    types = {}
    def walk(value, line):
      if isinstance(value, list):
        for item in value: walk(item, line)
      if not isinstance(value, dict): return
      for key, item in value.items():
        kind = "number" if type(item) in (int, float) else type(item).__name__
        if types.setdefault(key, kind) != kind: print(f"{line}: {key} is {kind} and {types[key]}")
        if isinstance(item, str) and key not in ("korean", "local") and re.search("[가-힣]", item):
          print(f"{line}: {key} is not English: {item}")
        if key.endswith("epoch"):
          text = value["at" if key == "epoch" else key[:-6]]
          moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
          if int(moment.timestamp()) != item: print(f"{line}: {key} is {item}, and not {text}")
        walk(item, line)
    for row in json.load(open(sys.argv[2])):
      try:
        value = json.loads(row["text"])
      except ValueError as error:
        print(f"{row['line']}: {error}: {row['text'][:200]}")
        continue
      for Validator in [jsonschema.Draft4Validator, jsonschema.Draft202012Validator]:
        Validator.check_schema(schema)
        for error in Validator(schema).iter_errors({row["command"]: value}):
          print(f"{row['line']}: {error.json_path}: {error.message[:300]}")
      # That of Waybar is for people, and a schema has other keys.
      if row["command"] not in ("config schema", "follow --waybar"): walk(value, row["line"])
    """#
}
