// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's config on disk: read here, and watched while the agent runs. What is right and wrong
// in it is judged by the Configuration target; `ConfigEditor.swift` writes it.

import Configuration
import Scheduling
import System

public nonisolated enum ConfigFile {
  /// What there is to read.
  public enum Finding {
    case missing
    /// Somebody has it open for writing: what is there is not what it is to be.
    case unfinished
    case read(Reading, KnownText?)
  }

  /// Reads the config at `path` as it stands; nil where there is no such file. Diagnostics call it
  /// `name`.
  public static func read(
    _ path: String, name: String, sounds: SoundLibrary
  ) -> Reading? {
    let finding = read(path, name: name, in: context(sounds), knowing: nil, leastBytes: .max) {
      path, limit throws(FileError) in try DurableFile.read(path, limit: limit)
    }
    if case .read(let reading, _) = finding { return reading }
    return nil
  }

  /// The same by what is known of it from before, and what is known then. `read` gives nil for what is
  /// unfinished.
  static func read(
    _ path: String, name: String, in context: ReadingContext, knowing known: KnownText?,
    leastBytes: Int = KnownText.leastBytes,
    by read: (_ path: String, _ limit: Int) throws(FileError) -> [UInt8]?
  ) -> Finding {
    do throws(FileError) {
      guard let bytes = try read(path, Configuration.largestFile) else { return .unfinished }
      let (reading, known) = Configuration.read(
        bytes, file: name, in: context, knowing: known, leastBytes: leastBytes)
      return .read(reading, known)
    } catch {
      if error.isMissing { return .missing }
      let problem = Diagnostic(file: name, unreadable: UnreadableFile(error))
      return .read(Reading(unread: problem), known)
    }
  }

  static func context(_ sounds: SoundLibrary) -> ReadingContext {
    let cities = CityFile(sounds.locations)
    return ReadingContext(
      isKnownZone: Zones.exists, zoneNames: { Zones.names }, isKnownSound: sounds.exists,
      soundNames: { sounds.all().map(\.name) },
      cities: cities.find, cityNames: { cities.guesses },
      weekdays: WeekdayNames(localized: Locale.weekdayNames))
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
/// the main loop, where a slow disk or a hundred thousand alarms delay no ring.
public final class ConfigSource {
  private let path: String
  private let sounds: SoundLibrary
  private let worker = Worker(name: "config")
  private let inForce: () -> Configuration
  private let onReading: (ConfigFile.Finding) -> Void
  private var watch: FileWatch?
  /// What was read last.
  private var known: KnownText?
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
    let (path, sounds, inForce, known) = (path, sounds, inForce(), known)
    let isOpen = watch?.isOpen ?? false
    worker.perform {
      var context = ConfigFile.context(sounds)
      context.inForce = inForce
      let finding = ConfigFile.read(path, name: path, in: context, knowing: known) {
        path, limit throws(FileError) in
        try SharedFile.read(path, limit: limit, isOpen: isOpen)
      }
      Worker.onMain { [weak self] in
        self?.end(finding)
        // The memory of a hundred thousand alarms is not given back while a ring may be due.
        self?.worker.perform { withExtendedLifetime((inForce, known)) {} }
      }
    }
  }

  private func end(_ finding: ConfigFile.Finding) {
    switch finding {
    case .unfinished: watch?.tellAgain()
    case .missing: known = nil
    case .read(_, let known): self.known = known
    }
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
    if next != nil {
      next?.append(work)
    } else if underway != nil {
      underway?.append(work)
    } else {
      work()
    }
  }
}
