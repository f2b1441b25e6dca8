// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lists below the time in `belfry watch`: alarms, timers, stopwatch, cities, missed alarms and
// errors of the config, in two columns if the window is wide. `Stack` arranges them in the height
// of the window. Next: `WatchCounters.swift`, for timers and stopwatch.

import Configuration
import Language
import Presentation
import Scheduling
import System

struct WatchSections {
  let status: Status
  let wording: Wording
  let now: Now
  let selection: Choice?

  func lines(_ width: Int, _ height: Int) -> [StyledText] {
    let column = (width - 4) / 2
    let (left, right) = (left(column), right(column))
    guard width >= 72, left.contains(where: { $0.count > 0 }),
      right.contains(where: { $0.count > 0 })
    else {
      let column = min(width, 64)
      let lines = Stack.lines(
        self.left(column) + self.right(column), width: column, height: height)
      return (lines.isEmpty ? nothing(height) : lines).map {
        $0.fitted(column).fitted(width, .centre)
      }
    }
    let (a, b) = (
      Stack.lines(left, width: column, height: height),
      Stack.lines(right, width: column, height: height)
    )
    return (0..<max(a.count, b.count)).map { row in
      (row < a.count ? a[row] : StyledText()).fitted(width - column)
        + (row < b.count ? b[row] : StyledText())
    }
  }

  private func left(_ width: Int) -> [Section] {
    [alarms(width), timers(width), missed(width), problems(width)]
  }

  private func right(_ width: Int) -> [Section] { [stopwatch(width), cities(width)] }

  private func nothing(_ height: Int) -> [StyledText] {
    guard status.ringing.isEmpty, height > 0 else { return [] }
    return [
      StyledText(tr("No alarm is set: press n to add one"), .dim).clicked(
        .type(WatchView.Entry(.add)))
    ]
  }

  /// The most entries of a list that are laid out. Few windows have more rows than this.
  static let most = 100

  /// Returns at most `shown` of the rows. These are the first rows or, if the selected row is
  /// further down, the selected row and the rows before it.
  func window<Row>(
    _ rows: ArraySlice<Row>, _ shown: Int, _ isChosen: (Row) -> Bool
  ) -> ArraySlice<Row> {
    let end = rows.firstIndex(where: isChosen).map { $0 + 1 } ?? 0
    return rows.prefix(max(shown, end)).suffix(shown)
  }

  func marked(_ name: String, isChosen: Bool) -> StyledText {
    isChosen ? StyledText("▸ " + name, .bold) : StyledText(name)
  }

  // MARK: - Alarms

  private func alarms(_ width: Int) -> Section {
    let listed = status.listed.prefix(Self.most)
    return Section(tr("Alarms"), count: status.listed.count) { shown in
      self.alarms(self.window(listed, shown) { selection == .alarm($0.alarm.id) }, width)
    }
  }

  private func alarms(
    _ listed: ArraySlice<(alarm: Status.Alarm, at: Instant?)>, _ width: Int
  ) -> [StyledText] {
    let rows = listed.map { alarm, at in
      (
        choice: KeyAction.select(.alarm(alarm.id)), when: moment(alarm, at),
        name: marked(alarm.name, isChosen: selection == .alarm(alarm.id)),
        state: StyledText(
          at == nil ? "" : wording.short(alarm.standing, seenFrom: now.wall), .dim),
        isSnoozed: alarm.state == .snoozed
      )
    }
    let when = rows.map(\.when.width).max() ?? 0
    // Leave at least eight columns for the name of the alarm, and three for gaps.
    let lengths = lengths(listed.map(\.at), atMost: width < 34 ? 0 : width - when - 11)
    let left = lengths.map(\.width).max() ?? 0
    let name = width - when - left - 3
    return zip(rows, lengths).map { row, length in
      guard name >= 4 else {
        return (row.when.fitted(when + 1) + row.name.fitted(max(0, width - when - 1)))
          .clicked(row.choice)
      }
      // If there is room for the word `snoozed` or for the time left, but not for both, show
      // `snoozed`.
      let named = row.state.isEmpty ? row.name : row.name + .spaces(1) + row.state
      let isCut = !row.state.isEmpty && named.width > name
      let ofLength = isCut && row.isSnoozed && row.state.width <= left ? row.state : length
      return
        (row.when.fitted(when + 2) + (isCut ? row.name : named).fitted(name) + .spaces(1)
        + ofLength.fitted(left, .right)).clicked(row.choice)
    }
  }

  private func moment(_ alarm: Status.Alarm, _ at: Instant?) -> StyledText {
    let style = alarm.standing.style.bold()
    if let at {
      let isSnoozed = alarm.state == .snoozed
      return StyledText(wording.brief(at, seenFrom: now.wall), isSnoozed ? style : .bold)
    }
    let word = wording.short(alarm.standing, seenFrom: now.wall)
    return StyledText(word, alarm.state == .ringing ? style : .dim)
  }

  /// Returns the time left until each moment, such as `8 h 20 min`. If one of the texts takes more
  /// than `most` columns, all show only their largest unit.
  private func lengths(_ moments: [Instant?], atMost most: Int) -> [StyledText] {
    func words(_ units: Int) -> [StyledText] {
      // Round up, so that a full minute is shown as 1 min and not as 59 s.
      moments.map { at in
        let left = at.map { Wording.span($0 - now.wall + .milliseconds(999), units: units) }
        return StyledText(left ?? "", .dim)
      }
    }
    let full = words(2)
    return full.allSatisfy { $0.width <= most } ? full : words(1)
  }

  // MARK: - Cities

  private func cities(_ width: Int) -> Section {
    let cities = status.clocks.prefix(Self.most)
    return Section(tr("World"), count: cities.count) { shown in
      self.cities(cities.prefix(shown), width)
    }
  }

  private func cities(_ cities: ArraySlice<Status.City>, _ width: Int) -> [StyledText] {
    let here = wording.zones.civil(at: now.wall, in: nil)
    let rows = cities.map { city in
      (
        name: StyledText(city.name),
        time: StyledText(city.civil(from: here).map { wording.minute($0.time) } ?? "?", .bold),
        day: StyledText(city.day(from: here), .colour(.magenta)),
        offset: StyledText(city.ahead, .dim)
      )
    }
    let time = rows.map(\.time.width).max() ?? 0
    let day = rows.map { $0.day.isEmpty ? 0 : $0.day.width + 2 }.max() ?? 0
    let distance = rows.map { $0.offset.isEmpty ? 0 : $0.offset.width + 2 }.max() ?? 0
    // Show how far a city is ahead only if there is room, because the city's time says the same.
    let offset = width >= 12 + time + day + distance ? distance : 0
    let name = max(0, width - time - day - offset - 1)
    return rows.map { row in
      (row.name.fitted(name) + .spaces(1) + row.time.fitted(time, .right)
        + (row.day.isEmpty ? .spaces(day) : .spaces(2) + row.day.fitted(max(0, day - 2)))
        + (offset > 0 ? row.offset.fitted(offset, .right) : StyledText())).cut(to: width)
    }
  }

  // MARK: - Missed alarms and errors

  private func missed(_ width: Int) -> Section {
    // Show the latest missed ring first.
    let missed = Array(status.missed.suffix(Self.most).reversed())
    return Section(tr("Missed"), count: missed.count) { shown in
      missed.prefix(shown).map { missed in
        let when =
          (missed.at?.instant).map { self.wording.brief($0, seenFrom: self.now.wall) } ?? ""
        let why = missed.cause.map(Wording.because) ?? ""
        let line =
          StyledText(when, .colour(.yellow).bold()) + StyledText("  \(missed.name)")
          + StyledText("  \(why)", .dim)
        return line.cut(to: width)
      }
    }
  }

  private func problems(_ width: Int) -> Section {
    // Leave out the folder of the config, because it is the same in every line.
    let config = status.agent.config
    let folder = OutsideText.lastSlash(in: config).map { config.prefix(through: $0) } ?? ""
    let lines = status.agent.problems.prefix(Self.most).compactMap {
      $0.split(separator: "\n").first
    }
    return Section(tr("Config"), count: lines.count) { shown in
      lines.prefix(shown).map { line in
        let text = line.hasPrefix(folder) ? line.dropFirst(folder.count) : line
        return StyledText(String(text), .colour(.red)).cut(to: width)
      }
    }
  }
}

/// A list with a title. An entry takes several lines, or one line if there is little room.
struct Section {
  var title: String
  var count: Int
  /// Returns the first entries, with one line for each. The argument is the number of entries.
  var tight: (Int) -> [StyledText]
  /// Returns the first entries in their large form: for each entry, its lines.
  var roomy: (Int) -> [[StyledText]]

  init(
    _ title: String, count: Int, tight: @escaping (Int) -> [StyledText],
    roomy: ((Int) -> [[StyledText]])? = nil
  ) {
    (self.title, self.count, self.tight) = (title, count, tight)
    self.roomy = roomy ?? { tight($0).map { [$0] } }
  }
}

/// Arranges sections below each other. If there is too little room, it drops the gaps, then the
/// large form of a section, and then entries.
enum Stack {
  /// Returns the lines of `sections`, which are ordered by importance. The title of a section shows
  /// how many of its entries are hidden because there is no room.
  static func lines(_ sections: [Section], width: Int, height: Int) -> [StyledText] {
    let sections = sections.filter { $0.count > 0 }
    guard !sections.isEmpty, height > 0 else { return [] }
    let roomy = sections.map { Array($0.roomy($0.count).joined()) }
    let tight = sections.map(\.count)
    let gaps = sections.count - 1
    let titles = sections.count
    let drawn: [[StyledText]]
    if roomy.reduce(titles, { $0 + $1.count }) <= height {
      drawn = roomy
    } else if tight.reduce(titles, +) <= height {
      drawn = sections.map { $0.tight($0.count) }
    } else {
      return crowded(sections, width, height)
    }
    let hasGaps = drawn.reduce(titles + gaps) { $0 + $1.count } <= height
    return Array(
      zip(sections, drawn).map { [title($0, hidden: 0, width)] + $1 }
        .joined(separator: hasGaps ? [StyledText()] : []))
  }

  private static func crowded(
    _ sections: [Section], _ width: Int, _ height: Int
  ) -> [StyledText] {
    let hasTitles = height >= 3 * sections.count
    var left = height - (hasTitles ? sections.count : 0)
    var shown = Array(repeating: 0, count: sections.count)
    while left > 0, zip(sections, shown).contains(where: { $0.count > $1 }) {
      for (index, section) in sections.enumerated() where left > 0 && shown[index] < section.count {
        left -= 1
        shown[index] += 1
      }
    }
    return zip(sections, shown).flatMap { section, shown in
      (hasTitles ? [title(section, hidden: section.count - shown, width)] : [])
        + section.tight(shown)
    }
  }

  private static func title(_ section: Section, hidden: Int, _ width: Int) -> StyledText {
    let name = StyledText(section.title + " ", .bold)
    let more = StyledText(
      hidden > 0 ? " " + tr("\(hidden) more", plural: "\(hidden) more", count: hidden) : "", .dim)
    let rule = String(repeating: "─", count: max(0, width - name.width - more.width))
    return (name + StyledText(rule, .dim) + more).cut(to: width)
  }
}
