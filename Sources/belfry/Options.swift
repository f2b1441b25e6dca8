// SPDX-License-Identifier: GPL-3.0-or-later
//
// What commands take: the config, the form of the output, and from when and where to look at what
// the files tell. And how a command that cannot be done ends.

import ArgumentParser
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

struct ConfigOption: ParsableArguments {
  @Option(
    help: .tr(
      "Read this config. A command that needs the agent is refused if the agent reads another.",
      valueName: "file"), completion: .configFile)
  var config: String?

  @MainActor var locations: Locations { Locations(config: config) }

  func validate() throws {
    if config == "" { throw ValidationError(tr("--config needs a file")) }
    guard let config else { return }
    MainActor.assumeIsolated { AgentConnection.config = Locations(config: config).config }
  }
}

struct OutputOption: ParsableArguments {
  @Flag(help: .tr("Print JSON, for other programs."))
  var json = false

  /// What other programs read is English, whatever the user speaks.
  func validate() { if json { System.Locale.speakEnglish() } }
}

/// For commands that print a table or another text with colours.
struct TableOption: ParsableArguments {
  enum Color: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

  @OptionGroup var output: OutputOption
  @Option(help: .tr("When to use colours.", valueName: "when"))
  var color: Color?

  var json: Bool { output.json }

  func validate() throws { try Self.take(color, output) }

  /// Has this command use `color`, for which it has a use if `isUsed`.
  static func take(_ color: Color?, isUsed: Bool = true, _ output: OutputOption) throws {
    guard let color else { return }
    guard isUsed, !output.json || color != .always else {
      throw ValidationError(tr("--color has no effect here."))
    }
    MainActor.assumeIsolated { Terminal.color = color }
  }
}

/// The short names of options that several commands have.
nonisolated extension NameSpecification {
  static let count: Self = [.long, .customShort("n")]
  static let label: Self = [.long, .customShort("l")]
  static let days: Self = [.long, .customShort("d")]
}

nonisolated extension ArgumentHelp {
  /// In the user's language.
  static func tr(_ text: Message.Template, valueName: String? = nil) -> Self {
    Self(System.tr(text), valueName: valueName)
  }
}

/// Why a command could not be done and, in lines of their own, what to do about it: exit status 1.
/// A failed edit and a file that cannot be read end a command likewise, in their own words.
struct Failure: Error, CustomStringConvertible {
  var description: String

  /// `fix` is a command that helps, `hint` any other advice.
  init(_ description: String, hint: String? = nil, fix: String? = nil) {
    let advice = [hint.map { tr("hint: \($0)") }, fix.map { tr("fix: \($0)") }]
    self.description = ([description] + advice.compactMap(\.self)).joined(separator: "\n")
  }
}

/// ArgumentParser calls commands from no actor in particular; this program has one thread, and the
/// desktop's parts want to be on it.
nonisolated protocol BelfryCommand: ParsableCommand, Sendable {
  @MainActor func perform() throws
}

nonisolated extension BelfryCommand {
  func run() throws { try MainActor.assumeIsolated { try perform() } }
}

// MARK: - From when and where

struct ViewpointOptions: ParsableArguments {
  @Option(help: .tr("Show the rings after this moment, as if it were now.", valueName: "instant"))
  var from: String?
  @Option(
    help: .tr("Show times as if the machine were in this zone.", valueName: "tz"),
    completion: .zones)
  var timezone: String?

  func validate() throws {
    if let timezone, !Zones.exists(timezone) {
      throw ValidationError(
        tr("No time zone is called \(TerminalText.quoted(timezone)): write it as Asia/Seoul."))
    }
  }

  /// How many rings a command may be asked for.
  static func check(_ count: Int) throws(ValidationError) {
    guard (1...1000).contains(count) else {
      throw ValidationError(tr("--count takes 1 to 1000, not \(count)."))
    }
  }

  /// What the files tell from here.
  @MainActor func view(_ config: ConfigOption) throws -> FilesView {
    guard let from else { return try config.view(zone: timezone) }
    guard let instant = InstantText.parse(from, in: nil, Zones(machine: timezone)) else {
      throw ValidationError(
        tr("\(TerminalText.quoted(from)) is no moment: write it as 2026-11-21T07:30:00+09:00."))
    }
    return try config.view(from: instant, zone: timezone)
  }
}

extension ConfigOption {
  /// What the files tell. Mistakes in the config go to standard error; a config that tells nothing
  /// at all, or that was asked for and is not there, is a failure.
  @MainActor func view(from instant: Instant? = nil, zone: String? = nil) throws -> FilesView {
    let view = FilesView(locations, name: config ?? locations.config, from: instant, zone: zone)
    for diagnostic in view.diagnostics where diagnostic.severity == .error {
      StandardError.write("\(diagnostic.description(in: tr))\n")
    }
    if view.isReadable == false { throw ExitCode.failure }
    if view.isReadable == nil, let config { throw Failure(tr("there is no \(config)")) }
    return view
  }
}

extension ConfigOption {
  /// What the config says, for commands that need little of it: errors in it do not matter.
  @MainActor func configuration() throws -> Configuration {
    let (locations, path) = (locations, locations.config)
    let reading = Blocking.here {
      ConfigFile.read(path, name: path, sounds: SoundLibrary(locations))
    }
    if reading == nil, let config { throw Failure(tr("there is no \(config)")) }
    return reading?.configuration ?? Configuration()
  }
}

// MARK: - Which alarms

/// Alarms by their ids, or all of a group.
struct AlarmsOption: ParsableArguments {
  @Argument(help: .tr("Ids, as in `belfry list`."), completion: .alarms)
  var ids: [String] = []
  @Option(help: .tr("In place of ids: all of this group.", valueName: "name"), completion: .groups)
  var group: String?

  var isSaid: Bool { !ids.isEmpty || group != nil }

  func check() throws(ValidationError) {
    if ids.isEmpty == (group == nil) { throw ValidationError(tr("Name alarms, or say --group.")) }
  }

  /// Their ids; of a group, where `onlyEnabled`, of those that are not off.
  @MainActor func named(_ config: ConfigOption, onlyEnabled: Bool = false) throws -> [String] {
    try check()
    guard let group else { return ids }
    let alarms = try config.view().overview.configuration.alarms
    let found = alarms.filter { $0.group == group }
    if found.isEmpty { throw Failure(ConfigEditor.unknown(group: group, among: alarms)) }
    let meant = onlyEnabled ? found.filter(\.enabled) : found
    return (meant.isEmpty ? found : meant).map(\.id)
  }
}
