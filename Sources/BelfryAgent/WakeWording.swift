// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Belfry says about machines that sleep: why one is not woken and what would mend it.

import Configuration
import Desktop

extension Wording {
  /// Why the machine is not woken, and what to do about it.
  public static func mend(_ refusal: WakeTimer.Refusal) -> String {
    switch refusal {
    case .notPermitted:
      let program = Environment.programPath.map { TerminalText.escaped($0) } ?? "belfryd"
      return "not permitted; run sudo setcap cap_wake_alarm+ep \(program), "
        + "or start it as a user unit with belfryd-wake.conf, from systemd 254 on"
    case .noClock: return "this machine has no clock that may wake it"
    case .failed(let error): return "\(error)"
    }
  }
}
