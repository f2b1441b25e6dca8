// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry timer`: starts, lists and changes the agent's timers. `TimerReport.swift` prints them.

import ArgumentParser
import Configuration
import Files
import Language
import Presentation
import Scheduling
import Screen
import System

struct TimerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timer", abstract: tr("Start timers, and list or change them."),
    usage: """
      belfry timer [list]
      belfry timer <duration>|<preset> [--label <label>] [--sound <sound>]
      belfry timer until <time> [--label <label>] [--sound <sound>]
      belfry timer again [<number>|<label>]
      belfry timer pause|resume|cancel|restart [<id>]
      belfry timer cancel --all
      belfry timer extend [<id>] [<duration>]
      belfry timer recent
      belfry timer forget <number>|<label>
      """,
    discussion: tr(
      """
      Write a duration as 90s, 10m, 1h30m, 1.5h or "half an hour". 1:30 means one minute and 30 \
      seconds, and 1:30:00 means one hour and 30 minutes.

      A preset is a [[timer]] in the config. Start it by its name, for example `belfry timer \
      focus`. If a preset has the same name as a subcommand, for example list, use `belfry timer \
      start list`.

      If there is only one timer, you can leave out its id.
      """),
    subcommands: [
      TimerListCommand.self, TimerStartCommand.self, TimerUntilCommand.self, TimerAgainCommand.self,
      TimerPauseCommand.self, TimerResumeCommand.self, TimerExtendCommand.self,
      TimerCancelCommand.self, TimerRestartCommand.self, TimerRecentCommand.self,
      TimerForgetCommand.self,
    ],
    defaultSubcommand: TimerStartCommand.self)
}

/// The command `belfry timer 5m`, which starts a timer. `belfry timer` alone lists all timers.
struct TimerStartCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: tr("Start a timer. You can leave out the word start."),
    usage: "belfry timer <duration>|<preset> [--label <label>] [--sound <sound>]")

  @Argument(
    help: .tr(
      """
      A duration such as 10m, or the name of a preset, which is a [[timer]] in the config. Without \
      this argument, the command lists the timers.
      """, valueName: "duration|preset"),
    completion: .presets)
  var what: [String] = []
  @OptionGroup var timer: NewTimerOptions
  @Option(help: .hidden) var color: TableOption.Color?

  func validate() throws {
    if what.isEmpty, timer.label != nil || timer.sound != nil {
      throw ValidationError(tr("Say how long the timer is, such as belfry timer 10m."))
    }
    try TableOption.apply(color, isUsed: what.isEmpty, timer.output)
  }

  @MainActor func perform() throws {
    if what.isEmpty { return try Status.Timer.showAll(timer.output) }
    try timer.start(what)
  }
}

struct TimerUntilCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "until",
    abstract: tr("Start a timer that ends at a time of day, today or tomorrow."),
    usage: "belfry timer until <time> [--label <label>] [--sound <sound>]")

  @Argument(help: .tr("The time at which the timer ends, such as 15:30, 3:30 pm or noon."))
  var time: [String]
  @OptionGroup var timer: NewTimerOptions

  @MainActor func perform() throws {
    let time = try TimeText.typed(time)
    let next = Recurrence(time: time, dates: .once).next(after: Clock.now().wall, in: Zones())
    guard let next else {
      throw CommandFailure(tr("there is no such time on that day, because the clocks go forward"))
    }
    try timer.start(Variant.Entry("until", .int64(next.due.seconds)))
  }
}

struct NewTimerOptions: ParsableArguments {
  @Option(name: .label, help: .tr("A label that says what the timer is for."))
  var label: String?
  @Option(
    help: .tr("The sound: a name from `belfry sounds`, or the path of a file."),
    completion: .sounds)
  var sound: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func start(_ words: [String]) throws {
    let what = words.joined(separator: " ")
    let length = try TimerLength.parse(what)
    try start(
      length.map { Variant.Entry("duration", .int64($0.wholeSeconds)) }
        ?? Variant.Entry("preset", .string(what)))
  }

  /// Starts a timer. `length` is its duration, its preset, or the moment at which it ends.
  @MainActor func start(_ length: Variant.Entry) throws {
    let sounds = SoundJudge.library(config.locations)
    let sound = sound.map { typed in Disk.here { sounds.typed(typed, on: $0) } }
    SoundJudge.warn([sound].compactMap(\.self), sounds)
    // If `sound` is a path, send the user's key with it. Only programs that can read the user's
    // files know this key, which proves that they may name a path. So a sandboxed program cannot
    // make the agent open a file.
    let isPath = sound.map { !CallerPolicy.isSoundName($0) } ?? false
    let others = Variant.entries([
      "label": label.map(Variant.string), "sound": sound.map(Variant.string),
      "key": isPath ? .string(try Disk.here { try UserKey.made(Locations(), on: $0) }) : nil,
    ])
    try output.showTimer("StartTimer", [.dictionary([length] + others)])
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

struct TimerPauseCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: tr("Pause a timer until you resume it."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws { try timer.act("PauseTimer") }
}

struct TimerResumeCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: tr("Continue a paused timer."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws { try timer.act("ResumeTimer") }
}

struct TimerRestartCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart",
    abstract: tr("Set a timer back to its original duration, and let it run."))

  @OptionGroup var timer: TimerOption

  @MainActor func perform() throws { try timer.act("RestartTimer") }
}

struct TimerCancelCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: tr("Remove a timer, so that it does not ring."))

  @Flag(help: .tr("Remove all timers."))
  var all = false
  @OptionGroup var timer: TimerOption

  func validate() throws {
    if all, timer.id != nil { throw ValidationError(tr("Name a timer, or say --all.")) }
  }

  @MainActor func perform() throws {
    // Ask for the timers first, because the agent forgets a timer that is cancelled. JSON shows the
    // timer as it was before it was cancelled.
    let timers = try Status.Timer.all()
    if all {
      for timer in timers { try AgentConnection.change("CancelTimer", [.string(timer.id)]) }
      if timer.output.json { return Terminal.json(timers) }
      if timers.isEmpty { print(tr("No timer is set.")) }
      for timer in timers { Terminal.printLine(tr("cancelled \(timer.id)")) }
      return
    }
    let id = try AgentConnection.change("CancelTimer", [.string(timer.id ?? "")])?.string ?? ""
    if timer.output.json, let cancelled = timers.first(where: { $0.id == id }) {
      return Terminal.json(cancelled)
    }
    Terminal.printLine(tr("cancelled \(id)"))
  }
}

struct TimerExtendCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "extend", abstract: tr("Give a timer more time, one minute by default."),
    usage: "belfry timer extend [<id>] [<duration>]",
    discussion: tr(
      """
      If the timer is ringing, it stops ringing and runs for the added time. If the timer is \
      snoozed, its snooze ends, and it runs for the added time.
      """),
    aliases: ["add"])

  @Argument(
    help: .tr("The id of the timer. If there is only one timer, you can leave out the id."),
    completion: .timers)
  var id: String?
  @Argument(help: .tr("How much time to add, such as 5m."), completion: .lengths)
  var duration: [String] = []
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let (id, more) = try TypedLength.afterID(id, duration) { word in
      try Status.Timer.all().contains { $0.id == word }
    }
    let length = more ?? .minutes(1)
    _ = try TimerLength.checked(length, DurationText.format(length))
    try output.showTimer("AddToTimer", [.string(id), .int64(length.wholeSeconds)])
  }
}

struct TimerOption: ParsableArguments {
  @Argument(
    help: .tr("The id of the timer. If there is only one timer, you can leave out the id."),
    completion: .timers)
  var id: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  /// Calls the agent's method `member`, and prints the timer as it is afterwards.
  @MainActor func act(_ member: String) throws {
    try output.showTimer(member, [.string(id ?? "")])
  }
}
