// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws the screen of `belfry watch` as lines of text, from a status and a time. Next:
// `WatchSections.swift`, for the lists, and `WatchKeys.swift`, for the keys.

import Language
import Presentation
import Scheduling
import System

public struct WatchView {
  public struct Size: Hashable, Sendable {
    public var columns: Int
    public var rows: Int
    public init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
  }

  /// The latest status. It is nil if the agent is not running, because an old status may be wrong.
  public var status: Status? { didSet { adopt() } }
  public var selection: Choice?
  public var entry: Entry?
  /// A message for the last line, such as why a key had no effect.
  public var remark: String?
  public var showsKeys = false

  var wording: Wording

  public init(_ status: Status?, _ wording: Wording) {
    (self.status, self.wording) = (status, wording)
    adopt()
  }

  private mutating func adopt() { if let status { wording.clock = status.agent.clockStyle } }

  public func lines(_ size: Size, at now: Now) -> [StyledText] {
    let margin = size.columns >= 60 ? 2 : size.columns >= 30 ? 1 : 0
    let width = max(1, min(size.columns - 2 * margin, 110))
    let footer = footer(width, now)
    var head = clock(width, size.rows, now)
    if size.rows >= 28 { head.append(StyledText()) }
    if size.rows >= 12 { head.append(date(now)) }
    let banners = banners(now, atMost: max(1, size.rows / 5)).map {
      $0.fitted(width).styled(Self.alert)
    }
    if size.rows >= 16 { head = [StyledText()] + head + [StyledText()] }
    if !banners.isEmpty { head += banners + (size.rows >= 16 ? [StyledText()] : []) }
    let rows = max(0, size.rows - footer.count)
    // If the list of keyboard shortcuts does not fit below the clock, leave the clock out.
    if showsKeys, keys(width, size.rows).count > rows - head.count { head = banners }
    head = Array(head.prefix(rows))
    let body = body(width, rows - head.count, now)
    let lines = head.map { $0.fitted(width, .centre) } + body
    // If more than a few rows are free, put about a third of them above the time.
    let free = rows - lines.count
    let above = max(0, (free - 4) / 3)
    let below = max(0, free - above)
    let all =
      Array(repeating: StyledText(), count: above) + lines
      + Array(repeating: StyledText(), count: below) + footer
    let indent = StyledText.spaces((size.columns - width) / 2)
    return all.suffix(size.rows).map { $0.isEmpty ? $0 : (indent + $0).cut(to: size.columns) }
  }

  private static let alert = Style(colour: .red, isBold: true, isReversed: true)

  /// Whether the screen shows tenths of a second, and so must be drawn ten times a second.
  public var showsTenths: Bool { status?.stopwatch.isRunning == true && !showsKeys }

  // MARK: - The time

  private func clock(_ width: Int, _ rows: Int, _ now: Now) -> [StyledText] {
    let time = wording.zones.civil(at: now.wall, in: nil).time
    let shown = wording.digits(CivilTime(hour: time.hour, minute: time.minute) ?? time)
    let half = StyledText(wording.half(time))
    let seconds = Count.twoDigits(Int64(time.second))
    // The digits are not bold, because many terminals show bold as a brighter colour.
    let style = Style.colour(banners(now, atMost: 1).isEmpty ? .yellow : .red)
    for (size, small, leastRows) in Self.sizes where rows >= leastRows {
      let beside = small.map { Figures.width(of: seconds, $0) + 3 } ?? 0
      let noon = half.isEmpty ? 0 : half.width + 1
      guard Figures.width(of: shown, size) + max(beside, noon) <= width else { continue }
      var lines = Figures.lines(shown, size, style)
      let drawn =
        small.map { Figures.lines(seconds, $0, style) } ?? []
      for index in lines.indices {
        let second = index - (lines.count - drawn.count)
        var right = StyledText.spaces(max(beside, noon))
        if second >= 0, !drawn.isEmpty { right = .spaces(3) + drawn[second] }
        if index == 0, noon > 0 { right = (.spaces(1) + half).fitted(right.width) }
        lines[index] += right
      }
      return lines
    }
    return rows > 2 ? [StyledText(wording.time(time), style)] : []
  }

  /// The sizes in which the time can be drawn, the largest first. Each has the size of hours and
  /// minutes, the size of the seconds (nil if the seconds are not drawn), and the number of rows
  /// that the screen must have.
  private static let sizes: [(Figures.Size, Figures.Size?, Int)] = [
    (.full(3), .full(1), 50), (.full(2), .full(1), 34), (.full(1), .half, 16),
    (.full(1), nil, 16), (.half, .half, 7), (.half, nil, 7),
  ]

  private func date(_ now: Now) -> StyledText {
    let date = wording.zones.civil(at: now.wall, in: nil).date
    return StyledText(wording.longDate(date))
  }

  // MARK: - Banners

  private func banners(_ now: Now, atMost most: Int) -> [StyledText] {
    guard let status else { return [banner(tr("The agent is gone: nothing will ring"))] }
    let alarms = status.ringing.map { ring in
      let rings = wording.ringing(ring.name, since: ring.start, now.wall)
      return banner(Wording.snoozed(rings, ring.snoozes))
    }
    let timers = status.timers.filter { $0.state == .ringing }.map { timer in
      banner(tr("\(timer.name) is over, +\(Count.up(status.overtime(of: timer, at: now)))"))
    }
    let all = alarms + timers
    guard all.count > most else { return all }
    let rest = all.count - most + 1
    return all.prefix(most - 1) + [
      banner(
        most == 1
          ? tr("\(rest) ring", plural: "\(rest) ring", count: rest)
          : tr("\(rest) more ring", plural: "\(rest) more ring", count: rest))
    ]
  }

  private func banner(_ text: String) -> StyledText { StyledText(" \(text) ") }

  private func body(_ width: Int, _ height: Int, _ now: Now) -> [StyledText] {
    guard !showsKeys else { return keys(width, height) }
    guard let status else { return [] }
    let sections = WatchSections(
      status: status, wording: wording, now: now, selection: selection)
    return sections.lines(width, height)
  }
}

extension Wording {
  fileprivate func longDate(_ date: CivilDate) -> String {
    let (day, month) = (Self.longName(date.weekday), Self.month(date))
    return tr("\(day) \(date.day) \(month) \(date.year)", context: "long date")
  }
}
