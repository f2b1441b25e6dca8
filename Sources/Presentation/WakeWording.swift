// SPDX-License-Identifier: GPL-3.0-or-later
//
// Explains why Belfry cannot wake the machine from suspend, and how to fix that.

import Configuration
import Language
import Scheduling
import System

extension Wording {
  public static func explain(_ refusal: WakeTimer.Refusal) -> Message {
    explain(refusal.code, fix: command(refusal))
  }

  /// Explains the `wakeProblem` and the `wakeFix` of an agent's status.
  public static func explain(_ problem: String, fix: String?) -> Message {
    switch problem {
    case WakeTimer.Refusal.notPermitted.code:
      Message(
        """
        not permitted; run \(fix ?? ""), or start it as a user unit with \
        belfryd-wake.conf, from systemd 254 on
        """)
    case WakeTimer.Refusal.noClock.code: Message("this machine has no clock that may wake it")
    default: Message(verbatim: problem)
    }
  }

  /// Returns the command that permits the agent to wake the machine.
  public static func command(_ refusal: WakeTimer.Refusal) -> String? {
    guard refusal == .notPermitted else { return nil }
    let program = Environment.programPath.map { TerminalText.escaped($0) } ?? "belfryd"
    // Quotes for spaces are enough: desktop/install refuses a folder with any other character that
    // has a meaning in a shell.
    let word = program.contains(" ") ? "\"\(program)\"" : program
    return "sudo setcap cap_wake_alarm+ep \(word)"
  }
}

nonisolated extension WakeTimer.Refusal {
  /// The reason why the machine cannot be woken: a code that programs can test or, for any other
  /// error, the message of the operating system.
  public var code: String {
    switch self {
    case .notPermitted: "not-permitted"
    case .noClock: "no-clock"
    case .failed(let error): error.description
    }
  }
}
