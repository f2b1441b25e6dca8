// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is remembered of alarms and their rings, in the state's text. Next: `StateText.swift`, which
// has the rest.

import Language
import Scheduling
import TOML

extension StateText {
  static func entry(_ id: String, _ alarm: AlarmState) -> [String] {
    let skipped = alarm.skipped
    return entry(
      "[[alarm]]",
      [
        "id": id, "signature": alarm.signature, "handled": alarm.handled,
        "handled_date": alarm.handledDate, "settled": alarm.settled.isEmpty ? nil : alarm.settled,
        "skipped": skipped?.lowerBound,
        "skipped_until": skipped?.lowerBound == skipped?.upperBound ? nil : skipped?.upperBound,
        "moves": alarm.moves.isEmpty ? nil : alarm.moves, "sound": alarm.sound,
        "prepared": alarm.prepared, "bedtime_closed": alarm.bedtimeClosed,
      ]) + lines(alarm.phase)
  }

  private static func lines(_ phase: AlarmState.Phase) -> [String] {
    switch phase {
    case .scheduled: []
    case .over: lines(["phase": "over"])
    case .open(let ring): lines(open: ring)
    case .checking(let ring, let check):
      lines([
        "phase": "checking", "stopped": check.stopped, "check": check.due,
        "looked": check.lookedAt, "asked": check.isAsked ? true : nil,
      ]) + lines(ring)
    }
  }

  static func lines(open ring: Ring) -> [String] {
    let phase = ring.snoozedUntil == nil ? "ringing" : "snoozed"
    return lines(["phase": phase, "until": ring.snoozedUntil]) + lines(ring)
  }

  private static func lines(_ ring: Ring) -> [String] {
    lines([
      "due": ring.due, "since": ring.since, "snoozes": ring.snoozes,
      "auto_snoozes": ring.autoSnoozes, "moved_from": ring.movedFrom,
      "checks": ring.checks > 0 ? ring.checks : nil, "hushed_until": ring.hushedUntil,
      "silence_spent": ring.isSilenceSpent ? true : nil,
    ])
  }
}

extension Moves: StateValue {
  var stateText: String {
    let moves = sorted { $0.key < $1.key }.map { "[\($0), \($1.stateText)]" }
    return "[\(moves.joined(separator: ", "))]"
  }
}

extension TOMLValue {
  /// What an entry tells of one alarm. Belfry up to 1.1 wrote several with the same memory as one, which
  /// has in `alike` lists of a signature and the ids with it.
  func alarms() throws(StateProblem) -> [(id: String, state: AlarmState)] {
    guard let alike = self["alike"] else {
      let (id, signature) = (try string("id"), try string("signature"))
      return [(id, try alarmState(signature))]
    }
    var state = try alarmState("")
    var alarms: [(id: String, state: AlarmState)] = []
    for value in alike.array ?? [] {
      guard let words = value.array?.compactMap(\.string), words.count == value.array?.count,
        words.count > 1
      else { throw lacking("alike") }
      state.signature = words[0]
      for id in words.dropFirst() { alarms.append((id, state)) }
    }
    if alarms.isEmpty { throw lacking("alike") }
    return alarms
  }

  private func alarmState(_ signature: String) throws(StateProblem) -> AlarmState {
    var alarm = AlarmState(signature: signature, handled: try instant("handled"))
    alarm.settled = Array(
      try (optional("settled", instants) ?? []).suffix(AlarmState.settledKept))
    alarm.handledDate = try optional("handled_date", date)
    if let first = try optional("skipped", date) {
      alarm.skipped = first...max(first, try optional("skipped_until", date) ?? first)
    }
    if self["moves"] != nil { alarm.moves = try moves() }
    alarm.sound = self["sound"]?.string
    alarm.prepared = try optional("prepared", instant)
    alarm.bedtimeClosed = try optional("bedtime_closed", instant)
    alarm.phase = try phase()
    return alarm
  }

  private func phase() throws(StateProblem) -> AlarmState.Phase {
    switch self["phase"]?.string {
    case nil where self["phase"] == nil: .scheduled
    case "over": .over
    case "ringing", "snoozed": .open(try openRing())
    case "checking": .checking(try ring(), try check())
    default: throw lacking("phase")
    }
  }

  private func moves() throws(StateProblem) -> Moves {
    var moves = Moves()
    for value in self["moves"]?.array ?? [] {
      guard let pair = value.array, pair.count == 2, let date = pair[0].date,
        let time = pair[1].dateTime
      else { throw lacking("moves") }
      moves[date] = time
    }
    guard (1...AlarmState.movesKept).contains(moves.count) else { throw lacking("moves") }
    return moves
  }

  private func check() throws(StateProblem) -> StopCheck {
    StopCheck(
      stopped: try instant("stopped"), due: try instant("check"),
      lookedAt: try optional("looked", instant), isAsked: flag("asked"))
  }

  func openRing() throws(StateProblem) -> Ring {
    var ring = try ring()
    if self["phase"]?.string == "snoozed" { ring.snoozedUntil = try instant("until") }
    return ring
  }

  private func ring() throws(StateProblem) -> Ring {
    var ring = Ring(due: try instant("due"), since: try instant("since"))
    ring.snoozes = try count("snoozes")
    ring.autoSnoozes = try count("auto_snoozes")
    ring.movedFrom = try optional("moved_from", instant)
    ring.checks = try optional("checks", count) ?? 0
    ring.hushedUntil = try optional("hushed_until", instant)
    ring.isSilenceSpent = flag("silence_spent")
    return ring
  }

  private func count(_ key: String) throws(StateProblem) -> Int {
    guard let value = Int(exactly: try integer(key)), (0...1_000_000).contains(value) else {
      throw lacking(key)
    }
    return value
  }
}
