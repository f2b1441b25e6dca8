// SPDX-License-Identifier: GPL-3.0-or-later
//
// The status in a few lines: those that `belfry` prints without a command, with a line for each
// ringing, snoozed, running, missed and upcoming alarm or timer, and for each clock; and the short
// status of `belfry follow --waybar`, for a desktop bar.

import Configuration
import Language
import Presentation
import Scheduling
import System
import Values

public struct Summary {
  private let status: Status
  private let wording: Wording
  private var now: Now { status.asOf }

  public init(_ status: Status, in zones: Zones) {
    self.status = status
    wording = Wording(zones: zones, clock: status.agent.clockStyle)
  }

  public var lines: [StyledText] {
    // Ringing alarms and timers come first.
    let over = timers.filter { $0.0 == .ringing }
    var rows =
      ringing + over.map(\.1) + snoozed + checks + timers.filter { $0.0 != .ringing }.map(\.1)
      + stopwatch + missed + pauses + next
    if rows.isEmpty, status.agent.problems.isEmpty {
      let isSet = !status.alarms.isEmpty
      rows = [
        [
          StyledText(
            isSet ? tr("No upcoming alarms") : tr("No alarm is set. Add one: belfry add 7:30"))
        ]
      ]
    }
    var lines = Columns.lines(rows + cities)
    if !missed.isEmpty {
      lines.append(StyledText(tr("belfry ack: acknowledge what was missed"), .dim))
    }
    if pausing.contains(where: { $0.covers(today) }) {
      lines.append(StyledText(tr("belfry resume: end today's pauses"), .dim))
    }
    for problem in status.agent.problems {
      lines += problem.split(separator: "\n").map { StyledText(String($0), .colour(.red)) }
    }
    return lines
  }

  private typealias Row = [StyledText]

  private func row(_ word: String, _ style: Style, _ name: StyledText, _ text: String) -> Row {
    [StyledText(word, style), name, StyledText(text)]
  }

  private func name(_ label: String, _ id: String) -> StyledText {
    label.isEmpty
      ? StyledText(id, .bold)
      : StyledText(label, .bold).cut(to: 30) + StyledText(" (\(id))", .dim)
  }

  private var ringing: [Row] {
    status.ringing.map { ring in
      let since =
        ring.start.map { tr("since \(wording.moment($0, .near, seenFrom: now.wall))") } ?? ""
      return row(
        tr("ringing"), Style(colour: .red, isBold: true), name(ring.label, ring.id),
        Wording.snoozed(since, ring.snoozes))
    }
  }

  private var snoozed: [Row] {
    status.coming.filter { $0.alarm.state == .snoozed }.map { alarm, at in
      row(
        tr("snoozed"), .colour(.yellow), name(alarm.label, alarm.id),
        tr("until \(wording.moment(at, .near, seenFrom: now.wall))", context: "snoozed"))
    }
  }

  /// Rows for stopped alarms for which Belfry will still check whether the user is up.
  private var checks: [Row] {
    status.alarms.compactMap { alarm in
      let standing = alarm.standing
      guard standing.check != nil else { return nil }
      return row(
        tr("check"), .colour(.yellow), name(alarm.label, alarm.id),
        wording.long(standing, seenFrom: now.wall))
    }
  }

  private var timers: [(Status.Timer.State, Row)] {
    status.timers.map { timer in
      let left = Wording.span(status.left(of: timer, at: now))
      let end = (timer.at?.instant).map { wording.moment($0, .near, seenFrom: now.wall) } ?? ""
      let label = timer.label.isEmpty ? timer.preset ?? "" : timer.label
      let name = name(Wording.name(label, timer.turn), timer.id)
      let rest = timer.reason == nil ? tr("\(left) left") : tr("\(left) left, the screen is locked")
      let row =
        switch timer.state {
        case .running: row(tr("timer"), .colour(.cyan), name, tr("until \(end), in \(left)"))
        case .paused: row(tr("paused"), .colour(.yellow), name, rest)
        case .snoozed:
          row(tr("snoozed"), .colour(.yellow), name, tr("until \(end)", context: "snoozed"))
        case .ringing:
          row(tr("ringing"), Style(colour: .red, isBold: true), name, tr("since \(end)"))
        }
      return (timer.state, row)
    }
  }

  private var stopwatch: [Row] {
    let stopwatch = status.stopwatch
    guard !stopwatch.isReset else { return [] }
    let elapsed = Count.up(status.elapsed(at: now), digits: 1)
    let laps = stopwatch.laps.count
    let state =
      stopwatch.isRunning
      ? tr("running", context: "stopwatch") : tr("stopped", context: "stopwatch")
    return [
      row(
        tr("stopwatch"), .colour(stopwatch.isRunning ? .green : .yellow),
        StyledText(elapsed, .bold),
        laps > 0
          ? tr("\(state), \(laps) lap", plural: "\(state), \(laps) laps", count: laps) : state)
    ]
  }

  private var missed: [Row] {
    status.missed.map { missed in
      let when =
        (missed.at?.instant).map { wording.moment($0, missed.seconds, seenFrom: now.wall) } ?? ""
      let moments = Wording.and(max(0, Int(clamping: missed.count ?? 1) - 1), before: when)
      let why = missed.cause.map(Wording.because) ?? ""
      return row(
        tr("missed"), .colour(.yellow), name(missed.label, missed.id),
        tr("\(moments): \(why)", context: "missed"))
    }
  }

  private var today: CivilDate { wording.zones.civil(at: now.wall, in: nil).date }

  private var pausing: [Pause] { status.pauses.compactMap(\.pause) }

  private var pauses: [Row] {
    pausing.map { pause in
      row(
        tr("paused", context: "alarm"), .colour(.yellow),
        StyledText(Wording.alarms(of: pause), .bold).cut(to: 30),
        wording.days(of: pause, seenFrom: today))
    }
  }

  private var next: [Row] {
    // Leave out snoozed alarms and checks, which have rows of their own.
    let next = status.coming.filter {
      $0.alarm.state != .snoozed && $0.at != $0.alarm.standing.check?.ringsAgain
    }
    return next.prefix(3).enumerated().map { index, ring in
      let left = Wording.span(ring.at - now.wall)
      let moment = wording.moment(ring.at, ring.alarm.standing.seconds, seenFrom: now.wall)
      return row(
        index == 0 ? tr("next") : tr("then"), .bold, name(ring.alarm.label, ring.alarm.id),
        tr("\(moment), in \(left)"))
    }
  }

  private var cities: [Row] {
    let here = wording.zones.civil(at: now.wall, in: nil)
    return status.clocks.map { city in
      let there = city.civil(from: here).map { wording.minute($0.time) } ?? tr("unknown place")
      let words = [there, city.day(from: here), city.ahead]
      return row(
        tr("clock"), .colour(.magenta), StyledText(city.name, .bold),
        Wording.list(words.filter { !$0.isEmpty }))
    }
  }
}

/// A short status in the JSON that Waybar's custom modules read. It shows at what time alarms and
/// timers ring, but not how much time is left. So it changes only when something happens or a day
/// begins.
public struct Bar {
  private let status: Status
  private let wording: Wording
  private var now: Instant { status.asOf.wall }

  public init(_ status: Status, in zones: Zones) {
    self.status = status
    wording = Wording(zones: zones, clock: status.agent.clockStyle)
  }

  public static var lost: String {
    line(tr("no alarm clock"), tr("Belfry's agent is not running: belfryd"), "lost")
  }

  /// The status as one line of JSON with the keys `text`, `tooltip`, `class` and `alt`. The last
  /// two have the same value.
  public var line: String {
    let first =
      ringing.first ?? snoozed.first ?? timers.first ?? (status.isAllPaused ? paused : next).first
    return Self.line(first?.text ?? "", tooltip, first?.kind ?? "none")
  }

  private static func line(_ text: String, _ tooltip: String, _ kind: String) -> String {
    Value.table([
      "text": .string(text.markup), "tooltip": .string(tooltip.markup), "alt": .string(kind),
      "class": .string(kind),
    ]).json
  }

  // MARK: - The items, the most urgent first

  private typealias Item = (text: String, long: String, kind: String)

  private var ringing: [Item] { alarms + timers(ringing: true) }
  private var timers: [Item] { timers(ringing: false) }

  private var alarms: [Item] {
    status.ringing.map { ring in
      let name = short(ring.name)
      return (tr("\(name) rings"), wording.ringing(name, since: ring.start, now), "ringing")
    }
  }

  private var snoozed: [Item] {
    status.coming.filter { $0.alarm.state == .snoozed }.map { alarm, at in
      let (name, time) = (short(alarm.name), wording.brief(at, seenFrom: now))
      return ("\(time) \(name)", tr("\(name) snoozed until \(time)"), "snoozed")
    }
  }

  private func timers(ringing isRinging: Bool) -> [Item] {
    status.timers.filter { ($0.state == .ringing) == isRinging }.map { timer in
      let name = short(timer.name)
      let time = (timer.at?.instant).map { wording.brief($0, seenFrom: now) } ?? ""
      switch timer.state {
      case .ringing:
        return (tr("\(name) is over"), tr("\(name) over since \(time)"), "ringing")
      case .paused:
        let left = Count.down(status.left(of: timer, at: status.asOf))
        return (tr("\(name) paused"), tr("\(name) paused, \(left) left"), "timer")
      case .running, .snoozed: return ("\(time) \(name)", tr("\(name) until \(time)"), "timer")
      }
    }
  }

  /// The pauses that silence an alarm. The bar shows the short text of the first item only. So each
  /// item has the same short text, which says when the first of these pauses ends.
  private var paused: [Item] {
    let today = wording.zones.civil(at: now, in: nil).date
    let end = status.alarms.compactMap(\.standing.pause?.until).min()
    return status.pauses.compactMap(\.pause).map { pause in
      let line = StyledText(wording.line(pause, seenFrom: today)).cut(to: 80)
      return (wording.paused(until: end, seenFrom: today), line.plain, "paused")
    }
  }

  private var next: [Item] {
    status.coming.filter { $0.alarm.state != .snoozed }.prefix(3).map { alarm, at in
      let text = "\(wording.brief(at, seenFrom: now)) \(short(alarm.name))"
      return (text, text, "next")
    }
  }

  private var tooltip: String {
    var lines = (ringing + snoozed + timers + paused + next).map(\.long)
    if status.stopwatch.isRunning { lines.append(tr("the stopwatch is running")) }
    lines += status.missed.suffix(5).map { missed in
      let name = short(missed.name)
      guard let at = missed.at?.instant else { return tr("missed \(name)") }
      return tr("missed \(name) \(wording.brief(at, seenFrom: now))")
    }
    if !status.agent.problems.isEmpty {
      lines.append(tr("there is an error in your alarm settings"))
    }
    return lines.isEmpty ? tr("No upcoming alarms") : lines.joined(separator: "\n")
  }

  private func short(_ name: String) -> String { StyledText(name).cut(to: 40).plain }
}
