// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the checks of the agent in a process of their own. If a disk does not answer, a process
// that has looked for a file on it may be unable to end, because the kernel waits for the disk. So
// the results are used as soon as they are there, before that process has ended. Next:
// `Doctor.swift`.

import Presentation
import System
import Values

extension Doctor {
  /// Starts the program `launch`, which must make the checks `scope` and print the results with
  /// `report`. Calls `done` once: with the results as soon as all are there, or with nil if the
  /// program cannot be started, ends without them or takes longer than `limit`.
  public static func start(
    _ launch: Launch, _ scope: [Check.Name], limit: Duration, _ done: @escaping ([Check]?) -> Void
  ) -> Command {
    var (checks, isDone) = ([Check](), false)
    func finish(_ result: [Check]?) {
      if !isDone { done(result) }
      isDone = true
    }
    // Libraries may write any number of warnings to the standard error. `Command` would then stop
    // reading before it has read all results.
    return Command(launch, limit: limit, dropsErrors: true) { event in
      switch event {
      case .line(let line):
        if let check = Value(json: line)?.decoded(Check.self) { checks.append(check) }
        if checks.map(\.name) == scope { finish(checks) }
      case .notStarted, .failed, .tookTooLong, .gone: finish(nil)
      case .outputLimitReached: break
      }
    }
  }

  /// Prints one line of JSON for each check.
  public nonisolated static func report(_ checks: [Check]) {
    for check in checks { print(Value(encoding: check).json) }
  }
}
