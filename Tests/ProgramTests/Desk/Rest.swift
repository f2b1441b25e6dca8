// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks each agent at the end of the test that started it. If no alarm or timer is ringing, due or
// running, the agent must be idle and hold no more resources than before its first ring. Next:
// `Desk.swift`.

import Foundation
import Lab
import Testing

/// The resources that a process holds and has used, according to its files in /proc.
struct Burden: Equatable {
  /// The processor time that the process has used, in hundredths of a second.
  var processorTime = 0
  /// The number of context switches of all threads so far. It does not grow while the process
  /// sleeps.
  var switches = 0
  var threads: [String] = []
  var descriptors: [String] = []
  /// The command lines of the child processes, including zombies.
  var children: [String] = []
  var isStopped = false

  /// Reads the resources of `process`. If the process has ended, all of them are empty or zero.
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

  /// Returns the text of a file, or an empty text if the file is gone.
  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  /// Returns the fields of a `stat` file after the process's name. The name comes before them in
  /// parentheses, and may contain spaces.
  private static func words(_ path: String) -> [Substring] {
    text(path).split(separator: ")").last?.split(separator: " ") ?? []
  }
}

extension Desk {
  /// Stops every alarm and timer that is ringing. Then expects that `agent` is idle, and that it
  /// holds no more resources than `before`, which was measured before its first ring. Checks
  /// nothing if an alarm is due soon, a timer is running, or the agent cannot be asked.
  func expectRest(of agent: Program, since before: Burden) throws {
    // If the agent or its bus has ended or is suspended, the agent cannot be asked for its status.
    // A test that does this has its own checks.
    guard !Burden(of: agent.pid).isStopped, lab.bus.isRunning, !Burden(of: lab.bus.pid).isStopped
    else { return }
    var now = try due()
    if now.mayRing {
      try belfry("stop")
      now = try due()
    }
    guard !now.isBusy else { return }
    var last = Burden(of: agent.pid)
    do {
      // After a ring, the sound process ends and the state is saved, which takes a second or two.
      // After a test that made very many calls on the bus, the agent needs longer.
      try Lab.wait(for: "belfryd to be at rest") {
        let before = last
        Thread.sleep(forTimeInterval: Self.window)
        last = Burden(of: agent.pid)
        // While the disk is busy, a save uses no processor time.
        let isSaving = last.descriptors.contains { $0.hasSuffix(".new") }
        return last.children.isEmpty && !isSaving
          && (last.processorTime, last.switches) == (before.processorTime, before.switches)
      }
    } catch {
      #expect(last.children == [], "left behind")
      guard agent.isRunning, try !due().isBusy else { return }
      throw error
    }
    guard agent.isRunning else { return }
    // GLib keeps unused threads in a pool for a quarter of a minute. These threads are not counted.
    func lasting(_ threads: [String]) -> Int { threads.count { !$0.hasPrefix("pool") } }
    #expect(
      lasting(last.threads) <= lasting(before.threads),
      "\(last.threads), and before \(before.threads)")
    // GLib's main loop needs one event descriptor in each thread. GLib may keep one more
    // descriptor, which it used for a call on the bus.
    #expect(last.count(of: "eventfd") <= last.threads.count + 1, "\(last.descriptors)")
    // The agent may have up to three files open, apart from /dev/null.
    let files = last.descriptors.filter { $0.hasPrefix("/") && !$0.hasSuffix("/dev/null") }
    #expect(files.count <= 3, "\(files)")
    // The agent may connect to the system bus only after `before` was measured. This adds one
    // socket for the connection, and two pipes for the agent's locks from the login manager.
    let system = lab.folder.appendingPathComponent("run/system-bus").path
    var late = FileManager.default.fileExists(atPath: system) ? ["socket:": 1, "pipe:": 2] : [:]
    // Once GIO has looked for an application, it keeps one inotify descriptor, with which it
    // watches the folders of applications. On a busy machine, the watch of the config may be later
    // than `before`. And while the agent shows that an alarm would not be
    // heard, as without a sound server, it watches three paths of sound servers and cards.
    late["inotify"] = 5
    for kind in ["pidfd", "timerfd", "pipe:", "socket:", "inotify"] {
      #expect(
        last.count(of: kind) <= before.count(of: kind) + late[kind, default: 0],
        "\(last.descriptors), and before \(before.descriptors)")
    }
  }

  /// How long, in seconds, the agent must do nothing to count as idle.
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

    /// Whether an alarm or timer is ringing, or a snoozed alarm will ring again.
    var mayRing: Bool {
      !ringing.isEmpty || alarms.contains { $0.state == "snoozed" }
        || timers.contains { $0.state == "ringing" }
    }

    /// Whether an alarm is ringing or due while the check lasts, or a timer is running.
    var isBusy: Bool {
      let soon = Lab.now + patience
      return mayRing || timers.contains { $0.state != "paused" }
        || next?.epoch.map { $0 < soon } ?? false
    }
  }

  private func due() throws -> Due { try decoded("status --json") }
}
