// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry sounds`: lists the sounds that alarms can use, and plays one. Next:
// `SoundsAddCommand.swift`.

import ArgumentParser
import Configuration
import Doctor
import Files
import Language
import Presentation
import Screen
import Sound
import System
import Values

struct SoundsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sounds", abstract: tr("List the sounds for alarms, and play them."),
    usage: "belfry sounds [<subcommand>]",
    subcommands: [SoundsListCommand.self, SoundsPlayCommand.self, SoundsAddCommand.self],
    defaultSubcommand: SoundsListCommand.self)
}

struct SoundsListCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: tr("List the sounds by name."), aliases: ["ls"])

  @Flag(help: .tr("Also list the sounds of the desktop's sound theme."))
  var all = false
  @OptionGroup var table: TableOption

  @MainActor func perform() throws {
    let library = SoundLibrary(Locations())
    let all = all
    let sounds = Disk.here { disk in all ? library.all(on: disk) : library.ringtones(on: disk) }
    if table.json { return Terminal.json(.list(sounds.map { .sound($0.name, $0.path) })) }
    Terminal.table(
      sounds.map { [StyledText($0.name, .bold), StyledText($0.path, .dim)] },
      heading: tr("Name|File"))
  }
}

struct SoundsPlayCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: tr("Play a sound once, on the device that alarms use."),
    discussion: tr(
      """
      Ctrl-C stops the sound.

      Examples:
        belfry sounds play Carillon
        belfry sounds play ~/Music/rooster.ogg --volume 40
      """))

  @Argument(
    help: .tr(
      "The sound: a name from `belfry sounds`, or the path of a file or of a folder with sounds."),
    completion: .sounds)
  var name: String
  @Option(help: .tr("The volume in percent, 0 to 100.", valueName: "percent"))
  var volume = 80
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func validate() throws {
    guard (0...100).contains(volume) else {
      throw ValidationError(tr("--volume takes 0 to 100, not \(volume)."))
    }
  }

  @MainActor func perform() throws {
    let library = SoundLibrary(config.locations)
    let typed = name
    let name = Disk.here { library.typed(typed, on: $0) }
    guard Disk.here({ library.exists(name, Patience(), on: $0) }) else {
      if let problem = Disk.here({ library.problem(of: name, Patience(), on: $0) }) {
        throw CommandFailure(tr(problem.message), hint: tr(problem.hint))
      }
      throw CommandFailure(
        tr("there is no sound \(TerminalText.quoted(name))"), hint: tr("belfry sounds shows them"))
    }
    let configuration = try config.configuration()
    let files = Disk.here { library.existing(name, Patience(), on: $0) }
    let played = try play(
      SoundRequest(
        files: files,
        devices: configuration.agent.devices, volume: volume, loops: false))
    if output.json { Terminal.json(.sound(name, played ?? files.first ?? name)) }
  }

  /// Plays the sound, and returns the file that was played; nil for the built-in tone.
  @MainActor private func play(_ request: SoundRequest) throws -> String? {
    var failure: CommandFailure?
    var played: String?
    let player = SoundProcess(record: config.locations.mixer, logs: false)
    player.onReport = { report in
      switch report {
      case .started(_, _, let file): played = file
      case .finished: MainLoop.quit()
      case .trouble(let trouble):
        // If a device fails that is not the last one, the player tries the next device by itself.
        if let device = trouble.device, device != request.devices.last { return }
        failure = CommandFailure(Wording.trouble(trouble), fix: Wording.fix(trouble))
        MainLoop.quit()
      default: break
      }
    }
    let signals = MainLoop.onQuit { MainLoop.quit() }
    player.play(request)
    MainLoop.run()
    withExtendedLifetime(signals) { player.stop() }
    player.finish(within: .milliseconds(500))
    if let failure { throw failure }
    return played
  }
}

extension Value {
  static func sound(_ name: String, _ path: String) -> Value {
    .table(["name": .string(name), "path": .string(path)])
  }
}
