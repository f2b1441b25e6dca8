// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods of `org.belfry.Belfry1` for timers and the stopwatch. Arguments are checked here, and
// what makes no sense is an error and changes nothing. Next: `TimerOverview.swift`, for what
// `Status` tells of them.

import Bus
import Configuration
import Language
import Presentation
import Scheduling
import System

extension BusService {
  /// Answers a call that is about timers or the stopwatch; false: it is not.
  static func answerTimers(_ call: Bus.Call, _ agent: Agent) -> Bool {
    switch call.member {
    case "StartTimer": start(call, agent)
    case "PauseTimer": act(.pause, call, agent)
    case "ResumeTimer": act(.resume, call, agent)
    case "CancelTimer": act(.cancel, call, agent)
    case "RestartTimer": act(.restart, call, agent)
    case "AddToTimer": add(call, agent)
    case "Timer": tell(call, agent)
    case "Timers": call.reply([.dictionaries(agent.overview.timers)])
    case "RecentTimers": call.reply([.dictionaries(agent.overview.recentTimers)])
    case "StopwatchStart": stopwatch(.start, call, agent)
    case "StopwatchStop": stopwatch(.stop, call, agent)
    case "StopwatchLap": stopwatch(.lap, call, agent)
    case "StopwatchReset": stopwatch(.reset, call, agent)
    default: return false
    }
    return true
  }
}

/// Why a call cannot be done, on its way to the caller.
private nonisolated struct Refusal: Error {
  var failure: BusInterface.Failure
  var message: String
  init(_ failure: BusInterface.Failure, _ message: String) {
    (self.failure, self.message) = (failure, message)
  }
}

// MARK: - Starting

extension BusService {
  private static func start(_ call: Bus.Call, _ agent: Agent) {
    do throws(Refusal) {
      let order = try order(call.arguments.first ?? .dictionary([]), agent)
      agent.apply(.startTimer(order)) { call.reply([.string(order.id)], unless: $0) }
    } catch { call.fail(error.failure, error.message) }
  }

  private static func order(_ options: Variant, _ agent: Agent) throws(Refusal) -> TimerOrder {
    let (duration, preset) = try length(options, agent)
    let label = try text("label", options) ?? preset?.label
    let sound = try text("sound", options)
    guard label?.utf8.count ?? 0 <= Identity.longestLabel else {
      throw Refusal(.invalidArgument, tr("a label has at most \(Identity.longestLabel) bytes"))
    }
    if let sound, !agent.knowsSound(sound) {
      throw Refusal(
        .invalidArgument,
        tr("there is no sound \(TerminalText.quoted(sound)): belfry sounds shows them"))
    }
    guard agent.schedule.timers.count < Schedule.timersKept else {
      throw Refusal(.tooMany, tr("there are \(Schedule.timersKept) timers already"))
    }
    let name =
      [try text("label", options).map(Identity.slug), preset?.name]
      .compactMap(\.self).first { !$0.isEmpty } ?? DurationText.format(duration)
    // The schedule knows all others.
    let disabled = Set(agent.configuration.alarms.lazy.filter { !$0.enabled }.map(\.id))
    return TimerOrder(
      id: agent.schedule.timerID(for: name, besides: disabled.contains), duration: duration,
      label: label, preset: preset?.name, sound: sound)
  }

  private static func length(
    _ options: Variant, _ agent: Agent
  ) throws(Refusal) -> (Duration, TimerPreset?) {
    let known = ["duration", "preset", "label", "sound"]
    if case .dictionary(let entries) = options,
      let other = entries.first(where: { !known.contains($0.key) })
    {
      throw Refusal(.invalidArgument, tr("there is no option \(TerminalText.quoted(other.key))"))
    }
    switch (options["duration"], try text("preset", options)) {
    case (.int64(let seconds)?, nil): return (try checked(seconds), nil)
    case (nil, let name?): return try preset(name, agent)
    case (nil, nil), (_?, _?):
      throw Refusal(.invalidArgument, tr("a timer takes either a duration or a preset"))
    case (_?, nil): throw Refusal(.invalidArgument, tr("duration is seconds, an int64"))
    }
  }

  private static func checked(_ seconds: Int64) throws(Refusal) -> Duration {
    guard (1...Timer.longest.wholeSeconds).contains(seconds) else {
      throw Refusal(
        .invalidArgument, tr("a timer takes 1 to \(Timer.longest.wholeSeconds) seconds (366 days)"))
    }
    return .seconds(seconds)
  }

  private static func preset(
    _ name: String, _ agent: Agent
  ) throws(Refusal) -> (Duration, TimerPreset?) {
    let presets = agent.configuration.timers
    guard let preset = presets.first(where: { $0.name == name }) else {
      let mend =
        nearMatch(to: name, among: presets.map(\.name)).map { Message("did you mean \($0)?") }
        ?? Message("write [[timer]] into the config, or a duration such as 10m")
      throw Refusal(.notFound, tr("no timer is called \(TerminalText.quoted(name)): \(mend)"))
    }
    return (try checked(preset.duration.wholeSeconds), preset)
  }

  /// The text under `key`; nil where there is none, or it is empty.
  private static func text(_ key: String, _ options: Variant) throws(Refusal) -> String? {
    guard let value = options[key] else { return nil }
    guard let text = value.string else { throw Refusal(.invalidArgument, tr("\(key) is a string")) }
    return text.isEmpty ? nil : text
  }
}

// MARK: - What there is

extension BusService {
  private static func act(_ act: TimerAct, _ call: Bus.Call, _ agent: Agent) {
    do throws(Refusal) {
      let timer = try timer(call.id, agent)
      switch (act, timer.phase) {
      case (.pause, .running), (.resume, .paused), (.cancel, _), (.restart, _), (.add, _): break
      case (.resume, .running): throw Refusal(.alreadyRunning, tr("\(timer.id) runs already"))
      default: throw Refusal(.notRunning, tr("\(timer.id) does not run"))
      }
      agent.apply(.timer(timer.id, act)) { call.reply([.string(timer.id)], unless: $0) }
    } catch { call.fail(error.failure, error.message) }
  }

  private static func add(_ call: Bus.Call, _ agent: Agent) {
    do throws(Refusal) {
      let timer = try timer(call.id, agent)
      let (seconds, room) = (call.arguments.last?.int64 ?? 0, Timer.longest - timer.length)
      guard seconds > 0, seconds <= room.wholeSeconds else {
        throw Refusal(
          .invalidArgument, tr("\(timer.id) takes 1 to \(room.wholeSeconds) seconds more"))
      }
      act(.add(.seconds(seconds)), call, agent)
    } catch { call.fail(error.failure, error.message) }
  }

  private static func tell(_ call: Bus.Call, _ agent: Agent) {
    do throws(Refusal) {
      let timer = try timer(call.id, agent)
      call.reply([.dictionary(agent.overview.timer(timer))])
    } catch { call.fail(error.failure, error.message) }
  }

  /// The timer of that id; "" is the only one that there is.
  private static func timer(_ id: String, _ agent: Agent) throws(Refusal) -> Timer {
    let timers = agent.schedule.timers
    if id.isEmpty {
      guard let timer = timers.first else { throw Refusal(.notFound, tr("there is no timer")) }
      guard timers.count == 1 else {
        let ids = timers.map(\.id).joined(separator: ", ")
        throw Refusal(.ambiguous, tr("there are several timers: say which of \(ids)"))
      }
      return timer
    }
    guard let timer = agent.schedule.timer(id) else {
      throw Refusal(
        .notFound,
        tr(
          """
          no timer is called \(TerminalText.quoted(id)): \(Message("belfry timer list shows them"))
          """))
    }
    return timer
  }

  private static func stopwatch(_ act: StopwatchAct, _ call: Bus.Call, _ agent: Agent) {
    let stopwatch = agent.schedule.stopwatch
    switch act {
    case .start where stopwatch.isRunning:
      call.fail(.alreadyRunning, tr("the stopwatch runs already"))
    case .stop where !stopwatch.isRunning, .lap where !stopwatch.isRunning:
      call.fail(.notRunning, tr("the stopwatch does not run: belfry stopwatch start"))
    case .lap where stopwatch.laps.count >= Stopwatch.lapsKept:
      call.fail(.tooMany, tr("there are \(Stopwatch.lapsKept) laps already"))
    default: agent.apply(.stopwatch(act)) { call.reply(unless: $0) }
    }
  }
}
