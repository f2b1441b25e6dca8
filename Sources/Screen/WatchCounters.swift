// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sections of `belfry watch` with counters: timers with progress bars, and the stopwatch with
// its laps.

import Language
import Presentation
import Scheduling
import System

extension WatchSections {
  func timers(_ width: Int) -> Section {
    let timers = status.timers.prefix(Self.most)
    return Section(
      tr("Timers"), count: timers.count,
      tight: { shown in self.tight(self.window(timers, shown, isChosen), width) },
      roomy: { shown in
        self.window(timers, shown, isChosen).map { timer in
          self.roomy(timer, width).map { $0.clicked(.select(.timer(timer.id))) }
        }
      })
  }

  private func roomy(_ timer: Status.Timer, _ width: Int) -> [StyledText] {
    let counter = counter(timer)
    let state = StyledText(state(timer), .dim)
    let bar = width - state.width - (state.isEmpty ? 0 : 2)
    return [
      name(timer).fitted(max(0, width - counter.width - 1)) + .spaces(1) + counter,
      Count.bar(part(timer), max(0, bar), style(timer))
        + (state.isEmpty ? state : .spaces(2) + state),
    ]
  }

  private func tight(_ timers: ArraySlice<Status.Timer>, _ width: Int) -> [StyledText] {
    let count = timers.map { counter($0).width }.max() ?? 0
    let most = max(8, min(24, width / 2 - 4))
    let names = min(most, timers.map { (name($0) + pause($0)).width }.max() ?? 0)
    let bar = width - names - count - 2
    return timers.map { timer in
      let counter = counter(timer).fitted(count, .right)
      let line =
        bar < 5
        ? paused(timer, max(0, width - count - 1)) + .spaces(1) + counter
        : paused(timer, names) + .spaces(1)
          + Count.bar(part(timer), bar, style(timer)) + .spaces(1) + counter
      return line.clicked(.select(.timer(timer.id)))
    }
  }

  private func isChosen(_ timer: Status.Timer) -> Bool { selection == .timer(timer.id) }

  private func name(_ timer: Status.Timer) -> StyledText {
    marked(timer.name, isChosen: isChosen(timer))
  }

  /// Returns the name of a timer. If the timer is paused or snoozed, a word after the name says
  /// this, because not all readers see colours.
  private func paused(_ timer: Status.Timer, _ width: Int) -> StyledText {
    let word = pause(timer)
    return (name(timer).cut(to: max(4, width - word.width)) + word).fitted(width)
  }

  private func pause(_ timer: Status.Timer) -> StyledText {
    timer.state == .paused || timer.state == .snoozed
      ? StyledText(" " + state(timer), .dim) : StyledText()
  }

  private func counter(_ timer: Status.Timer) -> StyledText {
    timer.state == .ringing
      ? StyledText("+" + Count.up(status.overtime(of: timer, at: now)), style(timer).bold())
      : StyledText(Count.down(status.left(of: timer, at: now)), .bold)
  }

  private func state(_ timer: Status.Timer) -> String {
    timer.state == .running && timer.at == nil
      ? "" : wording.short(timer.standing, seenFrom: now.wall)
  }

  private func style(_ timer: Status.Timer) -> Style { timer.standing.style }

  private func part(_ timer: Status.Timer) -> Double {
    guard timer.state != .ringing, timer.length > 0 else { return 1 }
    let left = Double(status.left(of: timer, at: now).wholeMicroseconds)
    return 1 - left / Double(Duration(told: timer.length).wholeMicroseconds)
  }

  // MARK: - Stopwatch

  func stopwatch(_ width: Int) -> Section {
    let stopwatch = status.stopwatch
    guard !stopwatch.isReset else { return Section("", count: 0, tight: { _ in [] }) }
    let elapsed = Count.up(status.elapsed(at: now), digits: 1)
    let style = Style.colour(stopwatch.isRunning ? .green : .yellow)
    let line = StyledText(elapsed, style.bold())
    let isTooLong = Figures.width(of: elapsed, .half) > width
    let laps = stopwatch.laps.suffix(Self.most)
    return Section(
      stopwatch.isRunning ? tr("Stopwatch") : tr("Stopwatch, stopped"), count: 1 + laps.count,
      tight: { shown in shown == 0 ? [] : [line] + self.laps(laps.suffix(shown - 1)) },
      roomy: { shown in
        [isTooLong ? [line] : Figures.lines(elapsed, .half, style)]
          + self.laps(laps.suffix(shown - 1)).map { [$0] }
      })
  }

  private func laps(_ laps: ArraySlice<Status.Lap>) -> [StyledText] {
    let rows = laps.reversed().map { lap in
      [
        StyledText("\(lap.lap)", .dim),
        StyledText(Count.up(Duration(told: lap.split), digits: 2), markStyle(lap)),
        StyledText(Count.up(Duration(told: lap.total), digits: 2), .dim),
        StyledText(lap.markWord, markStyle(lap)),
      ]
    }
    return Columns.lines(rows, .right)
  }

  private func markStyle(_ lap: Status.Lap) -> Style {
    switch lap.mark {
    case "fastest": .colour(.green)
    case "slowest": .colour(.red)
    default: .plain
    }
  }
}
