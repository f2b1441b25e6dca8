// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that no number in the agent's files can end the agent: each number of a complete file is
// replaced by extreme numbers, and the agent's core then works with what is read. A number that
// traps would end the agent at each start. `VolumeLiftTests.swift` tests the record of the mixer.

import Cities
import Configuration
import Scheduling
import TOML
import Testing
import Values

@testable import Persistence

/// Numbers at the ends of Int64, and at the ends of what is read.
private let extremes = [
  "-9223372036854775808", "9223372036854775807", "-9007199254740992", "9007199254740992", "0",
]

/// The copies of `text` in which one of its integers is replaced by one of `replacements`, and the
/// key or line with that integer.
private func variants(
  of text: String, by replacements: [String] = extremes
) -> [(line: String, text: String)] {
  let integer = /(^|[ \[:])(-?\d+(?:\.\d+)?)(?=[\s,\]}]|$)/
  return text.matches(of: integer).flatMap { match in
    replacements.map { number in
      let new = text.replacingCharacters(in: match.2.startIndex..<match.2.endIndex, with: number)
      let line = text[..<match.2.startIndex].split(separator: "\n").last ?? ""
      return ("\(line)\(number)", new)
    }
  }
}

extension String {
  fileprivate func replacingCharacters(
    in range: Range<String.Index>, with text: String
  ) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}

struct ExtremeNumberTests {
  /// A chain of two timers that has no end and does not wait for the user.
  private static let presets: [TimerPreset] = {
    var tea = TimerPreset(name: "tea", duration: .seconds(60), ring: RingSettings())
    (tea.flow, tea.rounds) = (true, nil)
    var egg = tea
    egg.name = "egg"
    tea.then = ["egg"]
    return [tea, egg]
  }()

  @Test func `no number in the state ends the agent`() throws {
    let text = StateText.render(fullState)
    let clock = try #require(fullState.clock)
    let all = variants(of: text)
    #expect(all.count > 25 * extremes.count)
    for (_, text) in all {
      let state = StateText.parse(Array(text.utf8)).state
      var schedule = Schedule(restoring: state)
      for (wait, boot) in [
        (Int64(1), clock.bootID), (400 * 86_400, clock.bootID), (1, "another boot"),
      ] {
        var now = clock
        (now.wall, now.boot) = (now.wall + .seconds(wait), now.boot + .seconds(wait))
        now.bootID = boot
        let events: [Event] =
          [.configured(nil, timers: TimerSettings(presets: Self.presets)), .tick]
          + state.timers.flatMap { timer in
            [TimerAct.resume, .pause, .resume, .add(.seconds(60))].map { .timer(timer.id, $0) }
          } + [.stopwatch(.lap), .stopwatch(.stop), .stopwatch(.start), .tick]
        for event in events {
          _ = schedule.apply(event, at: now, in: Seoul())
          _ = schedule.nextDeadline(after: now)
        }
        _ = (schedule.timeLeft(at: now), schedule.stopwatch.elapsed(at: now))
        _ = schedule.stopwatch.lapTable
        _ = schedule.timers.map { ($0.left(at: now), $0.end(at: now), $0.overtime(at: now)) }
      }
      // What is left is stored and read again at the next start.
      _ = StateText.parse(Array(StateText.render(schedule.state).utf8))
    }
  }

  @Test func `no number in the history ends a command`() {
    var line = HistoryLine(
      id: "tea", due: Instant(seconds: 1_795_386_600), answer: .missed(.off),
      answered: Instant(seconds: 1_795_386_601))
    (line.kind, line.rang, line.length) = (.timer, line.due, .seconds(60))
    (line.snoozeCount, line.checks) = (1, 2)
    let text = line.json(in: Seoul())
    let all = variants(of: text)
    #expect(all.count > 6 * extremes.count)
    let lines = HistoryText.parse(Array(all.map(\.text).joined(separator: "\n").utf8)).lines
    #expect(lines.count > all.count / 2)
    for line in lines { _ = line.report(in: Seoul()).json }
    for grouping in HistoryTotals.Grouping.allCases {
      let totals = HistoryTotals.of(lines, by: grouping, in: Seoul())
      #expect(totals.map(\.rings).reduce(0, +) > 0)
      _ = totals.map { $0.json(grouping).json }
    }
  }

  @Test func `a city in the settings has no impossible place`() throws {
    let seoul = City(
      title: "Seoul", name: "Seoul", country: "South Korea", countryCode: "KR", latitude: 37.566,
      longitude: -126.9784, population: 9_776_000, zone: "Asia/Seoul")
    func read(_ text: String) throws -> City? {
      City(stored: Value(.table(try TOMLDocument.parse(Array(text.utf8)).root)))
    }
    let text = TOMLTable(seoul.entries).text
    #expect(try read(text) == seoul)
    let numbers = extremes.dropLast() + ["nan", "inf", "-inf", "1e300", "181.0"]
    let all = variants(of: text, by: Array(numbers)).filter { $0.line.contains("itude") }
    #expect(all.count == 2 * numbers.count)
    for (line, text) in all { #expect(try read(text) == nil, "\(line)") }
  }
}
