// SPDX-License-Identifier: GPL-3.0-or-later
//
// How commands and the agent grow with the number of alarms.

import Foundation
import Lab

extension Benchmark {
  /// Whole commands, from their start to their end, beside a program that does nothing.
  mutating func commands() throws {
    let lab = try Lab(.bus)
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

  mutating func scale() throws {
    for count in [10, 1000, isQuick ? 10_000 : 100_000] {
      let lab = try Lab(.notifications, .sound)
      try save(lab, alarms: count)
      let begun = Lab.now
      let agent = try lab.start("belfryd")
      let figures = ProcessFigures(pid: agent.pid)
      let loaded = try waitForChange(lab, since: begun)
      table.add("load, \(count) alarms", "ms", Figure((loaded - begun) * 1000))
      pause(6)
      table.add("PSS, \(count) alarms", "MB", Figure(figures.memory("Pss")))
      try reload(lab, figures, count)
      try lateness(lab, count)
      for line in ["next", "status"] {
        let times = try (0..<3).map { _ in try time(lab, ["belfry"] + words(line)) }
        table.add("belfry \(line), \(count) alarms", "ms", Figure(times))
      }
      try end(agent)
    }
  }

  /// One line of the file is another.
  private mutating func reload(_ lab: Lab, _ figures: ProcessFigures, _ count: Int) throws {
    var (times, onMainLoop): ([Double], [Double]) = ([], [])
    for run in 0..<5 {
      let (begun, before) = (Lab.now, figures.time(mainOnly: true))
      try save(lab, alarms: count, label: "edited \(run)")
      let changed = try waitForChange(lab, since: begun)
      times.append((changed - begun) * 1000)
      onMainLoop.append(figures.time(mainOnly: true) - before)
    }
    table.add("reload after an edit, \(count) alarms", "ms", Figure(times))
    table.add("of that on the main loop, \(count) alarms", "ms", Figure(onMainLoop))
  }

  /// A ring that is due while the file is read again.
  private mutating func lateness(_ lab: Lab, _ count: Int) throws {
    var times: [Double] = []
    for run in 0..<3 {
      let due = (Lab.now + 8).rounded(.up)
      try save(lab, alarms: count, due: due)
      pause(due - Lab.now - 0.2)
      // Read, judged and taken over just when it is due.
      try save(lab, alarms: count, due: due, label: "while due \(run)")
      let posted = try lab.busWatch.waitForNotification(since: due - 1, within: 20)
      times.append((posted.time - due) * 1000)
      try lab.run("belfry", "stop", within: 60)
    }
    table.add("due to Notify during a reload, \(count) alarms", "ms", Figure(times))
  }

  private func waitForChange(_ lab: Lab, since time: Epoch) throws -> Epoch {
    try lab.busWatch.waitForMessage("Changed", since: time, within: 60) {
      $0.member == "Changed"
    }.time
  }

  /// What desktop/install puts on the disk.
  mutating func size() throws {
    let lab = try Lab(.bus)
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

  /// Instructions, where a figure must be the same each time.
  mutating func instructions() throws {
    let lab = try Lab(.bus)
    for count in [10, 1000] {
      try save(lab, alarms: count)
      let answer = try lab.run(
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
        Lab.products.appendingPathComponent("belfry").path, "next", "--count", "10", within: 120)
      let total = answer.errors.split(separator: "\n").last { $0.contains("Collected") }
      let number = total?.split(separator: " ").last.flatMap { Double($0) }
      table.add(
        "belfry next, \(count) alarms", "million instructions", Figure((number ?? .nan) / 1e6))
    }
  }
}
