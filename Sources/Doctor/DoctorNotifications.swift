// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's look at who shows notifications: which server that is, what it draws, what closing one
// does, and whether it keeps them back.

import Bus
import Configuration
import Language
import Notifications
import Presentation
import System

extension Doctor {
  func examineServer(on bus: Bus) {
    guard awaits(.notifications) || awaits(.doNotDisturb) else { return }
    bus.ask(.notifications, "GetServerInformation", starting: true, timeout: .seconds(3)) {
      [self] answer in
      switch answer {
      case .success(let reply):
        let words = reply.values.compactMap(\.string)
        examineServer(words.first ?? "", version: words.count > 2 ? words[2] : "", on: bus)
      case .failure(let error):
        found(.doNotDisturb, .unknown, tr("there is no notification server to ask"))
        examineAbsence(error, on: bus)
      }
    }
  }

  private func examineServer(_ name: String, version: String, on bus: Bus) {
    bus.ask(.notifications, "GetCapabilities", timeout: .seconds(3)) { [self] answer in
      let capabilities = answer.value?.strings ?? []
      let server = Notifier.Server(
        name: name, version: version, capabilities: Set(capabilities))
      let (shown, closing) = ("\(name) \(version)", closing(on: server))
      let (isOff, remedy) = DoNotDisturb.isSwitchedOff(BusInterface.name, by: name)
      if isOff {
        found(
          .notifications, .error, tr("\(shown) shows none of Belfry's: they are switched off"),
          mend: remedy)
      } else if server.drawsActions {
        found(.notifications, .ok, tr("\(shown), with buttons; \(closing)"))
      } else if server.hasActions {
        found(
          .notifications, .ok, tr("\(shown), with buttons in a menu of its own; \(closing)"))
      } else {
        found(
          .notifications, .warning,
          tr("\(shown) has no buttons: answer with belfry stop and belfry snooze; \(closing)"))
      }
    }
    DoNotDisturb.ask(name, on: bus) { [self] answer in
      guard let answer else { return found(.doNotDisturb, .unknown, tr("\(name) does not tell")) }
      guard answer.isOn else { return found(.doNotDisturb, .ok, tr("off")) }
      if answer.sparesCritical {
        return found(.doNotDisturb, .ok, tr("on, but what rings is shown all the same"))
      }
      found(
        .doNotDisturb, .warning, tr("on: an alarm sounds all the same, its notification may wait"),
        mend: answer.remedy)
    }
  }

  /// What closing the notification of a ring does, by hand.
  private func closing(on server: Notifier.Server) -> String {
    switch configuration.agent.onClose {
    case .stop,
      .automatic where server.closing == .deliberate:
      tr("closing one stops the alarm")
    case .automatic: tr("a click that closes one makes the alarm quiet for a minute")
    case .snooze: tr("closing one snoozes the alarm")
    case .ring: tr("one that is closed comes back")
    }
  }

  /// What it means that nothing is shown.
  static var withoutNotices: String {
    tr("an alarm sounds all the same; answer with belfry stop and belfry snooze")
  }

  /// There is none, or one that hangs; the sound needs none.
  private func examineAbsence(_ error: BusError, on bus: Bus) {
    let name = Variant.string(Bus.Peer.notifications.name)
    bus.ask(.daemon, "GetConnectionUnixProcessID", [name], timeout: .seconds(2)) { [self] answer in
      if let process = answer.value?.uint32 {
        return found(
          .notifications, .warning,
          tr("the server, process \(process), does not answer: \(Self.withoutNotices)"),
          mend: "kill -9 \(process)")
      }
      found(
        .notifications, .warning, tr("none: \(Self.withoutNotices)"),
        mend: tr("start a notification server, such as dunst"))
    }
  }
}
