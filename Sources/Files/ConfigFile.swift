// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's config on disk: read here, and watched while the agent runs. What is right and wrong
// in it is judged by the Configuration target; `ConfigEditor.swift` writes it.

import Configuration
import Scheduling
import System

public nonisolated enum ConfigFile {
  /// What there is to read.
  public enum Finding: Sendable {
    case missing
    /// Somebody has it open for writing: what is there is not what it is to be.
    case unfinished
    /// `after`: what is to be taken for in force before, by an agent that has read nothing yet.
    case read(Reading, after: Configuration? = nil)
  }

  /// Reads the config at `path` as it stands; nil where there is no such file. Diagnostics call it
  /// `name`, and `zone` stands in for the machine's.
  public static func read(
    _ path: String, name: String, sounds: SoundLibrary, in zone: String? = nil
  ) -> Reading? {
    let context = context(sounds, CalendarFiles(sounds.locations, in: zone))
    let finding = read(name: name, in: context) { () throws(FileError) in
      try DurableFile.read(path, limit: Configuration.largestFile)
    }
    if case .read(let reading, _) = finding { return reading }
    return nil
  }

  /// What is right in the config at `path`, whatever else is in it; the defaults where there is none.
  public static func configuration(_ path: String, sounds: SoundLibrary) -> Configuration {
    read(path, name: "", sounds: sounds)?.configuration ?? Configuration()
  }

  /// `load` gives nil for what is unfinished.
  static func read(
    name: String, in context: ReadingContext, load: () throws(FileError) -> [UInt8]?
  ) -> Finding {
    do throws(FileError) {
      guard let bytes = try load() else { return .unfinished }
      return .read(Configuration.read(bytes, file: name, in: context))
    } catch {
      if error.isMissing { return .missing }
      let problem = Diagnostic(file: name, unreadable: UnreadableFile(error))
      return .read(Reading(unread: problem))
    }
  }

  static func context(
    _ sounds: SoundLibrary, _ calendars: CalendarFiles? = nil
  ) -> ReadingContext {
    let cities = CityFile(sounds.locations)
    let calendars = calendars ?? CalendarFiles(sounds.locations)
    var context = ReadingContext(isKnownZone: Zones.exists)
    context.zoneNames = { Zones.names }
    context.isKnownSound = sounds.exists
    context.soundNames = { sounds.all().map(\.name) }
    context.cities = cities.find
    context.cityNames = { cities.guesses }
    context.weekdays = WeekdayNames(localized: Locale.weekdayNames)
    context.calendar = calendars.calendar
    return context
  }
}

extension UnreadableFile {
  fileprivate nonisolated init(_ error: FileError) {
    switch error {
    case .system(let error, _): self = .failed(error.text)
    case .notAFile(_, kind: "folder"): self = .directory
    case .notAFile(_, let kind): self = .special(kind: kind)
    case .tooLarge: self = .tooLarge
    }
  }
}

/// Tells what the config says: once at the start, and again at every save. Reading is done beside
/// the main loop, where a slow disk or a long file delays no ring.
public final class ConfigSource {
  private let path: String
  private let sounds: SoundLibrary
  private let worker = Worker(name: "config")
  private let inForce: () -> Configuration
  private let onReading: (ConfigFile.Finding) -> Void
  private var watch: FileWatch?
  private var hasRead = false
  /// Of the calendars that it names, by their paths.
  private var calendars: [String: FileWatch] = [:]
  /// What is to be done when the reading under way has been told of; nil: there is none.
  private var underway: [() -> Void]?
  /// The same for one more after it, where the file may be another by now. However often somebody
  /// saves, no more are waiting.
  private var next: [() -> Void]?

  /// `onReading` is called on the main loop, and once more where that was unfinished and is not any
  /// more; `inForce` gives what stands for settings that are wrong.
  public init(
    path: String, sounds: SoundLibrary, inForce: @escaping () -> Configuration,
    onReading: @escaping (ConfigFile.Finding) -> Void
  ) {
    (self.path, self.sounds) = (path, sounds)
    (self.inForce, self.onReading) = (inForce, onReading)
  }

  public func start() {
    do throws(FileError) {
      watch = try FileWatch(path: path) { [weak self] in self?.read() }
    } catch {
      Log.error("changes of \(path) will not be seen: \(error)")
    }
    read()
  }

  /// Reads what it says now, and calls `done` once that has been told.
  public func read(then done: @escaping () -> Void = {}) {
    if underway == nil { begin([done]) } else { next = (next ?? []) + [done] }
  }

  private func begin(_ work: [() -> Void]) {
    underway = work
    if let problem = watch?.problem { Log.error("changes may not be seen: \(problem)") }
    let (path, sounds, inForce) = (path, sounds, inForce())
    let (isOpen, isFirst) = (watch?.isOpen ?? false, !hasRead)
    worker.perform {
      let copy = LastGoodConfig(sounds.locations)
      let calendars = CalendarFiles(sounds.locations)
      var context = ConfigFile.context(sounds, calendars)
      context.inForce = inForce
      var bytes: [UInt8]?
      var finding = ConfigFile.read(name: path, in: context) { () throws(FileError) in
        bytes = try SharedFile.read(path, limit: Configuration.largestFile, isOpen: isOpen)
        return bytes
      }
      if isFirst, case .read(let reading, _) = finding, reading.hasErrors,
        let earlier = copy.configuration(in: context)
      {
        // A setting that is wrong has the value that it had.
        context.inForce = earlier
        let again = bytes.map { Configuration.read($0, file: path, in: context) }
        finding = .read(again ?? reading, after: earlier)
      }
      var named: [String]?
      if case .read(let reading, _) = finding, reading.isTOML {
        calendars.remember()
        named = calendars.paths
      }
      Worker.onMain { [weak self, named, finding] in
        if let named { self?.watch(named) }
        self?.end(finding)
      }
      // Last: an edit waits for no disk.
      if case .read(let reading, _) = finding, !reading.hasErrors, let bytes { copy.keep(bytes) }
    }
  }

  /// Watches the calendars that the config names. One that was not watched when it was read is read
  /// again: it may have changed in between.
  private func watch(_ named: [String]) {
    calendars = calendars.filter { named.contains($0.key) }
    for path in named where calendars[path] == nil {
      do throws(FileError) {
        calendars[path] = try FileWatch(path: path) { [weak self] in self?.read() }
        if next == nil { next = [] }
      } catch {
        Log.warning("changes of \(path) will not be seen: \(error)")
      }
    }
  }

  private func end(_ finding: ConfigFile.Finding) {
    if case .unfinished = finding { watch?.tellAgain() } else { hasRead = true }
    onReading(finding)
    let work = underway ?? []
    underway = nil
    if let next = next.take() { begin(next) }
    for item in work { item() }
  }

  /// Calls `work` when what is on disk now has been taken in: who has just edited the config and
  /// asks the agent next, is told of what was edited.
  public func whenCurrent(_ work: @escaping () -> Void) {
    watch?.hurry()
    for calendar in calendars.values { calendar.hurry() }
    if next != nil {
      next?.append(work)
    } else if underway != nil {
      underway?.append(work)
    } else {
      work()
    }
  }
}
