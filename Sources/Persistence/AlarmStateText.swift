// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is remembered of alarms and their rings, in the state's text. Next: `StateText.swift`, which
// has the rest.

import Language
import Scheduling
import TOML

extension StateText {
  static func lines(_ id: String, _ alarm: AlarmState) -> [String] {
    var lines = [
      "", "[[alarm]]", "id = \(TerminalText.literal(id))",
      "signature = \(TerminalText.literal(alarm.signature))", "handled = \(stamp(alarm.handled))",
    ]
    if let date = alarm.handledDate { lines.append("handled_date = \(date)") }
    if !alarm.settled.isEmpty { lines.append("settled = \(stamps(alarm.settled))") }
    if let skipped = alarm.skipped {
      lines.append("skipped = \(skipped.lowerBound)")
      if skipped.lowerBound < skipped.upperBound {
        lines.append("skipped_until = \(skipped.upperBound)")
      }
    }
    if !alarm.moves.isEmpty {
      let moves = alarm.moves.sorted { $0.key < $1.key }
        .map { "[\($0), \($1.date)T\($1.time.second == 0 ? "\($1.time):00" : "\($1.time)")]" }
      lines.append("moves = [\(moves.joined(separator: ", "))]")
    }
    if let sound = alarm.sound { lines.append("sound = \(TerminalText.literal(sound))") }
    if let prepared = alarm.prepared { lines.append("prepared = \(stamp(prepared))") }
    if let closed = alarm.bedtimeClosed { lines.append("bedtime_closed = \(stamp(closed))") }
    switch alarm.phase {
    case .scheduled: break
    case .over: lines.append("phase = \"over\"")
    case .ringing(let ring): lines += ["phase = \"ringing\""] + self.lines(ring)
    case .snoozed(let ring, let until):
      lines += ["phase = \"snoozed\"", "until = \(stamp(until))"] + self.lines(ring)
    case .checking(let ring, let check):
      lines += [
        "phase = \"checking\"", "stopped = \(stamp(check.stopped))", "check = \(stamp(check.due))",
      ]
      if let looked = check.lookedAt { lines.append("looked = \(stamp(looked))") }
      lines += (check.isAsked ? ["asked = true"] : []) + self.lines(ring)
    }
    return lines
  }

  static func lines(_ ring: Ring) -> [String] {
    var lines = [
      "due = \(stamp(ring.due))", "since = \(stamp(ring.since))", "snoozes = \(ring.snoozes)",
      "auto_snoozes = \(ring.autoSnoozes)",
    ]
    if let moved = ring.movedFrom { lines.append("moved_from = \(stamp(moved))") }
    if ring.checks > 0 { lines.append("checks = \(ring.checks)") }
    if let hushed = ring.hushedUntil { lines.append("hushed_until = \(stamp(hushed))") }
    return lines
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
    if self["settled"] != nil {
      alarm.settled = Array(try instants("settled").suffix(AlarmState.settledKept))
    }
    alarm.handledDate = try date("handled_date")
    if let first = try date("skipped") {
      alarm.skipped = first...max(first, try date("skipped_until") ?? first)
    }
    if self["moves"] != nil { alarm.moves = try moves() }
    alarm.sound = self["sound"]?.string
    if self["prepared"] != nil { alarm.prepared = try instant("prepared") }
    if self["bedtime_closed"] != nil { alarm.bedtimeClosed = try instant("bedtime_closed") }
    alarm.phase = try phase()
    return alarm
  }

  private func phase() throws(StateProblem) -> AlarmState.Phase {
    switch self["phase"]?.string {
    case nil where self["phase"] == nil: .scheduled
    case "over": .over
    case "ringing": .ringing(try ring())
    case "snoozed": .snoozed(try ring(), until: try instant("until"))
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
      lookedAt: self["looked"] == nil ? nil : try instant("looked"),
      isAsked: self["asked"]?.kind == .boolean(true))
  }

  func ring() throws(StateProblem) -> Ring {
    var ring = Ring(due: try instant("due"), since: try instant("since"))
    ring.snoozes = try count("snoozes")
    ring.autoSnoozes = try count("auto_snoozes")
    if self["moved_from"] != nil { ring.movedFrom = try instant("moved_from") }
    if self["checks"] != nil { ring.checks = try count("checks") }
    if self["hushed_until"] != nil { ring.hushedUntil = try instant("hushed_until") }
    return ring
  }

  private func count(_ key: String) throws(StateProblem) -> Int {
    guard let value = Int(exactly: try integer(key)), (0...1_000_000).contains(value) else {
      throw lacking(key)
    }
    return value
  }
}
