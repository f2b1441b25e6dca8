// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings of an alarm as options, one for each key of the config. What they may be is judged
// by the config's own reader. Next: `EditCommands.swift`.

import ArgumentParser
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
      "Weekdays: mon,fri, mon-fri, weekdays, weekends, daily; of the month: \"1st mon,last fri\"."),
    completion: .days)
  var days: [String] = []
  @Option(help: .tr("Once, on that day: 2026-12-24, tomorrow.", valueName: "date"))
  var date: String?
  @Option(
    help: .tr(
      "Not every week: \"2 weeks\", \"3 days\", \"1 months\", \"1 years\".", valueName: "interval"),
    completion: .intervals)
  var every: String?
  @Option(
    help: .tr(
      "The first day on which it may ring; --every is counted from it: 2026-11-23.",
      valueName: "date"))
  var from: String?
  @Option(help: .tr("The last day on which it may ring: 2027-06-30.", valueName: "date"))
  var until: String?
  @Option(name: .label, help: .tr("What it is for."))
  var label: String?
  @Option(
    help: .tr("What it and others are called together.", valueName: "name"), completion: .groups)
  var group: String?
  @Option(help: .tr("What commands call it; made from the label or the time where left out."))
  var id: String?
  @Option(
    help: .tr(
      "Days on which it does not ring: 2026-12-25,2026-12-28..2027-01-02,holidays.ics.",
      valueName: "dates"))
  var except: [String] = []
  @Option(
    help: .tr("The zone by whose clocks it rings: Asia/Seoul.", valueName: "zone"),
    completion: .zones)
  var timezone: String?
  @Option(help: .tr("Where the sun rises, for a time by the sun: Seoul."), completion: .cities)
  var city: String?
  @Option(
    help: .tr(
      "A name from `belfry sounds`, or the path of a file or a folder; of several, one rings.",
      valueName: "sound"),
    completion: .sounds)
  var sound: [String] = []
  @Option(help: .tr("An ALSA device for it alone, or several.", valueName: "device"))
  var device: [String] = []
  @Option(help: .tr("0 to 100.", valueName: "percent"))
  var volume: String?
  @Option(help: .tr("From silence to the volume: 30s.", valueName: "duration"))
  var fadeIn: String?
  @Option(help: .tr("Up to three lengths: 5m,10m; \"\" for none.", valueName: "durations"))
  var snooze: [String] = []
  @Option(help: .tr("How often it can be snoozed by hand; 0: no limit.", valueName: "count"))
  var snoozes: String?
  @Option(help: .tr("Then it is unanswered: 10m, forever.", valueName: "duration"))
  var ringFor: String?
  @Option(
    help: .tr("What happens then: snooze or miss.", valueName: "what"),
    completion: .list(["snooze", "miss"]))
  var unanswered: String?
  @Option(help: .tr("How often it snoozes by itself.", valueName: "count"))
  var autoSnoozes: String?
  @Option(
    help: .tr("How long after Stop you are asked whether you are up: 5m.", valueName: "duration"))
  var check: String?
  @Option(help: .tr("Found due no longer ago, it still rings: 10m.", valueName: "duration"))
  var late: String?
  @Option(
    help: .tr("When a notification lets you skip it: 30m, 0s for none.", valueName: "duration"))
  var upcoming: String?
  @Option(
    help: .tr("How long ahead of it the commands of on_before run: 10m.", valueName: "duration"))
  var before: String?
  @Option(
    help: .tr(
      "How long ahead of it a notification says that it is time to sleep: 8h.",
      valueName: "duration"))
  var bedtime: String?
  @Flag(inversion: .prefixedNo, help: .tr("Wake the machine for it."))
  var wake: Bool?

  /// Each key that was given, as it was typed: an option `fadeIn` is the key `fade_in`.
  private var texts: [(key: String, texts: [String])] {
    Mirror(reflecting: self).children.compactMap { child in
      // ArgumentParser keeps each in a wrapper, whose name begins with `_`.
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
      case "sound": (key, texts.map(Locations.typed))
      default: (key, texts)
      }
    }
  }

  /// Days and calendars, with commas between them.
  private static func typed(_ dates: String) -> String {
    dates.split(separator: ",", omittingEmptySubsequences: false).map { part in
      part.contains("/") ? Locations.typed(String(part.drop { $0 == " " })) : String(part)
    }.joined(separator: ",")
  }

  func settings(in context: ReadingContext, on today: CivilDate) -> [ConfigEditor.Setting] {
    texts.map { SettingText.setting($0.key, $0.texts, context.weekdays, on: today) }
  }
}

extension ConfigOption {
  /// Edits the config by what the agent remembers now.
  @MainActor var editor: ConfigEditor {
    let locations = locations
    var state = Blocking.here { StateFile.read(locations.state) }.state
    // What was answered a moment ago may not be on the disk yet, where that is slow.
    if state.alarms.values.contains(where: \.phase.isUnderWay) {
      for id in answeredAlarms() where state.alarms[id]?.phase.isUnderWay == true {
        state.alarms[id]?.phase = .over
      }
    }
    return ConfigEditor(
      locations, name: config ?? locations.config, state: state, now: Clock.now())
  }

  /// The alarms that are over, as an agent that runs has them.
  @MainActor private func answeredAlarms() -> [String] {
    // Without an agent, or with one that has no time for this, the disk has the word.
    guard let status = AgentConnection.ask("Status"),
      status["agent"]?["config"]?.string == locations.config
    else { return [] }
    return (status["alarms"]?.dictionaries ?? []).filter { $0["state"]?.string == "over" }
      .compactMap { $0["id"]?.string }
  }
}

extension AlarmState.Phase {
  /// Whether it rings, or may again.
  fileprivate var isUnderWay: Bool {
    switch self {
    case .open, .checking: true
    case .scheduled, .over: false
    }
  }
}
