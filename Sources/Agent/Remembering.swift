// SPDX-License-Identifier: GPL-3.0-or-later
//
// Saves the agent's state after every change, and reads it at the start. If the state cannot be
// saved, the user is warned and the agent tries again: after a while, at each change, and at its
// end. `DurableFile.swift` writes the file, `StateText.swift` defines its format.

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

  /// How long the disk may take to save the state. The command `belfry` waits ten seconds for a
  /// reply from the agent.
  private static let diskPatience = Duration.seconds(7)
  private static let retryDelay = Duration.seconds(10)

  /// Saves the state. Calls `done` once: with nil when the state is on the disk, or with the error
  /// if writing fails or takes too long.
  func remember(then done: @escaping (FileError?) -> Void = { _ in }) {
    // Keep a copy: the writer's thread turns the state into text, which takes long for a hundred
    // thousand alarms.
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
      return
    }
    if unsaved == nil {
      Log.error("the state is not saved: \(problem)")
      show(Self.unsavedNotice) { $0.unsaved(problem) }
    }
    unsaved = MainLoop.after(Self.retryDelay) { [weak self] in self?.remember() }
  }

  /// Saves the settings in force, for an agent that starts while the config cannot be read.
  func rememberSettings() {
    guard let settings else { return }
    writer.write(Array(SettingsText.render(settings).utf8), to: locations.settings) { result in
      guard case .failure(let error) = result else { return }
      Log.warning("an agent could not start with these settings: \(error)")
    }
  }
}

nonisolated struct Memories: Sendable {
  var state = State()
  var settings: SettingsInForce?
  var configuration: Configuration?
  var problem: Message?
  /// Whether the agent starts without a stored state because the disk does not answer.
  var isUnanswered = false

  /// Reads the files on another thread, for at most two seconds, then calls `done` on the main
  /// loop.
  @MainActor static func read(
    _ locations: Locations, _ done: @escaping @MainActor (Memories) -> Void
  ) {
    Worker.once("state") {
      let memories = read(locations)
      Worker.onMain { done(memories) }
    }
  }

  @Blocking private static func read(_ locations: Locations) -> Memories {
    let patience = Patience()
    do throws(FileError) {
      return try patience.wait(for: locations.stateFolder) { Memories(at: locations) }
    } catch {
      return Memories(problem: error.message, isUnanswered: true)
    }
  }

  private init(problem: Message?, isUnanswered: Bool = false) {
    (self.problem, self.isUnanswered) = (problem, isUnanswered)
  }

  @Blocking private init(at locations: Locations) {
    do throws(FileError) { try DurableFile.closeFolder(locations.stateFolder) } catch {
      Log.warning("others may look into \(locations.stateFolder): \(error)")
    }
    settings = StateFile.settings(locations)
    configuration = settings?.configuration(in: ConfigFile.contextOfCopies)
    (state, problem) = StateFile.read(locations.state)
    guard let problem else { return }
    do throws(FileError) {
      let kept = try StateFile.keep(locations.state)
      self.problem = Message("\(problem); it is kept as \(kept)")
    } catch {
      self.problem = Message("\(problem); it could not be kept: \(error)")
    }
  }
}

extension Wording {
  func unremembered() -> NotificationContent {
    notice(
      tr("Timers and snoozes may be lost"),
      [
        tr(
          "What Belfry remembers is on a disk that does not answer. Alarms ring as in the config."),
        tr("More: “belfry doctor”"),
      ], isPersistent: true)
  }

  func unsaved(_ problem: FileError) -> NotificationContent {
    notice(
      tr("Alarms cannot be remembered"),
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
      ? tr("make room, or see belfry doctor; it is saved as soon as that is possible")
      : tr("see belfry doctor; it is saved as soon as that is possible")
    fail(
      .notSaved,
      tr("done, but not saved, so a restart will undo it: \(problem)") + "\n"
        + tr("hint: \(remedy)"))
  }
}
