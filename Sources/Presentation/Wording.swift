// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Belfry says, in notifications, on terminals and on the bus alike. It decides nothing; what
// is said when is `Announcement.swift`'s in the core. Times and lengths are in `DateWording.swift`.

import Configuration
import Language
import Persistence
import Scheduling
import System

/// Words for moments and lengths, in the zone of the machine.
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
  /// `text` as a word for a shell.
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

  /// `text` as it is for what was not moved; else `text, moved from 07:30`.
  public func moved(_ text: String, from before: Instant?, seenFrom now: Instant) -> String {
    before.map { tr("\(text), \(moved(from: $0, seenFrom: now))", context: "moved") } ?? text
  }

  /// `moved from 07:30`.
  public func moved(from before: Instant, seenFrom now: Instant) -> String {
    tr("moved from \(moment(before, .given, seenFrom: now))")
  }

  /// What is to come of a stop after which it is seen to that the user is up.
  public func check(_ check: StopCheck, seenFrom now: Instant) -> String {
    check.isAsked
      ? tr(
        """
        are you up? It will ring again at \(time(check.end, .near, seenFrom: now)) \
        unless you answer
        """)
      : tr("stopped; asks at \(time(check.due, .near, seenFrom: now)) whether you are up")
  }

  /// `text` as it is for what was not snoozed; else `text, snoozed twice`.
  public static func snoozed(_ text: String, _ times: Int64) -> String {
    switch times {
    case ...0: text
    case 2: tr("\(text), snoozed twice")
    default:
      tr("\(text), snoozed once", plural: "\(text), snoozed \(times) times", count: Int(times))
    }
  }

  /// `when` for one; `when and 2 before`.
  public static func and(_ more: Int, before when: String) -> String {
    more > 0
      ? tr("\(when) and \(more) before", plural: "\(when) and \(more) before", count: more) : when
  }

  /// `name`, and which round it is of how many, where there are several; nil: for ever.
  public static func name(_ name: String, _ round: Round?) -> String {
    guard let round else { return name }
    return round.rounds.map { tr("\(name), \(round.number) of \($0)", context: "round") }
      ?? tr("\(name), round \(round.number)")
  }

  /// Why an alarm was missed, for people.
  public static func because(_ reason: Missed.Reason) -> String {
    switch reason {
    case .unanswered: tr("nobody answered")
    case .asleep: tr("the computer was asleep")
    case .off: tr("Belfry was not running")
    case .clockSet: tr("the clock was set")
    case .zoneChanged: tr("the time zone was changed")
    }
  }

  /// What became of a ring.
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

// MARK: - Which moments were given by a person

extension ComingRing {
  /// The end of a snooze was counted.
  public var seconds: Wording.Seconds { date == nil ? .near : .given }
}

extension Missed {
  public var seconds: Wording.Seconds { isTimer ? .near : .given }
}

extension HistoryLine {
  /// After a snooze or a check it was due when that ended.
  public var seconds: Wording.Seconds {
    kind == .alarm && snoozes == 0 && checks == 0 ? .given : .near
  }
}
