// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands that change alarms in the config: `add`, `edit`, `remove`, `enable`, `disable`. They
// work without an agent, and a running agent notices that the file has changed. `AlarmEdits.swift`
// edits the file.

import ArgumentParser
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System
import TOML

struct AddCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: tr("Set an alarm."), usage: "belfry add <time> [<options>]",
    discussion: tr(
      """
      Writes the alarm to the config, and prints its id, its days and when it rings next.

      Examples:
        belfry add 7:30 --days weekdays --label Work
        belfry add 6:45 pm                # once, today or tomorrow
        belfry add tomorrow noon
        belfry add in 10 minutes
        belfry add 5:15 --date 2026-12-24 --label Train --snooze 5m,10m
        belfry add "sunrise - 30m" --days daily --city Seoul

      Write a time as 7:30, 07:30:15, 0730, 7h30, "7:30 am", 7pm, "half past seven", noon or \
      midnight. A time can also be relative to now, such as "in 10 minutes", or to the sun, such \
      as sunrise, "sunrise - 30m" or "sunset + 1h".

      Instead of using --date, --days or --every, you can write the days before or after the time, \
      such as "tomorrow 7:30", "24 dec 7:30", "7:30 weekdays except wed" or "every other mon \
      9:00". "friday 7:30" rings each Friday, and "once on friday 7:30" only once. Without days, \
      the alarm rings once. The reply says in full what was understood.

      Write a duration as 90s, 10m, 1h30m, 1.5h or "half an hour".

      A setting that you leave out takes its value from [defaults] in the config. Without a value \
      there, the alarm plays Carillon at a volume of 80, reaches this volume in 30s, rings for \
      10m, and can be snoozed for 10m.
      """))

  @Argument(
    help: .tr("When the alarm rings, such as 7:30, 7:30 am, tomorrow noon or \"sunrise - 30m\"."))
  var time: [String]
  @OptionGroup var alarm: AlarmOptions
  @Flag(help: .tr("Add the alarm, but leave it off until you use `belfry enable`."))
  var disabled = false
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    var editor = config.editor
    editor.spelled = { $0 == "time" ? "TIME" : spelledAsOption($0) }
    let settings = try settings(editor)
    try EditReport(Disk.here { try editor.add(settings, on: $0) }).printReport(output)
  }

  @MainActor private func settings(
    _ editor: ConfigEditor
  ) throws(ValidationError) -> [ConfigEditor.Setting] {
    let (text, context) = (time.joined(separator: " "), Disk.here { editor.context(on: $0) })
    let zone = alarm.zone(in: context, isByTheSun: AlarmTime(sun: text) != nil)
    let (now, zones) = (Clock.now().wall, Zones(machine: zone))
    let phrase = Phrase(when: text, at: now, in: zones, weekdays: context.weekdays)
    // Text that cannot be read as a phrase may be a time such as sunrise. The config reader checks
    // it.
    let rule = phrase?.settings ?? [SettingText.setting("time", [text])]
    let today = zones.civil(at: now, in: nil).date
    let sounds = SoundJudge.library(config.locations)
    var others = alarm.settings(in: context, on: today, sounds).filter {
      !["label", "group"].contains($0.key) || $0.text != ""
    }
    // `in 10 minutes` is a moment, whatever zone its time is written in.
    if rule.contains(where: { $0.key == "timezone" }) { others.removeAll { $0.key == "timezone" } }
    if let twice = others.first(where: { other in rule.contains { $0.key == other.key } }) {
      throw ValidationError(
        tr(
          """
          \(TerminalText.quoted(text)) already says on which days it rings: leave out \
          \(spelledAsOption(twice.key)).
          """))
    }
    let days = others.filter { ["days", "date", "every"].contains($0.key) }
    if TimeText.isEndOfDay(text), !days.isEmpty {
      throw ValidationError(
        tr("24:00 is the end of a day: write 0:00, and the day after it."))
    }
    if let every = others.first(where: { $0.key == "every" }),
      !others.contains(where: { $0.key == "from" })
    {
      others += start(of: every, others, rule, after: now, in: zones)
    }
    return rule + others + (disabled ? [ConfigEditor.Setting("enabled", flag: false)] : [])
  }

  /// Returns the setting `from` for an interval whose start the user left out: the first day on
  /// which the alarm can ring. Returns nothing if a setting has an error, which the config reader
  /// reports.
  @MainActor private func start(
    of every: ConfigEditor.Setting, _ others: [ConfigEditor.Setting],
    _ rule: [ConfigEditor.Setting], after now: Instant, in zones: Zones
  ) -> [ConfigEditor.Setting] {
    guard every.text.flatMap({ Interval.parse($0) }) != nil,
      case .time(let time, _)? = rule.first(where: { $0.key == "time" })?.value
    else { return [] }
    var dates = Recurrence.Dates.once
    if let named = others.first(where: { $0.key == "days" })?.value {
      let texts: [String] =
        switch named {
        case .array(let values): values.compactMap(\.kind.string)
        default: [named.string].compactMap(\.self)
        }
      let days = texts.compactMap { WeekdayNames().days($0) }.reduce(Days()) { $0.union($1) }
      if days.isEmpty { return [] }
      dates = .days(days)
    }
    let next = Recurrence(time: time, dates: dates).next(after: now, in: zones)
    return next.map { [ConfigEditor.Setting("from", date: $0.date)] } ?? []
  }
}

struct EditCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: tr("Change settings of an alarm."),
    usage: "belfry edit <id> [--time <time>] [<options>] [--unset <key>]",
    discussion: tr(
      """
      Changes the settings that you name, and leaves the rest of the config as it is.

      Examples:
        belfry edit work --time 7:15
        belfry edit work --except 2026-12-25      # one more day without a ring
        belfry edit work --unset except           # rings on all of its days again
        belfry edit work --sound Birds --unset snooze
        belfry edit train --date 2027-01-04       # once, no longer on weekdays

      If an alarm that rings once and has no date is over, any edit makes it ring again, today or \
      tomorrow. If the alarm has a date, it does not ring again until you give it a date and time \
      in the future, or use `belfry enable`.
      """))

  @Argument(help: .tr("The alarm's id, as shown by `belfry list`."), completion: .alarms)
  var id: String
  @Option(help: .tr("The new time of the alarm, such as 7:30, \"7:30 am\" or \"sunset + 1h\"."))
  var time: String?
  @OptionGroup var alarm: AlarmOptions
  @Option(
    help: .tr(
      """
      Remove a setting, such as snooze, from the alarm. The value in [defaults] of the config, if \
      there is one, then applies. You can repeat the option.
      """, valueName: "key"),
    completion: .list(SettingText.keys))
  var unset: [String] = []
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    var editor = config.editor
    editor.spelled = spelledAsOption
    let settings = try settings(editor)
    try check(settings)
    try EditReport(Disk.here { try editor.change(id, settings, on: $0) }).printReport(output)
  }

  @MainActor private func settings(
    _ editor: ConfigEditor
  ) throws(ValidationError) -> [ConfigEditor.Setting] {
    let time = time.map { SettingText.setting("time", [$0]) }
    let (context, sounds) = (
      Disk.here { editor.context(on: $0) }, SoundJudge.library(config.locations)
    )
    let zone =
      alarm.timezone == nil && alarm.city == nil
      ? (try? config.configuration())?.alarm(id)?.recurrence.zone
      : alarm.zone(in: context, isByTheSun: true)
    let today = Zones(machine: zone).civil(at: Clock.now().wall, in: nil).date
    let others = alarm.settings(in: context, on: today, sounds).map { setting in
      switch (setting.key, setting.text) {
      case ("label", ""), ("group", ""): ConfigEditor.Setting(removing: setting.key)
      case ("except", _): setting.appended
      default: setting
      }
    }
    return try removals() + [time].compactMap(\.self) + others
  }

  private func removals() throws(ValidationError) -> [ConfigEditor.Setting] {
    var removals: [ConfigEditor.Setting] = []
    for name in unset {
      let key = String(name.map { $0 == "-" ? "_" : $0 })
      if key == "time" { throw ValidationError(tr("An alarm needs its time: use --time.")) }
      guard SettingText.keys.contains(key) else {
        let near = nearMatch(to: key, among: SettingText.keys)
        let shown = TerminalText.quoted(name)
        throw ValidationError(
          complaint(tr("There is no alarm setting \(shown)."), hint: near.map(Message.didYouMean)))
      }
      removals.append(ConfigEditor.Setting(removing: key))
    }
    return removals
  }

  private func check(_ settings: [ConfigEditor.Setting]) throws(ValidationError) {
    if settings.isEmpty {
      throw ValidationError(tr("Say what to change, such as --time 7:15."))
    }
    let keys = settings.map(\.key)
    if let twice = keys.first(where: { key in keys.count { $0 == key } > 1 }) {
      throw ValidationError(
        tr("\(spelledAsOption(twice)) and --unset \(twice) contradict each other."))
    }
  }
}

struct RemoveCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: tr("Remove alarms from the config."),
    usage: "belfry remove <id> ...\nbelfry remove --group <name>\nbelfry remove --done",
    discussion: tr(
      """
      Comments inside an alarm and directly above it are removed with the alarm. A comment \
      directly below it is also removed, unless the comment belongs to the next entry, directly \
      above which it stands.

      --done removes all alarms that ring once and are over: they were stopped, skipped or missed, \
      or their day is past.
      """), aliases: ["rm"])

  @Flag(help: .tr("Remove all alarms that ring once and are over."))
  var done = false
  @OptionGroup var alarms: AlarmsOption

  func validate() throws {
    if alarms.isGiven == done {
      throw ValidationError(tr("Name the alarms to remove, or say --done."))
    }
  }

  @MainActor func perform() throws {
    let editor = alarms.config.editor
    let ids = done ? [] : try alarms.named()
    let done = done
    let outcome = try Disk.here { disk in
      try done ? editor.removeDone(on: disk) : editor.remove(ids, on: disk)
    }
    try EditReport(outcome).showRemoved(alarms.output)
  }
}

struct EnableCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: tr("Switch alarms on."),
    usage: "belfry enable <id> ...\nbelfry enable --group <name>",
    discussion: tr(
      """
      If a one-time alarm is over, this command makes it ring again, today or tomorrow. For this, \
      the command writes the date of that day to the config.
      """))

  @OptionGroup var alarms: AlarmsOption

  @MainActor func perform() throws { try setEnabled(alarms, true) }
}

struct DisableCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: tr("Switch alarms off; they stay in the config."),
    usage: "belfry disable <id> ...\nbelfry disable --group <name>")

  @OptionGroup var alarms: AlarmsOption

  @MainActor func perform() throws { try setEnabled(alarms, false) }
}

@MainActor private func setEnabled(_ alarms: AlarmsOption, _ flag: Bool) throws {
  let (editor, ids) = (alarms.config.editor, try alarms.named())
  try EditReport(Disk.here { try editor.setEnabled(ids, flag, on: $0) }).showEach(
    isEnabled: flag, alarms.output)
}

/// Returns the option for a key: `--fade-in` for `fade_in`.
private nonisolated func spelledAsOption(_ key: String) -> String {
  "--" + key.map { $0 == "_" ? "-" : $0 }
}
