// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operations on timers and the stopwatch. They check what is asked against what is there. A
// valid request to start a timer becomes an order for the schedule. Next: `EditOperations.swift`.

import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

/// A request for a new timer.
struct TimerRequest: Hashable, Sendable {
  enum Length: Hashable, Sendable {
    case seconds(Int64)
    case preset(String)
    case until(Instant)
  }

  var length: Length
  var label: String?
  var sound: String?
}

extension Agent {
  /// Starts a timer. Passes its id to `done`.
  func start(
    _ request: TimerRequest, then done: @escaping (_ id: String, FileError?) -> Void
  ) throws(Refusal) {
    start(try order(request), then: done)
  }

  /// Starts a recent timer again. A timer that ended at a time of day ends when that time comes
  /// next.
  func startAgain(
    _ recent: RecentTimer, then done: @escaping (_ id: String, FileError?) -> Void
  ) throws(Refusal) {
    let preset = configuration.timers.first { $0.name == recent.preset }
    var (timer, end) = (recent, nil as Instant?)
    if let time = recent.until {
      let now = Clock.now().wall
      let next = Recurrence(time: time, dates: .once).next(after: now, in: zones)
      guard let next else {
        throw Refusal(
          .invalidArgument, tr("there is no such time on that day, because the clocks go forward"))
      }
      (timer.duration, end) = try length(until: next.due)
    }
    let label = recent.label == preset?.label ? nil : recent.label
    start(try order(timer, until: end, named: label), then: done)
  }

  private func start(_ order: TimerOrder, then done: @escaping (String, FileError?) -> Void) {
    apply(.startTimer(order)) { done(order.id, $0) }
  }

  private func order(_ request: TimerRequest) throws(Refusal) -> TimerOrder {
    var (preset, end) = (nil as TimerPreset?, nil as Instant?)
    let duration: Duration
    switch request.length {
    case .seconds(let seconds): duration = try checked(seconds)
    case .preset(let name):
      let found = try self.preset(name)
      (preset, duration) = (found, try checked(found.duration.wholeSeconds))
    case .until(let moment): (duration, end) = try length(until: moment)
    }
    let label = request.label
    guard label?.utf8.count ?? 0 <= Identity.longestLabel else {
      throw Refusal(.invalidArgument, tr("a label has at most \(Identity.longestLabel) bytes"))
    }
    guard label.map(OutsideText.isPrintable) ?? true else {
      throw Refusal(.invalidArgument, tr(CallerPolicy.refusal(ofName: "label")))
    }
    let timer = RecentTimer(
      duration: duration, until: end.map { zones.civil(at: $0, in: nil).time },
      label: label ?? preset?.label, preset: preset?.name, sound: request.sound)
    return try order(timer, until: end, named: label)
  }

  private func order(
    _ timer: RecentTimer, until: Instant? = nil, named label: String?
  ) throws(Refusal) -> TimerOrder {
    guard schedule.timers.count < Schedule.timersKept else {
      throw Refusal(.tooMany, tr("there are \(Schedule.timersKept) timers already"))
    }
    let name =
      [label.map(Identity.slug), timer.preset]
      .compactMap(\.self).first { !$0.isEmpty }
      ?? timer.until.map { "until-\($0.description.filter { $0 != ":" })" }
      ?? DurationText.format(timer.duration)
    // `timerID` avoids the ids that the schedule knows. The schedule does not know disabled alarms,
    // so the ids of these are passed.
    let disabled = Set(configuration.alarms.lazy.filter { !$0.enabled }.map(\.id))
    return TimerOrder(
      id: schedule.timerID(for: name, besides: disabled.contains), timer, end: until)
  }

  private func length(until end: Instant) throws(Refusal) -> (Duration, Instant?) {
    // The wall clock and the boot clock are not read at the same moment. Without this margin, the
    // end of the timer could be shown one second too early.
    let end = end + .milliseconds(2)
    return (try checked((end - Clock.now().wall).secondsRoundedUp), end)
  }

  private func checked(_ seconds: Int64) throws(Refusal) -> Duration {
    guard (1...Timer.longest.wholeSeconds).contains(seconds) else {
      throw Refusal(
        .invalidArgument, tr("a timer takes 1 to \(Timer.longest.wholeSeconds) seconds (366 days)"))
    }
    return .seconds(seconds)
  }

  private func preset(
    _ name: String
  ) throws(Refusal) -> TimerPreset {
    let presets = configuration.timers
    guard let preset = presets.first(where: { $0.name == name }) else {
      let hint =
        nearMatch(to: name, among: presets.map(\.name)).map { Message("did you mean \($0)?") }
        ?? Message("add a [[timer]] to the config, or give a duration such as 10m")
      throw Refusal(
        .notFound, complaint(tr("no timer is called \(TerminalText.quoted(name))"), hint: hint))
    }
    return preset
  }

  /// Returns the recent timer that `which` names. `which` is either a place in the list of recent
  /// timers, with 1 for the latest timer, or a label.
  func recent(_ which: String) throws(Refusal) -> RecentTimer {
    let recents = schedule.recents
    guard let latest = recents.first else {
      throw Refusal(.notFound, tr("no timer was started yet"))
    }
    if which.isEmpty { return latest }
    let found: RecentTimer? =
      if let place = Int(which) {
        (1...recents.count).contains(place) ? recents[place - 1] : nil
      } else {
        recents.first { $0.name?.lowercased() == which.lowercased() }
      }
    guard let found else {
      throw Refusal(
        .notFound,
        complaint(
          tr("there is no recent timer \(TerminalText.quoted(which))"),
          hint: Message("belfry timer recent shows them")))
    }
    return found
  }

  // MARK: - Timers that are there

  func timer(called id: String) throws(Refusal) -> Timer {
    let timers = schedule.timers
    if id.isEmpty {
      guard let timer = timers.first else { throw Refusal(.notFound, tr("there is no timer")) }
      guard timers.count == 1 else {
        let ids = timers.map(\.id).joined(separator: ", ")
        throw Refusal(.ambiguous, tr("there are several timers: say which of \(ids)"))
      }
      return timer
    }
    guard let timer = schedule.timer(id) else {
      throw Refusal(
        .notFound,
        complaint(
          tr("no timer is called \(TerminalText.quoted(id))"),
          hint: Message("belfry timer list shows them")))
    }
    return timer
  }

  /// Returns the act that makes `timer` longer by `seconds`.
  func addition(of seconds: Int64, to timer: Timer) throws(Refusal) -> TimerAct {
    let room = Timer.longest - timer.length
    guard seconds > 0, seconds <= room.wholeSeconds else {
      let longest = DurationText.format(Timer.longest)
      throw Refusal(
        .invalidArgument,
        room < .seconds(1)
          ? tr("\(timer.id) cannot be made longer: \(longest) is the longest")
          : tr("\(timer.id) takes 1 to \(room.wholeSeconds) seconds more"))
    }
    return .add(.seconds(seconds))
  }

  /// Pauses, resumes, cancels, restarts or extends a timer. Returns whether a running timer was
  /// paused or cancelled.
  func perform(
    _ act: TimerAct, on timer: Timer, then done: @escaping (FileError?) -> Void
  ) throws(Refusal) -> Bool {
    switch (act, timer.phase) {
    case (.pause, .running), (.resume, .paused), (.cancel, _), (.restart, _), (.add, _): break
    case (.pause, .paused) where timer.isWaiting: break
    case (.resume, .running): throw Refusal(.alreadyRunning, tr("\(timer.id) runs already"))
    default: throw Refusal(.notRunning, tr("\(timer.id) does not run"))
    }
    apply(.timer(timer.id, act), then: done)
    return act == .pause && (!timer.isPaused || timer.isWaiting)
      || act == .cancel && timer.ring == nil
  }

  func perform(_ act: StopwatchAct, then done: @escaping (FileError?) -> Void) throws(Refusal) {
    let stopwatch = schedule.stopwatch
    switch act {
    case .start where stopwatch.isRunning:
      throw Refusal(.alreadyRunning, tr("the stopwatch runs already"))
    case .stop where !stopwatch.isRunning, .lap where !stopwatch.isRunning:
      throw Refusal(
        .notRunning,
        complaint(
          tr("the stopwatch is not running"), hint: Message("belfry stopwatch start starts it")))
    case .lap where stopwatch.laps.count >= Stopwatch.lapsKept:
      throw Refusal(.tooMany, tr("there are \(Stopwatch.lapsKept) laps already"))
    default: apply(.stopwatch(act), then: done)
    }
  }
}
