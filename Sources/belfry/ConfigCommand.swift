// SPDX-License-Identifier: GPL-3.0-or-later
//
// The config file itself: where it is, and what is wrong with it.

import ArgumentParser
import BelfryAgent
import Configuration
import Desktop
import Persistence

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Find and check the config.",
    subcommands: [ConfigPathCommand.self, ConfigCheckCommand.self])
}

struct ConfigPathCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print where the config is, or would be.")

  @OptionGroup var config: ConfigOption

  func run() throws { try onMain { print(config.locations.config) } }
}

struct ConfigCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tell every mistake in the config, where it is and what to write instead.",
    discussion: "Exit status 1 where there is an error; warnings alone give 0.")

  @Argument(help: "Check this file instead of the config.", completion: .configFile)
  var file: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func run() throws {
    try onMain {
      let locations = Locations(config: file ?? config.config)
      let name = file ?? config.config ?? locations.config
      guard
        let reading = ConfigFile.read(
          locations.config, name: name, sounds: SoundLibrary(locations))
      else { throw Failure("there is no \(name)") }
      if output.json {
        Terminal.json(.array(reading.diagnostics.map(JSON.init)))
      } else {
        show(reading, of: locations.config, name)
      }
      if reading.hasErrors { throw ExitCode.failure }
    }
  }

  @MainActor private func show(_ reading: Reading, of path: String, _ name: String) {
    let source =
      StandardError.isTerminal
      ? (try? DurableFile.read(path, limit: Configuration.largestFile)).map(SourceLines.init) : nil
    for diagnostic in reading.diagnostics {
      let text = source.map { diagnostic.description(showing: $0) } ?? diagnostic.description
      StandardError.write(text + "\n")
    }
    if reading.diagnostics.isEmpty {
      let count = reading.configuration.alarms.count
      Terminal.show("\(name): no mistakes, \(count) alarm\(count == 1 ? "" : "s")")
    }
  }
}

extension JSON {
  fileprivate init(_ diagnostic: Diagnostic) {
    self = .object([
      "file": .string(diagnostic.file), "line": .integer(Int64(diagnostic.line)),
      "column": .integer(Int64(diagnostic.column)),
      "severity": .string(diagnostic.severity.rawValue),
      "message": .string(diagnostic.message), "hint": diagnostic.hint.map(JSON.string) ?? .null,
    ])
  }
}
