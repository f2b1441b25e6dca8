// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's config on disk: read here, and watched while the agent runs. What is right and wrong
// in it is judged by the Configuration target; `ConfigEditor.swift` writes it.

import Configuration
import Scheduling
import System

public nonisolated enum ConfigFile {
  /// Reads the config at `path` as it stands; nil if there is no such file. Diagnostics call it
  /// `name`, and `zone` stands in for the machine's.
  @Blocking public static func read(
    _ path: String, name: String, sounds: SoundLibrary, in zone: String? = nil
  ) -> Reading? {
    let patience = Patience()
    let calendars = CalendarFiles(sounds.locations, in: zone, patience)
    return read(path, name: name, in: context(sounds, calendars, patience), patience)
  }

  /// What is right in the config at `path`, whatever else is in it; the defaults if there is none.
  @Blocking public static func configuration(_ path: String, sounds: SoundLibrary) -> Configuration
  {
    read(path, name: "", sounds: sounds)?.configuration ?? Configuration()
  }

  @Blocking static func read(
    _ path: String, name: String, in context: ReadingContext, _ patience: Patience
  ) -> Reading? {
    do throws(FileError) {
      let bytes = try patience.wait(for: path) { () throws(FileError) in
        try DurableFile.read(path, limit: Configuration.largestFile)
      }
      return Configuration.read(bytes, file: name, in: context)
    } catch {
      if error.isMissing { return nil }
      return Reading(unread: Diagnostic(file: name, unreadable: UnreadableFile(error)))
    }
  }

  /// What a config refers to. Each answer may wait for a disk, as long as `patience` lasts: a
  /// context is made and used on one thread, which may wait.
  @Blocking static func context(
    _ sounds: SoundLibrary, _ calendars: CalendarFiles? = nil, _ patience: Patience = Patience()
  ) -> ReadingContext {
    let cities = CityFile(sounds.locations, patience)
    let calendars = calendars ?? CalendarFiles(sounds.locations, patience)
    var context = ReadingContext(isKnownZone: Zones.exists)
    context.zoneNames = { Zones.names }
    context.isKnownSound = { name in Blocking.here { sounds.exists(name, patience) } }
    context.soundNames = {
      let names = Blocking.here { try? patience.wait(for: "sounds") { sounds.all().map(\.name) } }
      return names ?? []
    }
    context.cities = { names in Blocking.here { cities.find(names) } }
    context.cityNames = { Blocking.here { cities.guesses } }
    context.weekdays = WeekdayNames(localized: Locale.weekdayNames)
    context.calendar = { name, zone in Blocking.here { calendars.calendar(name, zone) } }
    return context
  }
}

extension UnreadableFile {
  fileprivate nonisolated init(_ error: FileError) {
    switch error {
    case .system, .noAnswer: self = .failed(error.reason)
    case .notAFile(_, kind: "folder"): self = .directory
    case .notAFile(_, let kind): self = .special(kind: kind)
    case .tooLarge: self = .tooLarge
    }
  }
}
