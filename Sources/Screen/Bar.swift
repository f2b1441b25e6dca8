// SPDX-License-Identifier: GPL-3.0-or-later
//
// A short status for a desktop bar, in the JSON that Waybar's custom modules read. It shows at what
// time alarms and timers ring, but not how much time is left. So it changes only when something
// happens or a day begins.

import Language
import Persistence
import Presentation
import Scheduling
import System

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
    JSON.object([
      "text": .string(text.markup), "tooltip": .string(tooltip.markup), "alt": .string(kind),
      "class": .string(kind),
    ]).text
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
    let ends = status.alarms.filter { $0.paused == true }.map(\.lastPausedDay)
    let end = ends.compactMap(\.self).min()
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
