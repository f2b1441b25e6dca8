// SPDX-License-Identifier: GPL-3.0-or-later
//
// A timer as the agent tells it, and in words.

import Configuration
import Language
import Persistence
import Presentation
import Scheduling
import System

/// A timer as the agent tells it: one alone is asked for where there may be a thousand.
@MainActor struct TimerRow {
  let row: [Variant.Entry]

  static func ask(_ id: String) throws -> TimerRow {
    guard let row = try AgentConnection.call("Timer", [.string(id)])?.dictionary else {
      throw stranger
    }
    return TimerRow(row: row)
  }

  static func askAll() throws -> [TimerRow] {
    guard let rows = try AgentConnection.call("Timers")?.dictionaries else { throw stranger }
    return rows.map { TimerRow(row: $0) }
  }

  private static var stranger: Failure {
    Failure(tr("the agent tells nothing of timers: is it another version?"))
  }

  /// Has the agent start one, and tells of it.
  static func tellStart(
    _ member: String, _ arguments: [Variant], _ output: OutputOption
  ) throws {
    let answer = try AgentConnection.call(member, arguments)
    let timer = try ask(answer?.string ?? "")
    if output.json { Terminal.json(JSON(timer.row)) } else { try timer.tellStart() }
  }

  func text(_ key: String) -> String { row.text(key) }
  func seconds(_ key: String) -> Duration { row.seconds(key) }

  /// That it runs; or that it is paused, as one that was given more time still is.
  func tellStart() throws {
    guard text("state") != "paused" else { return tellPause() }
    let end = try Wording.ofAgent().at(self.end, .near, seenFrom: Clock.now().wall)
    let left = Wording.span(seconds("left"))
    Terminal.show(
      round.map { tr("\(Wording.name(text("id"), $0)): rings \(end), in \(left)") }
        ?? tr("\(text("id")) rings \(end), in \(left)"))
  }

  /// Its label and, where there are several, the round that it is in.
  var name: String {
    let label = [text("label"), round == nil ? "" : text("preset")].first { !$0.isEmpty } ?? ""
    return Wording.name(label, round)
  }

  private var round: Round? {
    let row = Variant.dictionary(row)
    return row["round"]?.int64.map {
      Round(Int(clamping: $0), of: row["rounds"]?.int64.map { Int(clamping: $0) })
    }
  }

  func tellPause() {
    Terminal.show(tr("paused \(text("id")), \(Wording.span(seconds("left"))) left"))
  }

  /// How it stands, in words.
  func standing(_ wording: Wording, seenFrom now: Instant) -> String {
    let left = Wording.span(seconds("left"))
    let length = Wording.span(seconds("length"))
    return switch text("state") {
    case "running":
      tr("\(left) left of \(length), rings \(wording.at(end, .near, seenFrom: now))")
    case "paused": tr("paused, \(left) left of \(length)")
    case "ringing": tr("ringing, over by \(Wording.span(seconds("overtime")))")
    case "snoozed": tr("snoozed until \(wording.moment(end, .near, seenFrom: now))")
    case let other: other
    }
  }

  private var end: Instant { Instant(seconds: seconds("epoch").wholeSeconds) }
}

extension Wording {
  /// With the clock that the agent was told to go by.
  static func ofAgent() throws -> Wording {
    let clock = try AgentConnection.call("Agent")?["clock"]?.string
    return Wording(
      zones: Zones(), clock: clock.flatMap(AgentSettings.Clock.init) ?? .automatic)
  }
}

extension [Variant.Entry] {
  func text(_ key: String) -> String { self[key]?.string ?? "" }
  func seconds(_ key: String) -> Duration { .seconds(self[key]?.int64 ?? 0) }
}
