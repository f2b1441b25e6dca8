// SPDX-License-Identifier: GPL-3.0-or-later
//
// Explains why the machine cannot be woken from suspend, and what would fix that.

import Configuration
import Language
import Scheduling
import System

extension Wording {
  /// Why the machine is not woken, and what to do about it.
  public static func mend(_ refusal: WakeTimer.Refusal) -> Message {
    mend(refusal.code, fix: command(refusal))
  }

  /// The same text, from the `wakeProblem` and the `wakeFix` of an agent's status.
  public static func mend(_ problem: String, fix: String?) -> Message {
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

  /// The command that allows the agent to wake the machine.
  public static func command(_ refusal: WakeTimer.Refusal) -> String? {
    guard refusal == .notPermitted else { return nil }
    let program = Environment.programPath.map { TerminalText.escaped($0) } ?? "belfryd"
    // desktop/install refuses a folder with any other character that means something to a shell.
    let word = program.contains(" ") ? "\"\(program)\"" : program
    return "sudo setcap cap_wake_alarm+ep \(word)"
  }
}

nonisolated extension WakeTimer.Refusal {
  /// A code that programs can test, or the error of the system.
  public var code: String {
    switch self {
    case .notPermitted: "not-permitted"
    case .noClock: "no-clock"
    case .failed(let error): error.description
    }
  }
}
