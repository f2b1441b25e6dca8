// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ends the commands that an earlier agent left running when it was killed, so that no command of a
// ring goes on after Stop. `LeftCommand.swift` in System finds these processes; `Hooks.swift` runs
// the commands of this agent.

import Scheduling
import System

final class LeftCommands {
  private let mark: CommandMark
  private var later: Source?
  private var force: Source?

  /// How long the `on_stop` commands of an earlier agent may go on. They undo the effects of a
  /// ring, and this agent does not run them again.
  private static let patience = Hooks.Event.longestStop
  /// How long a process has to end by itself before it is killed.
  private static let grace = Duration.seconds(2)
  /// How many times to look for remaining processes and kill them. More than one time is needed,
  /// because a process may start others before it is killed.
  private static let rounds = 5

  init(_ mark: CommandMark) { self.mark = mark }

  /// Ends the commands of rings, and a minute later the commands of `on_stop`. Calls `begin` when
  /// the commands of rings have been asked to end, so that this agent's commands do not run beside
  /// them.
  func end(then begin: @escaping @MainActor @Sendable () -> Void) {
    end(sparingStop: true) { [weak self] others in
      begin()
      guard others > 0, let self else { return }
      later = MainLoop.after(Self.patience) { [weak self] in self?.end(sparingStop: false) }
    }
  }

  /// Asks the commands to end. After a while, kills the commands that are still running. Later
  /// rounds kill the processes that these commands have started in the meantime.
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
        Log.info("commands of an earlier agent are ended: \(count) processes")
        if round == Self.rounds { return }
        force = MainLoop.after(Self.grace) { [weak self] in
          self?.end(sparingStop: sparingStop, round: round + 1)
        }
      }
    }
  }
}

extension LeftCommand {
  /// Whether this is a command of `on_stop`, which undoes the effects of a ring.
  fileprivate nonisolated var isOfStop: Bool {
    switch variables[Hooks.Event.variable].flatMap(Hooks.Event.init) {
    case .stop, .snooze, .missed: true
    case .before, .ring, nil: false
    }
  }
}
