// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry config`: prints where the config is, opens it in an editor, checks it, and prints its
// schema.

import ArgumentParser
import Configuration
import Files
import Language
import Presentation
import System
import Values

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: tr("Find, edit and check the config."),
    usage: "belfry config [<subcommand>]",
    subcommands: [
      ConfigPathCommand.self, ConfigEditCommand.self, ConfigCheckCommand.self,
      ConfigRestoreCommand.self, ConfigSchemaCommand.self,
    ],
    defaultSubcommand: ConfigPathCommand.self)
}

struct ConfigSchemaCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: tr("Print the config's JSON Schema, for editors."),
    discussion: tr(
      """
      With the schema, an editor completes keys, explains them and marks errors. Many \
      editors read it through taplo, a program that checks TOML files. For these editors, write \
      the schema to a file:

        belfry config schema >~/.config/belfry/schema.json

      Then name this file in the first line of the config:

        #:schema ./schema.json
      """))

  @OptionGroup var output: OutputOption

  @MainActor func perform() throws { Terminal.json(.schema(Configuration.schema)) }
}

struct ConfigPathCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: tr("Print the path of the config, whether or not the file exists."))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let path = config.locations.config
    if output.json {
      Terminal.json(.table(["path": .string(path)]))
    } else {
      Terminal.printLine(path)
    }
  }
}

struct ConfigRestoreCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: tr("Write a config that is gone again."),
    discussion: tr(
      """
      The text is that of the settings that were last in force. If the file had no error, it is \
      the last text of the file, with its comments. If there is a config already, it is not \
      changed.
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let (locations, path) = (config.locations, config.locations.config)
    guard let settings = Disk.here({ StateFile.settings(locations, Patience(), on: $0) }) else {
      throw CommandFailure(tr("no settings of \(path) are stored, so it cannot be restored"))
    }
    let isRestored = try Disk.here { try ConfigFile.restore(settings, on: $0) }
    guard isRestored else {
      throw CommandFailure(tr("\(path) is there, so there is nothing to restore"))
    }
    if output.json { return Terminal.json(.table(["path": .string(path)])) }
    Terminal.printLine(tr("restored \(path)"))
  }
}

struct ConfigCheckCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: tr("Show every error in the config, where it is and what to write instead."),
    discussion: tr(
      """
      The exit status is 1 if there is an error, and 0 if there are only warnings.

      Examples:
        belfry config check
        belfry config check draft.toml
        belfry config check -          # the text on standard input, for editors
        belfry config check --json | jq -r '.[].message'
      """))

  @Argument(
    help: .tr("Check this file instead of the config, or standard input if it is -."),
    completion: .configFile)
  var file: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func validate() throws {
    if file != nil, config.config != nil {
      throw ValidationError(tr("Name one file: as an argument, or with --config."))
    }
  }

  @MainActor func perform() throws {
    // Relative names in a text from standard input are looked up beside the config.
    let named = file == "-" ? nil : file ?? config.config
    let text = file == "-" ? try StandardInput.read(limit: Configuration.largestFile) : nil
    let checked = try CheckedConfig(Locations(config: named), name: named, text: text)
    if output.json { checked.printJSON() } else { checked.printReport() }
    if checked.reading.hasErrors { throw ExitCode.failure }
  }
}

struct ConfigEditCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: tr("Open the config in your editor, and check it afterwards."),
    discussion: tr(
      """
      The editor is the program in the environment variable VISUAL or EDITOR. If neither is set, \
      the editor is vi. If the config has an error when you close the editor, you are asked \
      whether to go back and fix the error. Until the error is fixed, the agent keeps using the \
      last settings that had no error.

      Examples:
        belfry config edit
        EDITOR=nano belfry config edit
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let locations = config.locations
    try Disk.here { try DurableFile.makeFolder(locations.configFolder, on: $0) }
    while true {
      guard TextEditor.edit(locations.config) else {
        throw CommandFailure(tr("the editor failed: is the program in VISUAL or EDITOR installed?"))
      }
      let checked = try CheckedConfig(locations, name: config.config)
      if output.json {
        checked.printJSON()
        if checked.reading.hasErrors { throw ExitCode.failure }
        return
      }
      checked.printReport()
      guard checked.reading.hasErrors else { return }
      guard StandardInput.isTerminal, StandardError.isTerminal else { throw ExitCode.failure }
      StandardError.write(tr("edit again? [Y/n] "))
      guard let answer = readLine(), !answer.lowercased().hasPrefix("n") else {
        throw ExitCode.failure
      }
    }
  }
}

@MainActor private struct CheckedConfig {
  let reading: Reading
  let path: String
  let name: String
  /// Whether there is no config file. That is an error only if the user named a file.
  let isMissing: Bool
  /// The text from standard input; nil if a file is checked.
  private let text: [UInt8]?

  init(_ locations: Locations, name: String?, text: [UInt8]? = nil) throws {
    (path, self.text) = (locations.config, text)
    self.name = text == nil ? name ?? locations.config : "-"
    let sounds = SoundJudge.library(locations)
    let (path, shown) = (path, self.name)
    let reading = Disk.here { disk in
      text.map { ConfigFile.read(text: $0, name: shown, sounds: sounds, on: disk) }
        ?? ConfigFile.read(path, name: shown, sounds: sounds, on: disk)
    }
    if reading == nil, let name { throw CommandFailure(tr("there is no \(name)")) }
    isMissing = reading == nil
    self.reading = reading ?? Reading()
  }

  func printJSON() { Terminal.json(.list(reading.diagnostics.map { Value($0) })) }

  func printReport() {
    if isMissing { return Terminal.printLine(tr("there is no \(name) yet: no alarm is set")) }
    let (path, text) = (path, text)
    let source =
      StandardError.isTerminal
      ? Disk.here { disk in
        text
          ?? (try? Patience().wait(for: path, on: disk) { disk throws(FileError) in
            try DurableFile.read(path, limit: Configuration.largestFile, on: disk)
          })
      }.map(SourceLines.init) : nil
    for diagnostic in reading.diagnostics {
      StandardError.write(diagnostic.description(showing: source, in: tr) + "\n")
    }
    if reading.diagnostics.isEmpty {
      let count = reading.configuration.alarms.count
      Terminal.printLine(
        tr(
          "\(name): no mistakes, \(count) alarm", plural: "\(name): no mistakes, \(count) alarms",
          count: count))
    }
  }
}

extension Value {
  fileprivate init(_ diagnostic: Diagnostic) {
    self = .table([
      "file": .string(diagnostic.file), "line": .integer(Int64(diagnostic.line)),
      "column": .integer(Int64(diagnostic.column)),
      "severity": .string(diagnostic.severity.rawValue),
      "message": .string(tr(diagnostic.message)),
      "hint": diagnostic.hint.map { .string(tr($0)) },
    ])
  }
}

// MARK: - The schema

/// The config's schema as JSON Schema. It uses only keywords that mean the same in draft 4 of JSON
/// Schema and in all later drafts, because taplo, which most editors use for TOML, reads draft 4.
extension Value {
  /// Returns the schema of `tables`. The first table has the top-level keys of the config.
  static func schema(_ tables: [TableSchema]) -> Value {
    guard let file = tables.first else { return .table([]) }
    return .table(
      [
        Entry("$schema", .string("http://json-schema.org/draft-04/schema#")),
        Entry("title", .string("Belfry")),
        Entry("description", .string("Alarms and settings of the alarm clock Belfry.")),
      ] + table(file, among: tables))
  }

  private static func table(_ table: TableSchema, among tables: [TableSchema]) -> [Entry] {
    let keys = table.keys.map { key in
      let meaning = Entry("description", .string(key.meaning))
      let inner = tables.first { $0.name == key.name }.map { Value.table($0, among: []) } ?? []
      return Entry(key.name, .table([meaning] + key.value.schema(tableOf: inner)))
    }
    let required = table.keys.filter(\.isRequired).map { Value.string($0.name) }
    let exclusive = table.exclusive.map { pair in
      Value.table(["not": .table(["required": .list(pair.map(Value.string))])])
    }
    let needs = table.needs.map { need in
      Value.table([
        "anyOf": .list([
          .table(["not": .table(["required": .list([.string(need.key)])])]),
          .table(["required": .list([.string(need.other)])]),
        ])
      ])
    }
    return [
      Entry("type", .string("object")), Entry("properties", .table(keys)),
      Entry("additionalProperties", .boolean(false)),
    ] + (required.isEmpty ? [] : [Entry("required", .list(required))])
      + (exclusive.isEmpty && needs.isEmpty ? [] : [Entry("allOf", .list(exclusive + needs))])
  }
}

extension ValueSchema {
  /// Returns the keywords of JSON Schema that describe this value. If the value is a table, `inner`
  /// describes it.
  fileprivate func schema(tableOf inner: [Value.Entry] = []) -> [Value.Entry] {
    switch self {
    case .flag: [type("boolean")]
    case .wholeNumber(let range):
      [type("integer"), .init("minimum", .integer(Int64(range.lowerBound)))]
        + (range.upperBound == .max ? [] : [.init("maximum", .integer(Int64(range.upperBound)))])
    case .text(let pattern):
      [type("string")] + (pattern.isEmpty ? [] : [.init("pattern", .string(pattern))])
    case .word(let words): [.init("enum", .list(words.map(Value.string)))]
    case .list(let element, let count):
      [type("array"), .init("items", .table(element.schema()))]
        + (count.lowerBound == 0 ? [] : [.init("minItems", .integer(Int64(count.lowerBound)))])
        + (count.upperBound == .max ? [] : [.init("maxItems", .integer(Int64(count.upperBound)))])
    case .either(let values): [.init("anyOf", .list(values.map { .table($0.schema()) }))]
    case .table: inner
    case .tables: [type("array"), .init("items", .table(inner))]
    }
  }

  private func type(_ name: String) -> Value.Entry { .init("type", .string(name)) }
}
