// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's checks of the notification server: its name, whether it shows buttons, what happens
// if the user closes a notification, and whether the server holds notifications back.

import Bus
import Configuration
import Language
import Notifications
import Presentation
import System

extension Doctor {
  func examineNotifications(_ bus: Bus?) {
    guard let bus else {
      let words = tr("cannot be checked without a session bus")
      found(.notifications, .unknown, words)
      return found(.doNotDisturb, .unknown, words)
    }
    switch ask(.notifications, "GetServerInformation", gives: "ssss", on: bus, starting: true) {
    case .success(let values):
      let words = values.compactMap(\.string)
      let (name, version) = (words.first ?? "", words.count > 2 ? words[2] : "")
      found(server(name, version: version, on: bus))
      found(doNotDisturb(name, on: bus))
    case .failure, nil:
      found(.doNotDisturb, .unknown, tr("there is no notification server to ask"))
      found(absence(on: bus))
    }
  }

  private func server(_ name: String, version: String, on bus: Bus) -> Check {
    let capabilities =
      ask(.notifications, "GetCapabilities", gives: "as", on: bus)?.value?.strings ?? []
    let server = Notifier.Server(name: name, version: version, capabilities: Set(capabilities))
    // quickshell has no version.
    let shown = [name, version].filter { !$0.isEmpty }.joined(separator: " ")
    let closing = closing(on: server)
    let (isOff, remedy) = Disk.here {
      DoNotDisturb.isSwitchedOff(BusInterface.name, by: server, on: $0)
    }
    if isOff {
      return Check(
        .notifications, .error,
        tr("\(shown) shows no notifications of Belfry: they are switched off"),
        fix: remedy)
    }
    if server.drawsActions {
      return Check(.notifications, .ok, tr("\(shown), with buttons; \(closing)"))
    }
    if server.hasActions {
      return Check(
        .notifications, .ok, tr("\(shown), with buttons in a menu of its own; \(closing)"))
    }
    return Check(
      .notifications, .warning,
      tr("\(shown) has no buttons: answer with belfry stop and belfry snooze; \(closing)"))
  }

  private func doNotDisturb(_ server: String, on bus: Bus) -> Check {
    let question = DoNotDisturb.question(to: server)
    let answer = question.call.flatMap {
      ask($0.peer, $0.member, $0.arguments, gives: $0.types, on: bus, within: .seconds(2))?.value
    }
    guard let state = question.finding(answer) else {
      return Check(.doNotDisturb, .unknown, tr("\(server) does not say"))
    }
    guard state.isOn else { return Check(.doNotDisturb, .ok, tr("off")) }
    if Disk.here({ DoNotDisturb.sparesCritical(server, on: $0) }) {
      return Check(.doNotDisturb, .ok, tr("on, but the notification of a ring is shown anyway"))
    }
    return Check(
      .doNotDisturb, .warning, tr("on: an alarm still sounds, but its notification may be delayed"),
      fix: state.remedy)
  }

  /// Describes the effect of closing the notification of a ring.
  private func closing(on server: Notifier.Server) -> String {
    switch configuration.agent.onClose {
    case .stop,
      .automatic where server.closing == .deliberate:
      tr("closing one stops the alarm")
    case .automatic: tr("a click that closes one makes the alarm quiet for a minute")
    case .snooze: tr("closing one snoozes the alarm")
    case .ring: tr("a closed one comes back")
    }
  }

  /// Describes the consequence if no notification of an alarm is shown.
  static var withoutNotices: String {
    tr("an alarm sounds all the same; answer with belfry stop and belfry snooze")
  }

  /// Returns the check for a session whose notification server is missing or hangs. It is only a
  /// warning, because an alarm sounds without a server too.
  private func absence(on bus: Bus) -> Check {
    let name = Variant.string(Bus.Peer.notifications.name)
    let owner = ask(.daemon, "GetConnectionUnixProcessID", [name], gives: "u", on: bus)
    guard let process = owner?.value?.uint32 else {
      return Check(
        .notifications, .warning, tr("none: \(Self.withoutNotices)"),
        fix: tr("start a notification server, such as dunst"))
    }
    return Check(
      .notifications, .warning,
      tr("the server, process \(process), does not answer: \(Self.withoutNotices)"),
      fix: "kill -9 \(process)")
  }
}
