// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry pause` and `belfry resume`: list, add and remove the `[[pause]]` entries of the config. A
// pause is a range of days on which the alarms of a group, or all alarms, do not ring. The commands
// work without an agent. `PauseEdits.swift` edits the file.

import ArgumentParser
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System
import Values

struct PauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: tr("Keep alarms from ringing on some days, such as a holiday."),
    usage: """
      belfry pause [list]
      belfry pause <range> [--group <name>] [--label <label>]
      belfry pause remove <number>
      """,
    discussion: tr(
      """
      Adds a pause to the config. On the days of the pause, no alarm rings. With --group, only the \
      alarms of that group are silent. <range> stands for the days, as in the examples. Without a \
      range, the command lists the pauses and changes nothing. Each form also takes --json and \
      --config <file>.

      Examples:
        belfry pause today
        belfry pause 3d                       # today and the next two days
        belfry pause 2026-12-24..2027-01-03 --label Christmas
        belfry pause until friday             # from today to Friday
        belfry pause until 2027-01-03 --group school
        belfry pause 2026-12-24..             # until you remove the pause
        belfry pause remove 1                 # the first one in the list of pauses
        belfry resume                         # ends every pause that covers today
      """),
    subcommands: [PauseAddCommand.self, PauseListCommand.self, PauseRemoveCommand.self],
    defaultSubcommand: PauseAddCommand.self)
}

struct PauseAddCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: tr("Add a pause to the config. You can leave out the word add."),
    usage: "belfry pause <range> [--group <name>] [--label <label>]")

  @Argument(
    help: .tr(
      """
      The days, in one of these forms: today; tomorrow; friday; "24 dec"; 3d (today and the next \
      two days); \
      2026-12-24..2027-01-03 (both days included); 2026-12-24.. (without an end); until 2027-01-03 \
      (from today to that day, both days included).
      """), completion: .pausedDays)
  var range: [String] = []
  @Option(
    help: .tr("Pause only the alarms of this group, not all alarms.", valueName: "name"),
    completion: .groups)
  var group: String?
  @Option(name: .label, help: .tr("A label that says what the pause is for."))
  var label: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption
  @Option(help: .hidden) var color: TableOption.Color?

  func validate() throws {
    if group == "" { throw ValidationError(tr("--group needs a name")) }
    try TableOption.apply(color, isUsed: range.isEmpty, output)
  }

  @MainActor func perform() throws {
    guard !range.isEmpty else {
      if group == nil, label == nil { return try config.showPauses(isJSON: output.json) }
      throw ValidationError(tr("Say on which days, such as belfry pause today."))
    }
    let days = try PausedDays(range, seenFrom: config.today(of: group))
    let pause = Pause(
      from: days.first, until: days.last, group: group, label: label == "" ? nil : label)
    let editor = config.editor
    let (number, alarms) = try Disk.here { try editor.add(pause, on: $0) }
    if output.json {
      return Terminal.json(Status.Pause(number, pause, silencing: alarms))
    }
    Terminal.printLine(tr("paused: \(pause.words)"))
    if !alarms.isEmpty { Terminal.printLine(tr("will not ring: \(Self.names(alarms))")) }
    Terminal.printLine(tr("to end the pause: \("belfry pause remove \(number)\(config.option)")"))
  }

  /// Returns a list with the ids of the first ten alarms, and the number of the others.
  @MainActor private static func names(_ alarms: [Alarm]) -> String {
    let more = alarms.count - 10
    let names = alarms.prefix(10).map(\.id)
    return Wording.list(
      more > 0
        ? names + [tr("\(more) more", plural: "\(more) more", count: more)] : names)
  }
}

struct PauseListCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: tr("List the pauses of the config."), aliases: ["ls"])

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: TableOption

  @MainActor func perform() throws { try config.showPauses(isJSON: output.json) }
}

struct PauseRemoveCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: tr("Remove a pause, so that its alarms ring again."),
    aliases: ["rm"])

  @Argument(
    help: .tr("The number of the pause, as shown by `belfry pause list`."), completion: .pauses)
  var number: Int
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let (editor, number) = (config.editor, number)
    let (pauses, alarms) = try Disk.here { try editor.removePause(number, on: $0) }
    if output.json, let (number, pause) = pauses.first {
      return Terminal.json(Status.Pause(number, pause, silencing: alarms))
    }
    config.showRemoved(pauses)
  }
}

struct ResumeCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: tr("End every pause that covers today."),
    discussion: tr(
      """
      The whole of each pause is removed from the config, including its days after today. \
      The command prints how to add the pause again. To remove any other pause, use `belfry pause \
      remove`.

      Example:
        belfry resume
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let (editor, today) = (config.editor, try config.today())
    let (pauses, alarms) = try Disk.here { try editor.resume(on: today, on: $0) }
    if output.json { return Terminal.json(config.records(pauses, alarms)) }
    if pauses.isEmpty { print(tr("No alarm is paused today.")) }
    config.showRemoved(pauses)
  }
}

extension ConfigOption {
  /// Returns the current date in the time zone of the alarms of `group` or, without a group, of all
  /// alarms. If they have several zones, it is that of the machine.
  @MainActor fileprivate func today(of group: String? = nil) throws -> CivilDate {
    let alarms = try configuration().alarms.filter { group == nil || $0.group == group }
    let zones = Set(alarms.map(\.recurrence.zone))
    let zone = zones.count == 1 ? zones.first ?? nil : nil
    return Zones(machine: zone).civil(at: Clock.now().wall, in: nil).date
  }

  @MainActor fileprivate func showPauses(isJSON: Bool) throws {
    let overview = try view().overview
    let pauses = overview.numberedPauses
    if isJSON { return Terminal.json(records(pauses, overview.configuration.alarms)) }
    if pauses.isEmpty { return print(tr("No alarm is paused.")) }
    Terminal.table(
      pauses.map { number, pause in
        [String(number), pause.range, pause.group ?? "", pause.label ?? ""]
      },
      heading: tr("No.|Days|Group|Label"))
  }

  fileprivate func records(
    _ pauses: [(number: Int, pause: Pause)], _ alarms: [Alarm]
  ) -> [Status.Pause] {
    pauses.map { Status.Pause($0.number, $0.pause, silencing: alarms) }
  }

  /// Prints the pauses that were removed and, except for those that were past, the commands that
  /// add them again.
  @MainActor fileprivate func showRemoved(_ pauses: [(number: Int, pause: Pause)]) {
    for (_, pause) in pauses {
      Terminal.printLine(tr("removed: \(pause.words)"))
      if let until = pause.until, until < .today { continue }
      let options = [("--group", pause.group), ("--label", pause.label)].compactMap { name, text in
        text.map { "\(name) \(Wording.shell($0))" }
      }
      let command = (["belfry pause", pause.range] + options).joined(separator: " ") + option
      Terminal.printLine(tr("to write it again: \(command)"))
    }
  }
}

extension Pause {
  /// The days in the form in which `belfry pause` reads them.
  fileprivate var range: String {
    until.map { from == $0 ? "\(from)" : "\(from)..\($0)" } ?? "\(from).."
  }

  @MainActor fileprivate var words: String {
    let wording = Wording(zones: Zones(), clock: .automatic)
    return Wording.list([Wording.alarms(of: self), wording.days(of: self, seenFrom: .today)])
  }
}

/// The days of a pause: a day as in `DayText.swift`, `DAY..DAY`, `DAY..` for a pause without an
/// end, `until DAY`, or a number of days from today, such as `3d`.
private struct PausedDays {
  var first: CivilDate
  /// The last day; nil if the pause lasts until it is removed.
  var last: CivilDate?

  init(_ words: [String], seenFrom today: CivilDate) throws(ValidationError) {
    let text = words.joined(separator: " ")
    guard let (first, last) = Self.days(text, today) else {
      throw ValidationError(
        tr(
          """
          \(TerminalText.quoted(text)) is no range of days: write it as today, friday, 3d, \
          "24 dec", 2026-12-24..2027-01-03, 2026-12-24.. or until 2027-01-03.
          """))
    }
    if let last, last < today {
      throw ValidationError(tr("A pause cannot end on \(last), which is past."))
    }
    if let last, last < first {
      throw ValidationError(tr("A pause from \(first) cannot end on \(last)."))
    }
    (self.first, self.last) = (first, last)
  }

  private static func days(_ text: String, _ today: CivilDate) -> (CivilDate, CivilDate?)? {
    let weekdays = WeekdayNames(localized: System.Locale.typedWeekdays)
    func day(_ text: some StringProtocol) -> CivilDate? {
      DayText.parse(String(text), on: today, weekdays)
    }
    if text.lowercased().hasPrefix("until ") { return day(text.dropFirst(6)).map { (today, $0) } }
    if !text.includes(".."), let day = day(text) { return (day, day) }
    // `try?` ignores the error, because text that is not a duration may be a range of days.
    if let count = (try? DurationText.parse(text))?.wholeDays, (1...mostDays).contains(count) {
      return (today, today.adding(days: count - 1))
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty, let first = day(parts[0]) else { return nil }
    return parts[2].isEmpty ? (first, nil) : day(parts[2]).map { (first, $0) }
  }

  private static let mostDays = 3660
}

extension CivilDate {
  /// The current date in the time zone of the machine.
  @MainActor static var today: CivilDate { Zones().civil(at: Clock.now().wall, in: nil).date }
}
