// SPDX-License-Identifier: GPL-3.0-or-later
//
// The keys that decide how alarms and timers ring, the other keys of timers, and the keys of
// `[agent]`. Each row has a key's name, field, allowed values and meaning, in the order of the
// manual page. The reader, the schema, edits and the options of commands follow from these rows.
// Next: `EntryKeys.swift`, for alarms, pauses, clocks and chimes.

import Language
import Scheduling

extension RingSettings {
  static let keys: [SettingKey<RingSettings>] = [
    SettingKey(
      "sound", \.sounds, { .sounds($0.sounds) },
      """
      The name of a sound that "belfry sounds" lists, the path of a file or folder, or a list of \
      these. \
      From a list or a folder, one sound is chosen at random.
      """),
    SettingKey(
      "device", \.devices, .names, unless: .defaults,
      """
      The ALSA device that plays the sound, or a list of devices in the order in which they are \
      tried. \
      After these, the devices in the section [agent] are tried.
      """),
    SettingKey("volume", \.volume, .percent, "The volume of the sound in percent, from 0 to 100."),
    SettingKey(
      "fade_in", \.fadeIn, .duration(),
      """
      How long the sound takes to reach its full volume, such as "30s". \
      With "0s", the sound begins at full volume.
      """),
    SettingKey(
      "snooze", \.snooze, .upToThreeDurations,
      """
      The length of a snooze, or a list of up to three lengths, each at least "1s". \
      The notification has a button for each length. \
      With [], the ring cannot be snoozed, and an unanswered ring is missed at once.
      """),
    SettingKey(
      "snoozes", \.snoozeLimit, .count,
      """
      How many times you can snooze one ring. \
      With 0, you can snooze it as often as you like.
      """),
    SettingKey(
      "ring_for", \.ringFor, .durationOrForever,
      """
      How long a ring sounds before it counts as unanswered: at least "1s", or "forever".
      """),
    SettingKey(
      "unanswered", \.unanswered, .word,
      """
      What happens to an unanswered ring: "snooze" or "miss". \
      With "snooze", the ring snoozes by itself, up to "auto_snoozes" times, and is missed after \
      that. \
      With "miss", the ring is missed without a snooze.
      """),
    SettingKey(
      "auto_snoozes", \.autoSnoozeLimit, .count,
      "How many times an unanswered ring snoozes by itself before it is missed: 0 or more."),
    SettingKey(
      "check", \.check, .duration(), unless: .timer,
      """
      How long after you stop an alarm Belfry asks whether you are up, such as "5m". \
      With "0s", Belfry does not ask.
      """),
    SettingKey(
      "late", \.late, .duration(),
      """
      How late an alarm or a timer may still begin to ring, for example after a suspend. \
      A ring that would begin later is missed.
      """),
    SettingKey(
      "upcoming", \.upcoming, .duration(),
      """
      How long before the ring a quiet notification appears, with a button that skips the ring. \
      With "0s", there is no such notification.
      """),
    SettingKey("wake", \.wake, .flag, "Whether a suspended machine is woken for the ring."),
    SettingKey(
      "before", \.before, .duration(), unless: .timer,
      """
      How long before the ring the commands in the key "on_before" start, such as "10m". \
      With "0s", these commands do not run.
      """),
    SettingKey(
      "on_before", \.onBefore, .commands, unless: .timer,
      """
      The command that runs before an alarm rings, such as ["kettle", "on"], or a list of \
      commands, such as [["kettle", "on"], ["lamp", "on"]].
      """),
    SettingKey(
      "bedtime", \.bedtime, .bedtime, unless: .timer,
      """
      How long before the ring a quiet notification reminds you to go to sleep: \
      from "1m" to "24h". \
      With "0s", there is no such notification.
      """),
    SettingKey(
      "on_ring", \.onRing, .commands,
      """
      The command that runs when a ring begins, and again after each snooze, \
      such as ["lamp", "on"], or a list of commands.
      """),
    SettingKey(
      "on_stop", \.onStop, .commands,
      """
      The command that runs when a ring ends or is snoozed, \
      such as ["lamp", "off"], or a list of commands.
      """),
  ]
}

extension TimerPreset {
  static let keys: [SettingKey<TimerPreset>] = [
    SettingKey(
      "name", \.name, .identifier,
      orElse: (Message("this timer has no name"), hint: Message(#"write name = "tea""#)),
      #"The name that starts the timer, as in "belfry timer tea"."#),
    SettingKey(
      "duration", \.duration, .duration(from: .seconds(1), to: Timer.longest),
      orElse: (Message("this timer has no duration"), hint: Message(#"write duration = "4m""#)),
      #"How long the timer runs, such as "4m" or "1h30m": from "1s" to "366d"."#),
    SettingKey("label", \.label, .label, "The title of the timer's notifications."),
    SettingKey(
      "then", \.then,
      .oneOrMore(
        .name, 1...mostFollowers, typed: .oneOrMore(separated: false),
        emptyHint: Message("leave out the key, or give it at least one value")),
      """
      The name of the timer that starts when you stop the ring of this timer, \
      or a list of up to 12 names, one for each round.
      """),
    SettingKey(
      "flow", \.flow, .flag,
      "Whether the next timer starts as soon as this timer ends, without waiting for you."),
    SettingKey(
      "repeat", \.rounds, .rounds,
      """
      How many times this timer and the timers that follow it run: from 1 to 1000000, or "forever".
      """),
    SettingKey(
      "warn", \.warn, .duration(),
      """
      How long before its end the timer is announced, such as "1m". \
      The announcement is a notification and a short sound. \
      With "0s", there is no announcement.
      """),
    SettingKey(
      "pause_players", \.pausesPlayers, .flag,
      "Whether the timer pauses media players when it ends, instead of ringing."),
    SettingKey(
      "while", \.runsWhile, .word,
      """
      When the timer runs: "always" or "unlocked". \
      With "unlocked", the timer is paused while the screen is locked or the machine sleeps, \
      and goes on afterwards.
      """),
  ]
}

extension AgentSettings {
  static let keys: [SettingKey<AgentSettings>] = [
    SettingKey(
      "clock", \.clock, .word,
      """
      How times are shown: "12h", "24h" or "auto". \
      With "auto", the setting of the desktop or the locale decides.
      """),
    SettingKey(
      "on_close", \.onClose, .word,
      """
      What happens if you close the notification of a ring. \
      With "stop", the ring stops. \
      With "snooze", the ring snoozes. \
      With "ring", the ring goes on and the notification comes back. \
      With "auto", the ring stops. \
      But if your notification server closes a notification at any click on it, the ring is only \
      silent for a minute.
      """),
    SettingKey(
      "device", \.devices, .names,
      """
      The ALSA device that plays the sound, or a list of devices in the order in which they are \
      tried.
      """),
    SettingKey(
      "mixer", \.mixer, .word,
      """
      Whether the system volume is raised while an alarm rings; a timer does not raise it. \
      With "raise", the output that plays the sound is unmuted, and its volume is raised to \
      "mixer_floor" if it is lower. \
      With "leave", the output stays as it is.
      """),
    SettingKey(
      "mixer_floor", \.mixerFloor, .percent,
      """
      The lowest system volume while an alarm rings, in percent from 0 to 100. \
      This key is used only if the key "mixer" is "raise".
      """),
    SettingKey(
      "pause_media", \.pauseMedia, .flag,
      "Whether media players are paused as soon as a ring is heard."),
    SettingKey(
      "countdown", \.countdown, .flag,
      "Whether running timers have a notification that shows the time left."),
    SettingKey(
      "tray", \.tray, .flag,
      """
      Whether Belfry has an icon in the panel while something is ringing or snoozed, \
      and while a timer is running or paused.
      """),
    SettingKey(
      "wake_ahead", \.wakeAhead, .duration(),
      "How long before a ring Belfry wakes a suspended machine."),
    SettingKey(
      "lock_screen", \.lockScreen, .word,
      """
      What GNOME's lock screen shows of Belfry's notifications: \
      their titles and texts ("details"), or only their number ("count").
      """),
  ]
}
