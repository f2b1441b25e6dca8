// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks some time before a ring whether it would be heard, and reports that the user has to be
// warned if it would not. The checks run in a process of their own, so that a sound system that
// hangs or takes much memory does not harm the agent. `Waking.swift` in the core decides when to
// check, `Doctor.swift` makes the checks.

import Bus
import Configuration
import Doctor
import Files
import Language
import Notifications
import Presentation
import Scheduling
import Sound
import System

final class Checkup {
  /// A task for the agent.
  enum Act {
    /// Warn the user that this alarm would not be heard at this moment, as this check has found.
    case warn(Alarm, at: Instant, Check)
    /// Withdraw the warning.
    case withdraw
  }

  /// The id under which the notifier shows the warning that an alarm would not be heard.
  static let notice = "check"
  /// How long to wait before a second check if the first one fails. After login, the parts of a
  /// desktop need a while to start, so the user is warned only if both checks fail.
  private static let secondCheck: Duration = .seconds(15)
  private static let limit: Duration = .seconds(30)
  /// How long to wait after a sound server has appeared.
  private static let settling: Duration = .seconds(1)
  private static let arrivalPause: Duration = .minutes(1)

  /// The path of the config.
  private let config: String
  private let onAct: (Act) -> Void
  /// The alarm that will ring next, as of the last update.
  private var next: Schedule.Entry?
  /// Whether no sound is playing or prepared, as of the last update.
  private var isSilent = true
  /// When the agent last made a check that no one asked for, or last played a sound that could be
  /// heard; nil if neither has happened yet. Also nil after a warning was withdrawn because another
  /// alarm has become the next one: the agent then checks again.
  private var last: Instant?
  private var check: Command?
  /// The number of the check that was started last. The results of earlier checks are ignored.
  private var number = 0
  private var callers: [Bus.Call] = []
  private var confirmation: Source?
  /// The id of the alarm that the user has been warned about; nil if no warning is shown.
  private var subject: String?
  /// Reports a new sound server or card from the beginning of a check until a check passes.
  private var arrivals: SoundArrivals? { didSet { if arrivals == nil { arrival = nil } } }
  /// The check that follows a report of `arrivals`; nil if none is waiting.
  private var arrival: Source?
  /// When the last such check began, as a reading of the boot clock; nil if there was none.
  private var lastArrival: Duration?

  init(config: String, onAct: @escaping (Act) -> Void) {
    (self.config, self.onAct) = (config, onAct)
  }

  /// Starts a check if one is due. `next` is the alarm that will ring next, and `isSilent` says
  /// whether no sound is playing or prepared. Returns when the next check is due; nil if none is
  /// planned.
  func update(_ next: Schedule.Entry?, isSilent: Bool, at now: Now) -> Instant? {
    (self.next, self.isSilent) = (next, isSilent)
    // While something is ringing, a check would compete for the sound device.
    guard isSilent else {
      stop()
      reply(nil)
      return nil
    }
    if let subject, next?.alarm.id != subject {
      withdraw()
      // The alarm that is next now may not be heard either.
      last = nil
    }
    guard let due = next?.nextLook(after: last, at: now) else { return nil }
    guard due <= now.wall else { return due }
    last = now.wall
    start(isSecond: false)
    return next?.nextLook(after: last, at: now)
  }

  /// Called when the sound of a ring can be heard. This counts as a passed check, because it proves
  /// even more than a check could.
  func heard() {
    last = Clock.now().wall
    withdraw()
  }

  func stop() {
    check?.end()
    (check, confirmation) = (nil, nil)
    forgetArrivals()
  }

  func handle(_ event: Notifier.Event) {
    switch event {
    case .action: start(isSecond: true)
    case .closed: (subject, arrivals) = (nil, nil)
    }
  }

  /// Answers a call of the D-Bus method `Check` with the result of the check that is running, or of
  /// a new one. While something is ringing, the call fails.
  func answer(_ call: Bus.Call) {
    callers.append(call)
    guard isSilent else { return reply(nil) }
    if check == nil { start(isSecond: false) }
  }

  /// Checks again when a sound server or a card appears. If the alarm would be heard now, the check
  /// withdraws the warning. Call this before a check, so that nothing appears unnoticed between the
  /// check and the warning.
  private func watchSound() {
    guard arrivals == nil else { return }
    arrivals = SoundArrivals { [weak self] in self?.soundArrived() }
  }

  /// Stops watching for sound servers, unless a warning is shown.
  private func forgetArrivals() { if subject == nil { arrivals = nil } }

  private func soundArrived() {
    // Several files appear together, and a server needs a moment to find its devices. A check may
    // itself start a server, which ends when it is idle, so there is a pause between such checks.
    let now = Clock.now().boot
    let wait = lastArrival.map { $0 + Self.arrivalPause - now } ?? .zero
    arrival = MainLoop.after(max(Self.settling, wait)) { [weak self] in
      self?.lastArrival = Clock.now().boot
      self?.start(isSecond: false)
    }
  }

  private func reply(_ checks: [Check]?) {
    let waiting = callers
    callers = []
    for call in waiting {
      if let checks {
        call.reply(checks)
      } else {
        call.fail(
          .unreadable,
          tr("the check gave no result, perhaps because something is ringing; try again later"))
      }
    }
  }

  /// Runs `belfryd --check`, which prints one line of JSON for each check.
  private func start(isSecond: Bool) {
    confirmation = nil
    watchSound()
    // Run the program file of this process, even if a newer version has replaced it on the disk.
    let launch = Launch(
      ["belfryd", "--check", "--config", config], program: Environment.program)
    number += 1
    check = Doctor.start(launch, Doctor.ahead, limit: Self.limit) { [weak self, number] checks in
      guard let self, check != nil, number == self.number else { return }
      check = nil
      reply(checks)
      if let checks { judge(checks, isSecond: isSecond) } else { forgetArrivals() }
    }
  }

  private func judge(_ checks: [Check], isSecond: Bool) {
    let broken = checks.broken
    guard let first = broken.first else { return withdraw() }
    guard isSecond else {
      confirmation = MainLoop.after(Self.secondCheck) { [weak self] in self?.start(isSecond: true) }
      return
    }
    for check in broken {
      Log.error("an alarm would not be heard: \(check.name.rawValue): \(check.message)")
    }
    guard let next, let start = next.nextStart else { return forgetArrivals() }
    subject = next.alarm.id
    onAct(.warn(next.alarm, at: start, first))
  }

  private func withdraw() {
    if subject != nil { onAct(.withdraw) }
    (subject, arrivals) = (nil, nil)
  }
}

extension Agent {
  func perform(_ act: Checkup.Act) {
    switch act {
    case .warn(let alarm, let start, let check):
      notify(Checkup.notice) { $0.unheard(alarm, at: start, check) }
    case .withdraw: notifier.withdraw(Checkup.notice)
    }
  }
}

extension Wording {
  /// The warning that `alarm` would not be heard, for the reason found by `check`.
  func unheard(_ alarm: Alarm, at start: Instant, _ check: Check) -> NotificationContent {
    notice(
      alarm.label ?? time(given: start),
      [
        tr(
          "It would not be heard at \(time(given: start)). \(check.name.word): \(check.message)"
        ),
        check.fix.map { tr("To fix it: \($0)") }, tr("More: “belfry doctor”"),
      ], .critical, isPersistent: true, category: "alarm",
      buttons: [NotificationContent.Action(key: "check-again", label: tr("Check again"))])
  }
}

public enum CheckProgram {
  public static func run(_ options: AgentOptions) -> Int32 {
    // The status of the agent, which the doctor reads, may be long.
    Bus.longestMessage = Bus.longestOfAgent
    Doctor.report(Doctor(Locations(config: options.config), Doctor.ahead).examine())
    return 0
  }
}
