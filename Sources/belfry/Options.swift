// SPDX-License-Identifier: GPL-3.0-or-later
//
// Options that several commands share: `--config`, `--json`, `--color`, a moment and a time zone to
// use instead of the present ones, alarms by id or group, and durations. Also `Failure`, the error
// of a command that could not be carried out.

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
      """
      The config file to use. A command that needs the agent (the background program that rings) \
      fails if the agent uses another file.
      """,
      valueName: "file"), completion: .configFile)
  var config: String?

  @MainActor var locations: Locations { Locations(config: config) }

  /// The option as the user typed it, to repeat it in a command that `belfry` suggests.
  var option: String { config.map { " --config \(Wording.shell($0))" } ?? "" }

  func validate() throws {
    if config == "" { throw ValidationError(tr("--config needs a file")) }
    guard config != nil else { return }
    MainActor.assumeIsolated { AgentConnection.locations = locations }
  }
}

struct OutputOption: ParsableArguments {
  @Flag(help: .tr("Print JSON, for other programs."))
  var json = false

  /// Switches to English for JSON, which is in English in every locale.
  func validate() { if json { System.Locale.speakEnglish() } }
}

/// The options `--json` and `--color`, for commands that print text in colour.
struct TableOption: ParsableArguments {
  enum Color: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

  @OptionGroup var output: OutputOption
  @Option(
    help: .tr(
      "When to use colours. By default (auto), colours are used on a terminal.", valueName: "when"))
  var color: Color?

  var json: Bool { output.json }

  func validate() throws { try Self.apply(color, output) }

  /// Applies the option `--color`. Throws if the option cannot have an effect: if the command
  /// prints no colours (`isUsed` is false), or if the user asks for colours in JSON.
  static func apply(_ color: Color?, isUsed: Bool = true, _ output: OutputOption) throws {
    guard let color else { return }
    guard isUsed, !output.json || color != .always else {
      throw ValidationError(tr("--color has no effect here."))
    }
    MainActor.assumeIsolated { Terminal.color = color }
  }
}

nonisolated extension NameSpecification {
  static let count: Self = [.long, .customShort("n")]
  static let label: Self = [.long, .customShort("l")]
  static let days: Self = [.long, .customShort("d")]
}

nonisolated extension ArgumentHelp {
  static func tr(_ text: Message.Template, valueName: String? = nil) -> Self {
    Self(System.tr(text), valueName: valueName)
  }
}

/// The reason why a command could not be carried out, with advice on further lines. The command
/// ends with exit status 1, as it also does after a `FileError` or a `ConfigEditor.Failure`. For
/// invalid settings, however, `EditReport` makes the command end with 64.
struct CommandFailure: Error, CustomStringConvertible {
  var description: String

  /// Makes an error. `fix` is a command that solves the problem; `hint` is any other advice.
  init(_ description: String, hint: String? = nil, fix: String? = nil) {
    let advice = [hint.map { tr("hint: \($0)") }, fix.map { tr("fix: \($0)") }]
    self.description = ([description] + advice.compactMap(\.self)).joined(separator: "\n")
  }
}

/// A command that runs on the main actor. ArgumentParser calls `run` on the main thread, but
/// outside of any actor.
nonisolated protocol BelfryCommand: ParsableCommand, Sendable {
  @MainActor func perform() throws
}

nonisolated extension BelfryCommand {
  func run() throws { try MainActor.assumeIsolated { try perform() } }
}

// MARK: - A moment and a time zone instead of the present ones

struct ViewpointOptions: ParsableArguments {
  @Option(
    help: .tr(
      "List the rings after this moment, instead of the rings after now.", valueName: "moment"))
  var from: String?
  @Option(
    help: .tr(
      "List the rings as if the machine were in this time zone, such as Asia/Seoul.",
      valueName: "zone"),
    completion: .zones)
  var timezone: String?

  func validate() throws {
    if let timezone, !Zones.exists(timezone) {
      throw ValidationError(
        tr("No time zone is called \(TerminalText.quoted(timezone)): write it as Asia/Seoul."))
    }
  }

  /// Throws if `count`, the number of rings to print, is not in the range that the commands allow.
  static func check(_ count: Int) throws(ValidationError) {
    guard (1...1000).contains(count) else {
      throw ValidationError(tr("--count takes 1 to 1000, not \(count)."))
    }
  }

  /// Computes the state of the alarms at the chosen moment and in the chosen time zone.
  @MainActor func view(_ config: ConfigOption) throws -> FilesView {
    guard let from else { return try config.view(zone: timezone) }
    guard let instant = InstantText.parse(from, in: nil, Zones(machine: timezone)) else {
      throw ValidationError(
        tr(
          "\(TerminalText.quoted(from)) is no date and time: write it as 2026-11-21T07:30:00+09:00."
        ))
    }
    return try config.view(from: instant, zone: timezone)
  }
}

extension ConfigOption {
  /// Computes the state of the alarms from the settings in force and, unless `instant` is given,
  /// from the agent's state file. Prints errors in the config on standard error, and which alarms
  /// ring otherwise than it says. Throws if nothing is in force because the config is not valid
  /// TOML, or because `--config` names a file that does not exist.
  @MainActor func view(from instant: Instant? = nil, zone: String? = nil) throws -> FilesView {
    let path = config ?? locations.config
    let view = Disk.here {
      FilesView(locations, name: path, from: instant, zone: zone, on: $0)
    }
    for diagnostic in view.diagnostics where diagnostic.severity == .error {
      StandardError.write("\(diagnostic.description(in: tr))\n")
    }
    if view.lost > 0 {
      let hint = Message("belfry config restore writes it again")
      let words = complaint(Wording.gone(path, alarms: view.lost), hint: hint)
      StandardError.write("\(words)\n")
    }
    if view.former.isEmpty {
      if view.isReadable == false { throw ExitCode.failure }
      if view.isReadable == nil, view.lost == 0, let config {
        throw CommandFailure(tr("there is no \(config)"))
      }
      return view
    }
    if view.isReadable == nil { StandardError.write("belfry: \(tr("there is no \(path)"))\n") }
    let names = view.former.map(TerminalText.quoted).joined(separator: ", ")
    StandardError.write("belfry: \(tr("these alarms ring as they did before: \(names)"))\n")
    return view
  }

  /// Returns the settings in force, for a command that needs only a few of them.
  @MainActor func configuration() throws -> Configuration {
    let locations = locations
    let read = Disk.here { disk in
      ConfigFile.readInForce(name: locations.config, sounds: SoundLibrary(locations), on: disk)
    }
    if read.reading == nil, let config { throw CommandFailure(tr("there is no \(config)")) }
    return read.configuration
  }
}

// MARK: - Alarms by id or group

struct AlarmsOption: ParsableArguments {
  @Argument(help: .tr("The ids of the alarms, as shown by `belfry list`."), completion: .alarms)
  var ids: [String] = []
  @Option(
    help: .tr(
      "Apply the command to all alarms of this group. Use this instead of ids.", valueName: "name"),
    completion: .groups)
  var group: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  var isGiven: Bool { !ids.isEmpty || group != nil }

  /// Returns the ids of the alarms that the user named, by their ids or by `--group`. `onlyEnabled`
  /// leaves out alarms of the group that are off, unless all of them are off.
  @MainActor func named(onlyEnabled: Bool = false) throws -> [String] {
    if ids.isEmpty == (group == nil) { throw ValidationError(tr("Name alarms, or say --group.")) }
    guard let group else { return ids }
    let alarms = try config.view().overview.configuration.alarms
    let found = alarms.filter { $0.group == group }
    if found.isEmpty { throw CommandFailure(ConfigEditor.unknown(group: group, among: alarms)) }
    let meant = onlyEnabled ? found.filter(\.enabled) : found
    return (meant.isEmpty ? found : meant).map(\.id)
  }
}

/// Durations on the command line, in one word or several: `10m`, `1.5h`, `half an hour`.
/// `DurationText.swift` parses them; this type adds the error messages.
nonisolated enum TypedLength {
  static func required(_ text: String) throws(ValidationError) -> Duration {
    guard let length = try parse(text) else {
      throw ValidationError(
        tr("\(TerminalText.quoted(text)) is no duration: write it as 90s, 10m or 1h30m."))
    }
    return length
  }

  /// Returns nil if `text` is not a duration. Throws if it is a number without a unit.
  static func parse(_ text: String) throws(ValidationError) -> Duration? {
    do throws(DurationText.Fault) { return try DurationText.parse(text) } catch {
      switch error {
      case .malformed: return nil
      case .noUnit: throw ValidationError(tr("A duration needs a unit: \(text)m, or \(text)s."))
      // Return the longest duration. The caller knows its own, shorter limit and refuses this
      // duration.
      case .tooLong: return DurationText.longest
      }
    }
  }

  /// Splits the words after a command into an id and a duration. The id is empty if it was left
  /// out. Several words such as `half an hour` are a duration. But if the first word is a duration
  /// by itself, it is the id of a timer: `10m 5m` is the timer `10m` and the duration `5m`. For a
  /// single word that is a duration or a number without a unit, `isID` returns whether it is an id.
  static func afterID(
    _ id: String?, _ words: [String], isID: (String) throws -> Bool
  ) throws(ValidationError) -> (id: String, length: Duration?) {
    guard let id else { return ("", nil) }
    if words.isEmpty {
      // If `isID` throws, the agent cannot be asked. The word is taken as a duration then, and the
      // command's own call of the agent reports the error.
      let isName = !DurationText.isDuration(id) || (try? isID(id)) == true
      return isName ? (id, nil) : ("", try required(id))
    }
    let whole = ([id] + words).joined(separator: " ")
    // `try?` ignores the error, because a word that is not a duration is an id.
    if (try? DurationText.parse(id)) == nil, let length = try? DurationText.parse(whole) {
      return ("", length)
    }
    return (id, try required(words.joined(separator: " ")))
  }
}

nonisolated enum TimerLength {
  /// Parses `text` as a duration. Returns nil if `text` is not a duration but may be the name of a
  /// preset.
  static func parse(_ text: String) throws(ValidationError) -> Duration? {
    if let length = try TypedLength.parse(text) { return try checked(length, text) }
    guard Identity.fault(of: text) == nil else {
      throw ValidationError(
        tr(
          """
          \(TerminalText.quoted(text)) is neither a duration nor a timer's name: write it as 90s, \
          10m or 1h30m.
          """))
    }
    return nil
  }

  static func checked(_ length: Duration, _ text: String) throws(ValidationError) -> Duration {
    let shown = TerminalText.quoted(text)
    guard length > .zero else {
      throw ValidationError(
        tr("A timer of \(shown) would be over at once: write it as 90s or 10m."))
    }
    guard length <= Timer.longest else {
      throw ValidationError(tr("A timer of \(shown) is too long: 366d is the longest."))
    }
    return length
  }
}
