// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sounds a chime unless it would disturb someone: the notification server may be set to do not
// disturb, or the user may be in a call, which the sound process finds out. `Chime.swift` in the
// core decides when a chime is due.

import Bus
import Configuration
import Language
import Notifications
import Scheduling
import System

extension Agent {
  /// Sounds `chime` if it disturbs no one. Skips it if finding that out takes more than a second.
  func strike(_ chime: Chime) {
    let asked = Clock.now().boot
    whenUndisturbed { [weak self] in
      guard let self, Clock.now().boot - asked < .seconds(1) else { return }
      var settings = configuration.defaults
      settings.sounds = chime.sounds
      ringSound.stroke(settings, discreet: true)
    }
  }

  /// Calls `done` unless the notification server is set to do not disturb. If the server does not
  /// answer that question, `done` is called too.
  private func whenUndisturbed(_ done: @escaping () -> Void) {
    // A server that is not running cannot be set to do not disturb.
    guard let name = notifier.server?.name else { return done() }
    DoNotDisturb.ask(name, on: bus) { answer in
      if answer?.isOn == true { Log.info("do not disturb is set: no chime") } else { done() }
    }
  }
}
