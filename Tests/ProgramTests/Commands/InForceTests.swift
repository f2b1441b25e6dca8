// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the agent and all commands have the same settings in force: with errors in the config,
// without a config, and without an agent. `BELFRY_CONFIGS=1000 BELFRY_SEED=17` tries 1,000 random
// configs; the same seed makes the same configs.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct InForceTests {
  @Test func `an alarm with an error is shown as it rings`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("[[alarm]]\nid = \"lunch\"\ntime = 12:00\ndays = \"daily\"\n")
    try desk.startAgent()
    try desk.wait("the settings to be stored") { desk.settings.contains("lunch") }
    try desk.saveText("[[alarm]]\nid = \"lunch\"\ntime = 12:30\ndays = \"dayly\"\n")
    for command in ["list", "next", "explain lunch"] {
      let said = try desk.belfry(command)
      #expect(said.status == 0 && said.output.contains("12:00"))
      #expect(said.errors.contains("these alarms ring as they did before: \"lunch\""))
    }
    let disabled = try desk.belfry("disable lunch")
    #expect(disabled.errors.contains("lunch has an error, and rings as it did before"))
    try desk.saveText("[[alarm]]\ntime = 99\n")
    let removed = try desk.belfry("remove lunch")
    #expect(removed.status == 1 && removed.errors.contains("rings as it did before"))
  }

  @Test func `if the config is gone, nothing is in force, until it is restored`() throws {
    let desk = try Desk(Lab(.bus, .notifications))
    let text = "# mine\n[[alarm]]\nid = \"lunch\"\ntime = 12:00\ndays = \"daily\"\n"
    try desk.saveText(text)
    let agent = try desk.startAgent()
    try desk.wait("the settings to be stored") { desk.settings.contains("lunch") }
    #expect(try desk.belfry("config restore").status == 1)
    func remove() throws -> PostedNotification {
      let begin = Lab.now
      try desk.lab.run("rm", desk.config.path)
      let notice = try desk.waitForNotification("1 alarm no longer rings", since: begin)
      #expect(Lab.now - begin > 1.5)
      #expect(try desk.status().alarms.isEmpty)
      return notice
    }
    let notice = try remove()
    #expect(notice.body.hasSuffix("/config.toml is gone.") && notice.timeout == 0)
    func check() throws {
      let list = try desk.belfry("list")
      #expect(list.output.hasPrefix("No alarm is set"))
      #expect(list.errors.contains("is gone, and its 1 alarm no longer rings"))
      #expect(list.errors.contains("hint: belfry config restore writes it again"))
      #expect(try desk.belfry("doctor").output.contains("is gone, and its 1 alarm no longer rings"))
    }
    try check()
    try desk.lab.press("restore", on: notice)
    try desk.waitForStatus("the alarm") { $0.state("lunch") == "scheduled" }
    #expect(try desk.text == text)
    _ = try remove()
    agent.terminate()
    try agent.waitForExit()
    try check()
    #expect(try desk.belfry("config restore").output.hasPrefix("restored "))
    #expect(try desk.text == text)
    #expect(try desk.belfry("list").output.contains("lunch"))
  }

  // MARK: - Random configs

  private struct Listed: Decodable {
    var id: String
    var at: String?
    var state: String?
  }

  private struct Told: Decodable {
    struct Agent: Decodable { var problems: [String] }
    var agent: Agent
    var alarms: [Listed]
  }

  private struct Explained: Decodable {
    struct Ring: Decodable { var at: String }
    var rings: [Ring]
  }

  private struct Checks: Decodable {
    struct Check: Decodable {
      var name: String
      var state: String
    }
    var checks: [Check]
  }

  /// Returns a random config: a few entries, some of them with an error.
  private static func config(_ chance: inout Chance) -> String {
    let errors = [
      "volume = 300", "days = \"dayly\"", "time = 25", "id = \"a b\"", "label = 5", "date = 7",
      "enabled = \"no\"",
    ]
    var blocks: [String] = []
    if chance.oneIn(4) {
      blocks.append("[defaults]\nsnooze = \(chance.oneIn(2) ? "\"3m\"" : "3")\n")
    }
    var ids = ["a", "b", "c", "d"].shuffled(using: &chance).prefix(chance.number(0...4))
    while let id = ids.popLast() {
      var lines = ["time = \(chance.pick(["07:00", "08:30", "19:15"]))", "days = \"daily\""]
      switch chance.number(0...2) {
      case 0: lines.append("id = \"\(id)\"")
      case 1: lines.append("label = \"\(id.uppercased())\"")
      default: lines.append("label = \"same\"")
      }
      if chance.oneIn(5) { lines.append("enabled = false") }
      if chance.oneIn(3) {
        let error = chance.pick(errors)
        lines.removeAll { $0.hasPrefix(error.prefix(4)) }
        lines.append(error)
      }
      blocks.append("[[alarm]]\n" + lines.shuffled(using: &chance).joined(separator: "\n") + "\n")
    }
    if chance.oneIn(4) {
      blocks.append("[[pause]]\nfrom = \(chance.oneIn(2) ? "2026-01-01" : "7")\ngroup = \"g\"\n")
    }
    return blocks.shuffled(using: &chance).joined() + (chance.oneIn(12) ? "not toml\n" : "")
  }

  @Test func `the agent and all commands agree about random configs with errors`() throws {
    let asked: Int? = Chance.asked("BELFRY_CONFIGS")
    let (count, seed) = (asked ?? 25, Chance.firstSeed)
    var chance = Chance(seed: seed)
    let desk = try Desk(Lab(.bus))
    var agent = try desk.startAgent()
    var kinds: [String: Int] = [:]
    for number in 0..<count {
      var text = Self.config(&chance)
      let kind = chance.number(0...19)
      switch kind {
      case 0: try? FileManager.default.removeItem(at: desk.config)
      case 1:
        let folder = desk.config.deletingLastPathComponent()
        try? FileManager.default.removeItem(at: folder)
        text = "folder"
      default:
        try FileManager.default.createDirectory(
          at: desk.config.deletingLastPathComponent(), withIntermediateDirectories: true)
        try desk.saveText(text)
      }
      let isGone = kind < 1
      kinds[isGone ? "gone" : kind == 1 ? "no folder" : "saved", default: 0] += 1
      let seen: Comment = "BELFRY_SEED=\(seed), config \(number), \(kind): \(text)"
      if isGone { usleep(2_300_000) }
      try Self.compare(desk, seen, asksDoctor: kind > 1 && chance.oneIn(5))
      if chance.oneIn(6) {
        agent.terminate()
        try agent.waitForExit()
        try Self.compare(desk, seen, hasAgent: false)
        agent = try desk.startAgent()
        try Self.compare(desk, seen)
      }
    }
    print("configs: BELFRY_SEED=\(seed), \(count):", kinds.sorted { $0.key < $1.key })
  }

  /// Compares what the commands and the agent say about each alarm.
  private static func compare(
    _ desk: Desk, _ seen: Comment, hasAgent: Bool = true, asksDoctor: Bool = false
  ) throws {
    // A command has no output if nothing is in force because the config cannot be read.
    func decoded<Value: Decodable>(_ line: String) throws -> Value? {
      let said = try desk.belfry(line)
      if said.output.isEmpty, said.status == 1 { return nil }
      return try JSONDecoder().decode(Value.self, from: Data(said.output.utf8))
    }
    // Ask the agent first: its answer waits until it has read the config.
    let told: Told? = hasAgent ? try decoded("status --json") : nil
    let listed: [Listed] = try decoded("list --json") ?? []
    func words(_ alarms: [Listed]) -> [String] {
      alarms.map { "\($0.id) \($0.state ?? "-") \($0.at ?? "-")" }.sorted()
    }
    if let told { #expect(words(told.alarms) == words(listed), seen) }
    let coming: [Listed] = try decoded("next --count 40 --json") ?? []
    let first = Dictionary(coming.map { ($0.id, $0.at) }) { first, _ in first }
    let due = Dictionary(
      uniqueKeysWithValues: listed.filter { $0.at != nil }.map { ($0.id, $0.at) })
    #expect(first == due, seen)
    for alarm in listed.prefix(2) {
      let explained: Explained? = try decoded("explain \(alarm.id) --json")
      #expect(explained?.rings.first?.at == alarm.at, seen)
    }
    guard asksDoctor, let told else { return }
    let checks: Checks? = try decoded("doctor --json")
    let config = checks?.checks.first { $0.name == "config" }?.state
    #expect(listed.isEmpty || (config == "ok") == told.agent.problems.isEmpty, seen)
  }
}
