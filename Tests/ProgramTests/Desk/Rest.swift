// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every test that started an agent asserts at its end: with nothing rung, due or running it is
// at rest, and holds no more than it did before the first ring. Next: `Desk.swift`.

import Foundation
import Lab
import Testing

/// What a process has and has used, by its files in /proc.
struct Burden: Equatable {
  /// Hundredths of a second.
  var processorTime = 0
  /// How often its threads went to sleep, or were sent.
  var switches = 0
  var threads: [String] = []
  var descriptors: [String] = []
  /// The dead that nobody has asked for among them.
  var children: [String] = []
  var isStopped = false

  /// Of a process that has ended, nothing.
  init(of process: Int32) {
    let folder = "/proc/\(process)"
    let stat = Self.words(folder + "/stat")
    if stat.count > 12 { processorTime = (Int(stat[11]) ?? 0) + (Int(stat[12]) ?? 0) }
    isStopped = stat.first == "T"
    for task in Self.names(folder + "/task") {
      let facts = Self.text("\(folder)/task/\(task)/status").split(separator: "\n")
      for fact in facts where fact.contains("ctxt_switches:") {
        switches += fact.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
      threads.append(Self.text("\(folder)/task/\(task)/comm").trimmingCharacters(in: .newlines))
      children += Self.text("\(folder)/task/\(task)/children").split(separator: " ").map {
        Self.text("/proc/\($0)/cmdline").replacing("\0", with: " ") + "(\($0))"
      }
    }
    descriptors = Self.names(folder + "/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")
    }
  }

  func count(of kind: String) -> Int { descriptors.count { $0.contains(kind) } }

  private static func names(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// What may be gone by now.
  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  /// Of a `stat` those behind the name, which may hold anything.
  private static func words(_ path: String) -> [Substring] {
    text(path).split(separator: ")").last?.split(separator: " ") ?? []
  }
}

extension Desk {
  /// Answers what rings, and asserts that `agent` then is at rest and has no more than `before`,
  /// its first ring; but not where something is due soon, or where nobody could ask it.
  func expectRest(of agent: Program, since before: Burden) throws {
    // Stopped, or without a bus: neither has an end, and both are tests of their own.
    guard !Burden(of: agent.pid).isStopped, lab.bus.isRunning, !Burden(of: lab.bus.pid).isStopped
    else { return }
    if try due().mayRing { try belfry("stop") }
    guard try !isBusy() else { return }
    var last = Burden(of: agent.pid)
    do {
      // What follows a ring takes a second or two: the sound process goes, the state is made
      // durable. What a flood of calls asked for takes longer.
      try Lab.wait(for: "belfryd to be at rest", within: 4 * patience) {
        let before = last
        Thread.sleep(forTimeInterval: Self.window)
        last = Burden(of: agent.pid)
        return last.children.isEmpty
          && (last.processorTime, last.switches) == (before.processorTime, before.switches)
      }
    } catch {
      #expect(last.children == [], "left behind")
      guard agent.isRunning, try !isBusy() else { return }
      throw error
    }
    guard agent.isRunning else { return }
    // Those of its pool GLib keeps for a quarter of a minute.
    func lasting(_ threads: [String]) -> Int { threads.count { !$0.hasPrefix("pool") } }
    #expect(
      lasting(last.threads) <= lasting(before.threads),
      "\(last.threads), and before \(before.threads)")
    // A main context has an event descriptor, and is a thread's; GLib keeps one more for a call.
    #expect(last.count(of: "eventfd") <= last.threads.count + 1, "\(last.descriptors)")
    // Of files there are only some that last as long as a ring and those set aside.
    let files = last.descriptors.filter { $0.hasPrefix("/") && !$0.hasSuffix("/dev/null") }
    #expect(files.count <= 3, "\(files)")
    // The system's bus answers after the start, with a connection and the locks of its login
    // manager.
    let system = lab.folder.appendingPathComponent("run/system-bus").path
    var late = FileManager.default.fileExists(atPath: system) ? ["socket:": 1, "pipe:": 2] : [:]
    // GIO watches the folders of applications from the first time that it looks for one.
    late["inotify"] = 1
    for kind in ["pidfd", "timerfd", "pipe:", "socket:", "inotify"] {
      #expect(
        last.count(of: kind) <= before.count(of: kind) + late[kind, default: 0],
        "\(last.descriptors), and before \(before.descriptors)")
    }
  }

  /// Nothing of the agent's own may happen in it.
  private static let window = 1.0

  private struct Due: Decodable {
    struct Entry: Decodable {
      var state: String?
    }
    struct Next: Decodable {
      var epoch: Double?
    }
    var ringing: [Entry]
    var next: Next?
    var alarms: [Entry]
    var timers: [Entry]

    /// What rings, and what will again.
    var mayRing: Bool {
      !ringing.isEmpty || alarms.contains { $0.state == "snoozed" }
        || timers.contains { $0.state == "ringing" }
    }
  }

  private func due() throws -> Due {
    let (status, output, errors) = try belfry("status --json")
    guard status == 0 else { throw LabError.failed("belfry status", reason: errors) }
    return try JSONDecoder().decode(Due.self, from: Data(output.utf8))
  }

  /// Whether something happens within the time that a look takes, or as long as a timer runs.
  private func isBusy() throws -> Bool {
    let (due, soon) = (try due(), Lab.now + patience)
    return due.mayRing || due.timers.contains { $0.state != "paused" }
      || due.next?.epoch.map { $0 < soon } ?? false
  }
}
