// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's look ahead: would the next alarm be heard? A program of its own looks, so that a
// sound system that hangs or takes memory does neither here; the user hears of it only where the
// answer is no. When to look is `Waking.swift`'s in the core, what is looked at `Doctor.swift`'s.

import Bus
import Configuration
import Doctor
import Files
import Language
import Notifications
import Persistence
import Presentation
import Scheduling
import System

final class Checkup {
  /// How the notifier knows its notice.
  static let notice = "check"
  /// At login a desktop takes a while to be whole: bad news is told when it is news still after
  /// this.
  private static let secondLook: Duration = .seconds(15)
  private static let limit: Duration = .seconds(30)
  /// In bytes, of what is said of one check: it names devices and files, and each may be as long as
  /// a path.
  private static let longestFinding = 65_536

  private unowned let agent: Agent
  /// When there was a look last, or something was heard.
  private var last: Instant?
  /// The agent's own look.
  private var ownCheck: Command?
  /// For those who asked over the bus.
  private var requestedCheck: Command?
  private var callers: [Bus.Call] = []
  private var confirmation: Source?
  /// The alarm that the notice is about.
  private var subject: String?

  init(_ agent: Agent) { self.agent = agent }

  /// When the agent has to come by for the next look; looks at once if it is time.
  func follow(at now: Now) -> Instant? {
    // A device that is needed now is nobody else's. When it is quiet again there is time to look.
    guard agent.schedule.sound == .silent else {
      (ownCheck, confirmation) = (nil, nil)
      reply(nil)
      return nil
    }
    if let subject, agent.schedule.nextEntry?.alarm.id != subject { withdraw() }
    guard let look = agent.schedule.nextLook(after: last, at: now) else { return nil }
    guard look <= now.wall else { return look }
    last = now.wall
    start(isSecond: false)
    return agent.schedule.nextLook(after: last, at: now)
  }

  /// Something sounded, which is more than a look can tell.
  func heard() {
    last = Clock.now().wall
    withdraw()
  }

  func stop() { (ownCheck, confirmation) = (nil, nil) }

  /// What the user did to the notice; false where `id` is another's.
  func take(_ event: Notifier.Event, on id: String) -> Bool {
    guard id == Self.notice else { return false }
    switch event {
    case .action: start(isSecond: true)
    case .closed: subject = nil
    }
    return true
  }

  /// Answers a call of `Check`, which may come again before it is answered. While something rings
  /// there is no answer.
  func answer(_ call: Bus.Call) {
    callers.append(call)
    guard agent.schedule.sound == .silent else { return reply(nil) }
    guard callers.count == 1 else { return }
    requestedCheck = send { [weak self] checks in self?.reply(checks) }
  }

  private func reply(_ checks: [Check]?) {
    let waiting = callers
    (callers, requestedCheck) = ([], nil)
    for call in waiting {
      if let checks {
        call.reply([.dictionaries(checks.map(\.entries))])
      } else {
        call.fail(.unreadable, tr("the check brought no answer; is something ringing?"))
      }
    }
  }

  private func start(isSecond: Bool) {
    confirmation = nil
    ownCheck = send { [weak self] checks in
      self?.ownCheck = nil
      if let checks { self?.judge(checks, isSecond: isSecond) }
    }
  }

  /// Sends this program for its findings; nil means that it did not bring any.
  private func send(_ done: @escaping ([Check]?) -> Void) -> Command {
    // The file that runs, even where a newer one has taken its place, and by the agent's name: by
    // another it is the command.
    let launch = Launch(
      ["belfryd", "--check", "--config", agent.locations.config], program: Environment.program)
    var (checks, hasFailed) = ([Check](), false)
    return Command(launch, limit: Self.limit, longestLine: Self.longestFinding) { event in
      switch event {
      case .line(let line):
        if let check = JSON(line).flatMap({ Check($0) }) { checks.append(check) }
      case .gone: done(hasFailed || checks.isEmpty ? nil : checks)
      case .notStarted, .failed, .crashed, .tookTooLong: hasFailed = true
      case .talksTooMuch: break
      }
    }
  }

  private func judge(_ checks: [Check], isSecond: Bool) {
    let broken = checks.broken
    guard let first = broken.first else { return withdraw() }
    guard isSecond else {
      confirmation = MainLoop.after(Self.secondLook) { [weak self] in self?.start(isSecond: true) }
      return
    }
    for check in broken {
      Log.error("an alarm would not be heard: \(check.name.rawValue): \(check.message)")
    }
    guard let entry = agent.schedule.nextEntry, let start = entry.nextStart else { return }
    subject = entry.alarm.id
    agent.tell(Self.notice) { $0.unheard(entry.alarm, at: start, first) }
  }

  private func withdraw() {
    if subject != nil { agent.untell(Self.notice) }
    subject = nil
  }
}

extension Wording {
  /// `alarm` would not be heard, for the reason that `check` gives.
  func unheard(_ alarm: Alarm, at start: Instant, _ check: Check) -> NotificationContent {
    notice(
      alarm.label ?? time(given: start),
      [
        tr("Would not be heard at \(time(given: start)). \(check.name.word): \(check.message)"),
        check.mend.map { tr("To fix it: \($0)") }, tr("More: “belfry doctor”"),
      ], .critical, isPersistent: true, category: "alarm", answers: [.checkAgain])
  }
}

/// `belfryd --check`: what the agent sends for, a line of JSON for each check.
public enum CheckProgram {
  public static func run(_ options: AgentOptions) -> Int32 {
    for check in Doctor(Locations(config: options.config), Doctor.ahead).examine() {
      print(check.json.text)
    }
    return 0
  }
}
