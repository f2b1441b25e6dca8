// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods of `org.belfry.Belfry1` for timers and the stopwatch. They check their arguments; a
// call with wrong arguments fails and changes nothing. Next: `TimerOrders.swift`, which starts
// timers.

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
    BusMethod("Timer", takes: "s id", gives: "a{sv} timer") { call, agent throws(Refusal) in
      call.reply(agent.overview.timer(try timer(call.id, agent)))
    },
    BusMethod("Timers", gives: "aa{sv} timers") { call, agent in call.reply(agent.overview.timers)
    },
    BusMethod("RecentTimers", gives: "aa{sv} timers") { call, agent in
      call.reply(agent.schedule.recents.map(Status.Recent.init))
    },
    BusMethod("StartTimerAgain", takes: "s recent", gives: "s id", answer: startAgain),
    BusMethod("ForgetTimer", takes: "s recent", gives: "a{sv} timer") {
      call, agent throws(Refusal) in
      let recent = try recent(call.id, agent)
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
    { call, agent throws(Refusal) in try Self.act(act, try timer(call.id, agent), call, agent) }
  }

  private static func act(
    _ act: TimerAct, _ timer: Timer, _ call: Bus.Call, _ agent: Agent
  ) throws(Refusal) {
    switch (act, timer.phase) {
    case (.pause, .running), (.resume, .paused), (.cancel, _), (.restart, _), (.add, _): break
    case (.resume, .running): throw Refusal(.alreadyRunning, tr("\(timer.id) runs already"))
    default: throw Refusal(.notRunning, tr("\(timer.id) does not run"))
    }
    agent.apply(.timer(timer.id, act)) { call.reply([.string(timer.id)], unless: $0) }
  }

  private static func add(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let timer = try timer(call.id, agent)
    let (seconds, room) = (call.arguments.last?.int64 ?? 0, Timer.longest - timer.length)
    guard seconds > 0, seconds <= room.wholeSeconds else {
      let longest = DurationText.format(Timer.longest)
      throw Refusal(
        .invalidArgument,
        room < .seconds(1)
          ? tr("\(timer.id) takes no more: \(longest) is the longest")
          : tr("\(timer.id) takes 1 to \(room.wholeSeconds) seconds more"))
    }
    try act(.add(.seconds(seconds)), timer, call, agent)
  }

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
        complaint(
          tr("no timer is called \(TerminalText.quoted(id))"),
          hint: Message("belfry timer list shows them")))
    }
    return timer
  }

  private static func stopwatch(_ act: StopwatchAct) -> BusMethod.Handler {
    { call, agent throws(Refusal) in
      let stopwatch = agent.schedule.stopwatch
      switch act {
      case .start where stopwatch.isRunning:
        throw Refusal(.alreadyRunning, tr("the stopwatch runs already"))
      case .stop where !stopwatch.isRunning, .lap where !stopwatch.isRunning:
        throw Refusal(.notRunning, tr("the stopwatch does not run: belfry stopwatch start"))
      case .lap where stopwatch.laps.count >= Stopwatch.lapsKept:
        throw Refusal(.tooMany, tr("there are \(Stopwatch.lapsKept) laps already"))
      default: agent.apply(.stopwatch(act)) { call.reply(unless: $0) }
      }
    }
  }
}
