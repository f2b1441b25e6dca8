// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chime's stroke, once it is known that nobody is disturbed: not where the notification server is
// told not to disturb, nor, as the sound process finds out, in a call. When it strikes is
// `Chime.swift`'s.

import Bus
import Configuration
import Language
import Notifications
import Scheduling
import System

extension Agent {
  /// What is asked takes a while, and what is late is dropped.
  func strike(_ chime: Chime) {
    guard let bus else { return }
    let asked = Clock.now().boot
    whenUndisturbed(bus) { [weak self] in
      guard let self, Clock.now().boot - asked < .seconds(1) else { return }
      var settings = configuration.defaults
      settings.sounds = chime.sounds
      ringSound.stroke(settings, discreet: true)
    }
  }

  /// A server that does not tell is taken for one that shows all.
  private func whenUndisturbed(_ bus: Bus, _ done: @escaping () -> Void) {
    func ask(_ name: String) {
      DoNotDisturb.ask(name, on: bus) { answer in
        if answer?.isOn == true { Log.info("do not disturb is set: no chime") } else { done() }
      }
    }
    if let name = notifier.server?.name { return ask(name) }
    bus.ask(.notifications, "GetServerInformation", timeout: .seconds(1)) { answer in
      // Without a server there is nobody who could have told one.
      if let name = answer.value?.string { ask(name) } else { done() }
    }
  }
}
