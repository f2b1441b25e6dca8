// SPDX-License-Identifier: GPL-3.0-or-later
//
// Answers to what rings or will: `stop`, `snooze`, `skip`, `unskip`.

import ArgumentParser
import BelfryAgent
import Configuration
import Desktop
import Scheduling

struct StopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "End what rings or is snoozed.",
    usage: "belfry stop [<id>]",
    discussion: """
      Without an id all that rings is ended; what is snoozed stays so.

      Examples:
        belfry stop          I am up
        belfry stop work     also where it is snoozed
      """)

  @Argument(
    help: "The id of an alarm or a timer; without one, all that rings.", completion: .rings)
  var id: String?
  @OptionGroup var config: ConfigOption

  func run() throws {
    try onMain {
      let answer = try AgentConnection.call("Stop", [.string(id ?? "")])
      for stopped in answer.first?.strings ?? [] { Terminal.show("stopped \(stopped)") }
    }
  }
}

struct SnoozeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze", abstract: "Silence what rings, to ring again later.",
    usage: "belfry snooze [<id>] [<duration>]",
    discussion: """
      A duration is written 90s, 10m or 1h30m, and counts from now; without one it is the alarm's \
      own.

      Examples:
        belfry snooze          all that rings, for as long as the config says
        belfry snooze 5m       all that rings, for five minutes
        belfry snooze work 1h  one alarm, also one that is snoozed already
      """)

  @Argument(
    help: "The id of an alarm or a timer; without one, all that rings.", completion: .rings)
  var id: String?
  @Argument(help: "How long.", completion: .lengths)
  var duration: String?
  @OptionGroup var config: ConfigOption

  func run() throws {
    let (id, length) = try meaning()
    try onMain {
      let answer = try AgentConnection.call(
        "Snooze", [.string(id), .int64(length?.wholeSeconds ?? 0)])
      for snoozed in answer.first?.strings ?? [] {
        Terminal.show("snoozed \(snoozed)" + (length.map { " for \(Wording.span($0))" } ?? ""))
      }
    }
  }

  /// A single word that is a duration is one; any other is an id.
  private func meaning() throws -> (id: String, length: Duration?) {
    guard let last = duration ?? id else { return ("", nil) }
    switch Result(catching: { () throws(DurationText.Fault) in try DurationText.parse(last) }) {
    case .success(let length):
      return (duration == nil ? "" : id ?? "", try checked(length, last))
    case .failure(.noUnit):
      throw ValidationError("A duration needs a unit: \(last)m, or \(last)s.")
    case .failure where duration == nil: return (last, nil)
    case .failure:
      throw ValidationError(
        "\(TerminalText.quoted(last)) is no duration: write it as 90s, 10m or 1h30m.")
    }
  }

  private func checked(_ length: Duration, _ text: String) throws(ValidationError) -> Duration {
    guard length > .zero else { throw ValidationError("A snooze of \(text) is none: use stop.") }
    guard length.wholeSeconds <= BusService.longestSnooze else {
      throw ValidationError("A snooze of \(text) is too long: a year is the longest.")
    }
    return length
  }
}

struct SkipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: "Leave out the next ring of an alarm, and only that.",
    discussion: """
      Examples:
        belfry skip work     tomorrow is a holiday
        belfry unskip work   it is not
      """)

  @Argument(help: "The alarm's id, as in `belfry list`.", completion: .alarms)
  var id: String
  @OptionGroup var config: ConfigOption

  func run() throws { try onMain { try tell("Skip", id, "will not ring") } }
}

struct UnskipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unskip", abstract: "Let a ring be that was skipped.",
    discussion: """
      Example:
        belfry unskip work
      """)

  @Argument(help: "The alarm's id, as in `belfry list`.", completion: .alarms)
  var id: String
  @OptionGroup var config: ConfigOption

  func run() throws { try onMain { try tell("Unskip", id, "will ring") } }
}

@MainActor private func tell(_ member: String, _ id: String, _ what: String) throws {
  guard let epoch = try AgentConnection.call(member, [.string(id)]).first?.int64 else { return }
  let wording = Wording(zones: Zones(), clock: .automatic)
  let moment = wording.moment(Instant(seconds: epoch), seenFrom: Clock.now().wall)
  Terminal.show("\(id) \(what) \(moment)")
}
