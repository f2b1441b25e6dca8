// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks the agent for its status, timers and history, and calls its methods on the bus. Next:
// `Desk.swift`.

import Foundation
import Lab
import Testing

/// The parts of the output of `belfry status --json` that tests look at.
struct Status: Decodable {
  struct Alarm: Decodable {
    var id: String
    var label: String?
    var state: String?
    var snoozedUntil: String?
    var epoch: Int?
    var count: Int?
    var reason: String?
    var snoozes: Int?
    /// Whether the alarm's next ring is skipped; nil if it is not.
    var skipped: Bool?
  }
  struct Timer: Decodable { var id: String }
  struct Agent: Decodable {
    var pid: Int32
    /// The notification server; empty until it has answered.
    var notifications: String
    var problems: [String]
    /// Whether the agent wakes a suspended machine for an alarm.
    var wake: Bool
    var wakeProblem: String?
    var wakeFix: String?
  }

  var ringing: [Alarm]
  var alarms: [Alarm]
  var missed: [Alarm]
  var timers: [Timer]
  var agent: Agent

  /// Returns the state of the alarm with the given id; nil if there is no such alarm.
  func state(_ id: String) -> String? { alarms.first { $0.id == id }?.state }
}

/// A timer in the output of `belfry timer list --json`.
struct TimerRow: Decodable, Equatable {
  var id: String
  var label: String
  var preset: String?
  var length: Int
  var left: Int
  var state: String
  var at: String?
  var epoch: Int?
  var overtime: Int?

  /// When the timer rings, in whole seconds.
  var end: Second { Second(epoch: Epoch(epoch ?? 0)) }
}

extension Desk {
  /// Waits until the history has `count` lines. The agent replies to the command that ends a ring
  /// before it writes the line about the ring.
  func history<Line: Decodable>(count: Int) throws -> [Line] {
    func history() throws -> [Line] { try decoded("history --json") }
    let lines = try Lab.ask(for: "\(count) lines", seen: "\(try history())") {
      let lines = try history()
      return lines.count >= count ? lines : nil
    }
    try #require(lines.count == count, "\(lines)")
    return lines
  }

  func timers() throws -> [TimerRow] { try decoded("timer list --json") }

  func timer(_ id: String) throws -> TimerRow {
    try #require(try timers().first { $0.id == id })
  }

  /// Runs `belfry` with the arguments in `line`. Expects success, no errors, and exactly the line
  /// `output`.
  func expect(
    _ line: String, _ output: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let done = try belfry(line)
    #expect(done.output == output + "\n", "belfry \(line)", sourceLocation: location)
    #expect(done.errors == "" && done.status == 0, "belfry \(line)", sourceLocation: location)
  }

  /// Runs `belfry` with the arguments in `line`. Expects exit status 1, no output, and exactly the
  /// message `error`.
  func expectFailure(
    _ line: String, _ error: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let done = try belfry(line)
    #expect(done.errors == "belfry: \(error)\n", "belfry \(line)", sourceLocation: location)
    #expect(done.output == "" && done.status == 1, "belfry \(line)", sourceLocation: location)
  }

  /// Calls a D-Bus method of the agent, as another program would. The arguments are in GVariant's
  /// text format. Returns the reply or the error, as gdbus(1) prints it.
  func call(_ method: String, _ arguments: String...) throws -> String {
    try call(method, arguments)
  }

  func call(_ method: String, _ arguments: [String]) throws -> String {
    try callAt("/org/belfry/Belfry", "org.belfry.Belfry1.\(method)", arguments)
  }

  /// Calls a D-Bus method of the object at `path`. `name` is a bus name of the agent: the
  /// well-known one, or that of the icon's connection.
  func callAt(
    _ path: String, _ method: String, _ arguments: [String], of name: String = Desk.busName
  ) throws -> String {
    let program = try lab.start(
      "gdbus",
      arguments: [
        "call", "--session", "--dest=\(name)", "--object-path=\(path)",
        "--method=\(method)",
        "--",
      ] + arguments)
    try program.waitForExit()
    return program.output + program.errors
  }
}
