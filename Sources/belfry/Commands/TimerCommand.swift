// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry timer`: starts timers, lists them, and answers for them. The agent runs them; what it
// tells of them is `Status.swift`'s, in Presentation.

import ArgumentParser
import Configuration
import Files
import Language
import Persistence
import Presentation
import Scheduling
import Screen
import System

struct TimerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timer", abstract: tr("Start a timer, or do something with those that run."),
    usage: """
      belfry timer <duration>|<preset> [--label <label>] [--sound <sound>] [--json]
      belfry timer until <time> [--label <label>] [--sound <sound>] [--json]
      belfry timer again [<number>|<label>] [--json]
      belfry timer list|recent [--json]
      belfry timer pause|resume|cancel|restart [<id>]
      belfry timer add [<id>] [<duration>]
      belfry timer forget <number>|<label>
      """,
    discussion: tr(
      """
      A duration is written 90s, 10m, 1h30m or 2d. A preset is the name of a [[timer]] in the \
      config; \
      one that is called as a subcommand is started by "belfry timer start".

      Where there is only one timer, its id may be left out.
      """),
    subcommands: [
      TimerStartCommand.self, TimerUntilCommand.self, TimerAgainCommand.self, TimerListCommand.self,
      TimerPauseCommand.self,
      TimerResumeCommand.self, TimerAddCommand.self, TimerCancelCommand.self,
      TimerRestartCommand.self, TimerRecentCommand.self, TimerForgetCommand.self,
    ],
    defaultSubcommand: TimerStartCommand.self)
}

struct TimerStartCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: tr("Start a timer. The word start may be left out."),
    usage: "belfry timer <duration>|<preset> [--label <label>] [--sound <sound>] [--json]")

  @Argument(help: .tr("How long, such as 10m; or a timer of the config."), completion: .presets)
  var what: String
  @OptionGroup var timer: NewTimerOptions

  func validate() throws { _ = try TimerLength.parse(what) }

  @MainActor func perform() throws {
    let length = try TimerLength.parse(what)
    try timer.start(
      length.map { Variant.Entry("duration", .int64($0.wholeSeconds)) }
        ?? Variant.Entry("preset", .string(what)))
  }
}

struct TimerUntilCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "until",
    abstract: tr("Start a timer that ends at a time of day, tomorrow if it is over for today."),
    usage: "belfry timer until <time> [--label <label>] [--sound <sound>] [--json]")

  @Argument(help: .tr("When it ends: 15:30, 3:30 pm."))
  var time: [String]
  @OptionGroup var timer: NewTimerOptions

  func validate() throws { _ = try TimeText.typed(time) }

  @MainActor func perform() throws {
    let time = try TimeText.typed(time)
    let next = Recurrence(time: time, dates: .once).next(after: Clock.now().wall, in: Zones())
    guard let next else { throw Failure(tr("there is no such time here")) }
    try timer.start(Variant.Entry("until", .int64(next.due.seconds)))
  }
}

/// What may be said of a timer that is started.
struct NewTimerOptions: ParsableArguments {
  @Option(help: .tr("What it is for."))
  var label: String?
  @Option(help: .tr("A name from `belfry sounds`, or a path."), completion: .sounds)
  var sound: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  /// Starts one that is as long as `length` says.
  @MainActor func start(_ length: Variant.Entry) throws {
    let sound = sound.map { Locations.typed($0) }
    // Only the user may name a path, and only the user can read the key.
    let isPath = sound.map { !OtherPrograms.isSoundName($0) } ?? false
    let others = Variant.entries([
      "label": label.map(Variant.string), "sound": sound.map(Variant.string),
      "key": isPath ? .string(try Blocking.here { try UserKey.made(Locations()) }) : nil,
    ])
    try Status.Timer.tellStart("StartTimer", [.dictionary([length] + others)], output)
  }
}

struct TimerListCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: tr("List the timers that run, are paused, ring or are snoozed."))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let answer = try AgentConnection.call("Timers")
    if output.json, let answer { return Terminal.json(JSON(answer)) }
    let timers = try Status.Timer.all(answer)
    if timers.isEmpty { return print(tr("No timer is set.")) }
    let (wording, now) = (try Wording.ofAgent(), Clock.now().wall)
    Terminal.table(
      timers.map { timer in
        [timer.id, timer.title, wording.long(timer.standing, seenFrom: now)]
          .map { StyledText($0).cut(to: Columns.longestLabel) }
      })
  }
}

// MARK: - What there is

struct TimerPauseCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: tr("Stop a timer where it is, to go on later."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws {
    try Status.Timer(of: timer.act("PauseTimer")).tellPause()
  }
}

struct TimerResumeCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: tr("Let a timer that is paused go on."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws { try timer.start("ResumeTimer") }
}

struct TimerRestartCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart", abstract: tr("Start a timer anew, for as long as at first."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws { try timer.start("RestartTimer") }
}

struct TimerCancelCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: tr("Take a timer away; it does not ring."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws {
    let id = try timer.act("CancelTimer")
    Terminal.show(tr("cancelled \(id)"))
  }
}

struct TimerAddCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: tr("Give a timer more time, one minute if nothing else is said."),
    usage: "belfry timer add [<id>] [<duration>]",
    discussion: tr("One that rings or is snoozed runs again for so long."))

  @Argument(
    help: .tr("A timer's id; without one, the only one that there is."), completion: .timers)
  var id: String?
  @Argument(help: .tr("How much more, such as 5m."), completion: .lengths)
  var duration: String?
  @OptionGroup var config: ConfigOption

  func validate() throws { if let duration { _ = try TimerLength.required(duration) } }

  @MainActor func perform() throws {
    // A fault is told by whoever is asked for a timer of that name.
    let single = duration == nil ? id.flatMap { try? DurationText.parse($0) } : nil
    var more = try duration.map { try TimerLength.required($0) } ?? .minutes(1)
    var id = id ?? ""
    // A single word that is a duration is one, unless a timer is called that.
    if single != nil,
      try !Status.Timer.all(AgentConnection.call("Timers")).contains(where: { $0.id == id })
    {
      more = try TimerLength.required(id)
      id = ""
    }
    let answer = try AgentConnection.call(
      "AddToTimer", [.string(id), .int64(more.wholeSeconds)])
    try Status.Timer(of: answer?.string ?? "").tellStart()
  }
}

struct TimerOption: ParsableArguments {
  @Argument(
    help: .tr("A timer's id; without one, the only one that there is."), completion: .timers)
  var id: String?
  @OptionGroup var config: ConfigOption

  /// Has the agent do it, and returns which timer was meant.
  @MainActor func act(_ member: String) throws -> String {
    try AgentConnection.call(member, [.string(id ?? "")])?.string ?? ""
  }

  /// The same of what makes it run.
  @MainActor func start(_ member: String) throws {
    try Status.Timer(of: act(member)).tellStart()
  }
}

/// The length of a timer as it is typed.
nonisolated enum TimerLength {
  /// Nil where `text` is not a duration but may be the name of a preset.
  static func parse(_ text: String) throws(ValidationError) -> Duration? {
    let shown = TerminalText.quoted(text)
    switch Result(catching: { () throws(DurationText.Fault) in try DurationText.parse(text) }) {
    case .success(let length) where length <= .zero:
      throw ValidationError(
        tr("A timer of \(shown) would be over at once: write it as 90s or 10m."))
    case .success(let length) where length <= Timer.longest: return length
    case .success, .failure(.tooLong):
      throw ValidationError(tr("A timer of \(shown) is too long: 366d is the longest."))
    case .failure(.noUnit):
      throw ValidationError(tr("A duration needs a unit: \(text)m, or \(text)s."))
    case .failure(.malformed):
      guard Identity.fault(of: text) == nil else {
        throw ValidationError(
          tr(
            """
            \(shown) is neither a duration nor a timer's name: write it as 90s, 10m or 1h30m.
            """))
      }
      return nil
    }
  }

  static func required(_ text: String) throws(ValidationError) -> Duration {
    guard let length = try parse(text) else {
      throw ValidationError(
        tr("\(TerminalText.quoted(text)) is no duration: write it as 90s, 10m or 1h30m."))
    }
    return length
  }
}
