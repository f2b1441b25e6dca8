// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the config for the agent, once at the start and again after every save. The reading runs on
// a worker thread. If a disk does not answer within two seconds, this is reported as an error of
// the config, and the config is read again when the disk answers. Next: `ConfigFile.swift`.

import Configuration
import Scheduling
import System

@MainActor public final class ConfigSource {
  private let path: String
  private let sounds: SoundLibrary
  private let inForce: () -> SettingsInForce
  private let onReading: (ConfigInForce) -> Void
  /// The file watches of the config and of the calendars that it names, by path.
  private var watches: [String: FileWatch] = [:]
  /// The functions to call after the current reading; nil if no reading is in progress.
  private var underway: [() -> Void]?
  /// The functions to call after the next reading, which is needed because the file may have
  /// changed during the current one. Nil if no further reading is needed. Only one further reading
  /// follows, however often the file is saved.
  private var next: [() -> Void]?
  /// The functions to call when all changes of the files have been read, or after `longestWait`.
  private var waiting: [() -> Void] = []
  private var limit: Source?
  private var retry: Source?
  /// Whether changes of the files may go unseen. This is logged only once.
  private var isBlind = false
  private var attempt: Source?
  /// The next reading of a config that has only just gone.
  private var again: Source?

  /// How long a caller of `whenCurrent` waits if the disk hangs.
  private static let longestWait = Duration.seconds(1)
  /// How long to wait before trying again to watch the files. All programs of the user share the
  /// limit of watches, so another program may have freed some by then.
  private static let blindWait = Duration.seconds(30)

  /// `inForce` returns the settings that were last in force. `onReading` is called on the main loop
  /// with the settings in force after each reading.
  public init(
    path: String, sounds: SoundLibrary, inForce: @escaping () -> SettingsInForce,
    onReading: @escaping (ConfigInForce) -> Void
  ) {
    (self.path, self.sounds) = (path, sounds)
    (self.inForce, self.onReading) = (inForce, onReading)
  }

  /// Starts to watch the config and then reads it, so that every later save is noticed. If the
  /// config cannot be watched, it is read at once.
  public func start() {
    watch([path])
    if watches.isEmpty { read() }
    // Read the config after `longestWait`, even if the watch has not begun. If the disk does not
    // answer, the reading reports this.
    retry = MainLoop.after(Self.longestWait) { [weak self] in
      guard let self, watches[path]?.isWatching == false else { return }
      read()
    }
  }

  /// Reads the config, and calls `done` after `onReading`.
  public func read(then done: @escaping () -> Void = {}) {
    if underway == nil { begin([done]) } else { next = (next ?? []) + [done] }
  }

  private func begin(_ work: [() -> Void]) {
    underway = work
    for problem in watches.values.compactMap(\.problem) where !isBlind {
      Log.error("changes of a file may not be noticed: \(problem)")
    }
    let (path, sounds) = (path, sounds)
    let former = inForce()
    let patience = Patience(onLateAnswer: { [weak self] in
      Worker.onMain { [weak self] in self?.read() }
    })
    Worker.once("config") { [weak self] disk in
      let calendars = CalendarFiles(sounds.locations, inForce: former.calendars, patience)
      let context = ConfigFile.context(sounds, calendars, patience, on: disk)
      let read = ConfigFile.read(name: path, after: former, context, patience, on: disk)
      let named = read.reading?.isTOML == true ? [path] + calendars.paths : nil
      Worker.onMain { [weak self] in
        self?.watch(named)
        self?.end(read)
      }
    }
  }

  /// Watches the files at `paths`, and no others; if `paths` is nil, the config and the files that
  /// are watched now. When the watch of a new file has begun, the config and its calendars are read
  /// again, because the file may have changed before.
  private func watch(_ paths: [String]?) {
    let paths = Set(paths ?? [path] + watches.keys)
    watches = watches.filter { paths.contains($0.key) }
    for path in paths where watches[path] == nil {
      do throws(FileError) {
        let read = { [weak self] in self?.read() ?? () }
        watches[path] = try FileWatch(path: path, onWatching: read, onChange: read)
      } catch {
        if !isBlind { Log.error("changes of \(path) will not be seen: \(error)") }
      }
    }
    isBlind = watches.count < paths.count || watches.values.contains { $0.problem != nil }
    if !isBlind { attempt = nil }
    guard isBlind, attempt == nil else { return }
    attempt = MainLoop.after(Self.blindWait) { [weak self] in self?.watchAgain() }
  }

  /// Tries again to watch the files, and reads them, since they may have changed unseen.
  private func watchAgain() {
    attempt = nil
    watches = watches.filter { $0.value.problem == nil }
    read()
  }

  private func end(_ read: ConfigInForce) {
    again = read.isGoing ? MainLoop.after(ConfigFile.goneFor) { [weak self] in self?.read() } : nil
    onReading(read)
    let work = underway ?? []
    underway = nil
    if let next = next.take() { begin(next) }
    for item in work { item() }
    finishWaiting()
  }

  // MARK: - Waiting for the latest settings

  private var isBehind: Bool {
    underway != nil || watches.values.contains(where: \.isSettling)
  }

  /// Calls `work` when the agent knows the current content of the config, at the latest after
  /// `longestWait`. If a command has edited the config and then asks the agent, the answer
  /// therefore includes the edit, unless the disk hangs.
  public func whenCurrent(_ work: @escaping () -> Void) {
    for watch in watches.values { watch.hurry() }
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
