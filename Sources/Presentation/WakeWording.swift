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
    switch refusal {
    case .notPermitted:
      Message(
        """
        not permitted; run \(command(refusal) ?? ""), or start it as a user unit with \
        belfryd-wake.conf, from systemd 254 on
        """)
    case .noClock: Message("this machine has no clock that may wake it")
    case .failed(let error): Message(verbatim: error.description)
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
