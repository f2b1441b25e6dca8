// SPDX-License-Identifier: GPL-3.0-or-later
//
// Timers, those started before, and the stopwatch in the state's text. Moments on the boot clock are
// readings of the start of the machine that `[clock]` names, and mean nothing without it. Next:
// `StateText.swift`, which has the rest.

import Language
import Scheduling
import TOML

extension StateText {
  static func lines(_ timer: Timer) -> [String] {
    var lines = ["", "[[timer]]", "id = \(TerminalText.literal(timer.id))"]
    if let label = timer.label { lines.append("label = \(TerminalText.literal(label))") }
    if let preset = timer.preset { lines.append("preset = \(TerminalText.literal(preset))") }
    if let sound = timer.sound { lines.append("sound = \(TerminalText.literal(sound))") }
    if timer.isCountdownClosed { lines.append("countdown_closed = true") }
    if let chain = timer.chain { lines += self.lines(chain) }
    lines += [
      "duration_seconds = \(timer.duration.wholeSeconds)",
      "length_seconds = \(timer.length.wholeSeconds)",
    ]
    switch timer.phase {
    case .running(let until): lines += ["phase = \"running\""] + self.lines(until)
    case .paused(let left):
      lines += ["phase = \"paused\"", "left_microseconds = \(left.wholeMicroseconds)"]
    case .ringing(let ring): lines += ["phase = \"ringing\""] + self.lines(ring)
    case .snoozed(let ring, let until):
      lines += ["phase = \"snoozed\"", "until = \(stamp(until))"] + self.lines(ring)
    }
    return lines
  }

  private static func lines(_ chain: Chain) -> [String] {
    let texts = [("label", chain.label), ("sound", chain.sound)]
    return [
      "chain = \(TerminalText.literal(chain.id))",
      "chain_preset = \(TerminalText.literal(chain.first))",
    ] + texts.compactMap { key, text in text.map { "chain_\(key) = \(TerminalText.literal($0))" } }
      + ["round = \(chain.round)"] + (chain.hasGoneOn ? ["gone_on = true"] : [])
  }

  private static func lines(_ moment: BootMoment) -> [String] {
    (moment.startAsIf.map { ["start_as_if = \(stamp($0))"] } ?? [])
      + ["boot_microseconds = \(moment.reading.wholeMicroseconds)"]
  }

  static func lines(_ recent: RecentTimer) -> [String] {
    let texts = [("label", recent.label), ("preset", recent.preset), ("sound", recent.sound)]
    return ["", "[[recent_timer]]"]
      + texts.compactMap { key, text in text.map { "\(key) = \(TerminalText.literal($0))" } }
      + ["duration_seconds = \(recent.duration.wholeSeconds)"]
  }

  static func lines(_ stopwatch: Stopwatch) -> [String] {
    let laps = stopwatch.laps.map { String($0.wholeMicroseconds) }.joined(separator: ", ")
    let phase =
      switch stopwatch.phase {
      case .stopped(let elapsed): ["elapsed_microseconds = \(elapsed.wholeMicroseconds)"]
      case .running(let since): ["running = true"] + lines(since)
      }
    return ["", "[[stopwatch]]"] + phase + ["laps_microseconds = [\(laps)]"]
  }
}

extension TOMLValue {
  /// `hasClock`: whether moments on the boot clock mean anything.
  func timer(hasClock: Bool) throws(StateProblem) -> Timer {
    var timer = Timer(
      id: try string("id"), label: text("label"), preset: text("preset"), sound: text("sound"),
      duration: try duration("duration_seconds"), phase: try timerPhase(hasClock))
    timer.length = try duration("length_seconds")
    timer.isCountdownClosed = flag("countdown_closed")
    timer.chain = try chain()
    return timer
  }

  /// Nil where nothing follows it, as with an agent that knew of no chains.
  private func chain() throws(StateProblem) -> Chain? {
    guard let id = text("chain") else { return nil }
    var chain = Chain(
      id: id, first: try string("chain_preset"), label: text("chain_label"),
      sound: text("chain_sound"))
    guard let round = Int(exactly: try integer("round")), round > 0 else { throw lacking("round") }
    (chain.round, chain.hasGoneOn) = (round, flag("gone_on"))
    return chain
  }

  private func timerPhase(_ hasClock: Bool) throws(StateProblem) -> Timer.Phase {
    switch text("phase") {
    case "running": .running(until: try bootMoment(hasClock))
    case "paused": .paused(left: .microseconds(try integer("left_microseconds")))
    case "ringing": .ringing(try ring())
    case "snoozed": .snoozed(try ring(), until: try instant("until"))
    default: throw lacking("phase")
    }
  }

  private func bootMoment(_ hasClock: Bool) throws(StateProblem) -> BootMoment {
    let reading = Duration.microseconds(try integer("boot_microseconds"))
    guard hasClock else { throw lacking("boot_microseconds") }
    return BootMoment(
      reading, startAsIf: self["start_as_if"] == nil ? nil : try instant("start_as_if"))
  }

  func recentTimer() throws(StateProblem) -> RecentTimer {
    RecentTimer(
      duration: try duration("duration_seconds"), label: text("label"), preset: text("preset"),
      sound: text("sound"))
  }

  func stopwatch(hasClock: Bool) throws(StateProblem) -> Stopwatch {
    var stopwatch = Stopwatch()
    stopwatch.phase =
      flag("running")
      ? .running(since: try bootMoment(hasClock))
      : .stopped(at: .microseconds(try integer("elapsed_microseconds")))
    let laps = self["laps_microseconds"]?.array?.compactMap(\.integer)
    guard let laps, laps.count == self["laps_microseconds"]?.array?.count,
      laps.count <= Stopwatch.lapsKept, zip(laps, laps.dropFirst()).allSatisfy({ $0 <= $1 })
    else { throw lacking("laps_microseconds") }
    stopwatch.laps = laps.map { .microseconds($0) }
    return stopwatch
  }

  private func duration(_ key: String) throws(StateProblem) -> Duration {
    let duration = Duration.seconds(try integer(key))
    guard duration > .zero, duration <= Timer.longest else { throw lacking(key) }
    return duration
  }

  private func flag(_ key: String) -> Bool { self[key]?.kind == .boolean(true) }

  private func text(_ key: String) -> String? {
    if case .string(let text)? = self[key]?.kind { text } else { nil }
  }
}
