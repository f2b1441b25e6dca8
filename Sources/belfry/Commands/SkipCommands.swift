// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry move`, `skip`, `unskip` and `rehearse`: change the next ring of an alarm, or ring the
// alarm now. The agent makes the change and returns the alarm as it is afterwards. `Moves.swift` in
// the core has the rules.

import ArgumentParser
import Configuration
import Language
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
    Terminal.printLine(try alarm.reply())
  }
}

extension TimeText {
  /// Parses a time of day in one word or several, such as `8:15` or `8:15 pm`.
  nonisolated static func typed(_ words: [String]) throws(ValidationError) -> CivilTime {
    let text = words.joined(separator: " ")
    if let time = parse(text) { return time }
    // The command takes the first 24:00, which is the next midnight.
    if isEndOfDay(text) { return .midnight }
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
      Without --count and --until, only the next ring is skipped. With --until, a ring is skipped \
      if it falls on that day or earlier, on your calendar or in the alarm's time zone.

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
    if let until, Self.day(until, in: nil) == nil {
      throw ValidationError(
        tr(
          """
          \(TerminalText.quoted(until)) is no date: write it as 2026-12-24, tomorrow or friday.
          """))
    }
    try changeEach(alarms) { id in
      if isOne { return try changed("Skip", id) }
      let day = try until.map { try Self.day($0, forAlarm: id) }
      return try changed("SkipMany", id, .uint32(UInt32(count ?? 0)), .string(day ?? ""))
    } words: {
      try $0.reply(skipsMany: !isOne)
    }
  }

  @MainActor private static func day(_ text: String, in zone: String?) -> CivilDate? {
    let today = Zones(machine: zone).civil(at: Clock.now().wall, in: nil).date
    return DayText.parse(text, on: today, WeekdayNames(localized: System.Locale.typedWeekdays))
  }

  /// Returns the date that `text` means for one alarm: relative days are days of its zone.
  @MainActor private static func day(_ text: String, forAlarm id: String) throws -> String {
    if let date = CivilDate(text) { return date.description }
    let zone = try AgentConnection.status().alarms.first { $0.id == id }?.timezone
    return day(text, in: zone)?.description ?? text
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
      try $0.reply()
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
    Terminal.printLine(tr("\(id) rings for \(length); belfry stop \(id) ends it"))
  }
}

/// Makes the agent change one alarm, and returns the alarm as it is afterwards.
@MainActor private func changed(
  _ member: String, _ id: String, _ arguments: Variant...
) throws -> Status.Alarm {
  try AgentConnection.known(
    AgentConnection.change(member, [.string(id)] + arguments).flatMap(Status.Alarm.read))
}

/// Calls `change` for the id of each of `alarms`, and prints the changed alarms. If some alarms
/// cannot be changed, still changes the others, and then throws an error with the reasons.
@MainActor private func changeEach(
  _ alarms: AlarmsOption, _ change: (String) throws -> Status.Alarm,
  words: (Status.Alarm) throws -> String
) throws {
  var (changed, failures): ([Status.Alarm], [CommandFailure]) = ([], [])
  for id in try alarms.named(onlyEnabled: true) {
    do { changed.append(try change(id)) } catch let failure as CommandFailure {
      failures.append(failure)
    }
  }
  if alarms.output.json, failures.isEmpty || !changed.isEmpty {
    Terminal.json(changed)
  } else {
    for alarm in changed { Terminal.printLine(try words(alarm)) }
  }
  guard failures.isEmpty else {
    throw CommandFailure(failures.map(\.description).joined(separator: "\n"))
  }
}

@MainActor extension Status.Alarm {
  /// Returns the alarm in full, as it is after the change.
  fileprivate func reply(skipsMany: Bool = false) throws -> String {
    try Wording.ofAgent().reply(
      id, rule, standing, seenFrom: Clock.now().wall, skipsMany: skipsMany)
  }
}
