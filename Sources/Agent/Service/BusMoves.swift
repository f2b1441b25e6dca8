// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods of the bus that skip or move upcoming rings, or undo a skip or a move. `Moves.swift`
// in the core decides what happens to the rings.

import Bus
import Configuration
import Language
import Presentation
import Scheduling
import System

extension BusService {
  static let moves = [
    BusMethod("Skip", takes: "s id", gives: "a{sv} alarm", answer: skip),
    BusMethod("SkipMany", takes: "s id, u count, s until", gives: "a{sv} alarm", answer: skipMany),
    BusMethod("Move", takes: "s id, s time", gives: "a{sv} alarm", answer: move),
    BusMethod("Unskip", takes: "s id", gives: "a{sv} alarm", answer: unskip),
  ]

  static func skip(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    _ = try coming(call, agent)
    change(call, agent, .skip(call.id))
  }

  static func skipMany(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let entry = try coming(call, agent).entry
    let (count, text) = (Int(call.uint32(1) ?? 0), call.arguments.last?.string ?? "")
    let rings: SkippedRings
    if (1...1000).contains(count), text.isEmpty {
      rings = .next(count)
    } else if count == 0, let date = CivilDate(text) {
      rings = .through(date)
    } else {
      throw Refusal(
        .invalidArgument, tr("to skip takes a count of 1 to 1000, or a date such as 2026-12-24"))
    }
    guard entry.skipping(rings, in: agent.zones) != nil else {
      throw Refusal(.nothingToCome, tr("\(call.id) has no ring up to \(text)"))
    }
    change(call, agent, .skip(call.id, rings))
  }

  static func unskip(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let (entry, next) = try coming(call, agent)
    let (now, wording) = (Clock.now().wall, agent.wording)
    if let before = next.movedFrom, before <= now, !entry.isSkipped {
      let (moment, past) = (
        wording.moment(next.due, .given, seenFrom: now),
        wording.moment(before, .given, seenFrom: now)
      )
      throw Refusal(
        .nothingToCome, tr("\(call.id) rings \(moment): its own time, \(past), is past"))
    }
    change(call, agent, .unskip(call.id))
  }

  static func move(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let (entry, text) = (try entry(call.id, agent), call.arguments.last?.string ?? "")
    guard let time = TimeText.parse(text) else {
      throw Refusal(
        .invalidArgument,
        tr("\(TerminalText.quoted(text)) is no time of day: write it as 15:30 or 3:30 pm."))
    }
    do throws(MoveFault) {
      _ = try entry.nextMoved(to: time, at: Clock.now().wall, in: agent.zones)
      change(call, agent, .move(call.id, time))
    } catch {
      let words: String =
        switch error {
        case .nothingToCome: tr("\(call.id) has no ring to come")
        case .excepted(let date): tr("\(call.id) does not ring on \(date), which is left out")
        case .paused(let date): tr("\(call.id) does not ring on \(date), which is in a pause")
        case .ended(let date): tr("\(call.id) does not ring after \(date), its last day")
        }
      throw Refusal(.nothingToCome, words)
    }
  }

  private static func change(_ call: Bus.Call, _ agent: Agent, _ event: Event) {
    agent.apply(event) { problem in
      let alarm = agent.overview.alarm(call.id)
      call.reply([.dictionary(alarm?.entries ?? [])], unless: problem)
    }
  }

  private static func coming(
    _ call: Bus.Call, _ agent: Agent
  ) throws(Refusal) -> (entry: Schedule.Entry, next: Occurrence) {
    let entry = try entry(call.id, agent)
    guard let next = entry.next else {
      let isPaused = entry.pausedRing(at: Clock.now().wall, in: agent.zones) != nil
      throw Refusal(
        .nothingToCome,
        isPaused
          ? complaint(
            tr("\(call.id) is paused and does not ring before the pause ends"),
            hint: Message("belfry pause shows the pauses"))
          : tr("\(call.id) has no ring to come"))
    }
    return (entry, next)
  }
}
