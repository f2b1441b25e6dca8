// SPDX-License-Identifier: GPL-3.0-or-later
//
// Belfry's entry in the desktop's launcher, and the actions in the entry's menu
// (`org.freedesktop.Application`; `desktop/session/org.belfry.Belfry.desktop`). A click on the
// entry shows a notification instead of a window. See the Desktop Entry Specification, "D-Bus
// Activation".

import Bus
import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

enum LauncherService {
  static func serve(_ agent: Agent) throws(BusError) {
    let interface = Bus.Interface(
      LauncherInterface.name,
      [
        Bus.Method("Activate", takes: "a{sv} platform_data", turn: .later) { call in
          answer(call, agent, activate)
        },
        Bus.Method("Open", takes: "as uris, a{sv} platform_data", turn: .later) { call in
          answer(call, agent, activate)
        },
        Bus.Method(
          "ActivateAction", takes: "s action_name, av parameter, a{sv} platform_data",
          turn: .later
        ) { call in
          guard let action = LauncherInterface.Action(rawValue: call.text) else {
            return call.fail("org.freedesktop.DBus.Error.InvalidArgs", "there is no such action")
          }
          answer(call, agent) { carryOut(action, $0, then: $1) }
        },
      ])
    try agent.bus.export(interface, at: BusInterface.path)
  }

  /// Replies when `act` is done. Until then the call counts as waiting, so that no program can
  /// start any number of commands at once.
  private static func answer(
    _ call: Bus.Call, _ agent: Agent,
    _ act: @escaping (Agent, _ done: @escaping @MainActor @Sendable () -> Void) -> Void
  ) {
    agent.whenReady { act(agent) { call.reply() } }
  }

  /// Handles a click on Belfry's entry, which is also the first result of GNOME's search. Like a
  /// click on a notification, the click silences a ring for a while. It does not stop the ring,
  /// because the user may have meant to start something else.
  private static func activate(_ agent: Agent, then done: @escaping @MainActor @Sendable () -> Void)
  {
    var wait: Source?
    wait = MainLoop.after(.milliseconds(300)) {
      _ = wait
      wait = nil
      // Phosh opens the program whenever a button of its notification is pressed, a moment before
      // or after it reports the press. Only the press counts then.
      if let press = agent.notifier.lastPress, Clock.now().boot - press < .seconds(1) {
        return done()
      }
      let ringing = agent.schedule.ringing
      if ringing.isEmpty { return carryOut(.nextAlarm, agent, then: done) }
      for ring in ringing { agent.silence(ring.id) }
      done()
    }
  }

  private static func carryOut(
    _ action: LauncherInterface.Action, _ agent: Agent,
    then done: @escaping @MainActor @Sendable () -> Void
  ) {
    switch action {
    case .fiveMinutes: agent.perform(.startTimer(TimerRequest(length: .seconds(300))), then: done)
    case .tenMinutes: agent.perform(.startTimer(TimerRequest(length: .seconds(600))), then: done)
    case .editAlarms: agent.perform(.openConfig, then: done)
    case .nextAlarm: agent.perform(.showNextAlarm, then: done)
    }
  }

  /// The id under which the notifier shows the notification of the launcher.
  nonisolated static let notice = "launcher"
}

extension Wording {
  func nextAlarm(_ overview: Overview, _ config: String) -> NotificationContent {
    let now = overview.now.wall
    let next = overview.schedule.coming(1, in: overview.zones).first
    let pauses = pauses(overview)
    let title =
      next.map { $0.alarm.label ?? time($0.at, $0.seconds, seenFrom: now) }
      ?? (pauses.isEmpty ? tr("No upcoming alarms") : tr("Alarms are paused"))
    let body =
      next.map {
        tr("\(moment($0.at, $0.seconds, seenFrom: now)), in \(Self.span($0.at - now))")
      }
      ?? (pauses.isEmpty ? tr("Alarms are set in \(config)") : nil)
    return notice(
      title, [body].compactMap(\.self) + pauses, isTransient: true, buttons: [.openConfig])
  }

  func unopened(_ reason: String) -> NotificationContent {
    notice(
      tr("Your alarm settings cannot be opened"),
      [reason, tr("In a terminal: “belfry config edit”")],
      isTransient: true)
  }

  /// The text of a new config: only comments, so no alarm rings.
  var firstConfig: String {
    "# "
      + tr("Belfry's alarms. A save takes effect at once; man belfry.toml explains all keys.")
        + """


        # [[alarm]]
        # time  = 07:30
        # days  = "weekdays"      # or ["mon", "thu"], "weekends", "daily"
        # label = "\(tr("Work", context: "label"))"

        # [[timer]]               # belfry timer tea
        # name     = "tea"
        # duration = "4m"

        """
  }
}
