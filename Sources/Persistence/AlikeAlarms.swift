// SPDX-License-Identifier: GPL-3.0-or-later
//
// Alarms of which the same is remembered are one entry of the state: of a hundred thousand most have
// done nothing but be armed, and all in one moment. Nothing is lost by it, and an alarm that nobody
// is like is an entry of its own. Next: `StateText.swift`.

import Scheduling
import TOML

/// Alarms that differ in their ids and in when they ring, and in nothing else that is remembered.
struct AlikeAlarms {
  /// Without its signature.
  var state: AlarmState
  /// By what decides when they ring; neither is ever empty.
  var ids: [(signature: String, ids: [String])] = []

  /// All of `alarms`, in the order of the first id of each group.
  static func groups(_ alarms: [String: AlarmState]) -> [AlikeAlarms] {
    var groups: [AlikeAlarms] = []
    var places: [AlarmState: (group: Int, signatures: [String: Int])] = [:]
    for (id, alarm) in alarms.sorted(by: { $0.key < $1.key }) {
      var state = alarm
      state.signature = ""
      let group = places[state, default: (groups.count, [:])].group
      if group == groups.count { groups.append(AlikeAlarms(state: state)) }
      let end = groups[group].ids.count
      let i = places[state, default: (group, [:])].signatures[alarm.signature, default: end]
      if i == end {
        places[state, default: (group, [:])].signatures[alarm.signature] = end
        groups[group].ids.append((alarm.signature, []))
      }
      groups[group].ids[i].ids.append(id)
    }
    return groups
  }

  var lines: [String] {
    let lines = StateText.lines(state)
    if ids.count == 1, ids[0].ids.count == 1 {
      let (id, signature) = (ids[0].ids[0], ids[0].signature)
      return ["id = \(StateText.quoted(id))", "signature = \(StateText.quoted(signature))"] + lines
    }
    // At the end: an entry that lost that is none.
    return lines + ["alike = ["]
      + ids.map { signature, ids in
        "  [\(([signature] + ids).map(StateText.quoted).joined(separator: ", "))],"
      } + ["]"]
  }
}

extension TOMLValue {
  /// What an entry tells of one alarm, or of several that are alike.
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
    alarm.skipped = try date("skipped")
    alarm.phase = try phase()
    return alarm
  }

  private func phase() throws(StateProblem) -> AlarmState.Phase {
    switch self["phase"]?.string {
    case nil where self["phase"] == nil: .scheduled
    case "over": .over
    case "ringing": .ringing(try ring())
    case "snoozed": .snoozed(try ring(), until: try instant("until"))
    default: throw lacking("phase")
    }
  }
}
