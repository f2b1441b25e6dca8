// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Belfry says about machines that sleep: why one is not woken and what would mend it.

import Configuration
import Language
import Scheduling
import System

extension Wording {
  /// Why the machine is not woken, and what to do about it.
  public static func mend(_ refusal: WakeTimer.Refusal) -> Message {
    mend(refusal.code, fix: command(refusal))
  }

  /// The same of an agent that answered with its `wakeProblem` and its `wakeFix`.
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
}

nonisolated extension WakeTimer.Refusal {
  /// What programs test; of another failure, what the system says.
  public var code: String {
    switch self {
    case .notPermitted: "not-permitted"
    case .noClock: "no-clock"
    case .failed(let error): error.description
    }
  }
}

extension Wording {
  /// What to type so that the machine is woken.
  public static func command(_ refusal: WakeTimer.Refusal) -> String? {
    guard refusal == .notPermitted else { return nil }
    let program = Environment.programPath.map { TerminalText.escaped($0) } ?? "belfryd"
    return "sudo setcap cap_wake_alarm+ep \(program)"
  }
}
