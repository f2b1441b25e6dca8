// SPDX-License-Identifier: GPL-3.0-or-later
//
// Answers to what rings: `stop`, `snooze`. To what will: `SkipCommands.swift`.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import System

struct StopCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: tr("End what rings or is snoozed."),
    usage: "belfry stop [<id>]",
    discussion: tr(
      """
      Without an id all that rings is ended; what is snoozed stays so.

      Examples:
        belfry stop          I'm up
        belfry stop work     also where it is snoozed
      """))

  @Argument(
    help: .tr("The id of an alarm or a timer; without one, all that rings."), completion: .rings)
  var id: String?
  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    let answer = try AgentConnection.call("Stop", [.string(id ?? "")])
    for stopped in answer?.strings ?? [] {
      Terminal.show(tr("stopped \(stopped)"))
    }
  }
}

struct SnoozeCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze", abstract: tr("Silence what rings, to ring again later."),
    usage: "belfry snooze [<id>] [<duration>]",
    discussion: tr(
      """
      A duration is written 90s, 10m or 1h30m, and counts from now; without one it is the alarm's \
      own.

      Examples:
        belfry snooze          all that rings, for as long as the config says
        belfry snooze 5m       all that rings, for five minutes
        belfry snooze work 1h  one alarm, also one that is snoozed already
      """))

  @Argument(
    help: .tr("The id of an alarm or a timer; without one, all that rings."), completion: .rings)
  var id: String?
  @Argument(help: .tr("How long."), completion: .lengths)
  var duration: String?
  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    let (id, length) = try meaning()
    let answer = try AgentConnection.call(
      "Snooze", [.string(id), .int64(length?.wholeSeconds ?? 0)])
    for snoozed in answer?.strings ?? [] {
      Terminal.show(
        length.map { tr("snoozed \(snoozed) for \(Wording.span($0))") }
          ?? tr("snoozed \(snoozed)"))
    }
  }

  /// A single word that is a duration is one; any other is an id.
  private func meaning() throws -> (id: String, length: Duration?) {
    guard let last = duration ?? id else { return ("", nil) }
    switch Result(catching: { () throws(DurationText.Fault) in try DurationText.parse(last) }) {
    case .success(let length):
      return (duration == nil ? "" : id ?? "", try checked(length, last))
    case .failure(.noUnit):
      throw ValidationError(tr("A duration needs a unit: \(last)m, or \(last)s."))
    case .failure where duration == nil: return (last, nil)
    case .failure:
      throw ValidationError(
        tr("\(TerminalText.quoted(last)) is no duration: write it as 90s, 10m or 1h30m."))
    }
  }

  private func checked(_ length: Duration, _ text: String) throws(ValidationError) -> Duration {
    guard length > .zero else {
      throw ValidationError(tr("A snooze of \(text) is none: use stop."))
    }
    guard length.wholeSeconds <= BusInterface.longestSnooze else {
      throw ValidationError(tr("A snooze of \(text) is too long: a year is the longest."))
    }
    return length
  }
}
