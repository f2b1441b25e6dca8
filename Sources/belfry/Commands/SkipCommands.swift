// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wanted otherwise for rings to come: `move`, `skip`, `unskip`.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import System

struct MoveCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: tr("Ring at another time, and only the next time."),
    discussion: tr(
      """
      The next ring that is not skipped is moved to that time of the day on which it falls or, \
      where \
      that is past, of the next day. The alarm stays as it is in the config.

      Examples:
        belfry move work 8:15   tomorrow I may sleep longer
        belfry unskip work      or not
      """))

  @Argument(help: .tr("The alarm's id, as in `belfry list`."), completion: .alarms)
  var id: String
  @Argument(help: .tr("When it is to ring: 8:15, 8:15 pm."))
  var time: [String]
  @OptionGroup var config: ConfigOption

  func validate() throws { _ = try TimeText.typed(time) }

  @MainActor func perform() throws {
    let time = try TimeText.typed(time)
    try tell("Move", id, .string(time.description)) { tr("\($0) will ring \($1)") }
  }
}

extension TimeText {
  /// A time of day on the command line, of one word or two.
  nonisolated static func typed(_ words: [String]) throws(ValidationError) -> CivilTime {
    let text = words.joined(separator: " ")
    do throws(TimeText.Fault) { return try parse(text) } catch {
      throw ValidationError(
        tr("\(TerminalText.quoted(text)) is no time of day: write it as 15:30 or 3:30 pm."))
    }
  }
}

struct SkipCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: tr("Leave out the next ring of an alarm, or the next few."),
    discussion: tr(
      """
      Examples:
        belfry skip work     tomorrow is a holiday
        belfry unskip work   it is not
        belfry skip work --count 3
        belfry skip work --until 2027-01-04   on that day it rings again
        belfry skip --group school
      """))

  @OptionGroup var alarms: AlarmsOption
  @Option(help: .tr("How many, 1 to 1000."))
  var count: Int?
  @Option(help: .tr("All before that date.", valueName: "date"))
  var until: String?
  @OptionGroup var config: ConfigOption

  func validate() throws {
    try alarms.check()
    if count != nil, until != nil {
      throw ValidationError(tr("Say --count or --until, not both."))
    }
    if let count { try ViewpointOptions.check(count) }
    if let until, CivilDate(until) == nil {
      throw ValidationError(
        tr("\(TerminalText.quoted(until)) is no date: write it as 2026-12-24."))
    }
  }

  @MainActor func perform() throws {
    var failures: [Failure] = []
    for id in try alarms.named(config, onlyEnabled: true) {
      // One that has no ring to come keeps none of the others.
      do { try skip(id) } catch let failure as Failure { failures.append(failure) }
    }
    guard failures.isEmpty else {
      throw Failure(failures.map(\.description).joined(separator: "\nbelfry: "))
    }
  }

  @MainActor private func skip(_ id: String) throws {
    guard count != nil || until != nil else {
      return try tell("Skip", id) { tr("\($0) will not ring \($1)") }
    }
    try tell("SkipMany", id, .uint32(UInt32(count ?? 0)), .string(until ?? "")) {
      tr("\($0) will not ring before \($1)")
    }
  }
}

struct UnskipCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "unskip", abstract: tr("Let rings be that were skipped, or moved."),
    discussion: tr(
      """
      A ring that was moved is at its own time again, unless that is past.

      Example:
        belfry unskip work
      """))

  @Argument(help: .tr("The alarm's id, as in `belfry list`."), completion: .alarms)
  var id: String
  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    try tell("Unskip", id) { tr("\($0) will ring \($1)") }
  }
}

/// Has the agent do it, and says `words` of the alarm and of the moment of its ring.
@MainActor private func tell(
  _ member: String, _ id: String, _ arguments: Variant...,
  words: (_ id: String, _ moment: String) -> String
) throws {
  let answer = try AgentConnection.call(member, [.string(id)] + arguments)
  guard let epoch = answer?.int64 else { return }
  if epoch == 0 { return Terminal.show(tr("\(id) will not ring any more")) }
  let moment = try Wording.ofAgent().moment(
    Instant(seconds: epoch), .given, seenFrom: Clock.now().wall)
  Terminal.show(words(id, moment))
}
