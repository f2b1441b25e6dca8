// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry history`: what rang when, how late, and what became of it, from the file alone.

import ArgumentParser
import Configuration
import Files
import Language
import Persistence
import Presentation
import Scheduling
import System

struct HistoryCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: tr("Tell what rang when, how late, and what became of it."),
    discussion: tr("The latest is the last."))

  @Option(help: .tr("How many, 1 to 10000."))
  var count = 20
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func validate() throws {
    guard (1...10_000).contains(count) else {
      throw ValidationError(tr("--count takes 1 to 10000, not \(count)."))
    }
  }

  @MainActor func perform() throws {
    let path = config.locations.history
    let count = count
    let (lines, unread) = try Blocking.here { try HistoryFile.read(path, last: count) }
    if unread > 0 {
      Terminal.complain(
        tr(
          "\(path): a line is damaged", plural: "\(path): \(unread) lines are damaged",
          count: unread))
    }
    let zones = Zones()
    if output.json { return Terminal.json(.array(lines.map { $0.json(in: zones) })) }
    if lines.isEmpty { print(tr("Nothing has rung yet.")) }
    let locations = config.locations
    let configuration = Blocking.here {
      ConfigFile.configuration(locations.config, sounds: SoundLibrary(locations))
    }
    let wording = Wording(zones: zones, clock: configuration.agent.clock)
    let now = Clock.now().wall
    Terminal.table(lines.map { $0.row(wording, seenFrom: now) })
  }
}

@MainActor extension HistoryLine {
  /// When it was due, how late it was, what it is, what it was heard on, and its end.
  fileprivate func row(_ wording: Wording, seenFrom now: Instant) -> [String] {
    [
      wording.moment(due, seconds, seenFrom: now), lateness, id, label ?? "",
      device ?? (rang == nil ? "" : tr("no sound of its own")), end(wording, seenFrom: now),
    ]
  }

  private func end(_ wording: Wording, seenFrom now: Instant) -> String {
    let end = wording.end(of: self, seenFrom: now)
    return checks > 0 ? tr("rang again, nobody was up; \(end)") : end
  }

  private var lateness: String {
    guard let late else { return tr("did not ring") }
    if late < .milliseconds(1) { return tr("on time") }
    if late < .seconds(1) { return tr("\(late.wholeMicroseconds / 1000) ms late") }
    return tr("\(Wording.span(late)) late")
  }
}
