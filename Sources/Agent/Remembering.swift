// SPDX-License-Identifier: GPL-3.0-or-later
//
// Saves the agent's state after every change, and reads it when the agent starts. If the disk of
// the state does not answer, the agent starts without the state, and adds it when it has been read.
// If the state cannot be saved, the user is warned, and the agent tries again every ten seconds, at
// each change, and when it exits. Also appends a line to the history for each ring.
// `DurableFile.swift` writes the files, `StateText.swift` defines the format of the state, and
// `Outcome.swift` in the core lists the ways in which a ring can end.

import Bus
import Configuration
import Files
import Language
import Notifications
import Persistence
import Presentation
import Scheduling
import System

extension Agent {
  static let unsavedNotice = "unsaved"
  static let setAsideNotice = "set-aside"

  /// How long the disk may take to save the state. This is less than the ten seconds for which the
  /// command `belfry` waits for a reply of the agent.
  private static let diskPatience = Duration.seconds(7)
  private static let retryDelay = Duration.seconds(10)

  /// Saves the state. Calls `done` once: with nil when the state is on the disk, or with the error
  /// if writing fails or takes too long.
  ///
  /// As long as the stored state has not been read, nothing is written over it.
  func remember(then done: @escaping (FileError?) -> Void = { _ in }) {
    guard isStateRead else { return done(.noAnswer(path: locations.state)) }
    // Keep a copy of the schedule: the writer's thread turns it into text later. Doing that here
    // would take long for a hundred thousand alarms.
    let schedule = schedule
    var isDone = false
    let finish = { [weak self] (problem: FileError?) in
      self?.attempted(problem)
      if !isDone { done(problem) }
      isDone = true
    }
    let limit = MainLoop.after(Self.diskPatience) { [path = locations.state] in
      if !isDone { finish(.noAnswer(path: path)) }
    }
    writer.write(Array(StateText.render(schedule.state).utf8), to: locations.state) { result in
      withExtendedLifetime(limit) {
        if case .failure(let error) = result { finish(error) } else { finish(nil) }
      }
    }
  }

  private func attempted(_ problem: FileError?) {
    guard let problem else {
      if unsaved != nil {
        Log.info("the state is saved again")
        notifier.withdraw(Self.unsavedNotice)
      }
      unsaved = nil
      if areSettingsUnsaved { rememberSettings() }
      history.write()
      return
    }
    if unsaved == nil {
      Log.error("the state is not saved: \(problem)")
      notify(Self.unsavedNotice) { $0.unsaved(problem) }
    }
    unsaved = MainLoop.after(Self.retryDelay) { [weak self] in self?.remember() }
  }

  /// Says that the stored state was set aside after repeated crashes.
  func reportSetAside(_ paths: [String]) {
    Log.error(
      "the last two agents crashed soon after their start, so this one starts without their "
        + "state, which is kept as \(paths.joined(separator: " and "))")
    notify(Self.setAsideNotice) { $0.setAside(paths) }
  }

  /// Saves the settings in force. An agent uses them if it starts while the config cannot be read.
  /// If this fails, the settings are saved again the next time that saving the state succeeds.
  func rememberSettings() {
    guard isStateRead else { return }
    let settings = settings
    areSettingsUnsaved = false
    writer.write(Array(SettingsText.render(settings).utf8), to: locations.settings) {
      [weak self] result in
      guard case .failure(let error) = result else { return }
      self?.areSettingsUnsaved = true
      Log.warning("the settings in force cannot be stored for the next start: \(error)")
    }
  }
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
    Worker.once("state") {
      let memories = Memories(at: locations)
      Worker.onMain { done(memories) }
    }
  }
}

nonisolated extension Memories {
  @Blocking fileprivate init(at locations: Locations) {
    self.init()
    do throws(FileError) { try DurableFile.closeFolder(locations.stateFolder) } catch {
      Log.warning("other users may be able to read \(locations.stateFolder): \(error)")
    }
    settings = StateFile.settings(locations)
    configuration = settings?.configuration(in: ConfigFile.contextOfCopies)
    // Without a limit: a disk that is only slow must not count as a state that cannot be read.
    (state, problem) = StateFile.read(locations.state, nil)
    guard let problem else { return }
    do throws(FileError) {
      let kept = try StateFile.keep(locations.state)
      self.problem = Message("\(problem); the old file is kept as \(kept)")
    } catch {
      self.problem = Message("\(problem); the old file could not be kept: \(error)")
    }
  }
}

extension Wording {
  func unremembered() -> NotificationContent {
    notice(
      tr("Timers and snoozes cannot be read yet"),
      [
        tr("The saved state is on a disk that does not respond. Alarms ring as the config says."),
        tr("More: “belfry doctor”"),
      ], isPersistent: true)
  }

  func setAside(_ paths: [String]) -> NotificationContent {
    notice(
      tr("Timers and snoozes were set aside"),
      [
        tr("Belfry crashed twice in a row. Alarms ring as the config says."),
        tr("The old state is kept: \(paths.joined(separator: ", "))"),
      ], isPersistent: true)
  }

  func unsaved(_ problem: FileError) -> NotificationContent {
    notice(
      tr("The state of alarms cannot be saved"),
      [
        tr("A restart would forget what was stopped or snoozed: \(problem)"),
        tr("More: “belfry doctor”"),
      ], isPersistent: true)
  }
}

extension Bus.Call {
  /// Replies that the call succeeded. If there is a `problem`, replies with an error instead, which
  /// says that the change was made but could not be saved.
  func reply(_ values: [Variant] = [], unless problem: FileError?) {
    guard let problem else { return reply(values) }
    let remedy =
      problem.isFull
      ? tr("free some disk space, or run belfry doctor; Belfry saves as soon as it can")
      : tr("run belfry doctor; Belfry saves as soon as it can")
    fail(
      .notSaved,
      tr("done, but not saved, so a restart will undo it: \(problem)") + "\n"
        + tr("hint: \(remedy)"))
  }
}

/// Appends a line to the history for each ring when it ends. `HeardRings.swift` makes the lines. If
/// the history cannot be written, the ring goes on as usual, and the line is written later: with
/// the next line, or when the state is saved again.
final class History {
  var rings = HeardRings()
  private let writer: DurableWriter
  private let path: String
  /// The lines that are not on the disk yet, oldest first.
  private var lines: [String] = []
  private var isWriting = false
  private var hasComplained = false
  /// How many lines wait at most; further ones are lost.
  private static let mostLines = 1000

  init(_ writer: DurableWriter, path: String) { (self.writer, self.path) = (writer, path) }

  func ended(_ outcome: Outcome, _ zones: Zones) {
    guard let line = rings.ended(outcome) else { return }
    if lines.count < Self.mostLines { lines.append(line.json(in: zones)) }
    write()
  }

  /// Writes the lines that are not on the disk yet.
  func write() {
    guard !isWriting, !lines.isEmpty else { return }
    isWriting = true
    let (count, text) = (lines.count, lines.joined(separator: "\n"))
    writer.append(text, to: path, limit: HistoryText.limit) { [weak self] result in
      guard let self else { return }
      isWriting = false
      switch result {
      case .success:
        lines.removeFirst(count)
        hasComplained = false
        write()
      case .failure(let error):
        if !hasComplained { Log.warning("the history is not kept: \(error)") }
        hasComplained = true
      }
    }
  }
}
