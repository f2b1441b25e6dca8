// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts into words how an alarm or a timer stands: long words for lists and replies, short ones for
// `belfry watch`. The core's `Standing.swift` decides how it stands. Next: `ReplyWording.swift`.

import Configuration
import Language
import Scheduling
import System

/// A record that is shown by its label or, without a label, by its id.
public protocol Labelled {
  var id: String { get }
  var label: String { get }
}

extension Labelled {
  public var name: String { label.isEmpty ? id : label }
}

extension Status.Ringing: Labelled {
  public var start: Instant? { since?.instant }
}

extension Status.Missed: Labelled {}

extension Status.Alarm: Labelled {}

extension Status.Timer {
  public var turn: Round? {
    round.map { Round(Int(clamping: $0), of: rounds.map { Int(clamping: $0) }) }
  }
}

extension Status.Timer {
  public var name: String {
    let name = [label, preset ?? ""].first { !$0.isEmpty }
    return Wording.name(name ?? DurationText.format(Duration(told: length)), turn)
  }
}

extension Status.Lap {
  public var markWord: String {
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

  /// Returns the words for lists, such as `skipped tomorrow 07:30`.
  public func long(_ standing: Standing, seenFrom now: Instant) -> String {
    switch standing.state {
    case .off: return tr("off", context: "alarm")
    case .over: return tr("over", context: "alarm")
    case .ringing: return tr("ringing")
    case .snoozed(let until): return tr("snoozed until \(moment(until, .near, seenFrom: now))")
    case .checking(let check) where check.isAsked:
      return tr(
        """
        are you up? It will ring again at \(time(check.ringsAgain, .near, seenFrom: now)) \
        unless you answer
        """)
    case .checking(let check):
      return tr("stopped; asks at \(time(check.asks, .near, seenFrom: now)) whether you are up")
    case .scheduled: return next(standing, seenFrom: now)
    case .running(let left, let length, let ends):
      let (left, length) = (Self.span(left), Self.span(length))
      return tr("\(left) left of \(length), ends \(at(ends, .near, seenFrom: now))")
    case .halted(let left, let length, let isLocked):
      let (left, length) = (Self.span(left), Self.span(length))
      return isLocked
        ? tr("paused while the screen is locked, \(left) left of \(length)")
        : tr("paused, \(left) left of \(length)")
    case .overdue(_, let overtime): return tr("ringing, over by \(Self.span(overtime))")
    }
  }

  /// Returns the words for the next ring of a scheduled alarm: when it is, or why it is left out.
  private func next(_ standing: Standing, seenFrom now: Instant) -> String {
    func given(_ instant: Instant) -> String { moment(instant, .given, seenFrom: now) }
    if standing.isSkipped, let skipped = standing.next?.due {
      if let then = standing.wanted { return tr("skipped \(given(skipped)), then \(given(then))") }
      return standing.repeats
        ? tr("skipped \(given(skipped)), and all later rings") : tr("skipped \(given(skipped))")
    }
    if let pause = standing.pause {
      let paused = paused(until: pause.until, seenFrom: date(now))
      return standing.wanted.map { tr("\(paused), then \(given($0))", context: "pause") } ?? paused
    }
    guard let next = standing.next else { return tr("over", context: "alarm") }
    let words = tr("\(given(next.due)), in \(Self.span(next.due - now))")
    return moved(words, from: next.movedFrom, seenFrom: now)
  }

  /// Returns the words that stand beside the time of the next ring, such as `after a skip`. For an
  /// ordinary ring, the text is empty.
  public func short(_ standing: Standing, seenFrom now: Instant) -> String {
    switch standing.state {
    case .off: tr("off", context: "alarm")
    case .over: ""
    case .ringing: tr("ringing")
    case .snoozed: tr("snoozed")
    case .checking: tr("check")
    case .scheduled where standing.isSkipped:
      standing.wanted == nil ? tr("skipped") : tr("after a skip")
    case .scheduled where standing.pause != nil && standing.wanted == nil:
      tr("paused", context: "alarm")
    case .scheduled where standing.pause != nil:
      paused(until: standing.pause?.until, seenFrom: date(now))
    case .scheduled: standing.next?.movedFrom == nil ? "" : tr("moved", context: "alarm")
    case .running(_, _, let ends): brief(ends, seenFrom: now)
    case .halted: tr("paused")
    case .overdue: tr("over", context: "timer")
    }
  }

  private func date(_ instant: Instant) -> CivilDate { zones.civil(at: instant, in: nil).date }
}

extension Standing {
  /// How to show the seconds of the next ring. The end of a snooze or a check was computed, so its
  /// seconds are shown only if it is near. Other moments are shown as the user chose them.
  public var seconds: Wording.Seconds {
    switch state {
    case .snoozed: .near
    case .checking where wanted == nil: .near
    default: .given
    }
  }
}
