// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry config schema` with an independent validator, which applies the printed schema to
// configs. Also tests that `belfry config edit` checks the config after the editor has ended.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SchemaTests {
  /// Returns the paths of the values in `config` that do not fit the schema, once for each of two
  /// versions of JSON Schema.
  private func faults(_ config: String, on desk: Desk) throws -> [String] {
    let schema = try desk.belfry("config schema")
    #expect(schema.status == 0)
    for (name, text) in [("schema.json", schema.output), ("x.toml", config)] {
      try text.write(
        to: desk.lab.home.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    let script = Lab.repository.appendingPathComponent("Tests/Lab/config-faults.py").path
    let done = try desk.lab.run("/usr/bin/python3", script, "schema.json", "x.toml")
    #expect(done.errors == "")
    return done.output.split(separator: "\n").map(String.init)
  }

  @Test func `the schema in the folder desktop is the one that belfry config schema prints`() throws
  {
    let file = Lab.repository.appendingPathComponent("desktop/samples/config.schema.json")
    let printed = try Desk(Lab()).belfry("config schema").output.split(separator: "\n")
    let saved = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let changes = printed.difference(from: saved).map { change in
      switch change {
      case .insert(let line, let text, _): "line \(line + 1) is missing: \(text)"
      case .remove(let line, let text, _): "line \(line + 1) is not printed: \(text)"
      }
    }
    #expect(changes == [], "Run: belfry config schema >desktop/samples/config.schema.json")
  }

  @Test func `valid configs fit the schema`() throws {
    let desk = try Desk(Lab())
    let file = Lab.repository.appendingPathComponent("Tests/ConfigurationTests/complete.toml")
    let complete = try String(contentsOf: file, encoding: .utf8)
    // The validator's parser reads TOML 1.0, in which a time must have seconds.
    let seconds = { (text: String) in
      text.replacing(/([=\[,] ?)(\d\d:\d\d)\b/) { "\($0.1)\($0.2):00" }
    }
    #expect(try faults(seconds(complete), on: desk) == [])
    let example = Lab.repository.appendingPathComponent("desktop/samples/example.toml")
    #expect(try faults(seconds(String(contentsOf: example, encoding: .utf8)), on: desk) == [])
    #expect(
      try faults(
        """
        [defaults]
        snooze = ["5m", "1h 30m"]
        ring_for = "forever"
        on_ring = [["lamp", "on"], ["fan"]]
        [agent]
        device = ["hw:1", "default"]
        [[alarm]]
        time = "7pm"
        days = "월요일"
        """, on: desk) == [])
  }

  @Test func `configs with errors do not fit the schema`() throws {
    let desk = try Desk(Lab())
    for (config, path) in [
      ("volume = 80", "$"), ("[defaults]\nvolume = 101", "$.defaults.volume"),
      ("[defaults]\nfade_in = 30", "$.defaults.fade_in"),
      ("[defaults]\nsnooz = \"5m\"", "$.defaults"),
      ("[defaults]\nsnooze = [\"1m\", \"2m\", \"3m\", \"4m\"]", "$.defaults.snooze"),
      ("[agent]\nclock = \"25h\"", "$.agent.clock"), ("[[alarm]]\nlabel = \"x\"", "$.alarm[0]"),
      ("[[alarm]]\ntime = \"soon\"", "$.alarm[0].time"),
      ("[[alarm]]\ntime = \"7:30\"\ndays = \"daily\"\ndate = 2026-12-24", "$.alarm[0]"),
      ("[[alarm]]\ntime = \"7:30\"\nevery = \"2 weeks\"", "$.alarm[0]"),
      ("[[alarm]]\ntime = \"7:30\"\nfrom = 2026-11-23\nevery = \"\"", "$.alarm[0].every"),
      ("[[timer]]\nname = \"tea\"", "$.timer[0]"), ("[[clock]]\ncity = \"\"", "$.clock[0].city"),
    ] {
      #expect(try faults(config, on: desk) == [path, path], "\(config)")
    }
  }

  @Test func `belfry config edit checks the config after the editor has ended`() throws {
    let desk = try Desk(Lab())
    func edit(_ editor: String) throws -> (status: Int32, output: String, errors: String) {
      try desk.belfry("config edit", environment: ["EDITOR": editor])
    }
    let path = desk.config.path
    #expect(try edit("true --") == (0, "there is no \(path) yet: no alarm is set\n", ""))
    #expect(
      try edit("sh -c 'echo \"[[alarm]]\ntime = 07:30\" >\"$1\"' sh")
        == (0, "\(path): no mistakes, 1 alarm\n", ""))
    #expect(
      try edit("sh -c 'echo \"[[alarm]]\ntime = 25:30\" >\"$1\"' sh").status == 1)
    #expect(
      try edit("false")
        == (1, "", "belfry: the editor failed: is the program in VISUAL or EDITOR installed?\n"))
  }

  @Test func `belfry config edit offers to edit again until the config is valid`() throws {
    let desk = try Desk(Lab())
    try desk.saveText("[[alarm]]\ntime = 25:00\n")
    let window = try Window(
      desk.lab, columns: 160, rows: 24, running: "belfry config edit; exec sleep 60",
      environment: ["EDITOR": "sed -i s/25:00/24:00/\\;s/24:01/07:30/"])
    try window.wait(for: "edit again? [Y/n]")
    try desk.saveText("[[alarm]]\ntime = 24:01\n")
    try window.type("Enter")
    try window.wait(for: "no mistakes, 1 alarm")
  }
}
