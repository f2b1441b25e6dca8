// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry explain`: the upcoming rings of one alarm, with the reason for each. `Explanation.swift`
// in the core finds the reasons; this file puts them into words.

import ArgumentParser
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System
import Values

struct ExplainCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: tr("List the upcoming rings of one alarm, and explain their times."),
    discussion: tr(
      """
      The options --from and --timezone work as in `belfry next`.

      Examples:
        belfry explain work
        belfry explain work --from 2027-03-27 --timezone Europe/Berlin --count 2
      """))

  @Argument(help: .tr("The alarm's id, as shown by `belfry list`."), completion: .alarms)
  var id: String
  @Option(name: .count, help: .tr("How many rings to list, 1 to 1000."))
  var count = 5
  @OptionGroup var viewpoint: ViewpointOptions
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: TableOption

  func validate() throws { try ViewpointOptions.check(count) }

  @MainActor func perform() throws {
    let view = try viewpoint.view(config)
    let overview = view.overview
    let ids = overview.configuration.alarms.map(\.id)
    guard let alarm = overview.configuration.alarm(id) else {
      throw CommandFailure(
        view.faultyAlarms.contains(id)
          ? tr("\(TerminalText.quoted(id)) does not ring: the config has an error in it")
          : ConfigEditor.unknown(id: id, among: ids))
    }
    let explanation = overview.schedule.explanation(
      of: alarm, count: count, at: overview.now.wall, in: overview.zones)
    let words = ExplanationWords(
      explanation: explanation, overview: overview,
      machineZone: viewpoint.timezone ?? Zones.machineZone)
    if output.json { Terminal.json(words.json) } else { words.printReport() }
  }
}

@MainActor private struct ExplanationWords {
  let explanation: Explanation
  let overview: Overview
  let machineZone: String

  private var alarm: Alarm { explanation.alarm }
  private var zone: String { alarm.recurrence.zone ?? machineZone }
  private var now: Instant { overview.now.wall }
  private var wording: Wording { overview.wording }

  var json: Value {
    .table([
      "id": .string(alarm.id), "label": .string(alarm.label ?? ""),
      "wake": .boolean(alarm.ring.wake),
      "can_snooze": alarm.ring.allowsSnooze ? nil : .boolean(false),
      "snoozes": alarm.ring.snoozeLimit > 0 ? .integer(Int64(alarm.ring.snoozeLimit)) : nil,
      "before": alarm.ring.before > .zero ? .integer(alarm.ring.before.wholeSeconds) : nil,
      "bedtime": alarm.ring.bedtime > .zero ? .integer(alarm.ring.bedtime.wholeSeconds) : nil,
      "check": alarm.ring.check > .zero ? .integer(alarm.ring.check.wholeSeconds) : nil,
      "rings": .list(
        explanation.rings.map { ring in
          .table([
            "at": .string(overview.zones.rfc3339(ring.at, in: nil)),
            "epoch": .integer(ring.at.seconds),
            "date": ring.date.map { .string($0.description) },
            "note": ring.note.map { .string($0.rawValue) },
            "moved_from": ring.movedFrom.map { .string(overview.zones.rfc3339($0, in: nil)) },
            "moved_from_epoch": ring.movedFrom.map { .integer($0.seconds) },
            "reasons": .list(reasons(ring).map(Value.string)),
          ])
        }),
      "left_out": .list(
        explanation.leftOut.map {
          .table(["date": .string($0.date.description), "reason": .string($0.reason.rawValue)])
        }),
      "silent": explanation.silence.map { .string($0.rawValue) },
    ])
  }

  func printReport() {
    let today = overview.today
    let name = alarm.label.map { "\($0) (\(alarm.id))" } ?? alarm.id
    let dates = wording.dates(alarm.recurrence, seenFrom: today)
    let place = alarm.recurrence.zone.map { ", \($0)" } ?? ""
    Terminal.printLine(tr("\(name): \(wording.time(alarm.recurrence)), \(dates)\(place)"))
    Terminal.table(
      rows(seenFrom: today),
      heading: tr("Rings|In|Why"))
    if let silence = explanation.silence { Terminal.printLine(words(silence)) }
    if let checking { Terminal.printLine(checking) }
    guard !explanation.rings.isEmpty else { return }
    for line in ahead { Terminal.printLine(line) }
    Terminal.printLine(waking)
    if let snoozing { Terminal.printLine(snoozing) }
  }

  /// A line for each thing that Belfry does before the next ring: the bedtime reminder and
  /// `on_before`.
  private var ahead: [String] {
    guard let entry = overview.schedule.entry(alarm.id), let due = entry.wanted?.due else {
      return []
    }
    let (settings, wording) = (alarm.ring, wording)
    var lines: [String] = []
    if settings.bedtime > .zero {
      let moment = wording.at(due - settings.bedtime, .given, seenFrom: now)
      let length = Wording.span(settings.bedtime)
      lines.append(tr("shows a bedtime notification \(moment), \(length) ahead of the next ring"))
    }
    if settings.before > .zero, !settings.onBefore.isEmpty {
      let moment = wording.at(due - settings.before, .given, seenFrom: now)
      let length = Wording.span(settings.before)
      lines.append(
        entry.state.prepared == due
          ? tr("has run on_before for the next ring")
          : tr("runs on_before \(moment), \(length) ahead of the next ring"))
    }
    return lines
  }

  /// A line about the check whether the user is up, some time after the alarm is stopped. It is nil
  /// if the alarm makes no such check.
  private var checking: String? {
    let standing = overview.standing(of: alarm)
    if standing.check != nil { return wording.long(standing, seenFrom: now) }
    let after = alarm.ring.check
    return after > .zero
      ? tr("asks whether you are up \(Wording.span(after)) after Stop, unless you use the computer")
      : nil
  }

  /// A line about snoozing. It is nil if snoozing is not limited.
  private var snoozing: String? {
    let most = alarm.ring.snoozeLimit
    if !alarm.ring.allowsSnooze { return tr("can be snoozed: no (snooze = [])") }
    return most == 0
      ? nil
      : tr(
        "can be snoozed: once (snoozes = 1)",
        plural: "can be snoozed: \(most) times (snoozes = \(most))", count: most)
  }

  /// A line that says whether the alarm wakes the machine. Only a running agent knows whether the
  /// machine can be woken.
  private var waking: String {
    guard alarm.ring.wake else { return tr("wakes the machine: no (wake = false)") }
    guard let agent = AgentConnection.ask("Agent").flatMap(Status.Agent.read),
      agent.wake || agent.wakeProblem != nil
    else {
      return tr("wakes the machine: yes, if it can (see belfry doctor)")
    }
    guard let problem = agent.wakeProblem else { return tr("wakes the machine: yes") }
    return tr("wakes the machine: no, \(Wording.explain(problem, fix: agent.wakeFix))")
  }

  /// Returns rows for rings and for dates without a ring, ordered by date. The end of a snooze has
  /// no date and comes first.
  private func rows(seenFrom today: CivilDate) -> [[String]] {
    let rings = explanation.rings.map { ring in
      (
        ring.date?.daysSinceEpoch ?? .min,
        [
          wording.moment(ring.at, ring.seconds, seenFrom: now),
          tr("in \(Wording.span(ring.at - now))"),
          reasons(ring).joined(separator: "; "),
        ]
      )
    }
    let leftOut = explanation.leftOut.map { day in
      (day.date.daysSinceEpoch, [Wording.date(day.date, seenFrom: today), "", words(day)])
    }
    return (rings + leftOut).sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func reasons(_ ring: ComingRing) -> [String] {
    guard let date = ring.date else { return [tr("snoozed until then")] }
    let there = overview.zones.civil(at: ring.at, in: alarm.recurrence.zone)
    let here = overview.zones.civil(at: ring.at, in: nil)
    let time = wording.time(alarm.recurrence.time)
    var reasons = ring.movedFrom.map { [wording.moved(from: $0, seenFrom: now)] } ?? []
    switch ring.movedFrom == nil ? ring.note : nil {
    case .gap:
      reasons.append(
        tr(
          """
          \(time) does not exist on \(date) in \(zone); rings at \(wording.time(there.time)), \
          the first time that does
          """))
    case .overlap:
      reasons.append(tr("\(time) comes twice on \(date) in \(zone); rings the first time"))
    case nil: break
    }
    if let sun = alarm.recurrence.sun, ring.movedFrom == nil {
      let moment = overview.zones.civil(at: ring.at - sun.offset, in: alarm.recurrence.zone).time
      reasons.append(
        sun.event == .sunrise
          ? tr("the sun rises at \(wording.time(moment)) in \(sun.city)")
          : tr("the sun sets at \(wording.time(moment)) in \(sun.city)"))
    }
    if here != there {
      reasons.append(
        tr("zone \(zone): \(wording.time(there.time)) there is \(wording.time(here.time)) here"))
    }
    return reasons
  }

  private func words(_ day: Explanation.LeftOut) -> String {
    switch day.reason {
    case .excepted: tr("left out: in except: \(day.date)")
    case .paused: tr("left out: paused")
    case .skipped: tr("left out: skipped")
    case .settled: tr("left out: it rang before the clock was set back")
    case .noSuchDate: tr("left out: \(zone) has no \(day.date)")
    case .sunUp: tr("left out: the sun does not set, it stays up all day")
    case .sunDown: tr("left out: the sun does not rise, it stays down all day")
    }
  }

  private func words(_ silence: Explanation.Silence) -> String {
    switch silence {
    case .disabled: tr("no upcoming ring: it is off (enabled = false)")
    case .over: tr("no upcoming ring: it rings once, and has rung")
    case .past: tr("no upcoming ring: its date is past")
    case .ended: tr("no upcoming ring: its last day is past")
    case .never: tr("no upcoming ring: there is no such day")
    case .leftOut: tr("no upcoming ring: all of its dates are left out")
    case .ringing: tr("no upcoming ring: it is ringing now, and rings only once")
    }
  }
}
