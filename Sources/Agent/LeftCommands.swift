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

  /// Tells the commands of rings to end; those of `on_stop` a minute later. Calls `begin` when the
  /// first have been told, so that the commands of this agent do not run beside them.
  func end(then begin: @escaping @MainActor @Sendable () -> Void) {
    look { left in
      let rings = left.filter { !$0.isOfStop }
      for command in rings { command.end(byForce: false) }
      return (rings.count, left.count - rings.count)
    } then: { [weak self] rings, stops in
      if rings > 0 { self?.kill { !$0.isOfStop } }
      if stops > 0 { self?.endRest() }
      begin()
    }
  }

  private func endRest() {
    later = MainLoop.after(Self.patience) { [weak self] in
      self?.look { left in
        for command in left { command.end(byForce: false) }
        return (left.count, 0)
      } then: { count, _ in
        if count > 0 { self?.kill { _ in true } }
      }
    }
  }

  /// Kills what is left in a while, and once more what was started meanwhile.
  private func kill(round: Int = 1, _ isMeant: @escaping @Sendable (LeftCommand) -> Bool) {
    force = MainLoop.after(Self.grace) { [weak self] in
      self?.look { left in
        let meant = left.filter(isMeant)
        for command in meant { command.end(byForce: true) }
        return (meant.count, 0)
      } then: { count, _ in
        if count > 0, round < Self.rounds { self?.kill(round: round + 1, isMeant) }
      }
    }
  }

  /// Does `work` beside the main loop, and hands over what it counted.
  private func look(
    _ work: @escaping @Sendable ([LeftCommand]) -> (ending: Int, staying: Int),
    then tell: @escaping @MainActor @Sendable (Int, Int) -> Void
  ) {
    let mark = mark
    Worker.once("left") {
      let (ending, staying) = work(mark.leftBehind())
      Worker.onMain {
        if ending > 0 {
          Log.info("commands of an agent before this one are ended: \(ending) processes")
        }
        tell(ending, staying)
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
