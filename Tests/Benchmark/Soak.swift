// SPDX-License-Identifier: GPL-3.0-or-later
//
// Uses two agents as people do, for as long as it is told: one agent without a notification server,
// one with dunst. If anything grows with each alarm or timer, this shows it. Next: `Rest.swift`,
// for what a hundred rings leave behind in a quarter of an hour.

import Foundation
import Lab

extension Benchmark {
  /// An agent in a session of its own, and the processor time of each of its rounds in
  /// milliseconds.
  private final class Soaked {
    let name: String
    let lab: Lab
    let agent: Program
    var rounds: [Double] = []
    var figures: ProcessFigures { ProcessFigures(pid: agent.pid) }

    init(_ name: String, _ parts: Set<Lab.Part>) throws {
      (self.name, lab) = (name, try Lab(parts))
      try lab.write(
        "[defaults]\nfade_in = \"0s\"\nupcoming = \"0s\"\n[agent]\ndevice = \"null\"\n",
        to: ".config/belfry/config.toml")
      agent = try lab.start("belfryd")
    }
  }

  /// Plays rounds with each agent in turn until `minutes` have passed.
  mutating func soak(minutes: Double = 60) throws {
    let limit = Lab.now + minutes * 60
    let both = [
      try Soaked("no server", [.bus]), try Soaked("dunst", [.notifications]),
    ]
    repeat {
      for one in both {
        let before = one.figures.time()
        try round(one.rounds.count, one.lab)
        one.rounds.append(one.figures.time() - before)
        // The first rounds load what later rounds use as well.
        if one.rounds.count == 10 || one.rounds.count % 100 == 0 { add(one) }
      }
    } while Lab.now < limit
    // GLib ends its spare threads after 15 s.
    pause(20)
    for one in both {
      add(one, "at rest ")
      let (tenth, last) = (one.rounds.dropFirst(5).prefix(10), one.rounds.suffix(10))
      table.add("processor time of a round, the tenth, \(one.name)", "ms", Figure(Array(tenth)))
      table.add("processor time of a round, the last, \(one.name)", "ms", Figure(Array(last)))
      table.add(
        "descriptors, \(one.name)", "", Figure(Double(one.figures.holdings.descriptors)))
      table.add("threads, \(one.name)", "", Figure(Double(one.figures.holdings.threads)))
      try end(one.agent)
    }
  }

  private mutating func add(_ one: Soaked, _ when: String = "") {
    table.add(
      "private memory \(when)after \(one.rounds.count) rounds, \(one.name)", "KB",
      Figure(one.figures.memory("Private_Dirty") * 1024))
  }

  /// Adds an alarm that rings, is snoozed, rings again and is stopped, then edits and removes it.
  /// Then starts two timers, of which one rings and one is cancelled.
  private func round(_ number: Int, _ lab: Lab) throws {
    let due = (Lab.now + 1.5).rounded(.up)
    let time = String(
      format: "%02d:%02d:%02d", Int(due) / 3600 % 24, Int(due) / 60 % 60, Int(due) % 60)
    try untilDone(lab, "add", time, "--id", "soak", "--label", "Alarm \(number)")
    // On a busy machine, the second may be over: then the alarm would ring tomorrow.
    if Lab.now > due {
      try untilDone(lab, "remove", "soak")
      return try round(number, lab)
    }
    pause(due - Lab.now)
    try untilDone(lab, "snooze", "soak", "1s")
    pause(1.3)
    try untilDone(lab, "stop", "soak")
    try untilDone(lab, "edit", "soak", "--label", "Edited \(number)")
    try untilDone(lab, "remove", "soak")
    try untilDone(lab, "timer", "1s", "--label", "rings \(number)")
    try untilDone(lab, "timer", "1h", "--label", "cancelled \(number)")
    try untilDone(lab, "timer", "cancel", "cancelled-\(number)")
    pause(1)
    try untilDone(lab, "stop")
  }

  /// Repeats a command until it succeeds, because an alarm may ring a moment later.
  private func untilDone(_ lab: Lab, _ words: String...) throws {
    let limit = Lab.now + 10
    while true {
      let command = try lab.start("belfry", arguments: words)
      if try command.waitForExit(within: 10) == .status(0) { return }
      guard Lab.now < limit else {
        throw LabError.failed(words.joined(separator: " "), reason: command.errors)
      }
      pause(0.1)
    }
  }
}
