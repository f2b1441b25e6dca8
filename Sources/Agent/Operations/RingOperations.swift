// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operations on rings: stop, snooze, silence, skip, move and rehearse. They check what is asked
// against what is there, and pass an event to the schedule. Next: `TimerOperations.swift`.

import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

extension Agent {
  typealias Answered = (_ answered: [Status.Answered], _ problem: FileError?) -> Void

  /// Stops the ring or snooze of `id`, or answers its check; without an id, everything that is
  /// ringing or, if nothing is, every check that waits for an answer.
  func stop(_ id: String, then done: @escaping Answered) throws(Refusal) {
    let checked = schedule.checking.filter { $0.check?.isAsked == true }.map(\.alarm)
    let asking = checked.map(\.id)
    let meant = id.isEmpty && schedule.ringing.isEmpty ? asking : [id]
    guard !meant.isEmpty, meant.allSatisfy(asking.contains) else {
      return answer(try rings(id), then: done) { .stop($0.id) }
    }
    let answered = checked.filter { meant.contains($0.id) }.map(overview.answered)
    apply(.answers(meant.map(Event.isUp))) { done(answered, $0) }
  }

  /// Snoozes the ring of `id`, without an id everything that is ringing, for `length` or, if that
  /// is nil, for each ring's own length.
  func snooze(_ id: String, _ length: Duration?, then done: @escaping Answered) throws(Refusal) {
    let rings = try rings(id)
    let able = rings.filter(\.canSnooze)
    if able.isEmpty, let first = rings.first { throw Refusal(.noSnooze, Self.noSnooze(first)) }
    answer(able, then: done) { .snooze($0.id, length ?? $0.ownSnooze) }
  }

  private func answer(
    _ rings: [OpenRing], then done: @escaping Answered, _ event: (OpenRing) -> Event
  ) {
    apply(.answers(rings.map(event))) { [self] problem in
      done(
        rings.map { overview.answered($0, schedule.openRing($0.id)?.snoozedUntil) }, problem)
    }
  }

  private func rings(_ id: String) throws(Refusal) -> [OpenRing] {
    if id.isEmpty {
      let rings = schedule.openRings.filter { $0.snoozedUntil == nil }
      guard !rings.isEmpty else { throw Refusal(.notRinging, tr("nothing is ringing")) }
      return rings
    }
    if let ring = schedule.openRing(id) { return [ring] }
    if schedule.timer(id) != nil {
      throw Refusal(
        .notRinging,
        complaint(
          tr("\(id) does not ring"), hint: Message("belfry timer cancel \(id) takes it away")))
    }
    _ = try entry(id)
    throw Refusal(.notRinging, tr("\(id) does not ring"))
  }

  private static func noSnooze(_ ring: OpenRing) -> String {
    let problem =
      if ring.isRehearsal {
        tr("\(ring.id) is only being tried out")
      } else if !ring.settings.allowsSnooze {
        tr("\(ring.id) takes no snooze (snooze = [])")
      } else {
        tr("\(ring.id) takes no more snoozes (snoozes = \(ring.settings.snoozeLimit))")
      }
    return complaint(problem, hint: Message("belfry stop \(ring.id) ends it"))
  }

  /// Silences a ring for a while. If it can no longer be silenced, shows its notification again.
  func silence(_ id: String, then done: ((FileError?) -> Void)? = nil) {
    guard let ring = schedule.openRing(id), ring.canSilence else {
      updateNotification(Notice.Key(kind: .ringing, id: id))
      done?(nil)
      return
    }
    apply(.hush(id), then: done)
  }

  /// Lets the alarm `id` ring once, as a trial. Passes to `done` the alarm and how long it rings.
  func rehearse(
    _ id: String, then done: @escaping (Alarm, Duration, FileError?) -> Void
  ) throws(Refusal) {
    guard let alarm = configuration.alarm(id) else { throw unknown(id) }
    if let ring = schedule.ringing.first ?? schedule.openRing(alarm.id) {
      throw Refusal(
        .ringing,
        ring.snoozedUntil == nil
          ? complaint(tr("\(ring.id) rings now"), hint: Message("stop it first"))
          : complaint(tr("\(ring.id) is snoozed"), hint: Message("stop it first")))
    }
    apply(.rehearse(alarm)) { done(alarm, Schedule.rehearsalLength(of: alarm), $0) }
  }

  func entry(_ id: String) throws(Refusal) -> Schedule.Entry {
    if let entry = schedule.entry(id) { return entry }
    if configuration.alarm(id) != nil { throw Refusal(.notRinging, tr("\(id) is disabled")) }
    throw unknown(id)
  }

  private func unknown(_ id: String) -> Refusal {
    Refusal(.notFound, ConfigEditor.unknown(id: id, among: configuration.alarms.map(\.id)))
  }
}

// MARK: - Skips and moves

extension Agent {
  /// Returns the event that skips the next ring of the alarm `id`.
  func skipping(_ id: String) throws(Refusal) -> Event {
    _ = try coming(id)
    return .skip(id, .next(1))
  }

  /// Returns the event that skips `count` rings of the alarm `id` or, if `count` is 0, its rings
  /// through the day `last`.
  func skipping(_ id: String, count: Int, last: String) throws(Refusal) -> Event {
    let entry = try coming(id).entry
    let rings: SkippedRings
    if (1...1000).contains(count), last.isEmpty {
      rings = .next(count)
    } else if count == 0, let date = CivilDate(last) {
      rings = .through(date)
    } else {
      throw Refusal(
        .invalidArgument, tr("give a count from 1 to 1000, or a date such as 2026-12-24"))
    }
    guard entry.skipping(rings, in: zones) != nil else {
      throw Refusal(.nothingToCome, tr("\(id) has no ring up to \(last)"))
    }
    return .skip(id, rings)
  }

  func unskipping(_ id: String) throws(Refusal) -> Event {
    let (entry, next) = try coming(id)
    let now = Clock.now().wall
    if let before = next.movedFrom, before <= now, !entry.isSkipped {
      let (moment, past) = (
        wording.moment(next.due, .given, seenFrom: now),
        wording.moment(before, .given, seenFrom: now)
      )
      throw Refusal(
        .nothingToCome, tr("\(id) rings \(moment): its own time, \(past), is past"))
    }
    return .unskip(id)
  }

  /// Returns the event that moves the next ring of the alarm `id` to the time of day in `text`.
  func moving(_ id: String, to text: String) throws(Refusal) -> Event {
    let entry = try entry(id)
    guard let time = TimeText.parse(text) else {
      throw Refusal(
        .invalidArgument,
        tr("\(TerminalText.quoted(text)) is no time of day: write it as 15:30 or 3:30 pm."))
    }
    do throws(MoveFault) {
      _ = try entry.nextMoved(to: time, at: Clock.now().wall, in: zones)
      return .move(id, time)
    } catch {
      let words: String =
        switch error {
        case .nothingToCome: tr("\(id) has no upcoming ring")
        case .excepted(let date): tr("\(id) does not ring on \(date), which is left out")
        case .paused(let date): tr("\(id) does not ring on \(date), which is in a pause")
        case .ended(let date): tr("\(id) does not ring after \(date), its last day")
        }
      throw Refusal(.nothingToCome, words)
    }
  }

  private func coming(
    _ id: String
  ) throws(Refusal) -> (entry: Schedule.Entry, next: Occurrence) {
    let entry = try entry(id)
    guard let next = entry.next else {
      let isPaused = entry.pausedRing(at: Clock.now().wall, in: zones) != nil
      throw Refusal(
        .nothingToCome,
        isPaused
          ? complaint(
            tr("\(id) is paused and does not ring before the pause ends"),
            hint: Message("belfry pause shows the pauses"))
          : tr("\(id) has no upcoming ring"))
    }
    return (entry, next)
  }
}
