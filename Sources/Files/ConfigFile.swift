// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the user's config from disk. The Configuration target checks the config,
// `ConfigSource.swift` reads it for the agent, and `ConfigEditor.swift` writes it.

import Configuration
import Scheduling
import System

/// The config, and the settings in force after it was read.
public struct ConfigInForce: Sendable {
  /// Nil if there is no file.
  public let reading: Reading?
  /// When the file was saved; nil if that is not known.
  public var saved: Instant?
  /// Whether the file has only just gone. Some programs delete a file before they write it anew, so
  /// all settings stay for a moment.
  var isGoing = false
  /// The settings to store, and to begin with when the config is read again.
  public var settings: SettingsInForce
  /// The settings in force, as values.
  public var configuration: Configuration

  /// The alarms that do not ring because the file is gone.
  public var lostAlarms: [Alarm] { settings.lostAlarms(in: ConfigFile.contextOfCopies) }
}

public enum ConfigFile {
  /// How long the config may be missing before nothing is in force.
  static let goneFor = Duration.seconds(2)

  /// Reads the config at `path`; returns nil if there is no such file. `name` is the config's name
  /// in diagnostics. `zone` replaces the machine's time zone.
  public static func read(
    _ path: String, name: String, sounds: SoundLibrary, in zone: String? = nil, on disk: Disk
  ) -> Reading? {
    let patience = Patience()
    let calendars = CalendarFiles(sounds.locations, in: zone, patience)
    return read(
      path, name: name, in: context(sounds, calendars, patience, on: disk), patience, on: disk)
  }

  /// Reads a config that is not on disk. A relative name in it is looked up beside the config.
  public static func read(
    text: [UInt8], name: String, sounds: SoundLibrary, on disk: Disk
  ) -> Reading {
    let patience = Patience()
    let calendars = CalendarFiles(sounds.locations, in: nil, patience)
    return Configuration.read(text, file: name, in: context(sounds, calendars, patience, on: disk))
  }

  /// Reads the config, and returns the settings in force after it, as the agent has them.
  public static func readInForce(
    name: String, sounds: SoundLibrary, in zone: String? = nil, on disk: Disk
  ) -> ConfigInForce {
    let (patience, locations) = (Patience(), sounds.locations)
    // The stored settings have a patience of their own: their disk may hang, and not the config's.
    let stored = StateFile.settings(locations, Patience(), on: disk)
    let former = stored ?? SettingsInForce(of: locations.config)
    let calendars = CalendarFiles(locations, in: zone, inForce: former.calendars, patience)
    return read(
      name: name, after: former, context(sounds, calendars, patience, on: disk), patience, on: disk)
  }

  /// Reads the config, if `former` are the settings in force before.
  static func read(
    name: String, after former: SettingsInForce, _ context: ReadingContext, _ patience: Patience,
    on disk: Disk
  ) -> ConfigInForce {
    let path = former.config
    // Ask for the time first: if the file is saved before it is read, it is read again.
    let saved = try? patience.wait(for: path, on: disk) { DurableFile.saved(path, on: $0) }
    if let reading = read(path, name: name, in: context, patience, on: disk) {
      let (settings, configuration) = former.replaced(by: reading, in: contextOfCopies)
      return ConfigInForce(
        reading: reading, saved: saved ?? nil, settings: settings, configuration: configuration)
    }
    var read = ConfigInForce(
      reading: nil, settings: former, configuration: former.configuration(in: contextOfCopies))
    // If the folder is missing as well, or the path is a link, the file is probably on a disk that
    // is not there at the moment. Then all settings stay. Nothing is lost if there never was a
    // file.
    let folder = Path.folder(of: path)
    let age = try? patience.wait(for: folder, on: disk) { disk -> Bool? in
      guard Path.link(at: path, on: disk) == nil else { return nil }
      return Folder.wasChanged(folder, within: goneFor, on: disk)
    }
    if let isRecent = age ?? nil, !former.isGone, !former.text.isEmpty {
      read.isGoing = isRecent
      read.settings.isGone = !isRecent
      if read.settings.isGone { read.configuration = Configuration() }
    }
    return read
  }

  /// Writes the settings that were last in force to the config again. Returns false, and changes
  /// nothing, if the config is there.
  public static func restore(_ settings: SettingsInForce, on disk: Disk) throws(FileError) -> Bool {
    try create(settings.config, Array(settings.text.utf8), on: disk)
  }

  /// Makes the config at `path`. Returns false, and changes nothing, if the config is there, or if
  /// another program is making it now.
  public static func create(
    _ path: String, _ text: [UInt8], on disk: Disk
  ) throws(FileError) -> Bool {
    var isMade = false
    do throws(SharedFile.Failure<Never>) {
      try SharedFile.revise(path, limit: Configuration.largestFile, on: disk) { bytes in
        isMade = bytes == nil
        return isMade ? text : nil
      }
    } catch {
      switch error {
      case .file(let error): throw error
      case .busy: return false
      }
    }
    return isMade
  }

  static func read(
    _ path: String, name: String, in context: ReadingContext, _ patience: Patience, on disk: Disk
  ) -> Reading? {
    do throws(FileError) {
      let bytes = try patience.read(path, limit: Configuration.largestFile, on: disk)
      return Configuration.read(bytes, file: name, in: context)
    } catch {
      if error.isMissing { return nil }
      return Reading(unread: Diagnostic(file: name, unreadable: error.reason))
    }
  }

  /// Returns a context for reading copies of a config. The context looks up no files except those
  /// of time zones.
  public static var contextOfCopies: ReadingContext {
    var context = ReadingContext(isKnownZone: Zones.exists)
    context.weekdays = WeekdayNames(localized: Locale.typedWeekdays)
    return context
  }

  /// Returns a context that looks up the zones, sounds, cities and calendars that a config names.
  /// Each lookup waits for a disk as long as `patience` lasts, so the context keeps `disk`. Use it
  /// only on the thread that made it, because the calendars are kept without a lock.
  static func context(
    _ sounds: SoundLibrary, _ calendars: CalendarFiles? = nil, _ patience: Patience = Patience(),
    on disk: Disk
  ) -> ReadingContext {
    let cities = CityFile(sounds.locations, patience, on: disk)
    let calendars = calendars ?? CalendarFiles(sounds.locations, patience)
    var context = contextOfCopies
    context.zoneNames = { ZoneFiles().names }
    context.isKnownSound = { sounds.exists($0, patience, on: disk) }
    context.soundProblem = { sounds.problem(of: $0, patience, on: disk) }
    context.soundNames = {
      let names = try? patience.wait(for: "sounds", on: disk) { sounds.all(on: $0).map(\.name) }
      return names ?? []
    }
    context.cities = { names in
      (try? patience.wait(for: "cities", on: disk) { cities.find(names, on: $0) }) ?? nil
    }
    context.cityNames = {
      (try? patience.wait(for: "cities", on: disk) { cities.guesses(on: $0) }) ?? []
    }
    context.calendar = { calendars.calendar($0, $1, on: disk) }
    context.unreadCalendars = { calendars.unread($0, $1, on: disk) }
    context.calendarRemarks = { calendars.remarks(of: $0) }
    return context
  }
}
