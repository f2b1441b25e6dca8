// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods of `org.belfry.Belfry1` for timers and the stopwatch. They check their arguments; a
// call with wrong arguments fails and changes nothing. A valid call to start a timer becomes an
// order for the schedule.

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
      call, agent throws(BusRefusal) in
      call.reply(agent.overview.timer(try timer(call.id, agent)))
    },
    BusMethod("Timers", gives: "aa{sv} timers", turn: .question) { call, agent in
      call.reply(agent.overview.timers)
    },
    BusMethod("RecentTimers", gives: "aa{sv} timers", turn: .question) { call, agent in
      call.reply(agent.schedule.recents.map(Status.Recent.init))
    },
    BusMethod("StartTimerAgain", takes: "s recent", gives: "s id", answer: startAgain),
    BusMethod("ForgetTimer", takes: "s recent", gives: "a{sv} timer") {
      call, agent throws(BusRefusal) in
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
    { call, agent throws(BusRefusal) in try Self.act(act, try timer(call.id, agent), call, agent) }
  }

  private static func act(
    _ act: TimerAct, _ timer: Timer, _ call: Bus.Call, _ agent: Agent
  ) throws(BusRefusal) {
    switch (act, timer.phase) {
    case (.pause, .running), (.resume, .paused), (.cancel, _), (.restart, _), (.add, _): break
    case (.pause, .paused) where timer.isWaiting: break
    case (.resume, .running): throw BusRefusal(.alreadyRunning, tr("\(timer.id) runs already"))
    default: throw BusRefusal(.notRunning, tr("\(timer.id) does not run"))
    }
    agent.apply(.timer(timer.id, act)) { call.reply([.string(timer.id)], unless: $0) }
    let isHalted = act == .pause && (!timer.isPaused || timer.isWaiting)
    if isHalted || act == .cancel && timer.ring == nil {
      agent.callers.ifForeign(call) { agent.report(act, of: timer) }
    }
  }

  private static func add(_ call: Bus.Call, _ agent: Agent) throws(BusRefusal) {
    let timer = try timer(call.id, agent)
    let (seconds, room) = (call.arguments.last?.int64 ?? 0, Timer.longest - timer.length)
    guard seconds > 0, seconds <= room.wholeSeconds else {
      let longest = DurationText.format(Timer.longest)
      throw BusRefusal(
        .invalidArgument,
        room < .seconds(1)
          ? tr("\(timer.id) cannot be made longer: \(longest) is the longest")
          : tr("\(timer.id) takes 1 to \(room.wholeSeconds) seconds more"))
    }
    try act(.add(.seconds(seconds)), timer, call, agent)
  }

  private static func timer(_ id: String, _ agent: Agent) throws(BusRefusal) -> Timer {
    let timers = agent.schedule.timers
    if id.isEmpty {
      guard let timer = timers.first else { throw BusRefusal(.notFound, tr("there is no timer")) }
      guard timers.count == 1 else {
        let ids = timers.map(\.id).joined(separator: ", ")
        throw BusRefusal(.ambiguous, tr("there are several timers: say which of \(ids)"))
      }
      return timer
    }
    guard let timer = agent.schedule.timer(id) else {
      throw BusRefusal(
        .notFound,
        complaint(
          tr("no timer is called \(TerminalText.quoted(id))"),
          hint: Message("belfry timer list shows them")))
    }
    return timer
  }

  private static func stopwatch(_ act: StopwatchAct) -> BusMethod.Handler {
    { call, agent throws(BusRefusal) in
      let stopwatch = agent.schedule.stopwatch
      switch act {
      case .start where stopwatch.isRunning:
        throw BusRefusal(.alreadyRunning, tr("the stopwatch runs already"))
      case .stop where !stopwatch.isRunning, .lap where !stopwatch.isRunning:
        throw BusRefusal(
          .notRunning,
          complaint(
            tr("the stopwatch is not running"), hint: Message("belfry stopwatch start starts it")))
      case .lap where stopwatch.laps.count >= Stopwatch.lapsKept:
        throw BusRefusal(.tooMany, tr("there are \(Stopwatch.lapsKept) laps already"))
      default: agent.apply(.stopwatch(act)) { call.reply(unless: $0) }
      }
    }
  }
}

extension BusService {
  /// Looks for the sounds of new timers, one after another.
  private static let soundReader = Worker(name: "sounds")

  static func start(_ call: Bus.Call, _ agent: Agent) throws(BusRefusal) {
    let options = call.arguments.first ?? .dictionary([])
    guard let sound = try text("sound", options) else {
      return start(try order(options, agent), call, agent)
    }
    let (key, sounds) = (try text("key", options) ?? "", agent.sounds)
    let locations = agent.locations
    soundReader.perform {
      let mayName = CallerPolicy.isSoundName(sound) || UserKey.matches(key, locations)
      let isThere = mayName && sounds.exists(sound, Patience(.seconds(1)))
      Worker.onMain {
        do throws(BusRefusal) {
          guard mayName else {
            throw BusRefusal(.invalidArgument, tr(CallerPolicy.refusal(ofPath: sound, "sound")))
          }
          guard isThere else {
            throw BusRefusal(
              .invalidArgument,
              complaint(
                tr("there is no sound \(TerminalText.quoted(sound))"),
                hint: Message("belfry sounds shows them")))
          }
          start(try order(options, agent), call, agent)
        } catch { call.fail(error.failure, error.message) }
      }
    }
  }

  private static func start(_ order: TimerOrder, _ call: Bus.Call, _ agent: Agent) {
    agent.apply(.startTimer(order)) { call.reply([.string(order.id)], unless: $0) }
  }

  static func startAgain(_ call: Bus.Call, _ agent: Agent) throws(BusRefusal) {
    start(try order(try recent(call.id, agent), agent), call, agent)
  }

  static func order(_ recent: RecentTimer, _ agent: Agent) throws(BusRefusal) -> TimerOrder {
    let preset = agent.configuration.timers.first { $0.name == recent.preset }
    var (timer, end) = (recent, nil as Instant?)
    if let time = recent.until {
      // The recent timer ended at this time of day. The new timer ends when that time of day comes
      // next, so its length is different.
      let now = Clock.now().wall
      let next = Recurrence(time: time, dates: .once).next(after: now, in: agent.zones)
      guard let next else {
        throw BusRefusal(
          .invalidArgument, tr("there is no such time on that day, because the clocks go forward"))
      }
      (timer.duration, end) = try length(until: next.due)
    }
    return try order(
      timer, until: end, named: recent.label == preset?.label ? nil : recent.label, agent)
  }

  static func order(_ options: Variant, _ agent: Agent) throws(BusRefusal) -> TimerOrder {
    let (duration, preset, until) = try length(options, agent)
    let (label, sound) = (try text("label", options), try text("sound", options))
    guard label?.utf8.count ?? 0 <= Identity.longestLabel else {
      throw BusRefusal(.invalidArgument, tr("a label has at most \(Identity.longestLabel) bytes"))
    }
    guard label.map(OutsideText.isPrintable) ?? true else {
      throw BusRefusal(.invalidArgument, tr(CallerPolicy.refusal(ofName: "label")))
    }
    let timer = RecentTimer(
      duration: duration, until: until.map { agent.zones.civil(at: $0, in: nil).time },
      label: label ?? preset?.label, preset: preset?.name, sound: sound)
    return try order(timer, until: until, named: label, agent)
  }

  private static func order(
    _ timer: RecentTimer, until: Instant? = nil, named label: String?, _ agent: Agent
  ) throws(BusRefusal) -> TimerOrder {
    guard agent.schedule.timers.count < Schedule.timersKept else {
      throw BusRefusal(.tooMany, tr("there are \(Schedule.timersKept) timers already"))
    }
    let name =
      [label.map(Identity.slug), timer.preset]
      .compactMap(\.self).first { !$0.isEmpty }
      ?? timer.until.map { "until-\($0.description.filter { $0 != ":" })" }
      ?? DurationText.format(timer.duration)
    // `timerID` avoids the ids that the schedule knows. The schedule does not know disabled alarms,
    // so the ids of these are passed.
    let disabled = Set(agent.configuration.alarms.lazy.filter { !$0.enabled }.map(\.id))
    return TimerOrder(
      id: agent.schedule.timerID(for: name, besides: disabled.contains), timer, end: until)
  }

  private static func length(until end: Instant) throws(BusRefusal) -> (Duration, Instant?) {
    // The wall clock and the boot clock are not read at the same moment. Without this margin, the
    // end of the timer could be shown one second too early.
    let end = end + .milliseconds(2)
    return (try checked((end - Clock.now().wall).secondsRoundedUp), end)
  }

  private static func length(
    _ options: Variant, _ agent: Agent
  ) throws(BusRefusal) -> (Duration, TimerPreset?, until: Instant?) {
    let known = ["duration", "preset", "until", "label", "sound", "key"]
    if case .dictionary(let entries) = options,
      let other = entries.first(where: { !known.contains($0.key) })
    {
      throw BusRefusal(.invalidArgument, tr("there is no option \(TerminalText.quoted(other.key))"))
    }
    switch (options["duration"], try text("preset", options), options["until"]) {
    case (.int64(let seconds)?, nil, nil): return (try checked(seconds), nil, nil)
    case (nil, let name?, nil):
      let preset = try preset(name, agent)
      return (try checked(preset.duration.wholeSeconds), preset, nil)
    case (nil, nil, .int64(let epoch)?):
      let (duration, end) = try length(until: Instant(seconds: epoch))
      return (duration, nil, end)
    case (_?, nil, nil):
      throw BusRefusal(.invalidArgument, tr("duration must be a number of seconds, an int64"))
    case (nil, nil, _?):
      throw BusRefusal(.invalidArgument, tr("until must be the seconds since 1970, an int64"))
    default:
      throw BusRefusal(.invalidArgument, tr("a timer takes one of duration, preset and until"))
    }
  }

  private static func checked(_ seconds: Int64) throws(BusRefusal) -> Duration {
    guard (1...Timer.longest.wholeSeconds).contains(seconds) else {
      throw BusRefusal(
        .invalidArgument, tr("a timer takes 1 to \(Timer.longest.wholeSeconds) seconds (366 days)"))
    }
    return .seconds(seconds)
  }

  private static func preset(
    _ name: String, _ agent: Agent
  ) throws(BusRefusal) -> TimerPreset {
    let presets = agent.configuration.timers
    guard let preset = presets.first(where: { $0.name == name }) else {
      let hint =
        nearMatch(to: name, among: presets.map(\.name)).map { Message("did you mean \($0)?") }
        ?? Message("add a [[timer]] to the config, or give a duration such as 10m")
      throw BusRefusal(
        .notFound, complaint(tr("no timer is called \(TerminalText.quoted(name))"), hint: hint))
    }
    return preset
  }

  /// Returns the recent timer that `which` names. `which` is either a place in the list of recent
  /// timers, with 1 for the latest timer, or a label.
  static func recent(_ which: String, _ agent: Agent) throws(BusRefusal) -> RecentTimer {
    let recents = agent.schedule.recents
    guard let latest = recents.first else {
      throw BusRefusal(.notFound, tr("no timer was started yet"))
    }
    if which.isEmpty { return latest }
    let found: RecentTimer? =
      if let place = Int(which) {
        (1...recents.count).contains(place) ? recents[place - 1] : nil
      } else {
        recents.first { $0.name?.lowercased() == which.lowercased() }
      }
    guard let found else {
      throw BusRefusal(
        .notFound,
        complaint(
          tr("there is no recent timer \(TerminalText.quoted(which))"),
          hint: Message("belfry timer recent shows them")))
    }
    return found
  }

  private static func text(_ key: String, _ options: Variant) throws(BusRefusal) -> String? {
    guard let value = options[key] else { return nil }
    guard let text = value.string else {
      throw BusRefusal(.invalidArgument, tr("\(key) is a string"))
    }
    return text.isEmpty ? nil : text
  }
}
