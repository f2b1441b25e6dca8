// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the user's config from disk. The Configuration target checks the config,
// `ConfigSource.swift` reads it for the agent, and `ConfigEditor.swift` writes it.

import Configuration
import Scheduling
import System

public nonisolated enum ConfigFile {
  /// Reads the config at `path`; returns nil if there is no such file. `name` is the config's name
  /// in diagnostics. `zone` replaces the machine's time zone.
  @Blocking public static func read(
    _ path: String, name: String, sounds: SoundLibrary, in zone: String? = nil
  ) -> Reading? {
    let patience = Patience()
    let calendars = CalendarFiles(sounds.locations, in: zone, patience)
    return read(path, name: name, in: context(sounds, calendars, patience), patience)
  }

  /// Reads a config that is not on disk. A relative name in it is looked up beside the config.
  @Blocking public static func read(
    text: [UInt8], name: String, sounds: SoundLibrary
  ) -> Reading {
    let patience = Patience()
    let calendars = CalendarFiles(sounds.locations, in: nil, patience)
    return Configuration.read(text, file: name, in: context(sounds, calendars, patience))
  }

  /// Reads the config, and returns the settings in force after it, as the agent has them: an alarm
  /// or timer with an error keeps the settings that the agent stored, and all settings stay if the
  /// config is missing or cannot be read. The reading is nil if there is no config.
  @Blocking public static func readInForce(
    name: String, sounds: SoundLibrary, in zone: String? = nil
  ) -> (reading: Reading?, inForce: Configuration) {
    let (patience, locations) = (Patience(), sounds.locations)
    // The stored settings have a patience of their own: their disk may hang, and not the config's.
    let settings = StateFile.settings(locations, Patience())
    let stored = settings?.configuration(in: contextOfCopies) ?? Configuration()
    let calendars = CalendarFiles(
      locations, in: zone, inForce: settings?.calendars ?? [], patience)
    var context = context(sounds, calendars, patience)
    context.inForce = stored
    let reading = read(locations.config, name: name, in: context, patience)
    return (reading, reading.map(stored.replaced) ?? stored)
  }

  @Blocking static func read(
    _ path: String, name: String, in context: ReadingContext, _ patience: Patience
  ) -> Reading? {
    do throws(FileError) {
      let bytes = try patience.read(path, limit: Configuration.largestFile)
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
  /// Each lookup waits for a disk as long as `patience` lasts, so use the context on a thread that
  /// may block. Use it only on the thread that made it, because the calendars are kept without a
  /// lock.
  @Blocking static func context(
    _ sounds: SoundLibrary, _ calendars: CalendarFiles? = nil, _ patience: Patience = Patience()
  ) -> ReadingContext {
    let cities = CityFile(sounds.locations, patience)
    let calendars = calendars ?? CalendarFiles(sounds.locations, patience)
    var context = contextOfCopies
    context.zoneNames = { ZoneFiles().names }
    context.isKnownSound = { name in Blocking.here { sounds.exists(name, patience) } }
    context.soundProblem = { name in Blocking.here { sounds.problem(of: name, patience) } }
    context.soundNames = {
      let names = Blocking.here { try? patience.wait(for: "sounds") { sounds.all().map(\.name) } }
      return names ?? []
    }
    context.cities = { names in
      Blocking.here { try? patience.wait(for: "cities") { cities.find(names) } } ?? nil
    }
    context.cityNames = {
      Blocking.here { try? patience.wait(for: "cities") { cities.guesses } } ?? []
    }
    context.calendar = { name, zone in Blocking.here { calendars.calendar(name, zone) } }
    context.unreadCalendars = { name, zone in Blocking.here { calendars.unread(name, zone) } }
    context.calendarRemarks = { calendars.remarks(of: $0) }
    return context
  }
}
