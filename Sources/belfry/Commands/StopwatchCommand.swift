// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry stopwatch`: the stopwatch that the agent keeps, and its laps as a table, JSON or CSV.

import ArgumentParser
import Language
import Persistence
import Screen
import System

struct StopwatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stopwatch", abstract: tr("Take times, with laps."),
    subcommands: [
      StopwatchShowCommand.self, StopwatchStartCommand.self, StopwatchStopCommand.self,
      StopwatchLapCommand.self, StopwatchResetCommand.self,
    ],
    defaultSubcommand: StopwatchShowCommand.self)
}

struct StopwatchStartCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: tr("Start it, or let it go on."))

  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    try AgentConnection.call("StopwatchStart")
    print(StopwatchView.word("running"))
  }
}

struct StopwatchStopCommand: BelfryCommand {
  static let configuration = CommandConfiguration(commandName: "stop", abstract: tr("Stop it."))

  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    try AgentConnection.call("StopwatchStop")
    print(try StopwatchView.ask().headline)
  }
}

struct StopwatchLapCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "lap", abstract: tr("Note a lap while it runs on."))

  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    try AgentConnection.call("StopwatchLap")
    guard let lap = try StopwatchView.ask().laps.last else { return }
    print(tr("lap \(lap[0])  \(lap[1])  \(lap[2])"))
  }
}

struct StopwatchResetCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: tr("Back to zero, without laps, and stopped."))

  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    try AgentConnection.call("StopwatchReset")
    print(StopwatchView.word("reset"))
  }
}

struct StopwatchShowCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: tr("Tell what it shows, and the laps."))

  @Flag(help: .tr("Print the laps as comma-separated values, times in seconds."))
  var csv = false
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func validate() throws {
    if csv, output.json { throw ValidationError(tr("Either --csv or --json, not both.")) }
  }

  @MainActor func perform() throws {
    let view = try StopwatchView.ask()
    if output.json { return Terminal.json(view.json) }
    if csv { return print(view.csv) }
    print(view.headline)
    Terminal.table(view.laps)
  }
}

/// The stopwatch as the agent tells it.
@MainActor private struct StopwatchView {
  private let entries: [Variant.Entry]

  static func ask() throws -> StopwatchView {
    guard case .dictionary(let entries)? = try AgentConnection.call("Status")?["stopwatch"]
    else { throw Failure(tr("the agent tells nothing of a stopwatch: is it another version?")) }
    return StopwatchView(entries: entries)
  }

  var json: JSON { JSON(entries) }

  /// `running  1:05.123`
  var headline: String {
    "\(Self.word(entries.text("state")))  \(Self.clock(entries.milliseconds("elapsed")))"
  }

  /// What people are shown for a word of the bus.
  static func word(_ text: String) -> String {
    switch text {
    case "running": tr("running", context: "stopwatch")
    case "stopped": tr("stopped", context: "stopwatch")
    case "reset": tr("reset", context: "stopwatch")
    case "fastest": tr("fastest", context: "lap")
    case "slowest": tr("slowest", context: "lap")
    default: text
    }
  }

  /// Number, split, total, and how it compares.
  var laps: [[String]] {
    rows.map {
      [
        String($0.seconds("lap").components.seconds), Self.clock($0.milliseconds("split")),
        Self.clock($0.milliseconds("total")), Self.word($0.text("mark")),
      ]
    }
  }

  /// As RFC 4180 has it but for its line ends, which are the shell's.
  var csv: String {
    let lines = rows.map {
      [
        String($0.seconds("lap").components.seconds), Self.decimal($0.milliseconds("split")),
        Self.decimal($0.milliseconds("total")), $0.text("mark"),
      ].joined(separator: ",")
    }
    return (["lap,split,total,mark"] + lines).joined(separator: "\n")
  }

  private var rows: [[Variant.Entry]] {
    entries["laps"]?.dictionaries ?? []
  }

  /// `0:59.123`, `1:00:00.000`
  private static func clock(_ milliseconds: Int64) -> String {
    Count.up(.milliseconds(milliseconds), digits: 3)
  }

  /// Seconds: `3600.000`
  private static func decimal(_ milliseconds: Int64) -> String {
    "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
  }
}

extension [Variant.Entry] {
  fileprivate func milliseconds(_ key: String) -> Int64 {
    guard case .double(let seconds)? = self[key] else { return 0 }
    return Int64(exactly: (seconds * 1000).rounded()) ?? 0
  }
}
