// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's config on disk: read here, and watched while the agent runs. What is right and wrong
// in it is judged by the Configuration target; it is never written.

import Configuration
import Desktop
import Scheduling

public nonisolated enum ConfigFile {
  /// Reads the config at `path`; nil where there is no such file. Diagnostics call it `name`.
  public static func read(_ path: String, name: String, sounds: SoundLibrary) -> Reading? {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try DurableFile.read(path, limit: Configuration.largestFile)
    } catch {
      if error.isMissing { return nil }
      return Reading(unread: Diagnostic(file: name, unreadable: UnreadableFile(error)))
    }
    return Configuration.read(bytes, file: name, in: context(sounds))
  }

  private static func context(_ sounds: SoundLibrary) -> ReadingContext {
    ReadingContext(
      isKnownZone: Zones.exists, zoneNames: { Zones.names }, isKnownSound: sounds.exists,
      soundNames: { sounds.all().map(\.name) },
      weekdays: WeekdayNames(localized: Locale.weekdayNames))
  }
}

extension UnreadableFile {
  fileprivate nonisolated init(_ error: FileError) {
    switch error {
    case .system(let error, _): self = .failed(error.text)
    case .notAFile(_, kind: "folder"): self = .directory
    case .notAFile(_, let kind): self = .failed("is a \(kind)")
    case .tooLarge: self = .tooLarge
    }
  }
}

/// Tells what the config says: once at the start, and again at every save. Reading is done beside
/// the main loop, where a slow disk or a hundred thousand alarms delay no ring.
public final class ConfigSource {
  private let path: String
  private let sounds: SoundLibrary
  private let worker = Worker(name: "belfry-config")
  private let onReading: (Reading?) -> Void
  private var watch: FileWatch?

  /// `onReading` is called on the main loop, with nil where there is no file.
  public init(path: String, sounds: SoundLibrary, onReading: @escaping (Reading?) -> Void) {
    (self.path, self.sounds, self.onReading) = (path, sounds, onReading)
  }

  public func start() {
    do throws(FileError) {
      watch = try FileWatch(path: path) { [weak self] in self?.read() }
    } catch {
      Log.error("changes of \(path) will not be seen: \(error)")
    }
    read()
  }

  private func read() {
    let (path, sounds) = (path, sounds)
    worker.perform {
      let reading = ConfigFile.read(path, name: path, sounds: sounds)
      Worker.onMain { [weak self] in self?.onReading(reading) }
    }
  }
}
