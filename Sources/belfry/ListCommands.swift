// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files tell, agent or no agent: `list` and `next`.

import ArgumentParser
import BelfryAgent
import Configuration
import Desktop
import Persistence
import Scheduling

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the alarms, by time of day.")

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func run() throws {
    try onMain {
      let view = try config.view()
      if output.json { return Terminal.json(.array(view.overview.alarms.map { JSON($0) })) }
      let wording = Wording(
        zones: view.overview.zones, clock: view.overview.configuration.agent.clock)
      if view.overview.configuration.alarms.isEmpty { print("No alarm is set.") }
      Terminal.table(view.overview.rows(wording))
    }
  }
}

struct NextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Tell the coming rings of all alarms, from the files alone.",
    discussion: """
      With --from, what the agent remembers (snoozed, skipped, over) is left out: every alarm is \
      taken as armed at that moment, and rings strictly after it.

      A moment is written 2026-11-21T07:30:00+09:00, or "2026-11-21 07:30" for the machine's zone, \
      or @ and seconds since 1970.

      A note tells where a ring had to move: gap (the local time does not exist that day; it rings \
      at the first that does) or overlap (it exists twice; it rings at the first).
      """)

  @Option(help: "How many, 1 to 1000.")
  var count = 10
  @OptionGroup var viewpoint: ViewpointOptions
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func validate() throws { try ViewpointOptions.check(count) }

  func run() throws {
    try onMain {
      let overview = try viewpoint.view(config).overview
      let rings = overview.schedule.coming(count, in: overview.zones)
      if output.json { return Terminal.json(.array(rings.map { JSON(overview.coming($0)) })) }
      let wording = Wording(zones: overview.zones, clock: overview.configuration.agent.clock)
      let now = overview.now.wall
      if rings.isEmpty { print("No alarm is to come.") }
      Terminal.table(
        rings.map { ring in
          [
            wording.moment(ring.at, seenFrom: now), "in \(Wording.span(ring.at - now))",
            ring.alarm.id, ring.alarm.label ?? "", ring.note?.rawValue ?? "",
          ]
        })
    }
  }
}

extension Overview {
  fileprivate func rows(_ wording: Wording) -> [[String]] {
    let today = zones.civil(at: now.wall, in: nil).date
    return alarmsByTime.map { alarm in
      [
        wording.time(alarm.recurrence.time), wording.dates(alarm.recurrence, seenFrom: today),
        alarm.id, alarm.label ?? "", alarm.recurrence.zone ?? "", standing(alarm, wording),
      ]
    }
  }

  private func standing(_ alarm: Alarm, _ wording: Wording) -> String {
    guard let entry = schedule.entry(alarm.id) else { return "off" }
    if entry.ring != nil { return "ringing" }
    if let until = entry.snoozedUntil {
      return "snoozed until \(wording.moment(until, seenFrom: now.wall))"
    }
    guard let next = entry.next else { return "over" }
    let moment = wording.moment(next.due, seenFrom: now.wall)
    if entry.isSkipped { return "skipped \(moment)" }
    return "\(moment), in \(Wording.span(next.due - now.wall))"
  }
}
