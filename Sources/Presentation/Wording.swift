// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sentences that notifications, the terminal and the bus share. `Announcement.swift` in the core
// decides when a notification is shown. Next: `DateWording.swift`, for times and durations.

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
  public nonisolated static func shell(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "/._-+:@%0123456789".unicodeScalars.contains($0)
    }
    if isPlain, !text.isEmpty { return text }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
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

  /// Returns the next step of the check whether the user is up: Belfry asks, or the
  /// alarm rings again.
  public func check(_ check: StopCheck, seenFrom now: Instant) -> String {
    check.isAsked
      ? tr(
        """
        are you up? It will ring again at \(time(check.end, .near, seenFrom: now)) \
        unless you answer
        """)
      : tr("stopped; asks at \(time(check.due, .near, seenFrom: now)) whether you are up")
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

  /// Returns `focus, 2 of 4`, or `focus, round 2` if the number of rounds is not limited.
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

  public func end(of line: HistoryLine, seenFrom now: Instant) -> String {
    switch line.answer {
    case .stopped where line.rang == nil: return tr("stopped while snoozed")
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
  /// The end of a snooze was computed, and has no date. All other rings are at moments that a
  /// person chose.
  public var seconds: Wording.Seconds { date == nil ? .near : .given }
}

extension Missed {
  public var seconds: Wording.Seconds { isTimer ? .near : .given }
}

extension HistoryLine {
  /// A person chose the moment of an alarm's first ring. The moment of a timer's ring was computed,
  /// and so was the moment of a ring after a snooze or a check.
  public var seconds: Wording.Seconds {
    kind == .alarm && snoozes == 0 && checks == 0 ? .given : .near
  }
}
