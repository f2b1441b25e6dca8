// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the state, the settings in force and the history, and reads the first two at the start. If
// the disk of the state does not answer, the agent starts without the state, and adds it when it
// has been read. If the state cannot be saved, it is saved again after ten seconds, at each change
// and when the agent exits. `DurableFile.swift` writes the files, and `StateText.swift` defines the
// format of the state. Next: `History.swift`.

import Configuration
import Files
import Language
import Persistence
import Scheduling
import System

final class Storage {
  enum Act {
    /// Saving the state has failed. This is reported once, until it has succeeded again.
    case failed(FileError)
    /// The state could be saved again.
    case recovered
    /// Save the state again, because the last attempt failed some time ago.
    case tryAgain
  }

  /// How long the disk may take to save the state. This is less than the ten seconds for which the
  /// command `belfry` waits for a reply of the agent.
  private static let diskPatience = Duration.seconds(7)
  private static let retryDelay = Duration.seconds(10)

  let history: History
  /// Whether the stored state has been read. Until then, nothing is written over it.
  var isRead = false
  /// A stored state that was read late. It takes effect when the schedule is configured next.
  var late: State?
  private let locations: Locations
  private let writer = DurableWriter { disk throws(FileError) in
    try FileLock.requireInPlace(on: disk)
  }
  private let onAct: (Act) -> Void
  /// The timer for the next attempt to save the state; nil if the last attempt succeeded.
  private var retry: Source?
  /// The settings in force that could not be saved; nil if they are saved.
  private var unsavedSettings: SettingsInForce?

  init(_ locations: Locations, onAct: @escaping (Act) -> Void) {
    (self.locations, self.onAct) = (locations, onAct)
    history = History(writer, path: locations.history)
  }

  /// Whether the last attempt to save the state has failed.
  var isUnsaved: Bool { retry != nil }

  /// Saves the state of `schedule`. Calls `done` once: with nil when the state is on the disk, or
  /// with the error if writing fails or takes too long.
  func save(_ schedule: Schedule, then done: @escaping (FileError?) -> Void) {
    guard isRead else { return done(.noAnswer(path: locations.state)) }
    var isDone = false
    let finish = { [weak self] (problem: FileError?) in
      self?.attempted(problem)
      if !isDone { done(problem) }
      isDone = true
    }
    let limit = MainLoop.after(Self.diskPatience) { [path = locations.state] in
      if !isDone { finish(.noAnswer(path: path)) }
    }
    // The writer's thread turns the schedule into text. Doing that here would take long for a
    // hundred thousand alarms.
    writer.write(Array(StateText.render(schedule.state).utf8), to: locations.state) { result in
      withExtendedLifetime(limit) {
        if case .failure(let error) = result { finish(error) } else { finish(nil) }
      }
    }
  }

  private func attempted(_ problem: FileError?) {
    guard let problem else {
      if isUnsaved {
        Log.info("the state is saved again")
        onAct(.recovered)
      }
      retry = nil
      if let unsavedSettings { save(unsavedSettings) }
      history.write()
      return
    }
    if !isUnsaved {
      Log.error("the state is not saved: \(problem)")
      onAct(.failed(problem))
    }
    retry = MainLoop.after(Self.retryDelay) { [weak self] in self?.onAct(.tryAgain) }
  }

  /// Saves the settings in force. An agent uses them if it starts while the config cannot be read.
  /// If this fails, the settings are saved again the next time that saving the state succeeds.
  func save(_ settings: SettingsInForce) {
    guard isRead else { return }
    unsavedSettings = nil
    writer.write(Array(SettingsText.render(settings).utf8), to: locations.settings) {
      [weak self] result in
      guard case .failure(let error) = result else { return }
      self?.unsavedSettings = settings
      Log.warning("the settings in force cannot be stored for the next start: \(error)")
    }
  }

  /// Writes once more what could not be written, at the end of the program.
  func writeRest() {
    if let unsavedSettings { save(unsavedSettings) }
    history.write()
  }

  /// Waits until everything is written, but at most for `limit`. Returns whether it is.
  func finish(within limit: Duration) -> Bool { writer.finish(within: limit) }
}

/// The stored state and settings, as they are read at the start.
nonisolated struct Memories: Sendable {
  var state = State()
  var settings: SettingsInForce?
  var configuration: Configuration?
  var problem: Message?

  /// How long the agent waits for its memories before it starts without them.
  static let patience = Duration.seconds(2)

  /// Reads the stored state and settings on another thread. Then calls `done` on the main loop,
  /// however long that takes.
  @MainActor static func read(
    _ locations: Locations, _ done: @escaping @MainActor (Memories) -> Void
  ) {
    Worker.once("state") { disk in
      let memories = Memories(at: locations, on: disk)
      Worker.onMain { done(memories) }
    }
  }
}

nonisolated extension Memories {
  fileprivate init(at locations: Locations, on disk: Disk) {
    self.init()
    do throws(FileError) { try DurableFile.closeFolder(locations.stateFolder, on: disk) } catch {
      Log.warning("other users may be able to read \(locations.stateFolder): \(error)")
    }
    settings = StateFile.settings(locations, on: disk)
    configuration = settings?.configuration(in: ConfigFile.contextOfCopies)
    // Without a limit: a disk that is only slow must not count as a state that cannot be read.
    (state, problem) = StateFile.read(locations.state, nil, on: disk)
    guard let problem else { return }
    do throws(FileError) {
      let kept = try StateFile.keep(locations.state, on: disk)
      self.problem = Message("\(problem); the old file is kept as \(kept)")
    } catch {
      self.problem = Message("\(problem); the old file could not be kept: \(error)")
    }
  }
}
