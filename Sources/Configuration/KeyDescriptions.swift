// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each key of the config means, in a sentence: editors show it. belfry.toml(5) has more. In
// English, as the schema is one file for everybody.

enum KeyDescriptions {
  /// By key, or by table and key where one key means two things.
  static let meanings: [String: String] = [
    // The file.
    "defaults": "How alarms and timers ring that do not say otherwise.",
    "agent": "How the agent behaves, whatever it is that rings.",
    "alarm": "An alarm: at a time, on weekdays, on a date, or once.",
    "pause": "Days on which no alarm rings, as in a holiday, or none of a group.",
    "timer": "A preset: belfry timer NAME starts it.",
    "clock": "A place of the world clock.",
    "chime": "One stroke at such times, where it disturbs nobody.",
    // How it rings.
    "sound":
      #"A name from "belfry sounds", a path, or a path relative to this file; of a list, or a folder, one."#,
    "volume": "Percent, 0 to 100.",
    "fade_in": #"From silence to the volume, such as "30s"; "0s" is at once."#,
    "snooze": #"For how long a snooze is, or up to three lengths, each with a button; [] is none."#,
    "snoozes": "How often one ring can be snoozed by hand; 0 is as often as you like.",
    "ring_for": #"How long it rings until it is unanswered, or "forever"."#,
    "unanswered": #""snooze" by itself, at most auto_snoozes times, or "miss" it at once."#,
    "auto_snoozes": "How often it snoozes by itself before it is missed.",
    "check":
      #"How long after Stop you are asked whether you are up, such as "5m"; "0s" is not at all."#,
    "late": "Found due no longer ago than this, it still rings; later, it is missed.",
    "upcoming": #"How long ahead a quiet notification lets you skip it; "0s" is none."#,
    "wake": "Whether the machine is woken from suspend.",
    "before":
      #"How long ahead of a ring the commands of on_before run, such as "10m"; "0s" is not at all."#,
    "on_before":
      "A command to run so long before it rings, as a list of words, or a list of such lists.",
    "bedtime":
      #"How long ahead of a ring a quiet notification says that it is time to sleep, such as "8h"; "0s" is not at all."#,
    "on_ring": "A command to run when it rings, as a list of words, or a list of such lists.",
    "on_stop": "A command to run when it is over, as a list of words, or a list of such lists.",
    // The agent.
    "agent.clock": #""12h", "24h", or "auto": as the desktop and the locale say."#,
    "on_close":
      #"What closing the notification does: "stop", "snooze", "ring" on, or "auto": stop by its x alone."#,
    "device": "ALSA devices, or one, tried in their order before those of [agent].",
    "agent.device": "An ALSA device, or a list of them in the order in which they are tried.",
    "mixer": #"While an alarm rings, "raise" the output to mixer_floor, or "leave" it."#,
    "mixer_floor": "Percent, 0 to 100.",
    "pause_media": "Whether players are paused while it rings.",
    "countdown": "Whether running timers show a notification.",
    "tray": "Whether a symbol is in the panel while something rings or runs.",
    "wake_ahead": "How long before the ring a suspended machine is woken.",
    "lock_screen":
      #"What GNOME's lock screen shows of a notification: its "details", or a "count" alone."#,
    // Alarms, timers and places.
    "id": "What commands call it; made from the label where it is left out.",
    "time":
      #"A time of day: 07:30, 07:30:15, "7:30 am"; by the sun, "sunrise - 30m", "sunset + 1h"."#,
    "days":
      #"["mon", "fri"], "weekdays", "weekends" or "daily"; of the month, "1st mon", "last fri"."#,
    "date": "Once, on that day: 2026-12-24.",
    "group": "What several alarms are called together, as in belfry disable --group NAME.",
    "every": #""2 weeks", "3 days", "1 months" or "1 years", counted from the day in from."#,
    "from": "The first day on which it may ring: 2026-11-23.",
    "until": "The last day on which it may ring: 2027-06-30.",
    "pause.from": "The first of these days: 2026-12-24.",
    "pause.until": "The last of them: 2027-01-03; left out: until the pause is taken away.",
    "pause.group": "Only the alarms of this group; left out: all.",
    "except":
      #"Days on which it does not ring: [2026-12-25, "2026-12-28..2027-01-02", "holidays.ics"]."#,
    "label": "What it is called.",
    "timezone": #"A fixed time zone, such as "Asia/Seoul"; left out: wherever the machine is."#,
    "clock.timezone": #"A time zone, such as "Asia/Seoul", in place of a city."#,
    "enabled": "Whether it rings.",
    "name": "What belfry timer calls it.",
    "duration": #"How long it runs, such as "4m" or "1h30m"."#,
    "then": "The timer that starts when this one is answered.",
    "flow": "Whether that starts as soon as this one is over, answered or not.",
    "repeat": #"How many rounds there are of this timer and all that follow it, or "forever"."#,
    "warn": #"A short sound and a notice so long before the end, such as "1m"."#,
    "chime.every": #"A part of an hour or whole hours, counted from midnight, such as "30m"."#,
    "between": "The first and the last time of day at which it strikes: [09:00, 18:00].",
    "chime.sound": "A sound, or several, whose first two seconds are heard.",
    "city": #"A city, as in "belfry world search"."#,
    "alarm.city":
      #"Where the sun rises for it; left out: the city of the first [[clock]] that has one."#,
  ]
}
