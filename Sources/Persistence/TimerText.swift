// SPDX-License-Identifier: GPL-3.0-or-later
//
// Timers, those started before, and the stopwatch in the state's text. Moments on the boot clock are
// readings of the start of the machine that `[clock]` names, and mean nothing without it. Next:
// `StateText.swift`, which has the rest.

import Language
import Scheduling
import TOML

extension StateText {
  static func entry(_ timer: Timer) -> [String] {
    let chain = timer.chain
    return entry(
      "[[timer]]",
      [
        "id": timer.id, "label": timer.label, "preset": timer.preset, "sound": timer.sound,
        "countdown_closed": timer.isCountdownClosed ? true : nil, "chain": chain?.id,
        "chain_preset": chain?.first, "chain_label": chain?.label, "chain_sound": chain?.sound,
        "round": chain?.round, "gone_on": chain?.hasGoneOn == true ? true : nil,
        "duration_seconds": timer.duration.wholeSeconds,
        "length_seconds": timer.length.wholeSeconds,
      ]) + lines(timer.phase)
  }

  private static func lines(_ phase: Timer.Phase) -> [String] {
    switch phase {
    case .running(let until): lines(["phase": "running"]) + lines(until)
    case .paused(let left):
      lines(["phase": "paused", "left_microseconds": left.wholeMicroseconds])
    case .open(let ring): lines(open: ring)
    }
  }

  private static func lines(_ moment: BootMoment) -> [String] {
    lines([
      "start_as_if": moment.startAsIf, "boot_microseconds": moment.reading.wholeMicroseconds,
    ])
  }

  static func entry(_ recent: RecentTimer) -> [String] {
    entry(
      "[[recent_timer]]",
      [
        "label": recent.label, "preset": recent.preset, "sound": recent.sound,
        "until": recent.until?.description, "duration_seconds": recent.duration.wholeSeconds,
      ])
  }

  static func entry(_ stopwatch: Stopwatch) -> [String] {
    let phase =
      switch stopwatch.phase {
      case .stopped(let elapsed): lines(["elapsed_microseconds": elapsed.wholeMicroseconds])
      case .running(let since): lines(["running": true]) + lines(since)
      }
    let laps = stopwatch.laps.map(\.wholeMicroseconds)
    return entry("[[stopwatch]]", [:]) + phase + lines(["laps_microseconds": laps])
  }
}

extension TOMLValue {
  /// `hasClock`: whether moments on the boot clock mean anything.
  func timer(hasClock: Bool) throws(StateProblem) -> Timer {
    var timer = Timer(
      id: try string("id"), label: self["label"]?.string, preset: self["preset"]?.string,
      sound: self["sound"]?.string, duration: try duration("duration_seconds"),
      phase: try timerPhase(hasClock))
    timer.length = try duration("length_seconds")
    timer.isCountdownClosed = flag("countdown_closed")
    timer.chain = try chain()
    return timer
  }

  /// Nil where nothing follows it, as with an agent that knew of no chains.
  private func chain() throws(StateProblem) -> Chain? {
    guard let id = self["chain"]?.string else { return nil }
    var chain = Chain(
      id: id, first: try string("chain_preset"), label: self["chain_label"]?.string,
      sound: self["chain_sound"]?.string)
    guard let round = Int(exactly: try integer("round")), round > 0 else { throw lacking("round") }
    (chain.round, chain.hasGoneOn) = (round, flag("gone_on"))
    return chain
  }

  private func timerPhase(_ hasClock: Bool) throws(StateProblem) -> Timer.Phase {
    switch self["phase"]?.string {
    case "running": .running(until: try bootMoment(hasClock))
    case "paused": .paused(left: .microseconds(try integer("left_microseconds")))
    case "ringing", "snoozed": .open(try openRing())
    default: throw lacking("phase")
    }
  }

  private func bootMoment(_ hasClock: Bool) throws(StateProblem) -> BootMoment {
    let reading = Duration.microseconds(try integer("boot_microseconds"))
    guard hasClock else { throw lacking("boot_microseconds") }
    return BootMoment(reading, startAsIf: try optional("start_as_if", instant))
  }

  func recentTimer() throws(StateProblem) -> RecentTimer {
    RecentTimer(
      duration: try duration("duration_seconds"), until: try timeOfDay("until"),
      label: self["label"]?.string, preset: self["preset"]?.string, sound: self["sound"]?.string)
  }

  /// Written as `20:20` or `20:20:15`; nil where there is none.
  private func timeOfDay(_ key: String) throws(StateProblem) -> CivilTime? {
    guard let text = self[key]?.string else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0,
      let time = CivilTime(hour: hour, minute: minute, second: second)
    else { throw lacking(key) }
    return time
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
}
