// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sentences that notifications, the terminal and the bus share. `Announcement.swift` in the core
// decides when they are shown. Next: `DateWording.swift`, for times and durations.

import Configuration
import Language
import Persistence
import Scheduling
import System

/// Makes sentences. Moments are in the zone of the machine.
public struct Wording {
  public var zones: Zones
  public var clock: AgentSettings.Clock
  /// A name in the icon theme, or a path.
  public var icon: String

  public init(zones: Zones, clock: AgentSettings.Clock, icon: String = "alarm-symbolic") {
    (self.zones, self.clock, self.icon) = (zones, clock, icon)
  }
}

extension Wording {
  /// `text` quoted as one word for a shell.
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

  /// `text, moved from 07:30`, or only `text` if `before` is nil.
  public func moved(_ text: String, from before: Instant?, seenFrom now: Instant) -> String {
    before.map { tr("\(text), \(moved(from: $0, seenFrom: now))", context: "moved") } ?? text
  }

  /// `moved from 07:30`.
  public func moved(from before: Instant, seenFrom now: Instant) -> String {
    tr("moved from \(moment(before, .given, seenFrom: now))")
  }

  /// The next step of the check whether the user is up: Belfry asks, or rings again.
  public func check(_ check: StopCheck, seenFrom now: Instant) -> String {
    check.isAsked
      ? tr(
        """
        are you up? It will ring again at \(time(check.end, .near, seenFrom: now)) \
        unless you answer
        """)
      : tr("stopped; asks at \(time(check.due, .near, seenFrom: now)) whether you are up")
  }

  /// `text, snoozed twice`, or only `text` if `times` is 0.
  public static func snoozed(_ text: String, _ times: Int64) -> String {
    switch times {
    case ...0: text
    case 2: tr("\(text), snoozed twice")
    default:
      tr("\(text), snoozed once", plural: "\(text), snoozed \(times) times", count: Int(times))
    }
  }

  /// `when and 2 before`, or only `when` if `more` is 0.
  public static func and(_ more: Int, before when: String) -> String {
    more > 0
      ? tr("\(when) and \(more) before", plural: "\(when) and \(more) before", count: more) : when
  }

  /// `focus, 2 of 4`, or `focus, round 2` if there is no last round.
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

  /// How a ring ended.
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

// MARK: - Which moments were chosen by a person

extension ComingRing {
  /// Only the end of a snooze, which has no date, was computed.
  public var seconds: Wording.Seconds { date == nil ? .near : .given }
}

extension Missed {
  public var seconds: Wording.Seconds { isTimer ? .near : .given }
}

extension HistoryLine {
  /// After a snooze or a check, the moment was computed.
  public var seconds: Wording.Seconds {
    kind == .alarm && snoozes == 0 && checks == 0 ? .given : .near
  }
}
