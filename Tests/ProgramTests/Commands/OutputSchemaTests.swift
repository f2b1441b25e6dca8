// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks what every command prints with `--json` against the published schema. The user's language
// is Korean, but text in JSON must be English. Next: `CommandRulesTests.swift`.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct OutputSchemaTests {
  /// The command lines in `output.txt`, each with the command under which the schema describes its
  /// output.
  private static let lines: [(line: String, command: String)] =
    table("output.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      let parts = $0.components(separatedBy: " -> ")
      return (parts[0], parts[parts.count - 1])
    }

  /// Commands that keep running and print a line at each change. Only their first line is checked.
  private static let lasting = [("follow", "follow"), ("watch", "watch")]

  @Test func `the JSON output of each command fits the schema, and its text is English`() throws {
    let lab = try Lab(.notifications, .sound)
    try lab.speakKorean()
    let desk = try Desk(lab)
    try desk.saveText(table("output.toml"))
    try lab.write("[[alarm]]\ntime = 07:30\ndays = \"mondy\"\nlabl = \"x\"\n", to: "bad.toml")
    try lab.write(table("output.ics").replacing("\n", with: "\r\n"), to: "own.ics")
    try desk.startAgent()
    var printed = try ringOnce(desk) + waybar(desk)
    for (line, command) in Self.lines {
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
    try desk.lab.run("rm", desk.config.path)
    let command = "config restore"
    let restored = try desk.belfry("\(command) --json")
    #expect(restored.status == 0, "\(restored.errors)")
    printed.append(["line": command, "command": command, "text": restored.output])
    let faults = try faults(printed, on: desk)
    #expect(faults.isEmpty, "\(faults)")
    // Each command must have run. So it must be in `output.txt` or `lasting`, or a function of this
    // test must run it.
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

  @Test func `the schema and the manual page describe the JSON output of each command`() throws {
    let file = Lab.repository.appendingPathComponent("desktop/samples/output.schema.json")
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: Any])
    #expect(
      try Set(properties.keys) == Self.commands.union(["follow --waybar", "history --totals"]))
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

  /// Returns the faults that an independent validator finds in `printed`, one on each line. The
  /// script also reports three other faults: a moment whose text and epoch differ (such as `due`
  /// and `due_epoch`), a key that has a number in one place and a text in another, and Korean text.
  private func faults(_ printed: [[String: String]], on desk: Desk) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: printed)
    try data.write(to: desk.lab.home.appendingPathComponent("printed.json"))
    let schema = Lab.repository.appendingPathComponent("desktop/samples/output.schema.json").path
    let script = Lab.repository.appendingPathComponent("Tests/Lab/output-faults.py").path
    let done = try desk.lab.run("/usr/bin/python3", script, schema, "printed.json")
    return done.output + done.errors
  }
}
