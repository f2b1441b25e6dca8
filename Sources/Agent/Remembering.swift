// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's memory goes to the disk after every change of it. Where it cannot, the user is told,
// and it is tried again, less and less often. How the file is written is `DurableFile.swift`'s.

import Bus
import Files
import Language
import Notifications
import Persistence
import Presentation
import Scheduling
import System

/// The agent could not save its memory. What it does is done, but a restart would take it back.
struct Unsaved {
  /// How long the next attempt waits; an attempt is also made with each change, and at leaving.
  var delay: Duration = .seconds(1)
  var attempt: Source?

  static let longestDelay: Duration = .minutes(5)
}

extension Agent {
  static let unsavedNotice = "unsaved"

  /// Makes the state durable, and calls back once: when it is, or with what kept it from that, or
  /// when the disk has not answered for seven seconds. It is tried again then, less and less often.
  func remember(then done: @escaping (FileError?) -> Void = { _ in }) {
    // What it remembers of a hundred thousand alarms is gathered beside the main loop.
    let schedule = schedule
    var isDone = false
    let finish = { (problem: FileError?) in
      if !isDone { done(problem) }
      isDone = true
    }
    let limit = MainLoop.after(Self.replyPatience) { [path = locations.state] in
      finish(.noAnswer(path: path))
    }
    writer.write(Array(StateText.render(schedule.state).utf8), to: locations.state) {
      [weak self] result in
      var problem: FileError?
      if case .failure(let error) = result { problem = error }
      self?.attempted(problem)
      withExtendedLifetime(limit) { finish(problem) }
    }
    watchWriting()
  }

  /// Reports a disk that has not taken what was last to be remembered.
  private func watchWriting() {
    guard writing == nil else { return }
    writing = MainLoop.after(Self.writingPatience) { [weak self] in
      guard let self else { return }
      attempted(.noAnswer(path: locations.state))
    }
  }

  /// A command waits ten seconds for its reply.
  private static let replyPatience = Duration.seconds(7)
  /// A disk that spins up takes ten seconds.
  private static let writingPatience = Duration.seconds(15)

  private func attempted(_ problem: FileError?) {
    writing = nil
    guard let problem else {
      if unsaved != nil {
        Log.info("the state is saved again")
        untell(Self.unsavedNotice)
      }
      unsaved = nil
      return
    }
    if unsaved == nil {
      Log.error("the state is not saved: \(problem)")
      tell(Self.unsavedNotice) { $0.unsaved(problem) }
    }
    var unsaved = unsaved ?? Unsaved()
    if unsaved.attempt == nil {
      unsaved.attempt = MainLoop.after(unsaved.delay) { [weak self] in
        self?.unsaved?.attempt = nil
        self?.remember()
      }
      unsaved.delay = min(unsaved.delay * 2, Unsaved.longestDelay)
    }
    self.unsaved = unsaved
  }
}

/// What the agent before this one remembered.
nonisolated struct Memories: Sendable {
  var state = State()
  var settings: SettingsInForce?
  /// What was wrong with it, in words.
  var problem: Message?
  /// Whether the disk does not answer, and the agent goes on without.
  var isUnanswered = false

  /// Reads them beside the main loop, and calls `done` there, within two seconds of having a
  /// thread.
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
    settings = StateFile.settings(locations.settings)
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

extension Agent {
  /// Makes the settings in force durable, for an agent that starts while the config cannot be read.
  func rememberSettings() {
    let settings = SettingsInForce(configuration, of: locations.config)
    writer.write(Array(SettingsText.render(settings).utf8), to: locations.settings) { result in
      guard case .failure(let error) = result else { return }
      Log.warning("an agent could not start with these settings: \(error)")
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
        tr("belfry doctor tells more."),
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
  /// Replies that it is done, or that it is done and `problem` kept it from the disk.
  func reply(_ values: [Variant] = [], unless problem: FileError?) {
    guard let problem else { return reply(values) }
    let remedy =
      problem.isFull
      ? tr("make room, or see belfry doctor; it is saved as soon as that can be")
      : tr("see belfry doctor; it is saved as soon as that can be")
    fail(
      .notSaved,
      tr("done, but a restart will take it back, for it is not saved: \(problem)") + "\n"
        + tr("hint: \(remedy)"))
  }
}
