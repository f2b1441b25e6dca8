// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry list` and `belfry next`. They read the config and the state file, and work without an
// agent.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import Screen
import System
import Values

struct ListCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: tr("List the alarms, by time of day."),
    discussion: tr(
      """
      The third column is the id of the alarm. You need the id for commands that change the alarm.

      Examples:
        belfry list
        belfry list --json | jq -r '.[] | select(.state == "off").id'
      """), aliases: ["ls"])

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: TableOption

  @MainActor func perform() throws {
    let view = try config.view()
    if output.json { return Terminal.json(view.overview.alarmsByTime.map(view.overview.alarm)) }
    if view.overview.configuration.alarms.isEmpty { print(tr("No alarm is set.")) }
    Terminal.table(
      view.overview.rows,
      heading: tr("Time|Days|Id|Label|Zone|State"))
  }
}

struct NextCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: tr("List the upcoming rings of all alarms."),
    discussion: tr(
      """
      With --from, only the config counts: the list ignores snoozes, skips and moves, and includes \
      alarms that ring once and are already over.

      Write a moment in one of these forms:

        2026-11-21T07:30:00+09:00  # with the offset from UTC
        "2026-11-21 07:30"         # in the machine's time zone, or in --timezone
        2026-11-21                 # the beginning of that day
        @1795213800                # the seconds since the beginning of 1970, UTC

      The options --from and --timezone have another meaning in `belfry add`: there they are the \
      first day of the alarm, and its own time zone.

      If summer time begins or ends on the day of a ring and affects it, the last column shows \
      how. "gap": the clocks skip the alarm's time, and the alarm rings right after the gap. \
      "overlap": the alarm's time comes twice, and the alarm rings the first time.

      Examples:
        belfry next --count 3
        belfry next --from 2027-03-27 --timezone Europe/Berlin --count 3
        belfry next --count 1 --json | jq -r '.[0].at // "no alarm"'
      """))

  @Option(name: .count, help: .tr("How many rings to list, 1 to 1000."))
  var count = 10
  @OptionGroup var viewpoint: ViewpointOptions
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: TableOption

  func validate() throws { try ViewpointOptions.check(count) }

  @MainActor func perform() throws {
    let overview = try viewpoint.view(config).overview
    let rings = overview.schedule.coming(count, in: overview.zones)
    if output.json { return Terminal.json(rings.map(overview.coming)) }
    let (wording, now) = (overview.wording, overview.now.wall)
    let pauses = overview.pausesInForce
    if rings.isEmpty, pauses.isEmpty { print(tr("No upcoming alarms")) }
    Terminal.table(
      rings.map { ring in
        [
          StyledText(wording.moment(ring.at, ring.seconds, seenFrom: now), .bold),
          StyledText(tr("in \(Wording.span(ring.at - now))")), StyledText(ring.alarm.id, .dim),
          StyledText(ring.alarm.label ?? "").cut(to: Columns.longestLabel),
          StyledText(notes(ring, wording, now), .colour(.yellow)),
        ]
      },
      heading: tr("Rings|In|Id|Label|Note"))
    for line in wording.pauses(overview) { Terminal.printLine(line) }
    if let undo = overview.undoing(pauses) {
      Terminal.printLine(tr("to end the pause: \(undo + config.option)"))
    }
    for settled in overview.schedule.settledAhead(of: now, in: overview.zones) {
      let moment = wording.moment(settled.due, .given, seenFrom: now)
      Terminal.printLine(
        tr("\(settled.alarm.id): not \(moment), it rang before the clock was set back"))
    }
  }

  @MainActor private func notes(
    _ ring: ComingRing, _ wording: Wording, _ now: Instant
  ) -> String {
    let moved = ring.movedFrom.map { wording.moved(from: $0, seenFrom: now) }
    return Wording.list([moved, ring.note?.word].compactMap(\.self))
  }
}

extension ZoneNote {
  /// The word for the clock change that affects a ring, in the user's language. JSON has the raw
  /// value instead.
  fileprivate var word: String {
    switch self {
    case .gap: tr("gap", context: "note of a ring")
    case .overlap: tr("overlap", context: "note of a ring")
    }
  }
}

extension Overview {
  fileprivate var rows: [[StyledText]] {
    let wording = wording
    return alarmsByTime.map { alarm in
      let (rule, standing) = (alarm.recurrence, self.standing(of: alarm))
      // Show an alarm in dim text if it will not ring.
      let isSilent = standing.style == .dim
      return [
        StyledText(wording.time(rule), isSilent ? .dim : .bold),
        StyledText(wording.dates(rule, seenFrom: today), isSilent ? .dim : .plain),
        StyledText(alarm.id, .dim),
        StyledText(alarm.label ?? "", isSilent ? .dim : .plain).cut(to: Columns.longestLabel),
        StyledText(rule.zone ?? "", .dim),
        StyledText(wording.long(standing, seenFrom: now.wall), standing.style),
      ]
    }
  }
}
