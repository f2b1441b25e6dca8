// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry stop` and `belfry snooze`, for an alarm or timer that is ringing. Commands for later
// rings are in `SkipCommands.swift`.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import System

struct StopCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: tr("Stop the alarms and timers that are ringing."),
    usage: "belfry stop [<id>]",
    discussion: tr(
      """
      Without an id, alarms and timers that are snoozed stay snoozed.

      Examples:
        belfry stop          # I'm up
        belfry stop work     # one alarm, even if it is snoozed
      """))

  @Argument(
    help: .tr(
      """
      The id of an alarm or timer. Without an id, the command applies to all alarms and timers \
      that are ringing.
      """),
    completion: .rings)
  var id: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let stopped: [Status.Answered] = try AgentConnection.records("Stop", [.string(id ?? "")])
    if output.json { return Terminal.json(stopped) }
    for stopped in stopped { Terminal.printLine(tr("stopped \(stopped.id)")) }
  }
}

struct SnoozeCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze",
    abstract: tr("Silence the alarm or timer that is ringing; it rings again later."),
    usage: "belfry snooze [<id>] [<duration>]\nbelfry snooze [<id>] until <time>",
    discussion: tr(
      """
      Write a duration as 90s, 10m, 1h30m or "half an hour". The duration counts from now. Without \
      a duration, each alarm or timer uses its own snooze length or, if it has several, the first \
      of them.

      Examples:
        belfry snooze          # all rings, each for its own snooze length
        belfry snooze 5m       # all rings, for five minutes
        belfry snooze work 1h  # one alarm, even if it is snoozed already
        belfry snooze until 7:30
      """))

  @Argument(
    help: .tr(
      """
      The id of an alarm or timer. Without an id, the command applies to all alarms and timers \
      that are ringing.
      """),
    completion: .rings)
  var id: String?
  @Argument(help: .tr("How long to snooze, such as 10m."), completion: .lengths)
  var duration: [String] = []
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let (id, length, end) = try meaning()
    let snoozed: [Status.Answered] = try AgentConnection.records(
      "Snooze", [.string(id), .int64(length?.wholeSeconds ?? 0)])
    if output.json { return Terminal.json(snoozed) }
    for snoozed in snoozed {
      Terminal.printLine(
        end.map { tr("snoozed \(snoozed.id) until \($0)") }
          ?? length.map { tr("snoozed \(snoozed.id) for \(Wording.span($0))") }
          ?? tr("snoozed \(snoozed.id)"))
    }
  }

  private typealias Meaning = (id: String, length: Duration?, end: String?)

  /// Returns the id and the length of `work until 7:30`; nil for any other words.
  @MainActor private func untilTime() throws -> Meaning? {
    let words = [id].compactMap(\.self) + duration
    guard let place = words.prefix(2).firstIndex(where: { $0.lowercased() == "until" }),
      words.count > place + 1
    else { return nil }
    let time = try TimeText.typed(Array(words[(place + 1)...]))
    let now = Clock.now().wall
    guard let next = Recurrence(time: time, dates: .once).next(after: now, in: Zones()) else {
      throw CommandFailure(tr("there is no such time on that day, because the clocks go forward"))
    }
    let end = try Wording.ofAgent().moment(next.due, .given, seenFrom: now)
    return (place == 0 ? "" : words[0], .seconds((next.due - now).secondsRoundedUp), end)
  }

  @MainActor private func meaning() throws -> Meaning {
    if let until = try untilTime() { return until }
    if let time = ([id].compactMap(\.self) + duration).last, time.contains(":"),
      let meant = TimeText.parse(time)
    {
      let length = (try? DurationText.parse(time)).map { DurationText.format($0) } ?? "7m"
      throw ValidationError(
        tr(
          """
          \(TerminalText.quoted(time)) may be a time or a duration: write until \
          \(meant.description), or \(length).
          """))
    }
    let (id, length) = try TypedLength.afterID(id, duration) { word in
      // A word such as 10m is always a duration here. But a number without a unit can be an id: an
      // alarm at 07:30 has the id 0730.
      if (try? DurationText.parse(word)) != nil { return false }
      let status = try AgentConnection.status()
      return status.alarms.contains { $0.id == word } || status.timers.contains { $0.id == word }
    }
    guard let length else { return (id, nil, nil) }
    let text = DurationText.format(length)
    guard length > .zero else {
      throw ValidationError(tr("A snooze of \(text) would end at once: use stop."))
    }
    guard length.wholeSeconds <= BusInterface.longestSnooze else {
      throw ValidationError(tr("A snooze of \(text) is too long: a year is the longest."))
    }
    return (id, length, nil)
  }
}
