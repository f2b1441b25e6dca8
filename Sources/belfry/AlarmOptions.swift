// SPDX-License-Identifier: GPL-3.0-or-later
//
// The options of `add` and `edit`: one for each key of `[[alarm]]`. The config reader checks their
// values. Next: `EditCommands.swift`.

import ArgumentParser
import Cities
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

struct AlarmOptions: ParsableArguments {
  @Option(
    name: .days,
    help: .tr(
      """
      The days of the week, such as mon-fri, mon,thu, weekdays or daily. For certain days of \
      each month, write "1st mon,last fri", 15th, "last day" or "last weekday".
      """),
    completion: .days)
  var days: [String] = []
  @Option(
    help: .tr(
      "The day of an alarm that rings once, such as 2026-12-24, tomorrow, friday or \"24 dec\".",
      valueName: "date"))
  var date: String?
  @Option(
    help: .tr(
      """
      The interval at which the alarm rings, such as "2 weeks", "3 days" or "1 month". It is \
      counted from the day in --from. `belfry add` counts from the first day on which the alarm \
      can ring if you leave out --from.
      """,
      valueName: "interval"),
    completion: .intervals)
  var every: String?
  @Option(
    help: .tr("The first day on which the alarm may ring, such as 2026-11-23.", valueName: "date"))
  var from: String?
  @Option(
    help: .tr("The last day on which the alarm may ring, such as 2027-06-30.", valueName: "date"))
  var until: String?
  @Option(name: .label, help: .tr("A label that says what the alarm is for."))
  var label: String?
  @Option(
    help: .tr(
      """
      The group of the alarm, such as school. A command such as `belfry skip --group school` \
      then applies to each alarm of the group.
      """, valueName: "name"), completion: .groups)
  var group: String?
  @Option(
    help: .tr(
      """
      The id with which you name the alarm in commands. An alarm without an id of its own gets one \
      that is made from its label or its time.
      """))
  var id: String?
  @Option(
    help: .tr(
      """
      Days on which the alarm does not ring: dates, ranges of dates or iCalendar files, such as \
      2026-12-25,2026-12-28..2027-01-02,holidays.ics. `belfry edit` adds these days to the \
      ones that an alarm already has.
      """,
      valueName: "dates"))
  var except: [String] = []
  @Option(
    help: .tr(
      """
      The time zone of the alarm, such as Asia/Seoul. Without one, the alarm follows the machine's \
      time zone.
      """, valueName: "zone"),
    completion: .zones)
  var timezone: String?
  @Option(
    help: .tr("The city whose sunrise or sunset the alarm's time refers to, such as Seoul."),
    completion: .cities)
  var city: String?
  @Option(
    help: .tr(
      """
      The sound: a name from `belfry sounds`, or the path of a file or of a folder with sounds. \
      Repeat the option for several sounds. Each ring plays one of these sounds, chosen at random.
      """,
      valueName: "sound"),
    completion: .sounds)
  var sound: [String] = []
  @Option(
    help: .tr(
      """
      The ALSA device for this alarm. Repeat the option for several devices, which are tried in \
      order.
      """, valueName: "device"))
  var device: [String] = []
  @Option(help: .tr("The volume in percent, 0 to 100.", valueName: "percent"))
  var volume: String?
  @Option(
    help: .tr(
      "How long the sound takes to reach its full volume, such as 30s.", valueName: "duration"))
  var fadeIn: String?
  @Option(
    help: .tr(
      """
      The length of a snooze, or up to three lengths to choose from, such as 5m,10m. Write "" for \
      no snooze.
      """, valueName: "durations"))
  var snooze: [String] = []
  @Option(
    help: .tr("How many times you can snooze one ring. 0 means no limit.", valueName: "count"))
  var snoozes: String?
  @Option(
    help: .tr(
      """
      How long the alarm rings before it counts as unanswered: a duration such as 10m, or forever.
      """, valueName: "duration"))
  var ringFor: String?
  @Option(
    help: .tr(
      """
      What happens to an unanswered ring: snooze (it rings again later) or miss (it counts as \
      missed).
      """, valueName: "what"),
    completion: .list(["snooze", "miss"]))
  var unanswered: String?
  @Option(
    help: .tr(
      "How many times an unanswered ring snoozes by itself before it counts as missed.",
      valueName: "count"))
  var autoSnoozes: String?
  @Option(
    help: .tr(
      """
      Ask whether you are up this long after you stop the alarm, such as 5m. If you do not answer, \
      the alarm rings again. 0s, the default, means that Belfry does not ask.
      """, valueName: "duration"))
  var check: String?
  @Option(
    help: .tr(
      """
      If the alarm cannot ring on time, let it ring up to this much later, such as 10m. After \
      that, it counts as missed.
      """, valueName: "duration"))
  var late: String?
  @Option(
    help: .tr(
      """
      Show a notification with the button "Skip" this long before each ring, such as 1h. The \
      default is 30m; 0s means no notification.
      """,
      valueName: "duration"))
  var upcoming: String?
  @Option(
    help: .tr(
      """
      Run the commands of the key on_before in the config this long before each ring, such as 10m. \
      0s, the default, means that they do not run.
      """, valueName: "duration"))
  var before: String?
  @Option(
    help: .tr(
      """
      Show a notification that it is time to sleep this long before each ring, such as 8h. 0s, the \
      default, means no notification.
      """,
      valueName: "duration"))
  var bedtime: String?
  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: .tr("Wake the machine from suspend for the ring."))
  var wake: Bool?

  /// The options that the user gave, as keys of the config with their values. For example, the key
  /// of the property `fadeIn` is `fade_in`.
  private func texts(_ sounds: SoundLibrary) -> [(key: String, texts: [String])] {
    Mirror(reflecting: self).children.compactMap { child in
      // A property wrapper is stored under the name of its property with `_` before it.
      let key = (child.label ?? "").dropFirst().map {
        $0.isUppercase ? "_\($0.lowercased())" : "\($0)"
      }
      .joined()
      let texts: [String] =
        switch child.value {
        case let option as Option<String?>: option.wrappedValue.map { [$0] } ?? []
        case let option as Option<[String]>: option.wrappedValue
        case let flag as Flag<Bool?>: flag.wrappedValue.map { [String($0)] } ?? []
        default: []
        }
      if texts.isEmpty { return nil }
      return switch key {
      case "except": (key, texts.map(Self.typed))
      case "sound": (key, texts.map { typed in Disk.here { sounds.typed(typed, on: $0) } })
      default: (key, texts)
      }
    }
  }

  /// Resolves the paths of calendar files in a list of days against the current folder. A name
  /// without a slash stays as it is: it means a file in the folder of the config.
  private static func typed(_ dates: String) -> String {
    dates.split(separator: ",", omittingEmptySubsequences: false).map { part in
      OutsideText.hasSlash(part) ? Locations.typed(String(part.drop { $0 == " " })) : String(part)
    }.joined(separator: ",")
  }

  /// Returns the time zone of an alarm with these options: the zone of `--timezone`, or the city's
  /// if the alarm's time is by the sun. Days such as `tomorrow` are days of this zone.
  func zone(in context: ReadingContext, isByTheSun: Bool) -> String? {
    if let timezone { return Zones.exists(timezone) ? timezone : nil }
    guard isByTheSun, let city else { return nil }
    return context.cities([city])?[city]?.zone
  }

  /// Returns the settings for the config. Warns about sounds that cannot be played; `sounds` finds
  /// them.
  @MainActor func settings(
    in context: ReadingContext, on today: CivilDate, _ sounds: SoundLibrary
  ) -> [ConfigEditor.Setting] {
    let texts = texts(sounds)
    SoundJudge.warn(texts.filter { $0.key == "sound" }.flatMap(\.texts), sounds)
    return texts.map { SettingText.setting($0.key, $0.texts, context.weekdays, on: today) }
  }
}

extension ConfigOption {
  @MainActor var editor: ConfigEditor {
    let locations = locations
    let state = Disk.here { StateFile.read(locations.state, on: $0) }.state
    return ConfigEditor(
      locations, name: config ?? locations.config, state: state, now: Clock.now())
  }
}
