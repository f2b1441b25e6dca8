// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures how the time and memory of commands and of the agent grow with the number of alarms.

import Foundation
import Lab

extension Benchmark {
  /// Measures commands from their start to their end. For comparison, also measures true(1), which
  /// does nothing.
  mutating func commands() throws {
    let lab = try Lab([.bus])
    try save(lab, alarms: 10)
    for line in ["list", "next", "config check", "world search ㅅㅇ"] {
      var times: [[Double]] = [[], []]
      for _ in 0..<runs(25) {
        for (i, command) in [["true"], ["belfry"] + words(line)].enumerated() {
          times[i].append(try time(lab, command))
        }
      }
      table.add("belfry \(line), 10 alarms", "ms", floor: Figure(times[0]), Figure(times[1]))
    }
  }

  static let sizes = [10, 1000, 100_000]

  mutating func scale() throws {
    for count in Self.sizes.prefix(isQuick ? 2 : 3) {
      let lab = try Lab([.notifications, .sound])
      try save(lab, alarms: count)
      let begun = Lab.now
      let agent = try lab.start("belfryd")
      let figures = ProcessFigures(pid: agent.pid)
      let loaded = try waitForChange(lab, since: begun)
      table.add("load, \(count) alarms", "ms", Figure((loaded - begun) * 1000))
      pause(6)
      table.add("PSS, \(count) alarms", "MB", Figure(figures.memory("Pss")))
      table.add("state.toml, \(count) alarms", "KB", Figure(try size(lab, "state.toml")))
      try reload(lab, figures, count)
      try answers(lab, figures, count)
      let benchmark = self
      // Save a new config so that the agent reads it just when an alarm is due.
      try lateness(lab, count, "a reload") { due, run in
        let text = Self.config(alarms: count, due: due, label: "while due \(run)")
        return {
          try benchmark.save(lab, text)
          return nil
        }
      }
      try lateness(lab, count, "a reload with other defaults") { due, run in
        let text = Self.config(alarms: count, due: due, volume: 90 + run)
        return {
          try benchmark.save(lab, text)
          return nil
        }
      }
      try lateness(lab, count, "a status") { _, _ in
        { try lab.start("belfry", arguments: ["status", "--json"]) }
      }
      let lines = [
        "next", "list", "list --json", "status", "status --json", "disable a5", "enable a5",
        "add 23:59 --id new", "remove new",
      ]
      var times: [String: [Double]] = [:]
      // Run all commands in turn, because the same edit cannot be made twice in a row.
      for _ in 0..<runs(3) {
        for line in lines {
          times[line, default: []].append(try time(lab, ["belfry"] + words(line)))
        }
      }
      for line in lines {
        table.add("belfry \(line), \(count) alarms", "ms", Figure(times[line] ?? []))
      }
      try end(agent)
    }
    for count in Self.sizes {
      let times = try (0..<runs(5)).map { _ in try Core.changes(alarms: count) }
      table.add("a change of zone, \(count) alarms", "ms", Figure(times.map(\.zone)))
      table.add("a clock set back, \(count) alarms", "ms", Figure(times.map(\.clock)))
    }
  }

  private func size(_ lab: Lab, _ file: String) throws -> Double {
    let path = lab.home.appendingPathComponent(".local/state/belfry/\(file)").path
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return Double(size ?? 0) / 1024
  }

  /// Measures the time from a save of the config to its effect. A save changes one line, adds or
  /// removes one alarm, or changes a default of all alarms.
  private mutating func reload(_ lab: Lab, _ figures: ProcessFigures, _ count: Int) throws {
    let tomorrow = Lab.now + 86_400
    let saves: [(String, (Int) -> String)] = [
      ("an edited line", { Self.config(alarms: count, label: "edited \($0)") }),
      ("one more or less", { Self.config(alarms: count, due: $0 % 2 == 0 ? tomorrow : nil) }),
      ("other defaults", { Self.config(alarms: count, volume: 90 + $0) }),
    ]
    for (what, text) in saves {
      var (times, onMainLoop): ([Double], [Double]) = ([], [])
      for run in 0..<5 {
        let text = text(run)
        // Wait until the agent has finished the work after the last save.
        pause(1)
        let before = figures.time(mainOnly: true)
        let saved = try save(lab, text)
        times.append((try waitForChange(lab, since: saved) - saved) * 1000)
        onMainLoop.append(figures.time(mainOnly: true) - before)
      }
      table.add("\(what) in force, \(count) alarms", "ms", Figure(times))
      table.add("\(what), of the main loop, \(count) alarms", "ms", Figure(onMainLoop))
    }
  }

  /// Measures how long skipping a ring keeps the agent's main loop busy. The agent applies the
  /// event, saves the state, and sets new timers.
  private mutating func answers(_ lab: Lab, _ figures: ProcessFigures, _ count: Int) throws {
    let times = try (0..<6).map { run in
      let before = figures.time(mainOnly: true)
      try lab.run("belfry", run % 2 == 0 ? "skip" : "unskip", "a1", within: 60)
      pause(0.5)
      return figures.time(mainOnly: true) - before
    }
    table.add("an answer, of the main loop, \(count) alarms", "ms", Figure(times))
  }

  /// Measures how late a ring is if it is due while the agent does `work`. Each run starts `work` a
  /// little earlier.
  private mutating func lateness(
    _ lab: Lab, _ count: Int, _ what: String,
    _ work: (_ due: Epoch, _ run: Int) -> () throws -> Program?
  ) throws {
    var times: [Double] = []
    for run in 0..<4 {
      let due = (Lab.now + 4).rounded(.up)
      try save(lab, alarms: count, due: due)
      let work = work(due, run)
      pause(due - Lab.now - 0.1 - 0.15 * Double(run))
      let program = try work()
      let posted = try lab.busWatch.waitForNotification(since: due - 1, within: 20)
      times.append((posted.time - due) * 1000)
      try program?.waitForExit(within: 60)
      try lab.run("belfry", "stop", within: 60)
    }
    table.add("due to Notify during \(what), \(count) alarms", "ms", Figure(times))
  }

  private func waitForChange(_ lab: Lab, since time: Epoch) throws -> Epoch {
    try lab.busWatch.waitForMessage("Changed", since: time, within: 60) {
      $0.member == "Changed"
    }.time
  }

  /// Measures the commands and the agent with as many timers as are allowed.
  mutating func timers() throws {
    let lab = try Lab([.notifications, .sound])
    try save(lab, alarms: 10)
    let started = Lab.now
    let agent = try lab.start("belfryd")
    _ = try waitForChange(lab, since: started)
    let figures = ProcessFigures(pid: agent.pid)
    var times: [Double] = []
    for i in 0..<(isQuick ? 50 : 1000) {
      times.append(try time(lab, ["belfry", "timer", "\(7200 + i * 7)s", "--label", "T\(i)"]))
    }
    table.add("belfry timer, the last hundred", "ms", Figure(Array(times.suffix(100))))
    let pauses = try (0..<runs(10)).flatMap { _ in
      try ["pause", "resume"].map { try time(lab, ["belfry", "timer", $0, "t7"]) }
    }
    table.add("belfry timer pause or resume", "ms", Figure(pauses))
    let lists = try (0..<runs(5)).map { _ in try time(lab, ["belfry", "timer", "list"]) }
    table.add("belfry timer list", "ms", Figure(lists))
    // Wait until GLib's spare threads have ended, so that these threads are not measured.
    pause(20)
    let (begun, before, wakeUps) = (Lab.now, figures.time(mainOnly: true), figures.wakeUps)
    pause(isQuick ? 10 : 60)
    let minutes = (Lab.now - begun) / 60
    table.add(
      "running timers, of the main loop a minute", "ms",
      Figure((figures.time(mainOnly: true) - before) / minutes))
    table.add(
      "running timers, wake-ups a minute", "", Figure((figures.wakeUps - wakeUps) / minutes))
    table.add(
      "running timers, notifications a minute", "",
      Figure(Double(lab.busWatch.notifications(since: begun).count) / minutes))
    try end(agent)
  }

  /// Measures the commands and the agent with a history of a year that had twenty rings a day.
  mutating func history() throws {
    let lab = try Lab([.bus])
    try save(lab, alarms: 10)
    let file = lab.home.appendingPathComponent(".local/state/belfry/history.jsonl")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let lines = (0..<7300).map { i in
      let due = 1_764_000_000 + i * 4320
      return #"{"id":"a\#(i % 20)","label":"Alarm \#(i % 20)","kind":"alarm","#
        + #""due":"2026-01-01T07:30:00+00:00","due_epoch":\#(due),"#
        + #""rang":"2026-01-01T07:30:00+00:00","rang_epoch":\#(due).012,"late":0.012,"#
        + #""device":"default","sound":"/usr/share/belfry/sounds/Carillon.opus","snoozes":0,"#
        + #""answer":"stopped","answered":"2026-01-01T07:30:09+00:00","#
        + #""answered_epoch":\#(due + 9)}"#
    }
    try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    table.add("history.jsonl, a year", "KB", Figure(try size(lab, "history.jsonl")))
    for line in ["history", "history --count 10000"] {
      let times = try (0..<runs(5)).map { _ in try time(lab, ["belfry"] + words(line)) }
      table.add("belfry \(line), a year", "ms", Figure(times))
    }
    // This figure shows whether the agent reads the history when it starts, which it should not do.
    let begun = Lab.now
    let agent = try lab.start("belfryd")
    table.add("load, a year", "ms", Figure((try waitForChange(lab, since: begun) - begun) * 1000))
    table.add(
      "of that on the main loop, a year", "ms",
      Figure(ProcessFigures(pid: agent.pid).time(mainOnly: true)))
    try end(agent)
  }

  /// Measures the size of the files that `desktop/install` installs.
  mutating func size() throws {
    let lab = try Lab([.bus])
    let package = lab.folder.appendingPathComponent("package").path
    try lab.run(
      Lab.repository.path + "/desktop/install", "--system", "--destdir", package, "--built",
      Lab.products.path, within: 60)
    let manager = FileManager.default
    var (programs, all) = (0.0, 0.0)
    for path in try manager.subpathsOfDirectory(atPath: package) {
      let attributes = try manager.attributesOfItem(atPath: "\(package)/\(path)")
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      let size = Double(attributes[.size] as? Int ?? 0) / 1e6
      all += size
      if path.contains("/bin/") { programs += size }
    }
    table.add("programs, installed", "MB", Figure(programs))
    table.add("with sounds, cities and manuals", "MB", Figure(all))
  }

  /// Counts processor instructions, because this figure is the same in each run. A hundred thousand
  /// alarms are left out, because they would take hours.
  mutating func instructions() throws {
    let lab = try Lab([.bus])
    for count in [10, 1000] {
      try save(lab, alarms: count)
      table.add(
        "instructions of belfry next, \(count) alarms", "million",
        Figure(try collected(lab, "belfry", "next", "--count", "10") / 1e6))
      let (few, many) = (
        try collected(lab, "benchmark", "--core", "\(count)", "20"),
        try collected(lab, "benchmark", "--core", "\(count)", "220")
      )
      table.add(
        "instructions of a deadline, \(count) alarms", "thousand", Figure((many - few) / 200e3))
    }
  }

  private func collected(_ lab: Lab, _ program: String, _ arguments: String...) throws -> Double {
    let callgrind = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
    let path = Lab.products.appendingPathComponent(program).path
    let answer = try lab.start("valgrind", arguments: callgrind + [path] + arguments)
    try answer.waitForExit(within: 600)
    let total = answer.errors.split(separator: "\n").last { $0.contains("Collected") }
    return total?.split(separator: " ").last.flatMap { Double($0) } ?? .nan
  }
}
