// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sentences that notifications, the terminal and the bus share, and sentences about pauses and
// about waking the machine. `Announcement.swift` in the core decides when a notification is shown.
// Next: `DateWording.swift`, for times and durations.

import Configuration
import Language
import Persistence
import Scheduling
import System

/// Puts values into sentences. Moments are shown in the time zone of the machine.
public struct Wording {
  public var zones: Zones
  public var clock: AgentSettings.Clock
  /// The icon of notifications: a name in the icon theme, or a path.
  public var icon: String

  public init(zones: Zones, clock: AgentSettings.Clock, icon: String = "alarm-symbolic") {
    (self.zones, self.clock, self.icon) = (zones, clock, icon)
  }
}

extension Wording {
  /// Returns `text` as one word for a shell, in quotes if necessary.
  public static func shell(_ text: String) -> String {
    OutsideText.shellWord(text)
  }

  public func rings(at due: Instant, _ seconds: Seconds, seenFrom now: Instant) -> String {
    tr("Rings \(at(due, seconds, seenFrom: now))")
  }

  public func moved(_ text: String, from before: Instant?, seenFrom now: Instant) -> String {
    before.map { tr("\(text), \(moved(from: $0, seenFrom: now))", context: "moved") } ?? text
  }

  public func moved(from before: Instant, seenFrom now: Instant) -> String {
    tr("moved from \(moment(before, .given, seenFrom: now))")
  }

  public static func snoozed(_ text: String, _ times: Int64) -> String {
    switch times {
    case ...0: text
    case 2: tr("\(text), snoozed twice")
    default:
      tr("\(text), snoozed once", plural: "\(text), snoozed \(times) times", count: Int(times))
    }
  }

  public static func and(_ more: Int, before when: String) -> String {
    more > 0
      ? tr("\(when) and \(more) before", plural: "\(when) and \(more) before", count: more) : when
  }

  /// Returns the name of a timer with its round: `focus, 2 of 4`, or `focus, round 2` if the number
  /// of rounds is not limited.
  public static func name(_ name: String, _ round: Round?) -> String {
    guard let round else { return name }
    return round.rounds.map { tr("\(name), \(round.number) of \($0)", context: "round") }
      ?? tr("\(name), round \(round.number)")
  }

  public static func because(_ reason: Missed.Reason) -> String {
    switch reason {
    case .unanswered: tr("nobody answered")
    case .asleep: tr("the computer was asleep")
    case .off: tr("Belfry was not running")
    case .clockSet: tr("the clock was set")
    case .zoneChanged: tr("the time zone was changed")
    }
  }

  public static func because(_ reason: Unheard) -> String {
    switch reason {
    case .noDevice: tr("no sound device worked")
    case .noOutput: tr("there was no sound output")
    case .muted: tr("the sound was muted")
    case .volume: tr("the volume was 0")
    case .early: tr("it ended at once")
    }
  }

  public func end(of line: HistoryLine, seenFrom now: Instant) -> String {
    switch line.answer {
    case .stopped where line.rang == nil:
      return line.snoozeCount == 0 ? tr("paused the music") : tr("stopped while snoozed")
    case .stopped:
      return tr("stopped after \(Self.span(line.answered - (line.rang ?? line.due)))")
    case .restarted: return tr("ran again")
    case .snoozed(let until, byItself: true):
      return tr("snoozed by itself until \(time(until, .near, seenFrom: now))")
    case .snoozed(let until, byItself: false):
      return tr("snoozed until \(time(until, .near, seenFrom: now))")
    case .missed(let reason): return tr("missed: \(Self.because(reason))")
    case .removed: return tr("ended: it was deleted, disabled or changed")
    }
  }
}

// MARK: - Whether to show the seconds of a moment

extension ComingRing {
  /// How to show the seconds of a ring. A ring without a date is the end of a snooze: it was
  /// computed, so its seconds are shown only if it is near. Other rings are shown as a person chose
  /// them.
  public var seconds: Wording.Seconds { date == nil ? .near : .given }
}

extension Missed {
  public var seconds: Wording.Seconds { isTimer ? .near : .given }
}

extension HistoryLine {
  /// How to show the seconds of a ring. The moment of an alarm's first ring is shown as a person
  /// chose it. All other moments were computed: those of a timer's ring, and of a ring after a
  /// snooze or a check.
  public var seconds: Wording.Seconds {
    kind == .alarm && snoozeCount == 0 && checks == 0 ? .given : .near
  }
}

extension Overview {
  /// The pauses that silence the next ring of at least one alarm. The number of a pause is its
  /// place in the config, counted from 1.
  public var pausesInForce: [(number: Int, pause: Pause)] {
    if configuration.pauses.isEmpty { return [] }
    let taken = schedule.pausedRings(at: now.wall, in: zones)
    return numberedPauses.filter { _, pause in
      taken.contains { pause.isMeant(for: $0.alarm) && pause.covers($0.ring.date) }
    }
  }

  public var numberedPauses: [(number: Int, pause: Pause)] {
    configuration.pauses.enumerated().map { ($0 + 1, $1) }
  }

  /// Returns a command that ends `pauses`; nil if there are none. `belfry resume` ends only pauses
  /// that include today. If a pause does not include today, returns the command that removes the
  /// first such pause.
  public func undoing(_ pauses: [(number: Int, pause: Pause)]) -> String? {
    if pauses.allSatisfy({ $0.pause.covers(today) }) {
      return pauses.isEmpty ? nil : "belfry resume"
    }
    return pauses.first { !$0.pause.covers(today) }.map { "belfry pause remove \($0.number)" }
  }
}

extension Wording {
  /// Returns a line for each pause that silences the next ring of at least one alarm.
  public func pauses(_ overview: Overview) -> [String] {
    overview.pausesInForce.map { line($0.pause, seenFrom: overview.today) }
  }

  public func line(_ pause: Pause, seenFrom today: CivilDate) -> String {
    tr("paused: \(Self.alarms(of: pause)), \(days(of: pause, seenFrom: today))")
  }

  /// Returns `paused until Sun 3 Jan`, or `paused until resumed` if there is no last day.
  public func paused(until last: CivilDate?, seenFrom today: CivilDate) -> String {
    last.map { tr("paused until \(Self.date($0, seenFrom: today))") } ?? tr("paused until resumed")
  }

  /// Returns the alarms that a pause silences: `group work` or `all alarms`.
  public static func alarms(of pause: Pause) -> String {
    pause.group.map { tr("group \($0)", context: "pause") } ?? tr("all alarms")
  }

  /// Returns the days of a pause and its label: `until Sun 3 Jan, Christmas`.
  public func days(of pause: Pause, seenFrom today: CivilDate) -> String {
    Self.list([range(of: pause, seenFrom: today), pause.label].compactMap(\.self))
  }

  private func range(of pause: Pause, seenFrom today: CivilDate) -> String {
    let first = Self.date(pause.from, seenFrom: today)
    guard let until = pause.until else {
      return pause.from > today
        ? tr("from \(first) until resumed") : tr("until resumed", context: "pause")
    }
    let last = Self.date(until, seenFrom: today)
    if pause.from == until { return until == today ? tr("today") : first }
    return pause.from > today
      ? tr("\(first) to \(last)", context: "days of a pause")
      : tr("until \(last)", context: "pause")
  }
}

extension Wording {
  public static func explain(_ refusal: WakeTimer.Refusal) -> Message {
    explain(refusal.code, fix: command(refusal))
  }

  /// Explains why the machine cannot be woken. `problem` and `fix` are the values `wakeProblem` and
  /// `wakeFix` of the status of an agent.
  public static func explain(_ problem: String, fix: String?) -> Message {
    switch problem {
    case WakeTimer.Refusal.notPermittedCode:
      Message(
        """
        not permitted; run \(fix ?? ""), or start it as a user unit with \
        belfryd-wake.conf, from systemd 254 on
        """)
    case WakeTimer.Refusal.noClock.code: Message("this machine has no clock that may wake it")
    default: Message(verbatim: problem)
    }
  }

  /// Returns the sentence that the config at `path` is gone, and `count` alarms do not ring.
  public static func gone(_ path: String, alarms count: Int) -> String {
    tr(
      "\(path) is gone, and its \(count) alarm no longer rings",
      plural: "\(path) is gone, and its \(count) alarms no longer ring", count: count)
  }

  /// Returns the command that gives `belfry-wake` the right to wake the machine; nil if something
  /// other than this missing right prevents waking.
  public static func command(_ refusal: WakeTimer.Refusal) -> String? {
    guard case .notPermitted(let program) = refusal else { return nil }
    return "sudo setcap cap_wake_alarm=ep \(shell(TerminalText.escaped(program)))"
  }
}

extension WakeTimer.Refusal {
  /// The code for a missing right.
  fileprivate static let notPermittedCode = "not-permitted"

  /// The reason why the machine cannot be woken: a code that programs can test or, for any other
  /// error, the message of the operating system.
  public var code: String {
    switch self {
    case .notPermitted: Self.notPermittedCode
    case .noClock: "no-clock"
    case .notStarted(let reason): reason
    case .failed(let error): error.description
    }
  }
}
