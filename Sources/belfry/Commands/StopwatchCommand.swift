// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry stopwatch`: controls the agent's stopwatch, and prints its laps as a table, JSON or CSV.

import ArgumentParser
import Language
import Presentation
import Scheduling
import Screen
import System

struct StopwatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stopwatch", abstract: tr("Measure time, with laps."),
    usage: "belfry stopwatch [<subcommand>]",
    subcommands: [
      StopwatchShowCommand.self, StopwatchStartCommand.self, StopwatchStopCommand.self,
      StopwatchLapCommand.self, StopwatchResetCommand.self,
    ],
    defaultSubcommand: StopwatchShowCommand.self)
}

struct StopwatchStartCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: tr("Start the stopwatch, or continue it."))

  @OptionGroup var stopwatch: StopwatchOptions

  @MainActor func perform() throws {
    try stopwatch.act("StopwatchStart") { _ in Status.Stopwatch.word(.running) }
  }
}

struct StopwatchStopCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: tr("Stop the stopwatch."))

  @OptionGroup var stopwatch: StopwatchOptions

  @MainActor func perform() throws { try stopwatch.act("StopwatchStop") { $0.headline } }
}

struct StopwatchLapCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "lap", abstract: tr("Record a lap. The stopwatch keeps running."))

  @OptionGroup var stopwatch: StopwatchOptions

  @MainActor func perform() throws {
    try stopwatch.act("StopwatchLap") { stopwatch in
      stopwatch.laps.last.map { tr("lap \($0.row[0])  \($0.row[1])  \($0.row[2])") }
    }
  }
}

struct StopwatchResetCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: tr("Stop the stopwatch, set it to zero and remove its laps."))

  @OptionGroup var stopwatch: StopwatchOptions

  @MainActor func perform() throws {
    try stopwatch.act("StopwatchReset") { _ in Status.Stopwatch.word(.reset) }
  }
}

struct StopwatchOptions: ParsableArguments {
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  /// Calls the agent's method `member`. Then prints the text that `words` returns for the changed
  /// stopwatch.
  @MainActor func act(_ member: String, _ words: (Status.Stopwatch) -> String?) throws {
    try AgentConnection.call(member)
    let stopwatch = try Status.Stopwatch.ask()
    if output.json { return Terminal.json(stopwatch) }
    if let words = words(stopwatch) { print(words) }
  }
}

struct StopwatchShowCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: tr("Show the time and the laps."))

  @Flag(help: .tr("Print the laps as comma-separated values (CSV), with times in seconds."))
  var csv = false
  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  func validate() throws {
    if csv, table.json { throw ValidationError(tr("Either --csv or --json, not both.")) }
    if csv, table.color == .always { throw ValidationError(tr("--color has no effect here.")) }
  }

  @MainActor func perform() throws {
    let view = try Status.Stopwatch.ask()
    if table.json { return Terminal.json(view) }
    if csv { return print(view.csv) }
    Terminal.printLine(StyledText(view.headline, view.isRunning ? .colour(.cyan) : .bold))
    Terminal.table(
      view.laps.map { lap in
        zip(lap.row, [.dim, .plain, .bold, .colour(.yellow)]).map { StyledText($0, $1) }
      },
      heading: tr("Lap|Time|Total"))
  }
}

extension Status.Stopwatch {
  @MainActor fileprivate static func ask() throws -> Self { try AgentConnection.status().stopwatch }

  /// The state and the time of the stopwatch, such as `running  1:05.123`.
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

  /// The laps as CSV (RFC 4180), except that lines end with a line feed alone.
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
  /// The cells of a row: the number, split and total of the lap, and whether it is the fastest or
  /// slowest lap.
  @MainActor fileprivate var row: [String] {
    [String(lap), Count.exact(split), Count.exact(total), markWord]
  }
}

extension Count {
  /// Returns a time rounded to milliseconds, such as `0:59.123` or `1:00:00.000`.
  fileprivate static func exact(_ length: Double) -> String { up(rounded(length), digits: 3) }

  /// Returns a time in seconds, rounded to milliseconds, such as `3600.000`.
  fileprivate static func seconds(_ length: Double) -> String {
    let milliseconds = rounded(length).wholeMicroseconds / 1000
    return "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
  }

  private static func rounded(_ length: Double) -> Duration {
    .milliseconds((Duration(told: length) + .microseconds(500)).wholeMicroseconds / 1000)
  }
}
