// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry sounds add`: copies a file into the user's own sounds, so that alarms can use it by name.
// `SoundConversion.swift` converts a file that cannot be played as it is.

import ArgumentParser
import Configuration
import Doctor
import Files
import Language
import Presentation
import Sound
import System
import Values

struct SoundsAddCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: tr("Copy a sound file into your own sounds."),
    discussion: tr(
      """
      Afterwards alarms can use the sound by its name. A file that Belfry cannot play, such as an \
      M4A or WMA file, is converted with ffmpeg, if that program is installed.

      Examples:
        belfry sounds add ~/Music/rooster.ogg
        belfry sounds add ringtone.m4r --name Marimba
        belfry add 7:30 --sound Marimba
      """))

  @Argument(help: .tr("The sound file."), completion: .file())
  var file: String
  @Option(
    help: .tr(
      "The name of the sound. By default, the name of the file without its ending.",
      valueName: "name"))
  var name: String?
  @OptionGroup var output: OutputOption

  /// The size in bytes of the largest file that is copied as it is. A larger file would be read
  /// while it plays, so that a slow disk could disturb the ring.
  private static let largest = 64 << 20

  @MainActor func perform() throws {
    if Locations.isAddress(file) {
      let problem = Locations.problem(ofAddress: file)
      throw CommandFailure(tr(problem.message), hint: tr(problem.hint))
    }
    let (library, path) = (SoundLibrary(Locations()), Locations.fromHere(file))
    let isPlayable = try Self.isPlayable(path)
    let (ending, name) = (Self.ending(of: path), try name(of: path, library))
    let size = Disk.here { DurableFile.size(of: path, on: $0) } ?? 0
    let isCopied = isPlayable && SoundFolder.endings.contains(ending) && size <= Self.largest
    let target = Path.join(library.ownFolder, "\(name).\(isCopied ? ending : "ogg")")
    if isCopied {
      try Disk.here { disk in
        try DurableFile.replace(
          target, with: DurableFile.read(path, limit: Self.largest, on: disk), on: disk)
      }
    } else {
      try SoundConversion(path, largest: Self.largest).write(target)
    }
    if output.json {
      return Terminal.json(
        .table([
          "name": .string(name), "path": .string(target), "converted": .boolean(!isCopied),
        ]))
    }
    Terminal.printLine(
      isCopied ? tr("copied to \(target)") : tr("converted to \(target)"))
    Terminal.printLine(tr("to use it: belfry add 7:30 --sound \(Wording.shell(name))"))
  }

  /// Returns whether the file can be played as it is. Throws if it cannot be read, or if it has no
  /// sound.
  private static func isPlayable(_ path: String) throws(CommandFailure) -> Bool {
    do throws(SoundTrouble) {
      try Disk.here { disk throws(SoundTrouble) in
        try SoundCheck.requireSound(in: path, within: .seconds(5), on: disk)
      }
      return true
    } catch .file(.undecodable), .file(.unsuitable), .crashed {
      return false
    } catch { throw CommandFailure(Wording.trouble(error)) }
  }

  private static func ending(of path: String) -> String {
    let name = Path.name(of: path)
    return name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() } ?? ""
  }

  /// Returns the name of the new sound. Throws if the name cannot be the name of a file, or if
  /// there is a sound with that name.
  private func name(of path: String, _ library: SoundLibrary) throws -> String {
    let file = Path.name(of: path)
    let name = name ?? String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
    guard OutsideText.isFileName(name), OutsideText.isPrintable(name), name.utf8.count <= 200
    else {
      throw ValidationError(
        tr("\(TerminalText.quoted(name)) cannot be the name of a sound: choose one with --name."))
    }
    guard !Disk.here({ library.exists(name, Patience(), on: $0) }) else {
      throw CommandFailure(
        tr("there is already a sound \(TerminalText.quoted(name))"),
        hint: tr("choose another name with --name"))
    }
    return name
  }
}
