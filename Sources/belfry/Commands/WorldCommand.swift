// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry world`: shows and changes the `[[clock]]` entries of the config, and finds cities. It
// works without an agent.

import ArgumentParser
import Cities
import Configuration
import Files
import Language
import Presentation
import Scheduling
import Screen
import System

struct WorldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "world", abstract: tr("Show the time in other cities, and find cities."),
    usage: "belfry world [<subcommand>]",
    discussion: tr(
      """
      The cities and time zones come from the [[clock]] entries of the config, in the same order.
      """),
    subcommands: [
      WorldListCommand.self, WorldSearchCommand.self, WorldAddCommand.self,
      WorldRemoveCommand.self, WorldMoveCommand.self,
    ],
    defaultSubcommand: WorldListCommand.self)
}

struct WorldListCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: tr("Show the time in each city of the config."),
    discussion: tr(
      """
      Each line shows the time and the day in that city, the difference from \
      the local time here, and the times of sunrise and sunset.
      """),
    aliases: ["ls"])

  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  @MainActor func perform() throws {
    let overview = try config.view().overview
    let clocks = overview.configuration.clocks
    if table.json {
      Terminal.json(overview.clocks)
    } else {
      if clocks.isEmpty { print(tr("No clock is set. Set one with belfry world add Seoul.")) }
      overview.printReport(clocks)
    }
    if clocks.contains(where: { $0.zone == nil }) { throw CommandFailure(CityFile.unreadable) }
  }
}

struct WorldSearchCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: tr("Search for cities to use in the config."),
    discussion: tr(
      """
      The text is the beginning of a city's name, or of any word in the name. The name can be \
      English, Korean or local. For a Korean name, you can type the first consonant of \
      each syllable: ㅅㅇ finds 서울. \
      You can also search for a country, a region or a time zone. "London, Canada" finds the \
      London in Canada. The first column shows what to write as `city` in the config.
      """))

  @Argument(help: .tr("The text to search for."), completion: .cities)
  var text: [String]
  @Option(name: .count, help: .tr("How many cities to show at most, 1 to 1000."))
  var count = 10
  @OptionGroup var table: TableOption

  func validate() throws {
    try ViewpointOptions.check(count)
    guard text.contains(where: { $0.contains { !$0.isWhitespace } }) else {
      throw ValidationError(tr("Say what to look for: belfry world search seoul."))
    }
  }

  @MainActor func perform() throws {
    let file = Disk.here { CityFile(Locations(), on: $0) }
    let (text, count) = (text.joined(separator: " "), count)
    guard let cities = Disk.here({ file.search(text, count: count, on: $0) }) else {
      throw CommandFailure(CityFile.unreadable)
    }
    if table.json {
      let here = Overview(
        configuration: Configuration(), schedule: Schedule(), zones: Zones(), now: Clock.now())
      Terminal.json(cities.map(here.found))
    } else {
      Terminal.table(
        cities.map(\.row),
        heading: tr("City|Korean|Local name|Country|Time zone"))
    }
    if cities.isEmpty {
      throw CommandFailure(
        Disk.here { file.unknown(text, otherwise: Message("try a larger city nearby"), on: $0) })
    }
  }
}

struct WorldAddCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: tr("Add a city to the config."),
    discussion: tr(
      """
      Name the city by any of its names, such as "New York", "London, Canada" or 서울, or name a \
      time zone. The new clock is added at the end of the list.
      """))

  @Argument(help: .tr("The city or the time zone."), completion: .cities)
  var city: [String]
  @Option(name: .label, help: .tr("The name to show for the clock."))
  var label: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let text = city.joined(separator: " ")
    let label = label == "" ? nil : label
    try config.edit(output) { editor in
      try Disk.here { try editor.addClock(text, label: label, on: $0) }
    } show: { outcome, overview in
      overview.printReport(outcome.meant)
    }
  }
}

struct WorldRemoveCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: tr("Remove a city from the config."), aliases: ["rm"])

  @Argument(help: .tr("The clock's label, city or time zone."), completion: .clocks)
  var city: [String]
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let text = city.joined(separator: " ")
    try config.edit(output) { editor in
      try Disk.here { try editor.removeClocks(text, on: $0) }
    } show: { outcome, _ in
      for clock in outcome.meant { Terminal.printLine(tr("removed \(clock.label ?? clock.name)")) }
    }
  }
}

struct WorldMoveCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: tr("Move a city to another place in the list."))

  @Argument(help: .tr("The clock's label, city or time zone."), completion: .clocks)
  var city: String
  @Argument(help: .tr("The new place in the list, counted from 1."))
  var place: Int
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func validate() throws {
    if place < 1 { throw ValidationError(tr("Places are counted from 1.")) }
  }

  @MainActor func perform() throws {
    let (city, place) = (city, place)
    try config.edit(output) { editor in
      try Disk.here { try editor.moveClock(city, to: place, on: $0) }
    } show: { outcome, overview in
      overview.printReport(outcome.clocks)
    }
  }
}

extension ConfigOption {
  /// Makes the edit, and prints its result as JSON or by calling `show`. Prints on standard error
  /// which alarms follow the sun of another city now.
  @MainActor fileprivate func edit(
    _ output: OutputOption, _ edit: (ConfigEditor) throws -> ConfigEditor.ClockOutcome,
    show: (ConfigEditor.ClockOutcome, Overview) -> Void
  ) throws {
    let outcome = try edit(editor)
    for (alarm, city) in outcome.redirected {
      Terminal.complain(tr("\(alarm) follows the sun in \(city) now"))
    }
    let overview = try view().overview
    if output.json, let clock = outcome.meant.first {
      return Terminal.json(overview.clock(clock))
    }
    show(outcome, overview)
  }
}

extension City {
  fileprivate var row: [StyledText] {
    let place = [region, country].filter { !$0.isEmpty }.joined(separator: ", ")
    return [StyledText(title, .bold)] + [korean, local, place].map { StyledText($0) }
      + [StyledText(zone, .dim)]
  }
}

extension Overview {
  fileprivate func printReport(_ clocks: [WorldClock]) {
    Terminal.table(
      clocks.map(row),
      heading: tr("City|Time|Day|Ahead|Sun"))
  }

  private func row(_ clock: WorldClock) -> [StyledText] {
    let name = StyledText(clock.label ?? clock.name)
    guard let zone = clock.zone else { return [name, StyledText("?", .colour(.yellow))] }
    let reading = reading(of: zone)
    let sun = clock.city.flatMap(sun).map { tr("sun \(wording.sun($0, in: zone))") }
    return [
      name, StyledText(wording.minute(now.wall, in: zone), .bold),
      StyledText(Wording.day(reading.days)), StyledText(Wording.offset(reading.offset)),
      StyledText(sun ?? "", .dim),
    ]
  }
}
