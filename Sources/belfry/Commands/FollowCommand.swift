// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry follow`: prints a line at each change, for bars and scripts. `StatusChange.swift` decides
// what counts as a change.

import ArgumentParser
import Configuration
import Language
import Persistence
import Presentation
import Scheduling
import Screen
import System

struct FollowCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: tr("Print a line of JSON at each change, for bars and scripts."),
    discussion: tr(
      """
      Each line is the object that "belfry status --json" prints. The first line is printed at \
      once, and another whenever something changes, for example when an alarm rings, a timer is \
      started or the config is saved. If no agent is running, the line is {"lost":"..."}.

      Examples:
        belfry follow | jq --unbuffered -r '.next.at // "no alarm"'
        belfry follow --waybar

      With --waybar the lines are for a custom module of Waybar:

        "custom/belfry": {
          "exec": "belfry follow --waybar",
          "return-type": "json",
          "on-click": "belfry snooze",
          "on-click-right": "belfry stop"
        }

      class and alt are ringing, snoozed, timer, next, paused, none or lost.
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

/// Prints the lines, and remembers the last one so that none is printed twice.
@MainActor final class FollowLines {
  private let isForWaybar: Bool
  private let zones = Zones()
  private var last: Status?
  private var lastLine: String?
  private var hasReader = true
  private var failure: Failure?

  private init(isForWaybar: Bool) { self.isForWaybar = isForWaybar }

  /// Prints lines until their reader is gone.
  static func run(isForWaybar: Bool, _ config: ConfigOption) throws {
    StandardOutput.outliveReader()
    // JSON is English, also without --json.
    if !isForWaybar { System.Locale.speakEnglish() }
    var failure: Failure?
    let lines = FollowLines(isForWaybar: isForWaybar)
    let feed = try AgentFeed(
      // An agent that comes later may read another config.
      waits: config.config == nil,
      onEnd: {
        failure = Failure(tr("the session bus is gone"))
        MainLoop.quit()
      },
      onChange: { if !lines.report($0) { MainLoop.quit() } })
    let sources =
      MainLoop.Signal.allCases.map { MainLoop.onSignal($0) { MainLoop.quit() } }
      + [StandardOutput.onHangUp { MainLoop.quit() }]
    if lines.hasReader { MainLoop.run() }
    withExtendedLifetime((feed, sources)) {}
    if let failure = failure ?? lines.failure { throw failure }
  }

  /// Returns false if the reader is gone.
  private func report(_ change: AgentFeed.Change) -> Bool {
    switch change {
    case .lost:
      last = nil
      let lost = JSON.object(["lost": .string(tr("no agent is running: belfryd"))]).text
      write(isForWaybar ? Bar.lost : lost)
    case .status(let status):
      if isForWaybar {
        write(Bar(status, in: zones).line)
      } else {
        guard status.steady != last else { break }
        last = status.steady
        write(JSON(status).text)
      }
    }
    return hasReader
  }

  private func write(_ line: String) {
    guard line != lastLine else { return }
    lastLine = line
    do throws(SystemError) { try StandardOutput.write(line + "\n") } catch {
      hasReader = false
      // A reader that is gone has read enough, so this is no error.
      if !error.isForWantOfReader { failure = Failure(StandardOutput.loss(error)) }
    }
  }
}
