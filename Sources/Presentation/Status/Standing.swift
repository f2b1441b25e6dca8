// SPDX-License-Identifier: GPL-3.0-or-later
//
// The state of an alarm or a timer, together with the values that a description of the state needs.
// Also the descriptions: long ones for lists on a terminal, short ones for `belfry watch`. Next:
// `Status.swift`.

import Configuration
import Language
import Scheduling
import System

public nonisolated enum Standing: Hashable, Sendable {
  case off, over
  case ringing
  case snoozed(until: Instant)
  /// An alarm that was stopped and will ring again unless the user is up.
  case checking(StopCheck)
  /// The next ring is skipped. `then` is the first ring that is not skipped; nil if there is none.
  /// `isOnly` means that the alarm has no other ring, because it rings once.
  case skipped(Instant, then: Instant?, isOnly: Bool)
  /// A pause silences the next ring. `next` is the first ring after the pause; nil if there is
  /// none.
  case paused(until: CivilDate?, next: Instant?)
  case scheduled(Instant, movedFrom: Instant?)
  /// The states of a timer: `running`, `halted` if it is paused, and `overdue` if it is ringing.
  case running(left: Duration, of: Duration, ends: Instant)
  case halted(left: Duration, of: Duration, isLocked: Bool)
  case overdue(by: Duration)
}

/// A record that is shown by its label or, without a label, by its id.
public nonisolated protocol Labelled {
  var id: String { get }
  var label: String { get }
}

nonisolated extension Labelled {
  public var name: String { label.isEmpty ? id : label }
}

nonisolated extension Status.Ringing: Labelled {
  public var start: Instant? { since?.instant }
}

nonisolated extension Status.Missed: Labelled {}

nonisolated extension Status.Alarm: Labelled {
  public var standing: Standing {
    switch state {
    case .off: return .off
    case .ringing: return .ringing
    case .over: return .over
    case .snoozed: if let until = snoozedUntil?.instant { return .snoozed(until: until) }
    case .checking: if let check { return .checking(check) }
    case .scheduled, nil: break
    }
    let next = at?.instant
    if skipped == true, let next {
      return .skipped(next, then: resumesAt?.instant, isOnly: !isRepeating)
    }
    if paused == true { return .paused(until: lastPausedDay, next: next) }
    return next.map { .scheduled($0, movedFrom: movedFrom?.instant) } ?? .over
  }

  public var isRepeating: Bool { days != nil || every != nil }

  /// The last day of the pause that silences the next ring; nil if the pause lasts until the user
  /// removes it.
  public var lastPausedDay: CivilDate? { pausedUntil.flatMap { CivilDate($0) } }

  /// The check whether the user is up after stopping the alarm; nil if there is none.
  public var check: StopCheck? {
    (asks?.instant).map { asks in
      StopCheck(
        stopped: asks, due: asks, lookedAt: (ringsAgain?.instant).map { $0 - StopCheck.patience },
        isAsked: asked == true)
    }
  }

  /// The moment at which the alarm rings next: the end of a snooze, or the next ring. If the alarm
  /// was stopped and has no other ring, this is the moment at which it rings again unless the user
  /// is up. Nil if the alarm is ringing now, or has no upcoming ring.
  public var nextRing: Instant? {
    switch standing {
    case .snoozed(let until): until
    case .checking(let check): (skipped == true ? resumesAt : at)?.instant ?? check.end
    case .skipped(_, let then, _): then
    case .paused(_, let next): next
    case .scheduled(let next, _): next
    default: nil
    }
  }

  /// How to show the seconds of the next ring. The end of a snooze or a check was computed, so its
  /// seconds are shown only if it is near. Other moments are shown as the user chose them.
  public var seconds: Wording.Seconds {
    state == .snoozed || nextRing == check?.end ? .near : .given
  }
}

nonisolated extension Status.Timer {
  /// The state of the timer at the moment at which the status was made.
  public var standing: Standing {
    let (left, length) = (Duration(told: left), Duration(told: length))
    let end = at?.instant ?? Instant(seconds: 0)
    return switch state {
    case .running: .running(left: left, of: length, ends: end)
    case .paused: .halted(left: left, of: length, isLocked: reason != nil)
    case .ringing: .overdue(by: Duration(told: overtime ?? 0))
    case .snoozed: .snoozed(until: end)
    }
  }

  public var turn: Round? {
    round.map { Round(Int(clamping: $0), of: rounds.map { Int(clamping: $0) }) }
  }
}

extension Status.Timer {
  @MainActor public var name: String {
    let name = [label, preset ?? ""].first { !$0.isEmpty }
    return Wording.name(name ?? DurationText.format(Duration(told: length)), turn)
  }
}

extension Status.Lap {
  @MainActor public var markWord: String {
    switch mark {
    case "fastest": tr("fastest", context: "lap")
    case "slowest": tr("slowest", context: "lap")
    default: mark ?? ""
    }
  }
}

extension Wording {
  /// Returns a text that says how long something has been ringing, such as
  /// `Work ringing since 07:30`.
  public func ringing(_ name: String, since: Instant?, _ now: Instant) -> String {
    since.map { tr("\(name) ringing since \(time($0, .near, seenFrom: now))") }
      ?? tr("\(name) rings")
  }

  /// Returns the words that describe a state in a list, such as `skipped tomorrow 07:30`.
  public func long(_ standing: Standing, seenFrom now: Instant) -> String {
    func given(_ instant: Instant) -> String { moment(instant, .given, seenFrom: now) }
    switch standing {
    case .off: return tr("off", context: "alarm")
    case .over: return tr("over", context: "alarm")
    case .ringing: return tr("ringing")
    case .snoozed(let until): return tr("snoozed until \(moment(until, .near, seenFrom: now))")
    case .checking(let check): return self.check(check, seenFrom: now)
    case .skipped(let next, nil, isOnly: true): return tr("skipped \(given(next))")
    case .skipped(let next, nil, isOnly: false):
      return tr("skipped \(given(next)), and all later rings")
    case .skipped(let next, let then?, _):
      return tr("skipped \(given(next)), then \(given(then))")
    case .paused(let until, let next):
      let paused = paused(until: until, seenFrom: date(now))
      return next.map { tr("\(paused), then \(given($0))", context: "pause") } ?? paused
    case .scheduled(let next, let before):
      let words = tr("\(given(next)), in \(Self.span(next - now))")
      return moved(words, from: before, seenFrom: now)
    case .running(let left, let length, let ends):
      let (left, length) = (Self.span(left), Self.span(length))
      return tr("\(left) left of \(length), ends \(at(ends, .near, seenFrom: now))")
    case .halted(let left, let length, let isLocked):
      let (left, length) = (Self.span(left), Self.span(length))
      return isLocked
        ? tr("paused while the screen is locked, \(left) left of \(length)")
        : tr("paused, \(left) left of \(length)")
    case .overdue(let overtime): return tr("ringing, over by \(Self.span(overtime))")
    }
  }

  /// Returns the words that stand beside the time of the next ring, such as `after a skip`. For an
  /// ordinary ring, the text is empty.
  public func short(_ standing: Standing, seenFrom now: Instant) -> String {
    switch standing {
    case .off: tr("off", context: "alarm")
    case .over: ""
    case .ringing: tr("ringing")
    case .snoozed: tr("snoozed")
    case .checking: tr("check")
    case .skipped(_, let then, _): then == nil ? tr("skipped") : tr("after a skip")
    case .paused(_, nil): tr("paused", context: "alarm")
    case .paused(let until, _): paused(until: until, seenFrom: date(now))
    case .scheduled(_, let before): before == nil ? "" : tr("moved", context: "alarm")
    case .running(_, _, let ends): brief(ends, seenFrom: now)
    case .halted: tr("paused")
    case .overdue: tr("over", context: "timer")
    }
  }

  private func date(_ instant: Instant) -> CivilDate { zones.civil(at: instant, in: nil).date }
}
