// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry timer`: starts timers, lists them and changes those that are set. The agent runs them;
// what is printed of one is in `TimerReport.swift`. Next: `RecentTimersCommands.swift`.

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
    commandName: "timer", abstract: tr("Start a timer, or list and change those that are set."),
    usage: """
      belfry timer [list]
      belfry timer <duration>|<preset> [--label <label>] [--sound <sound>]
      belfry timer until <time> [--label <label>] [--sound <sound>]
      belfry timer again [<number>|<label>]
      belfry timer pause|resume|cancel|restart [<id>]
      belfry timer extend [<id>] [<duration>]
      belfry timer recent
      belfry timer forget <number>|<label>
      """,
    discussion: tr(
      """
      A duration is written 90s, 10m, 1h30m, 1.5h or half an hour; 1:30 is one minute and a half, \
      1:30:00 one hour and a half. A preset is the name of a [[timer]] in the \
      config; \
      one that is called as a subcommand is started by "belfry timer start".

      If there is only one timer, its id may be left out.
      """),
    subcommands: [
      TimerListCommand.self, TimerStartCommand.self, TimerUntilCommand.self, TimerAgainCommand.self,
      TimerPauseCommand.self, TimerResumeCommand.self, TimerExtendCommand.self,
      TimerCancelCommand.self, TimerRestartCommand.self, TimerRecentCommand.self,
      TimerForgetCommand.self, TimerAloneCommand.self, TimerAddCommand.self,
    ],
    defaultSubcommand: TimerAloneCommand.self)
}

/// `belfry timer` and `belfry timer 5m`: the parser goes on here if no subcommand follows. No
/// preset can be called like this one.
struct TimerAloneCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "_alone", abstract: tr("List timers, or start one."),
    usage: TimerCommand.configuration.usage, shouldDisplay: false)

  @Argument(help: .tr("How long, such as 10m; or a timer of the config."), completion: .presets)
  var what: [String] = []
  @OptionGroup var timer: NewTimerOptions
  @Option(help: .hidden) var color: TableOption.Color?

  func validate() throws {
    if !what.isEmpty { _ = try TimerLength.parse(what.joined(separator: " ")) }
    if what.isEmpty, timer.label != nil || timer.sound != nil {
      throw ValidationError(tr("Say how long the timer is, such as belfry timer 10m."))
    }
    try TableOption.take(color, isUsed: what.isEmpty, timer.output)
  }

  @MainActor func perform() throws {
    if what.isEmpty { return try Status.Timer.showAll(timer.output) }
    try timer.start(what)
  }
}

struct TimerStartCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: tr("Start a timer. The word start may be left out."),
    usage: "belfry timer <duration>|<preset> [--label <label>] [--sound <sound>]")

  @Argument(help: .tr("How long, such as 10m; or a timer of the config."), completion: .presets)
  var what: [String]
  @OptionGroup var timer: NewTimerOptions

  func validate() throws { _ = try TimerLength.parse(what.joined(separator: " ")) }

  @MainActor func perform() throws { try timer.start(what) }
}

struct TimerUntilCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "until",
    abstract: tr("Start a timer that ends at a time of day, tomorrow if it is over for today."),
    usage: "belfry timer until <time> [--label <label>] [--sound <sound>]")

  @Argument(help: .tr("When it ends: 15:30, 3:30 pm, noon."))
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
  @Option(name: .label, help: .tr("What the timer is for."))
  var label: String?
  @Option(help: .tr("A name from `belfry sounds`, or a path."), completion: .sounds)
  var sound: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  /// Starts one that is as long as `words` say, or the preset that is called so.
  @MainActor func start(_ words: [String]) throws {
    let what = words.joined(separator: " ")
    let length = try TimerLength.parse(what)
    try start(
      length.map { Variant.Entry("duration", .int64($0.wholeSeconds)) }
        ?? Variant.Entry("preset", .string(what)))
  }

  /// Starts one that is as long as `length` says.
  @MainActor func start(_ length: Variant.Entry) throws {
    let sound = sound.map { Locations.typed($0) }
    // Only the user may name a path, and only the user can read the key.
    let isPath = sound.map { !OtherPrograms.isSoundName($0) } ?? false
    let others = Variant.entries([
      "label": label.map(Variant.string), "sound": sound.map(Variant.string),
      "key": isPath ? .string(try Blocking.here { try UserKey.made(Locations()) }) : nil,
    ])
    let id = try AgentConnection.call("StartTimer", [.dictionary([length] + others)])?.string
    try Status.Timer(of: id ?? "").show(output)
  }
}

struct TimerListCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: tr("List the timers that are running, paused, ringing or snoozed."),
    aliases: ["ls"])

  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  @MainActor func perform() throws { try Status.Timer.showAll(table.output) }
}

// MARK: - Timers that are set

struct TimerPauseCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: tr("Halt a timer until you resume it."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws { try timer.act("PauseTimer") }
}

struct TimerResumeCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: tr("Let a paused timer go on."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws { try timer.act("ResumeTimer") }
}

struct TimerRestartCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart", abstract: tr("Start a timer again with the length it had at first."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws { try timer.act("RestartTimer") }
}

struct TimerCancelCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: tr("Remove a timer, so that it does not ring."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws {
    // When it is gone the agent knows nothing of it any more.
    let timers = try Status.Timer.all(AgentConnection.call("Timers"))
    let id = try AgentConnection.call("CancelTimer", [.string(timer.id ?? "")])?.string ?? ""
    if timer.output.json, let cancelled = timers.first(where: { $0.id == id }) {
      return Terminal.json(JSON(cancelled))
    }
    Terminal.show(tr("cancelled \(id)"))
  }
}

/// The former name of `extend`.
struct TimerAddCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: TimerExtendCommand.configuration.abstract,
    usage: TimerExtendCommand.configuration.usage, shouldDisplay: false)

  @OptionGroup var extend: TimerExtendCommand

  @MainActor func perform() throws { try extend.perform() }
}

struct TimerExtendCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "extend", abstract: tr("Give a timer more time, one minute by default."),
    usage: "belfry timer extend [<id>] [<duration>]",
    discussion: tr("A timer that is ringing or snoozed runs again for that long."))

  @Argument(
    help: .tr("A timer's id; without one, the only one that there is."), completion: .timers)
  var id: String?
  @Argument(help: .tr("How much more, such as 5m."), completion: .lengths)
  var duration: [String] = []
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func validate() throws { _ = try meaning() }

  @MainActor func perform() throws {
    var (id, more) = try meaning()
    // A single word that is a duration is one, unless a timer is called that.
    if duration.isEmpty, let name = self.id, more != nil,
      try Status.Timer.all(AgentConnection.call("Timers")).contains(where: { $0.id == name })
    {
      (id, more) = (name, nil)
    }
    let answer = try AgentConnection.call(
      "AddToTimer", [.string(id), .int64((more ?? .minutes(1)).wholeSeconds)])
    try Status.Timer(of: answer?.string ?? "").show(output)
  }

  private func meaning() throws(ValidationError) -> (id: String, more: Duration?) {
    let (id, more) = try TypedLength.afterID(id, duration)
    if let more { _ = try TimerLength.checked(more, DurationText.format(more)) }
    return (id, more)
  }
}

struct TimerOption: ParsableArguments {
  @Argument(
    help: .tr("A timer's id; without one, the only one that there is."), completion: .timers)
  var id: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  /// Has the agent do it, and prints how the timer stands then.
  @MainActor func act(_ member: String) throws {
    let id = try AgentConnection.call(member, [.string(id ?? "")])?.string
    try Status.Timer(of: id ?? "").show(output)
  }
}
