// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry follow`: prints a line at each change, for bars and scripts. `Upcoming.swift` decides
// what counts as a change.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import Screen
import System
import Values

struct FollowCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: tr("Print the status as JSON at each change, for status bars."),
    discussion: tr(
      """
      Each line is the JSON object that `belfry status --json` prints. The first line is printed \
      at once. Another line is printed whenever something changes, for example when an alarm \
      rings, a timer is started or the config is saved. If the agent (belfryd, the background \
      program that rings) is not running, or ends, this line is printed:

        {"lost":"no agent is running: belfryd"}

      Examples:
        belfry follow | jq --unbuffered -r '.next.at // "no alarm"'
        belfry follow --waybar

      With --waybar, the lines are for a custom module of Waybar. Add this to Waybar's config:

        "custom/belfry": {
          "exec": "belfry follow --waybar",
          "return-type": "json",
          "on-click": "belfry snooze",
          "on-click-right": "belfry stop"
        }

      In each line for Waybar, the fields "class" and "alt" have the same value, which is the \
      first of these that applies:

        lost      no agent is running
        ringing   an alarm or timer is ringing
        snoozed   an alarm is snoozed
        timer     a timer is running, paused or snoozed
        paused    a pause prevents the next ring of every alarm
        next      an alarm will ring
        none      none of these
      """))

  @Flag(help: .tr("Print lines for a custom module of Waybar."))
  var waybar = false
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func validate() throws {
    if waybar, output.json { throw ValidationError(tr("Either --waybar or --json, not both.")) }
  }

  @MainActor func perform() throws { try FollowLines.run(isForWaybar: waybar, config) }
}

/// Prints a line for each change, and remembers the last line so that no line is printed twice.
@MainActor final class FollowLines {
  private let isForWaybar: Bool
  private let zones = Zones()
  private var last: Status?
  private var lastLine: String?
  private var hasReader = true
  private var failure: CommandFailure?

  private init(isForWaybar: Bool) { self.isForWaybar = isForWaybar }

  static func run(isForWaybar: Bool, _ config: ConfigOption) throws {
    StandardOutput.outliveReader()
    // Lines for Waybar are in the user's language. All other lines are JSON, which is always in
    // English.
    if !isForWaybar { System.Locale.speakEnglish() }
    var failure: CommandFailure?
    let lines = FollowLines(isForWaybar: isForWaybar)
    let feed = try AgentFeed(
      // Do not wait if the user named a config: an agent that starts later may read another config.
      waits: config.config == nil,
      onEnd: {
        failure = CommandFailure(tr("the session bus is gone"))
        MainLoop.quit()
      },
      onChange: { if !lines.report($0) { MainLoop.quit() } })
    let sources =
      MainLoop.onQuit { MainLoop.quit() } + [StandardOutput.onHangUp { MainLoop.quit() }]
    if lines.hasReader { MainLoop.run() }
    withExtendedLifetime((feed, sources)) {}
    if let failure = failure ?? lines.failure { throw failure }
  }

  /// Prints a line if there is a change. Returns false if the reader of the lines is gone.
  private func report(_ status: Status?) -> Bool {
    if isForWaybar {
      write(status.map { Bar($0, in: zones).line } ?? Bar.lost)
    } else if let status, status.steady != last {
      write(Value(encoding: status).json)
    } else if status == nil {
      write(Value.table(["lost": .string(tr("no agent is running: belfryd"))]).json)
    }
    last = status?.steady
    return hasReader
  }

  private func write(_ line: String) {
    guard line != lastLine else { return }
    lastLine = line
    do throws(SystemError) { try StandardOutput.write(line + "\n") } catch {
      hasReader = false
      // A reader that closes the pipe has read enough, so this is not an error.
      if !error.isForWantOfReader { failure = CommandFailure(StandardOutput.loss(error)) }
    }
  }
}
