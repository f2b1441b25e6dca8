// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws the screen of `belfry watch` as lines of text, from a status and a time. Also the line that
// a user types there: it either describes a new alarm, in the same words as the desktop's search,
// or gives a new time for the next ring of an alarm. Next: `WatchSections.swift`, for the lists,
// `WatchKeys.swift`, for the keys, and `Phrase.swift`, which reads the words of the typed line.

import Configuration
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
  /// The line that the user is typing; nil if the user is not typing a line.
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
    // Put some of the free rows above the time: a third of those beyond the first four.
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
    return StyledText(Wording.date(date, named: Wording.longName(date.weekday), seenFrom: nil))
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

extension WatchView {
  /// A line that the user types: for a new alarm, or for the new time of the next ring of the alarm
  /// with this id.
  public struct Entry: Hashable, Sendable {
    public enum Purpose: Hashable, Sendable {
      case add
      case move(String)
    }

    public var purpose: Purpose
    public var text: String
    /// The most bytes that the text can have.
    static let longest = 200

    public init(_ purpose: Purpose, _ text: String = "") {
      (self.purpose, self.text) = (purpose, text)
    }

    fileprivate func phrase(at now: Instant, in zones: Zones) -> Phrase? {
      let weekdays = WeekdayNames(localized: Locale.typedWeekdays)
      // Leave out the fraction of the second, because the screen shows whole seconds.
      let second = Instant(seconds: now.seconds)
      return Phrase(alarm: text, at: second, in: zones, weekdays: weekdays)
    }
  }

  /// Returns the last line of the screen, with the typed text. If the text is too long, its
  /// end is shown.
  func line(_ entry: Entry, _ width: Int) -> StyledText {
    let (title, done) =
      switch entry.purpose {
      case .add: (tr("New alarm:"), tr("add"))
      case .move(let id): (tr("\(name(id)) once at:"), tr("move"))
      }
    let head = StyledText(title, .bold).cut(to: width / 2) + .spaces(1)
    let hints =
      hint("Enter", done, action(.character("\n"))) + .spaces(3)
      + hint("Esc", tr("back"), action(.escape))
    var text = entry.text
    let typed = { StyledText(text) + StyledText(" ", Style(isReversed: true)) }
    let room = width - head.width - typed().width - hints.width
    if room >= 3 { return head + typed() + .spaces(room) + hints }
    while !text.isEmpty, head.width + typed().width > width { text.removeFirst() }
    return (head + typed()).fitted(width)
  }

  private func name(_ id: String) -> String {
    status?.alarms.first { $0.id == id }?.name ?? id
  }

  /// Returns the line above the typed text: when the new alarm would ring, or an example of
  /// what to type.
  func meaning(_ entry: Entry, _ now: Now) -> StyledText {
    switch entry.purpose {
    case .move: return StyledText(tr("A time such as 8:15 or 3:30 pm"), .dim)
    case .add:
      let phrase = entry.phrase(at: now.wall, in: wording.zones)
      guard case .alarm(let rule, let label)? = phrase else {
        return StyledText(tr("A time, days and a label, such as 7:30 weekdays Work"), .dim)
      }
      guard let next = rule.next(after: now.wall, in: wording.zones)?.due else {
        return StyledText()
      }
      let when = wording.brief(next, seenFrom: now.wall)
      let length = Wording.span(next - now.wall + .milliseconds(999))
      return StyledText(tr("Rings \(when), in \(length)")) + .spaces(3)
        + StyledText(Wording.days(rule.dates), .dim)
        + (label.map { .spaces(3) + StyledText($0, .bold) } ?? StyledText())
    }
  }
}

extension WatchView.Entry {
  func action(_ key: KeyPress, in zones: Zones) -> KeyAction? {
    guard case .character(let letter) = key else { return key == .escape ? .type(nil) : nil }
    switch letter {
    case "\n", "\r": return text.allSatisfy(\.isWhitespace) ? .type(nil) : done(zones)
    case "\u{7F}", "\u{8}": return .type(Self(purpose, String(text.dropLast())))
    case "\u{15}": return .type(Self(purpose))  // Ctrl-U, as on a shell's line.
    default:
      let longer = text + String(letter)
      let acts = letter.unicodeScalars.contains { TerminalText.acts($0) }
      return acts || longer.utf8.count > Self.longest ? nil : .type(Self(purpose, longer))
    }
  }

  private func done(_ zones: Zones) -> KeyAction {
    switch purpose {
    // If the text is not a time, the agent returns an error that explains it.
    case .move(let id): return .enter(self, "Move", [.string(id), .string(text)])
    case .add:
      let phrase = phrase(at: Clock.now().wall, in: zones)
      guard let keys = phrase?.alarmKeys, !keys.isEmpty else {
        return .remark(tr("\(TerminalText.quoted(text)) has no time at its beginning or end"))
      }
      let settings = keys.map { Variant.Entry($0.key, .string($0.text)) }
      return .enter(self, "AddAlarm", [.dictionary(settings)])
    }
  }
}
