// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry history`: lists past rings, how late each was heard and how it ended, or counts them.
// Reads the history file without the agent. If it prints a list that is not JSON, it also reads
// from the config how times are shown.

import ArgumentParser
import Configuration
import Files
import Language
import Persistence
import Presentation
import Scheduling
import Screen
import System
import Values

struct HistoryCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: tr("List past rings, how late each of them was heard, and how it ended."),
    discussion: tr("Without --totals, the last line is the latest ring."))

  @Option(
    name: .count,
    help: .tr(
      """
      How many of the latest rings to show or, with --totals, to count: 1 to 10000. \
      The default is 20 or, with --totals, all of them.
      """))
  var count: Int?
  @Flag(help: .tr("Print totals instead of a list: how many rings, and how long timers ran."))
  var totals = false
  @Option(help: .tr("With --totals, print totals for each label, day or week.", valueName: "group"))
  var by: HistoryTotals.Grouping?
  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  func validate() throws {
    if by != nil, !totals { throw ValidationError(tr("--by has an effect only with --totals.")) }
    if table.json || totals, config.config != nil {
      throw ValidationError(
        tr("--config has no effect here: there is one history for all configs."))
    }
    if let count, !(1...10_000).contains(count) {
      throw ValidationError(tr("--count takes 1 to 10000, not \(count)."))
    }
  }

  @MainActor func perform() throws {
    let path = config.locations.history
    let count = count ?? (totals ? .max : 20)
    let (lines, unread) = try Disk.here { try HistoryFile.read(path, last: count, on: $0) }
    if unread > 0 {
      Terminal.complain(
        tr(
          "\(path): a line is damaged", plural: "\(path): \(unread) lines are damaged",
          count: unread))
    }
    let zones = Zones()
    if totals { return showTotals(lines, zones) }
    if table.json { return Terminal.json(.list(lines.map { $0.report(in: zones) })) }
    if lines.isEmpty { print(tr("Nothing has rung yet.")) }
    let wording = Wording(zones: zones, clock: try config.configuration().agent.clock)
    let now = Clock.now().wall
    Terminal.table(
      lines.map { $0.row(wording, seenFrom: now) },
      heading: tr("Due|Late|Id|Label|Device|End"))
  }

  @MainActor private func showTotals(_ lines: [HistoryLine], _ zones: Zones) {
    let totals =
      by.map { HistoryTotals.of(lines, by: $0, in: zones) } ?? [HistoryTotals(of: lines)]
    if table.json { return Terminal.json(.list(totals.map { $0.json(by) })) }
    if lines.isEmpty { return print(tr("Nothing has rung yet.")) }
    let heading =
      switch by {
      case .label, nil: tr("Label|Rang|Late|Not heard|Snoozed|Timers|Length")
      case .day: tr("Day|Rang|Late|Not heard|Snoozed|Timers|Length")
      case .week: tr("Week|Rang|Late|Not heard|Snoozed|Timers|Length")
      }
    Terminal.table(totals.map { $0.row(by) }, heading: heading)
  }
}

extension HistoryTotals.Grouping: ExpressibleByArgument {}

@MainActor extension HistoryTotals {
  /// Returns the cells of a row: the label or day, and the numbers that are not 0.
  fileprivate func row(_ grouping: Grouping?) -> [StyledText] {
    let day = grouping == .label ? nil : CivilDate(group)
    let name = day.map { Wording.date($0, seenFrom: .today) } ?? group
    let cells = [
      rings > 0
        ? tr("rang once", plural: "rang \(rings) times", count: rings) : tr("did not ring"),
      late > 0 ? tr("late once", plural: "late \(late) times", count: late) : "",
      unheard > 0
        ? tr("not heard once", plural: "not heard \(unheard) times", count: unheard) : "",
      snoozed > 0 ? tr("snoozed once", plural: "snoozed \(snoozed) times", count: snoozed) : "",
      timers > 0 ? tr("\(timers) timer", plural: "\(timers) timers", count: timers) : "",
      length > .zero ? Wording.span(length) : "",
    ]
    return [StyledText(name, .bold).cut(to: Columns.longestLabel)]
      + cells.map { StyledText($0) }
  }
}

@MainActor extension HistoryLine {
  /// Returns the cells of a row: when the ring was due, how late it was, the id, label and device,
  /// and how it ended.
  fileprivate func row(_ wording: Wording, seenFrom now: Instant) -> [StyledText] {
    var ending = Style.plain
    if case .missed = answer { ending = .colour(.yellow) }
    let hasNoSound = device == nil && rang != nil && unheard == nil
    return [
      StyledText(wording.moment(due, seconds, seenFrom: now), .bold),
      StyledText(lateness, unheard == nil ? .plain : .colour(.yellow)),
      StyledText(id, .dim), StyledText(label ?? "").cut(to: Columns.longestLabel),
      StyledText(hasNoSound ? tr("no sound of its own") : device ?? "", .dim),
      StyledText(end(wording, seenFrom: now), ending),
    ]
  }

  private func end(_ wording: Wording, seenFrom now: Instant) -> String {
    let end = wording.end(of: self, seenFrom: now)
    return checks > 0 ? tr("rang again, nobody was up; \(end)") : end
  }

  private var lateness: String {
    if let unheard { return tr("not heard: \(Wording.because(unheard))") }
    guard let late else { return tr("did not ring") }
    if late < .milliseconds(1) { return tr("on time") }
    if late < .seconds(1) { return tr("\(late.wholeMicroseconds / 1000) ms late") }
    return tr("\(Wording.span(late)) late")
  }
}
