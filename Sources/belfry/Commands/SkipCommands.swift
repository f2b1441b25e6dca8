// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry move`, `skip`, `unskip` and `rehearse`: change the next ring of an alarm, or ring the
// alarm now. The agent makes the change and returns the alarm as it is afterwards. `Moves.swift` in
// the core has the rules.

import ArgumentParser
import Configuration
import Language
import Persistence
import Presentation
import Scheduling
import System

struct MoveCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: tr("Move the next ring of an alarm to another time."),
    discussion: tr(
      """
      Moves the next ring that is not skipped. The new time is on the same day or, if it has \
      passed there, on the next day. Later rings and the config stay as they are.

      Examples:
        belfry move work 8:15   # sleep longer tomorrow
        belfry unskip work      # undo the move
      """))

  @Argument(help: .tr("The alarm's id, as shown by `belfry list`."), completion: .alarms)
  var id: String
  @Argument(help: .tr("The new time, such as 8:15 or 8:15 pm."))
  var time: [String]
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let time = try TimeText.typed(time)
    let alarm = try changed("Move", id, .string(time.description))
    if output.json { return Terminal.json(alarm) }
    Terminal.show(try alarm.rings())
  }
}

extension TimeText {
  /// Parses a time of day in one word or several, such as `8:15` or `8:15 pm`.
  nonisolated static func typed(_ words: [String]) throws(ValidationError) -> CivilTime {
    let text = words.joined(separator: " ")
    if let time = parse(text) { return time }
    throw ValidationError(
      tr("\(TerminalText.quoted(text)) is no time of day: write it as 15:30 or 3:30 pm."))
  }
}

struct SkipCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: tr("Skip the next ring of an alarm, or several rings."),
    usage: """
      belfry skip <id> ... [--count <count>|--until <date>]
      belfry skip --group <name> [--count <count>|--until <date>]
      """,
    discussion: tr(
      """
      Without --count and --until, only the next ring is skipped.

      Examples:
        belfry skip work                     # tomorrow is a holiday
        belfry unskip work                   # it is not a holiday after all
        belfry skip work --count 3           # the next three rings
        belfry skip work --until 2027-01-04  # the alarm rings again after that day
        belfry skip --group school           # the next ring of each of its alarms
      """))

  @Option(name: .count, help: .tr("How many rings to skip, 1 to 1000."))
  var count: Int?
  @Option(
    help: .tr("Skip all rings up to and including this day, such as 2027-01-04.", valueName: "date")
  )
  var until: String?
  @OptionGroup var alarms: AlarmsOption

  func validate() throws {
    if count != nil, until != nil {
      throw ValidationError(tr("Say --count or --until, not both."))
    }
    if let count { try ViewpointOptions.check(count) }
  }

  @MainActor func perform() throws {
    let isOne = count == nil && until == nil
    let day = until.flatMap { DayText.parse($0, on: .today) }
    if let until, day == nil {
      throw ValidationError(
        tr("\(TerminalText.quoted(until)) is no date: write it as 2026-12-24."))
    }
    try changeEach(alarms) { id in
      isOne
        ? try changed("Skip", id)
        : try changed("SkipMany", id, .uint32(UInt32(count ?? 0)), .string(day?.description ?? ""))
    } words: {
      try isOne ? $0.skipsOne() : $0.skipsMany()
    }
  }
}

struct UnskipCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "unskip", abstract: tr("Undo a skip or a move."),
    usage: "belfry unskip <id> ...\nbelfry unskip --group <name>",
    discussion: tr(
      """
      The alarm rings again at the times that you skipped. A ring that you moved returns to its \
      original time or, if that time is past, stays moved.

      Examples:
        belfry unskip work
        belfry unskip --group school
      """))

  @OptionGroup var alarms: AlarmsOption

  @MainActor func perform() throws {
    try changeEach(alarms) {
      try changed("Unskip", $0)
    } words: {
      try $0.rings()
    }
  }
}

struct RehearseCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse", abstract: tr("Ring an alarm now, to try it out."),
    discussion: tr(
      """
      The alarm rings with its own sound, fade-in, volume and device, and runs the commands that \
      its settings name. Media players are paused. A rehearsal does not change the next ring of \
      the alarm, and `belfry history` does not list it. It ends by itself 20 s after the end of \
      the fade-in. It ends earlier if you use `belfry stop`, or if an alarm or timer is due.

      Example:
        belfry rehearse work
      """))

  @Argument(help: .tr("The alarm's id, as shown by `belfry list`."), completion: .alarms)
  var id: String
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let answers = try AgentConnection.answers("Rehearse", [.string(id)])
    let alarm = try AgentConnection.known(answers.first.flatMap(Status.Alarm.read))
    if output.json { return Terminal.json(alarm) }
    let length = Wording.span(.seconds(answers.last?.int64 ?? 0))
    Terminal.show(tr("\(id) rings for \(length); belfry stop \(id) ends it"))
  }
}

/// Makes the agent change one alarm, and returns the alarm as it is afterwards.
@MainActor private func changed(
  _ member: String, _ id: String, _ arguments: Variant...
) throws -> Status.Alarm {
  try AgentConnection.record(member, [.string(id)] + arguments)
}

/// Calls `change` for the id of each of `alarms`, and prints the changed alarms. If some alarms
/// cannot be changed, still changes the others, and then throws an error with the reasons.
@MainActor private func changeEach(
  _ alarms: AlarmsOption, _ change: (String) throws -> Status.Alarm,
  words: (Status.Alarm) throws -> String
) throws {
  var (changed, failures): ([Status.Alarm], [Failure]) = ([], [])
  for id in try alarms.named(onlyEnabled: true) {
    do { changed.append(try change(id)) } catch let failure as Failure { failures.append(failure) }
  }
  if alarms.output.json, failures.isEmpty || !changed.isEmpty {
    Terminal.json(changed)
  } else {
    for alarm in changed { Terminal.show(try words(alarm)) }
  }
  guard failures.isEmpty else {
    throw Failure(failures.map(\.description).joined(separator: "\n"))
  }
}

@MainActor extension Status.Alarm {
  fileprivate func rings() throws -> String {
    try words(wantedRing) { tr("\(id) will ring \($0)") }
  }

  fileprivate func skipsOne() throws -> String {
    try words(at) { tr("\(id) will not ring \($0)") }
  }

  fileprivate func skipsMany() throws -> String {
    try words(wantedRing) { tr("\(id) will not ring before \($0)") }
  }

  private var wantedRing: Moment? { skipped == true ? resumesAt : at }

  private func words(_ moment: Moment?, _ words: (String) -> String) throws -> String {
    guard let instant = moment?.instant else { return tr("\(id) will not ring any more") }
    return words(try Wording.ofAgent().moment(instant, .given, seenFrom: Clock.now().wall))
  }
}
