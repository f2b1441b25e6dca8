// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files tell, agent or no agent: `list` and `next`.

import ArgumentParser
import Configuration
import Language
import Persistence
import Presentation
import Scheduling
import Screen
import System

struct ListCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: tr("List the alarms, by time of day."),
    discussion: tr(
      """
      From the files alone, agent or no agent. The third column is the id that commands take.

      Examples:
        belfry list
        belfry list --json | jq -r '.[] | select(.state == "off").id'
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let view = try config.view()
    if output.json { return Terminal.json(.array(view.overview.alarms.map { JSON($0) })) }
    if view.overview.configuration.alarms.isEmpty { print(tr("No alarm is set.")) }
    Terminal.table(view.overview.rows)
  }
}

struct NextCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: tr("Tell the coming rings of all alarms, from the files alone."),
    discussion: tr(
      """
      With --from, what the agent remembers (snoozed, skipped, moved, over) is left out: every \
      alarm is taken as armed at that moment, and rings strictly after it.

      A moment is written 2026-11-21T07:30:00+09:00, or "2026-11-21 07:30" for the machine's zone, \
      or @ and seconds since 1970.

      A note tells where a ring had to move: gap (the local time does not exist that day; it rings \
      at the first that does) or overlap (it exists twice; it rings at the first).

      Examples:
        belfry next --count 3
        belfry next --from 2027-03-27 --timezone Europe/Berlin --count 3
        belfry next --count 1 --json | jq -r '.[0].at // "no alarm"'
      """))

  @Option(help: .tr("How many, 1 to 1000."))
  var count = 10
  @OptionGroup var viewpoint: ViewpointOptions
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func validate() throws { try ViewpointOptions.check(count) }

  @MainActor func perform() throws {
    let overview = try viewpoint.view(config).overview
    let rings = overview.schedule.coming(count, in: overview.zones)
    if output.json { return Terminal.json(.array(rings.map { JSON(overview.coming($0)) })) }
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
      })
    for line in wording.pauses(overview) { Terminal.show(line) }
    if let undo = overview.undoing(pauses) { Terminal.show(tr("to end that: \(undo)")) }
    for settled in overview.schedule.settledAhead(of: now, in: overview.zones) {
      let moment = wording.moment(settled.due, .given, seenFrom: now)
      Terminal.show(
        tr("\(settled.alarm.id): not \(moment), it rang before the clock was set back"))
    }
  }
}

extension NextCommand {
  @MainActor private func notes(
    _ ring: ComingRing, _ wording: Wording, _ now: Instant
  ) -> String {
    let moved = ring.movedFrom.map { wording.moved(from: $0, seenFrom: now) }
    return Wording.list([moved, ring.note?.word].compactMap(\.self))
  }
}

extension ZoneNote {
  /// What people are shown; programs get the raw value.
  fileprivate var word: String {
    switch self {
    case .gap: tr("gap", context: "note of a ring")
    case .overlap: tr("overlap", context: "note of a ring")
    }
  }
}

extension Overview {
  fileprivate var rows: [[StyledText]] {
    let (wording, today) = (wording, zones.civil(at: now.wall, in: nil).date)
    return alarmsByTime.map { alarm in
      let (standing, style) = standing(alarm, wording)
      let rule = alarm.recurrence
      let (time, days) = (wording.time(rule), wording.dates(rule, seenFrom: today))
      // What will not ring steps back.
      let isSilent = style == .dim
      return [
        StyledText(time, isSilent ? .dim : .bold), StyledText(days, isSilent ? .dim : .plain),
        StyledText(alarm.id, .dim),
        StyledText(alarm.label ?? "", isSilent ? .dim : .plain).cut(to: Columns.longestLabel),
        StyledText(rule.zone ?? "", .dim), StyledText(standing, style),
      ]
    }
  }

  private func standing(_ alarm: Alarm, _ wording: Wording) -> (String, Style) {
    guard let entry = schedule.entry(alarm.id) else { return (tr("off", context: "alarm"), .dim) }
    if entry.ring != nil { return (tr("ringing"), Style(colour: .red, isBold: true)) }
    if let until = entry.snoozedUntil {
      return (
        tr("snoozed until \(wording.moment(until, .near, seenFrom: now.wall))"), .colour(.yellow)
      )
    }
    if let check = entry.check {
      return (wording.check(check, seenFrom: now.wall), .colour(.yellow))
    }
    let paused = entry.pausedRing(at: now.wall, in: zones).map {
      wording.paused(until: $0.until, seenFrom: zones.civil(at: now.wall, in: nil).date)
    }
    guard let next = entry.next else { return (paused ?? tr("over", context: "alarm"), .dim) }
    if entry.isSkipped {
      return (
        tr("skipped \(wording.moment(next.due, .given, seenFrom: now.wall))"), .colour(.yellow)
      )
    }
    let moment = wording.moment(next.due, .given, seenFrom: now.wall)
    if let paused { return (tr("\(paused), then \(moment)", context: "pause"), .colour(.yellow)) }
    let told = tr("\(moment), in \(Wording.span(next.due - now.wall))")
    return next.movedFrom == nil
      ? (told, .plain)
      : (wording.moved(told, from: next.movedFrom, seenFrom: now.wall), .colour(.yellow))
  }
}
