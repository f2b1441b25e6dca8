// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures an agent from its start to the end of a ring. For comparison, also measures `floor`, a
// bare C program that does the same job (`floor.c`). The agent and `floor` run one after the other,
// so that each has the machine for itself.

import Foundation
import Lab

extension Benchmark {
  /// Measures the time from the start of each program until it has its name on the bus.
  mutating func startup() throws {
    var times: [String: [Double]] = [:]
    let lab = try Lab([.notifications, .sound])
    try save(lab, alarms: 5)
    for _ in 0..<runs(12) {
      for program in Self.both {
        let begun = Lab.now
        let running = try lab.start(program.file)
        let named = try lab.busWatch.waitForMessage(program.name, since: begun, within: 10) {
          $0.member == "NameOwnerChanged" && $0.body.first?.string == program.name
            && $0.body.last?.string != ""
        }
        times[program.file, default: []].append((named.time - begun) * 1000)
        try end(running)
      }
    }
    table.add(
      "start to name on the bus", "ms", floor: Figure(times["floor"] ?? []),
      Figure(times["belfryd"] ?? []))
  }

  /// Measures the idle agent, whose next alarm is hours away.
  mutating func idle() throws {
    var memory: [String: [String: Double]] = [:]
    var work: [String: (wakeUps: Double, time: Double)] = [:]
    let lab = try Lab([.notifications, .sound])
    try save(lab, alarms: 5)
    for program in Self.both {
      let running = try lab.start(program.file)
      let figures = ProcessFigures(pid: running.pid)
      // GLib ends its spare threads after 15 s. Wait for that, so that these threads are not
      // measured.
      pause(20)
      for field in ["Rss", "Pss", "Private_Dirty"] {
        memory[field, default: [:]][program.file] = figures.memory(field)
      }
      let before = (figures.wakeUps, figures.time())
      pause(isQuick ? 5 : 60)
      work[program.file] = (figures.wakeUps - before.0, figures.time() - before.1)
      try end(running)
    }
    for (field, name) in [
      ("Rss", "idle RSS"), ("Pss", "idle PSS"), ("Private_Dirty", "idle private"),
    ] {
      guard let figures = memory[field] else { continue }
      table.add(
        name, "MB", floor: figures["floor"].map { Figure($0) }, Figure(figures["belfryd"] ?? .nan))
    }
    table.add(
      "idle wake-ups", "a minute", floor: work["floor"].map { Figure($0.wakeUps) },
      Figure(work["belfryd"]?.wakeUps ?? .nan))
    table.add(
      "idle processor time", "ms a minute", floor: work["floor"].map { Figure($0.time) },
      Figure(work["belfryd"]?.time ?? .nan))
  }

  /// The figures of one ring.
  private struct Ring {
    var processor = Double.nan
    var memoryAfter = Double.nan
    var memoryBefore = Double.nan
  }

  /// Measures how late a hundred rings are posted and heard. The agent and `floor` ring in turn,
  /// so that both meet the same machine. If `isBusy` is true, another program keeps each processor
  /// busy meanwhile.
  mutating func lateness(isBusy: Bool = false) throws {
    let lab = try Lab([.notifications, .sound])
    let (interval, first) = (6.0, (Lab.now + 8).rounded(.up))
    let dues = (0..<runs(100)).map { first + interval * Double($0) }
    let alarms = dues.enumerated().map { number, due in
      "[[alarm]]\nid = \"due\(number)\"\nring_for = \"1s\"\nunanswered = \"miss\"\n"
        + "\(Self.moment(due))\n"
    }
    try save(lab, Self.config(alarms: 5) + alarms.joined())
    let programs = [
      try lab.start("belfryd"),
      try lab.start("floor", arguments: ["\(Int(first + interval / 2))", "\(Int(interval))"]),
    ]
    let load = try (0..<(isBusy ? ProcessInfo.processInfo.activeProcessorCount : 0)).map { _ in
      try lab.start("sh", arguments: ["-c", "while :; do :; done"])
    }
    // The times of each program in milliseconds: the agent's, then those of `floor`.
    var (posts, sounds): ([[Double]], [[Double]]) = ([[], []], [[], []])
    for due in dues {
      for program in programs.indices {
        let due = due + interval / 2 * Double(program)
        let posted = try lab.busWatch.waitForNotification(since: due - 0.5, within: 10)
        posts[program].append((posted.time - due) * 1000)
        let heard = try lab.recorder.waitForSound(after: due - 0.5)
        sounds[program].append((heard - due) * 1000)
      }
    }
    for program in load { program.kill() }
    for program in programs { try end(program) }
    for (name, times) in [("due to Notify", posts), ("due to first sound", sounds)] {
      let name = isBusy ? "\(name), busy" : name
      let figures = times.map { Figure($0) }
      table.add(name, "ms", floor: figures[1], figures[0])
      table.add("\(name), 95 of 100", "ms", floor: figures[1].most, figures[0].most)
    }
  }

  mutating func ring() throws {
    try lateness()
    var rings: [String: [Ring]] = [:]
    for _ in 0..<runs(7) {
      for program in Self.both {
        rings[program.file, default: []].append(try ring(program.file))
      }
    }
    func add(_ name: String, _ unit: String, _ figure: (Ring) -> Double) {
      table.add(
        name, unit, floor: Figure((rings["floor"] ?? []).map(figure)),
        Figure((rings["belfryd"] ?? []).map(figure)))
    }
    add("processor while ringing", "%", \.processor)
    table.add(
      "PSS after a ring, to before", "times",
      Figure((rings["belfryd"] ?? []).map { $0.memoryAfter / $0.memoryBefore }))
  }

  private func ring(_ file: String) throws -> Ring {
    let lab = try Lab([.notifications, .sound])
    let due = (Lab.now + 8).rounded(.up)
    if file == "belfryd" { try save(lab, alarms: 5, due: due) }
    let running = try lab.start(file, arguments: file == "floor" ? [String(Int(due))] : [])
    let figures = ProcessFigures(pid: running.pid)
    pause(due - 3 - Lab.now)
    var ring = Ring()
    ring.memoryBefore = figures.memory("Pss")
    try lab.recorder.waitForSound(after: due - 1)
    pause(1)
    let (begun, time) = (Lab.now, figures.familyTime)
    pause(5)
    ring.processor = (figures.familyTime - time) / (Lab.now - begun) / 10
    if file == "belfryd" {
      try lab.run("belfry", "stop")
      pause(6)
      ring.memoryAfter = figures.memory("Pss")
    }
    try end(running)
    return ring
  }
}
