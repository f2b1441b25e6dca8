// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the desktop offers to the user: a button, an item of the panel's menu, an action of the
// launcher, a result of the search. All of them are operations of this one list. The bus service
// calls the same functions, which are in `RingOperations.swift`, `TimerOperations.swift` and
// `EditOperations.swift`.

import Configuration
import Files
import Presentation
import Scheduling
import System

/// Why an operation cannot be carried out.
nonisolated struct Refusal: Error {
  var failure: BusInterface.Failure
  var message: String

  init(_ failure: BusInterface.Failure, _ message: String) {
    (self.failure, self.message) = (failure, message)
  }
}

enum Operation: Hashable {
  /// An answer to what a notification shows.
  case answer(Event)
  /// Stops the alarm or timer with this id; without an id, everything that is ringing.
  case stop(String?)
  /// Snoozes everything that is ringing, each ring for its own length if none is given.
  case snooze(Duration?)
  /// Gives the same answer to everything that is ringing. Does nothing if nothing is ringing.
  case answerAll(RingAnswer)
  case startTimer(TimerRequest)
  case startAgain(RecentTimer)
  case addAlarm([ConfigEditor.Setting])
  case removeAlarm(String)
  case openConfig
  case showNextAlarm
}

/// An answer to a ring by a click on the icon in the panel, or by a media key.
enum RingAnswer: Hashable {
  case stop, silence
  /// Snoozes the ring for its own length, or silences a ring that cannot be snoozed.
  case snooze

  func event(for ring: OpenRing) -> Event {
    switch self {
    case .stop: .stop(ring.id)
    case .snooze where ring.canSnooze: .snooze(ring.id, ring.ownSnooze)
    case .silence, .snooze: .hush(ring.id)
    }
  }
}

extension Agent {
  /// Carries out an operation that the user has chosen. If it fails, shows a notification with the
  /// reason. Calls `done` at the end.
  func perform(_ operation: Operation, then done: @escaping @MainActor @Sendable () -> Void = {}) {
    // If the state cannot be saved, a notification of its own says so.
    let saved: (FileError?) -> Void = { _ in done() }
    do throws(Refusal) {
      switch operation {
      case .answer(.hush(let id)): silence(id, then: saved)
      case .answer(.skip(let id, let rings)):
        change(id, .skip(id, rings), then: saved) { $0() }
      case .answer(let event): apply(event, then: saved)
      case .stop(let id): try stop(id ?? "") { _, problem in saved(problem) }
      case .snooze(let length): try snooze("", length) { _, problem in saved(problem) }
      case .answerAll(let answer):
        apply(.answers(schedule.ringing.map(answer.event)), then: saved)
      case .startTimer(let request): try start(request) { _, problem in saved(problem) }
      case .startAgain(let recent): try startAgain(recent) { _, problem in saved(problem) }
      case .addAlarm(let settings):
        edit(.add(settings)) { [self] added in
          if let id = added?.names.first { reportAdded(id) }
          done()
        }
      case .removeAlarm(let id): edit(.remove([id])) { _ in done() }
      case .openConfig: openConfig(then: done)
      case .showNextAlarm:
        notify(LauncherService.notice) { $0.nextAlarm(overview, locations.config) }
        done()
      }
    } catch {
      reportFailure(error.message)
      done()
    }
  }

  /// Edits the config, and shows a notification if that fails. Calls `done` with what was edited;
  /// nil after a failure.
  private func edit(_ edit: ConfigEdit, then done: @escaping @MainActor @Sendable (Edited?) -> Void)
  {
    self.edit { _ in
      edit
    } then: { [self] result in
      if case .failure(let failure) = result { reportFailure("\(failure)") }
      done(try? result.get())
    }
  }

  func reportFailure(_ reason: String) {
    notify(LauncherService.notice) { $0.failed(reason) }
  }
}
