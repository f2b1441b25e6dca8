// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells the agent what the config says: once at the start, and again at every save. Threads read it
// and look at its path; a disk that does not answer within two seconds is an error of the config,
// and the config is read again when it answers. Next: `ConfigFile.swift`, the reading.

import Configuration
import Scheduling
import System

public final class ConfigSource {
  private let path: String
  private let sounds: SoundLibrary
  private let inForce: () -> Configuration
  private let onReading: (Reading?) -> Void
  private var watch: FileWatch?
  /// Of the calendars that it names, by their paths.
  private var calendars: [String: FileWatch] = [:]
  /// Called when the reading under way has been told of; nil: there is none.
  private var underway: [() -> Void]?
  /// The same for one more reading after it, because the file may have changed meanwhile. However
  /// often the file is saved, no more than one waits.
  private var next: [() -> Void]?
  /// Called when nothing that has happened to the files is still to be read, or at the latest after
  /// `longestWait`.
  private var waiting: [() -> Void] = []
  private var limit: Source?
  private var retry: Source?

  /// How long a caller who wants the settings as they are on disk waits for a disk that hangs.
  private static let longestWait = Duration.seconds(1)

  /// `onReading` is called on the main loop, with nil if there is no file; `inForce` returns the
  /// settings that stay in force where the file is wrong.
  public init(
    path: String, sounds: SoundLibrary, inForce: @escaping () -> Configuration,
    onReading: @escaping (Reading?) -> Void
  ) {
    (self.path, self.sounds) = (path, sounds)
    (self.inForce, self.onReading) = (inForce, onReading)
  }

  /// Reads the config as soon as it is watched, so that no save falls between the two; or at once
  /// if it cannot be watched.
  public func start() {
    do throws(FileError) {
      let read = { [weak self] in self?.read() ?? () }
      watch = try FileWatch(path: path, onWatching: read, onChange: read)
    } catch {
      Log.error("changes of \(path) will not be seen: \(error)")
      read()
    }
    // A disk that does not answer is reported by the reading.
    retry = MainLoop.after(Self.longestWait) { [weak self] in
      guard let self, watch?.isWatching == false else { return }
      read()
    }
  }

  /// Reads what it says now, and calls `done` once that has been told.
  public func read(then done: @escaping () -> Void = {}) {
    if underway == nil { begin([done]) } else { next = (next ?? []) + [done] }
  }

  private func begin(_ work: [() -> Void]) {
    underway = work
    if let problem = watch?.problem { Log.error("changes may not be seen: \(problem)") }
    let (path, sounds, inForce) = (path, sounds, inForce())
    let patience = Patience(onLateAnswer: { [weak self] in
      Worker.onMain { [weak self] in self?.read() }
    })
    Worker.once("config") { [weak self] in
      let calendars = CalendarFiles(sounds.locations, inForce: inForce, patience)
      var context = ConfigFile.context(sounds, calendars, patience)
      context.inForce = inForce
      let reading = ConfigFile.read(path, name: path, in: context, patience)
      let named = reading?.isTOML == true ? calendars.paths : nil
      Worker.onMain { [weak self, named, reading] in
        if let named { self?.watch(named) }
        self?.end(reading)
      }
    }
  }

  /// Watches the calendars that the config names. One that was not watched when it was read is read
  /// again: it may have changed in between.
  private func watch(_ named: [String]) {
    calendars = calendars.filter { named.contains($0.key) }
    for path in named where calendars[path] == nil {
      do throws(FileError) {
        let read = { [weak self] in self?.read() ?? () }
        calendars[path] = try FileWatch(path: path, onWatching: read, onChange: read)
      } catch {
        Log.warning("changes of \(path) will not be seen: \(error)")
      }
    }
  }

  private func end(_ reading: Reading?) {
    onReading(reading)
    let work = underway ?? []
    underway = nil
    if let next = next.take() { begin(next) }
    for item in work { item() }
    finishWaiting()
  }

  // MARK: - Waiting for what is on disk

  private var isBehind: Bool {
    underway != nil || watch?.isSettling == true || calendars.values.contains(where: \.isSettling)
  }

  /// Calls `work` when what is on disk now has been taken in: a caller who has just edited the
  /// config and asks the agent next is told of the edit.
  public func whenCurrent(_ work: @escaping () -> Void) {
    watch?.hurry()
    for calendar in calendars.values { calendar.hurry() }
    guard isBehind else { return work() }
    waiting.append(work)
    guard waiting.count == 1 else { return }
    limit = MainLoop.after(Self.longestWait) { [weak self] in self?.finishWaiting(atOnce: true) }
  }

  private func finishWaiting(atOnce: Bool = false) {
    guard atOnce || !isBehind else { return }
    let work = waiting
    (waiting, limit) = ([], nil)
    for item in work { item() }
  }
}
