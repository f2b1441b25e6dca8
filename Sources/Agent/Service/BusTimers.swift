// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods of `org.belfry.Belfry1` for timers and the stopwatch. They read their arguments; a
// call with wrong arguments fails and changes nothing. Next: `TimerOperations.swift`.

import Bus
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

extension BusService {
  static let timers = [
    BusMethod("StartTimer", takes: "a{sv} options", gives: "s id", answer: start),
    BusMethod("PauseTimer", takes: "s id", gives: "s timer", answer: act(.pause)),
    BusMethod("ResumeTimer", takes: "s id", gives: "s timer", answer: act(.resume)),
    BusMethod("CancelTimer", takes: "s id", gives: "s timer", answer: act(.cancel)),
    BusMethod("RestartTimer", takes: "s id", gives: "s timer", answer: act(.restart)),
    BusMethod(
      "AddToTimer", takes: "s id, x seconds", gives: "s timer",
      answer: add),
    BusMethod("Timer", takes: "s id", gives: "a{sv} timer", turn: .question) {
      call, agent throws(Refusal) in
      call.reply(agent.overview.timer(try agent.timer(called: call.id)))
    },
    BusMethod("Timers", gives: "aa{sv} timers", turn: .question) { call, agent in
      call.reply(agent.overview.timers)
    },
    BusMethod("RecentTimers", gives: "aa{sv} timers", turn: .question) { call, agent in
      call.reply(agent.schedule.recents.map(Status.Recent.init))
    },
    BusMethod("StartTimerAgain", takes: "s recent", gives: "s id", answer: startAgain),
    BusMethod("ForgetTimer", takes: "s recent", gives: "a{sv} timer") {
      call, agent throws(Refusal) in
      let recent = try agent.recent(call.id)
      agent.apply(.forgetTimer(recent)) {
        call.reply(Status.Recent(recent), unless: $0)
      }
    },
    BusMethod("StopwatchStart", answer: stopwatch(.start)),
    BusMethod("StopwatchStop", answer: stopwatch(.stop)),
    BusMethod("StopwatchLap", answer: stopwatch(.lap)),
    BusMethod("StopwatchReset", answer: stopwatch(.reset)),
  ]
}

extension BusService {
  private static func act(_ act: TimerAct) -> BusMethod.Handler {
    { call, agent throws(Refusal) in
      try perform(act, try agent.timer(called: call.id), call, agent)
    }
  }

  private static func add(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let timer = try agent.timer(called: call.id)
    let more = try agent.addition(of: call.arguments.last?.int64 ?? 0, to: timer)
    try perform(more, timer, call, agent)
  }

  private static func perform(
    _ act: TimerAct, _ timer: Timer, _ call: Bus.Call, _ agent: Agent
  ) throws(Refusal) {
    let isHalted = try agent.perform(act, on: timer) {
      call.reply([.string(timer.id)], unless: $0)
    }
    if isHalted { agent.changes.callers.ifForeign(call) { agent.report(act, of: timer) } }
  }

  private static func stopwatch(_ act: StopwatchAct) -> BusMethod.Handler {
    { call, agent throws(Refusal) in try agent.perform(act) { call.reply(unless: $0) } }
  }
}

extension BusService {
  /// Looks for the sounds of new timers, one after another.
  private static let soundReader = Worker(name: "sounds")

  private static func start(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let options = call.arguments.first ?? .dictionary([])
    let request = try request(options)
    guard let sound = request.sound else { return try start(request, call, agent) }
    let (key, sounds) = (try text("key", options) ?? "", agent.sounds)
    let locations = agent.locations
    soundReader.perform { disk in
      let mayName = CallerPolicy.isSoundName(sound) || UserKey.matches(key, locations, on: disk)
      let isThere = mayName && sounds.exists(sound, Patience(.seconds(1)), on: disk)
      Worker.onMain {
        do throws(Refusal) {
          guard mayName else {
            throw Refusal(.invalidArgument, tr(CallerPolicy.refusal(ofPath: sound, "sound")))
          }
          guard isThere else {
            throw Refusal(
              .invalidArgument,
              complaint(
                tr("there is no sound \(TerminalText.quoted(sound))"),
                hint: Message("belfry sounds shows them")))
          }
          try start(request, call, agent)
        } catch { call.fail(error.failure, error.message) }
      }
    }
  }

  private static func start(
    _ request: TimerRequest, _ call: Bus.Call, _ agent: Agent
  ) throws(Refusal) {
    try agent.start(request) { call.reply([.string($0)], unless: $1) }
  }

  private static func startAgain(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    try agent.startAgain(try agent.recent(call.id)) { call.reply([.string($0)], unless: $1) }
  }

  private static func request(_ options: Variant) throws(Refusal) -> TimerRequest {
    let known = ["duration", "preset", "until", "label", "sound", "key"]
    if case .dictionary(let entries) = options,
      let other = entries.first(where: { !known.contains($0.key) })
    {
      throw Refusal(.invalidArgument, tr("there is no option \(TerminalText.quoted(other.key))"))
    }
    let length: TimerRequest.Length
    switch (options["duration"], try text("preset", options), options["until"]) {
    case (.int64(let seconds)?, nil, nil): length = .seconds(seconds)
    case (nil, let name?, nil): length = .preset(name)
    case (nil, nil, .int64(let epoch)?): length = .until(Instant(seconds: epoch))
    case (_?, nil, nil):
      throw Refusal(.invalidArgument, tr("duration must be a number of seconds, an int64"))
    case (nil, nil, _?):
      throw Refusal(.invalidArgument, tr("until must be the seconds since 1970, an int64"))
    default:
      throw Refusal(.invalidArgument, tr("a timer takes one of duration, preset and until"))
    }
    return TimerRequest(
      length: length, label: try text("label", options), sound: try text("sound", options))
  }

  private static func text(_ key: String, _ options: Variant) throws(Refusal) -> String? {
    guard let value = options[key] else { return nil }
    guard let text = value.string else {
      throw Refusal(.invalidArgument, tr("\(key) is a string"))
    }
    return text.isEmpty ? nil : text
  }
}
