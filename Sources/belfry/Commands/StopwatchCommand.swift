// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry stopwatch`: the stopwatch that the agent keeps, and its laps as a table, JSON or CSV.

import ArgumentParser
import Language
import Persistence
import Presentation
import Scheduling
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
    print(Status.Stopwatch.word(.running))
  }
}

struct StopwatchStopCommand: BelfryCommand {
  static let configuration = CommandConfiguration(commandName: "stop", abstract: tr("Stop it."))

  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    try AgentConnection.call("StopwatchStop")
    print(try Status.Stopwatch.ask().headline)
  }
}

struct StopwatchLapCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "lap", abstract: tr("Note a lap while it runs on."))

  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    try AgentConnection.call("StopwatchLap")
    guard let lap = try Status.Stopwatch.ask().laps.last else { return }
    let row = lap.row
    print(tr("lap \(row[0])  \(row[1])  \(row[2])"))
  }
}

struct StopwatchResetCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: tr("Back to zero, without laps, and stopped."))

  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    try AgentConnection.call("StopwatchReset")
    print(Status.Stopwatch.word(.reset))
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
    let view = try Status.Stopwatch.ask()
    if output.json { return Terminal.json(JSON(view)) }
    if csv { return print(view.csv) }
    print(view.headline)
    Terminal.table(view.laps.map(\.row))
  }
}

extension Status.Stopwatch {
  @MainActor fileprivate static func ask() throws -> Self { try AgentConnection.status().stopwatch }

  /// `running  1:05.123`
  @MainActor fileprivate var headline: String {
    "\(Self.word(state ?? .reset))  \(Count.exact(elapsed))"
  }

  @MainActor fileprivate static func word(_ state: State) -> String {
    switch state {
    case .running: tr("running", context: "stopwatch")
    case .stopped: tr("stopped", context: "stopwatch")
    case .reset: tr("reset", context: "stopwatch")
    }
  }

  /// As RFC 4180 has it but for its line ends, which are the shell's.
  @MainActor fileprivate var csv: String {
    let lines = laps.map { lap in
      [
        String(lap.lap), Count.seconds(lap.split), Count.seconds(lap.total),
        lap.mark ?? "",
      ].joined(separator: ",")
    }
    return (["lap,split,total,mark"] + lines).joined(separator: "\n")
  }
}

extension Status.Lap {
  /// Number, split, total, and how it compares.
  @MainActor fileprivate var row: [String] {
    [String(lap), Count.exact(split), Count.exact(total), markWord]
  }
}

extension Count {
  /// Rounded to milliseconds: `0:59.123`, `1:00:00.000`.
  fileprivate static func exact(_ length: Double) -> String { up(rounded(length), digits: 3) }

  /// Seconds: `3600.000`
  fileprivate static func seconds(_ length: Double) -> String {
    let milliseconds = rounded(length).wholeMicroseconds / 1000
    return "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
  }

  private static func rounded(_ length: Double) -> Duration {
    .milliseconds((Duration(told: length) + .microseconds(500)).wholeMicroseconds / 1000)
  }
}
