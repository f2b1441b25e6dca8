// SPDX-License-Identifier: GPL-3.0-or-later
//
// The keys of `[[alarm]]`, `[[pause]]`, `[[clock]]` and `[[chime]]`, except those that decide how
// an alarm rings, which are in `SettingKeys.swift`. `AlarmEntry.swift` and `OtherEntries.swift`
// make alarms, pauses, clocks and chimes from the values.

import Language
import Scheduling

/// The values of the keys of an alarm, except those that decide how it rings.
struct AlarmFields {
  var id: String?
  var time: AlarmTime?
  var days: Days?
  var date: CivilDate?
  var every: IntervalStep?
  var from: CivilDate?
  var until: CivilDate?
  var label: String?
  var group: String?
  var except = Exceptions()
  var zone: String?
  var city: String?
  var enabled = true
}

extension AlarmFields {
  static let keys: [SettingKey<AlarmFields>] = [
    SettingKey(
      "id", \.id, .identifier,
      """
      The name by which commands find the alarm. \
      Without this key, Belfry makes an id from the label or the time.
      """),
    SettingKey(
      "time", \.time, .alarmTime,
      orElse: (Message("this alarm has no time"), hint: Message("write time = 07:30")),
      """
      The time of day at which the alarm rings, such as 07:30, 07:30:15 or "7:30 am". \
      Instead, the alarm can ring at "sunrise" or "sunset", or up to 12 hours before or after \
      one of them: "sunrise - 30m", "sunset + 1h".
      """),
    SettingKey(
      "days", \.days, { .days($0.weekdays) },
      """
      The days on which the alarm rings: a name or a list of names, such as ["mon", "fri"], \
      "weekdays", "weekends" or "daily". \
      A day of each month is written as "1st mon" or "last fri".
      """),
    SettingKey(
      "date", \.date, .date, "The only day on which the alarm rings, such as 2026-12-24."),
    SettingKey(
      "every", \.every, .every,
      """
      The interval at which the alarm rings, such as "3 days", "2 weeks", "1 month" or "1 year". \
      An alarm with this key must also have the key "from": intervals are counted from that date.
      """),
    SettingKey(
      "from", \.from, .date, "The first day on which the alarm may ring, such as 2026-11-23."),
    SettingKey(
      "until", \.until, .date, "The last day on which the alarm may ring, such as 2027-06-30."),
    SettingKey("label", \.label, .label, "The title of the alarm's notifications."),
    SettingKey(
      "group", \.group, .label,
      """
      A name that several alarms can share, for commands such as "belfry disable --group school".
      """),
    SettingKey(
      "except", \.except, .exceptions,
      """
      The days on which the alarm does not ring: dates, ranges of dates (including both ends), \
      and iCalendar files, such as [2026-12-25, "2026-12-28..2027-01-02", "holidays.ics"].
      """),
    SettingKey(
      "timezone", \.zone, { .zone($0.zones) },
      """
      The time zone of the alarm's time and days, such as "Asia/Seoul". \
      Without this key, the alarm follows the time zone of the machine.
      """),
    SettingKey(
      "city", \.city, { .city($0.cities) },
      """
      The city whose sunrise or sunset the alarm follows. \
      Without this key, the alarm follows the first [[clock]] that has a city.
      """),
    SettingKey("enabled", \.enabled, .flag, "Whether the alarm rings."),
  ]
}

struct PauseFields {
  var from: CivilDate?
  var until: CivilDate?
  var label: String?
  var group: String?
}

extension PauseFields {
  static let keys: [SettingKey<PauseFields>] = [
    SettingKey(
      "from", \.from, .date,
      orElse: (Message("this pause has no first day"), hint: Message("write from = 2026-12-24")),
      "The first day of the pause, such as 2026-12-24."),
    SettingKey(
      "until", \.until, .date,
      """
      The last day of the pause, such as 2027-01-03. \
      Without a last day, the pause lasts until you remove it.
      """),
    SettingKey("label", \.label, .label, #"A name for the pause, such as "Christmas"."#),
    SettingKey(
      "group", \.group, .label,
      """
      The group of alarms to which the pause applies. \
      Without a group, the pause applies to all alarms.
      """),
  ]
}

struct ClockFields {
  var city: String?
  var zone: String?
  var label: String?
}

extension ClockFields {
  static let keys: [SettingKey<ClockFields>] = [
    SettingKey(
      "city", \.city, { .city($0.cities) },
      #"The name of a city that "belfry world search" finds."#),
    SettingKey(
      "timezone", \.zone, { .zone($0.zones) },
      #"A time zone instead of a city, such as "Asia/Seoul"."#),
    SettingKey(
      "label", \.label, .label,
      "A name that is shown instead of the city or the time zone."),
  ]
}

extension Chime {
  static let keys: [SettingKey<Chime>] = [
    SettingKey(
      "every", \.every, .chimeStep,
      orElse: (
        Message("this chime does not say how often"), hint: Message(#"write every = "1h""#)
      ),
      """
      The time between two strokes: a duration that divides an hour evenly, such as "20m", \
      or from 1 to 24 whole hours.
      """),
    SettingKey(
      "between", \.between, .hours,
      """
      The first and the last time of day at which the chime may strike, such as [09:00, 18:00]. \
      Without this key, the chime strikes all day.
      """),
    SettingKey(
      "days", \.days, { .days($0.weekdays) },
      """
      The days on which the chime strikes, such as "weekdays" or ["mon", "fri"], \
      written as for an alarm.
      """),
    SettingKey(
      "sound", \.sounds, { .sounds($0.sounds) },
      """
      The name of a sound that "belfry sounds" lists, the path of a file or folder, \
      or a list of these.
      """),
  ]
}
