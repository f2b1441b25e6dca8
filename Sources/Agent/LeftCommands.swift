// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ends the commands that an agent before this one left running when it was killed, so that nothing
// that accompanied a ring goes on after Stop. `Hooks.swift` starts those of this agent; which
// processes were left, `LeftCommand.swift` in System finds out.

import Scheduling
import System

final class LeftCommands {
  private let mark: CommandMark
  private var later: Source?
  private var force: Source?

  /// Commands of `on_stop` undo what a ring did, and do not run again: they keep the time they
  /// have.
  private static let patience = Hooks.Event.longestStop
  /// How long a process has to end by itself, and how often those are killed that start others.
  private static let grace = Duration.seconds(2)
  private static let rounds = 5

  init(_ mark: CommandMark) { self.mark = mark }

  /// Ends the commands of rings, and those of `on_stop` a minute later. Calls `begin` when the
  /// first have been told, so that the commands of this agent do not run beside them.
  func end(then begin: @escaping @MainActor @Sendable () -> Void) {
    end(sparingStop: true) { [weak self] others in
      begin()
      guard others > 0, let self else { return }
      later = MainLoop.after(Self.patience) { [weak self] in self?.end(sparingStop: false) }
    }
  }

  /// Asks the commands to end, kills those that are left after a while, and in later rounds those
  /// that they started meanwhile.
  ///
  /// - Parameters:
  ///   - sparingStop: Leaves the commands of `on_stop` alone.
  ///   - done: Called after the first round, with the number of commands left alone.
  private func end(
    sparingStop: Bool, round: Int = 0,
    then done: @escaping @MainActor @Sendable (_ others: Int) -> Void = { _ in }
  ) {
    Worker.once("left") { [weak self, mark] in
      let left = mark.leftBehind()
      let meant = left.filter { !sparingStop || !$0.isOfStop }
      for command in meant { command.end(byForce: round > 0) }
      Worker.onMain { [weak self, count = meant.count] in
        done(left.count - count)
        guard let self, count > 0 else { return }
        Log.info("commands of an agent before this one are ended: \(count) processes")
        if round == Self.rounds { return }
        force = MainLoop.after(Self.grace) { [weak self] in
          self?.end(sparingStop: sparingStop, round: round + 1)
        }
      }
    }
  }
}

extension LeftCommand {
  /// Whether it undoes what a ring did.
  fileprivate nonisolated var isOfStop: Bool {
    switch variables[Hooks.Event.variable].flatMap(Hooks.Event.init) {
    case .stop, .snooze, .missed: true
    case .before, .ring, nil: false
    }
  }
}
