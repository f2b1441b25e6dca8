// SPDX-License-Identifier: GPL-3.0-or-later
//
// The keys that decide how alarms and timers ring, and the keys of `[agent]`. Each row has a key's
// name, field, allowed values and meaning, in the order of the manual. The reader, the schema,
// edits and the options of commands follow from these rows. Next: `ValueParser.swift`.

import Scheduling

/// The tables that contain settings for how an alarm or timer rings.
enum RingOwner { case defaults, alarm, timer }

/// A key that sets one field of `Settings`.
struct SettingKey<Settings>: Sendable {
  private typealias Read =
    @Sendable (inout EntryReader, inout Settings, _ inForce: Settings, KnownNames) -> Void

  /// The table that does not have this key; nil if every table has it.
  private let outsider: RingOwner?
  private let read: Read

  /// Makes a key whose values depend on the known sounds. `meaning` is the description in the
  /// schema. It is in English, because the schema is one file for all languages.
  init<Value>(
    _ name: String, _ field: any WritableKeyPath<Settings, Value> & Sendable,
    _ parser: @escaping @Sendable (KnownNames) -> ValueParser<Value>,
    unless outsider: RingOwner? = nil, _ meaning: String
  ) {
    self.outsider = outsider
    read = { fields, settings, inForce, sounds in
      if let value = fields.value(name, parser(sounds), means: meaning) {
        settings[keyPath: field] = value
      } else if fields.isWrong(name) {
        settings[keyPath: field] = inForce[keyPath: field]
      }
    }
  }

  init<Value>(
    _ name: String, _ field: any WritableKeyPath<Settings, Value> & Sendable,
    _ parser: @autoclosure @escaping @Sendable () -> ValueParser<Value>,
    unless outsider: RingOwner? = nil, _ meaning: String
  ) {
    self.init(name, field, { _ in parser() }, unless: outsider, meaning)
  }

  func read(
    _ fields: inout EntryReader, into settings: inout Settings, of owner: RingOwner?,
    keeping inForce: Settings, _ sounds: KnownNames
  ) {
    if outsider == nil || outsider != owner { read(&fields, &settings, inForce, sounds) }
  }
}

extension RingSettings {
  static let keys: [SettingKey<RingSettings>] = [
    SettingKey(
      "sound", \.sounds, { .sounds($0) },
      """
      A name from "belfry sounds", a path, or a path relative to this file. \
      Of a list or a folder, one is chosen at random.
      """),
    SettingKey(
      "device", \.devices, .names, unless: .defaults,
      "An ALSA device, or a list in the order in which they are tried, before those of [agent]."),
    SettingKey("volume", \.volume, .percent, "Percent, 0 to 100."),
    SettingKey(
      "fade_in", \.fadeIn, .duration(),
      #"How long the sound takes from silence to the volume, such as "30s"; "0s": at once."#),
    SettingKey(
      "snooze", \.snooze, .upToThreeDurations,
      #"The length of a snooze, or up to three lengths, each with a button; []: no snooze."#),
    SettingKey(
      "snoozes", \.snoozes, .count,
      "How often one ring can be snoozed by hand; 0: as often as you like."),
    SettingKey(
      "ring_for", \.ringFor, .durationOrForever,
      #"How long it rings before it counts as unanswered, or "forever"."#),
    SettingKey(
      "unanswered", \.unanswered, .word,
      #"What an unanswered ring does: "snooze", at most auto_snoozes times, or "miss"."#),
    SettingKey(
      "auto_snoozes", \.autoSnoozes, .count,
      "How often an unanswered ring snoozes by itself before it is missed."),
    SettingKey(
      "check", \.check, .duration(), unless: .timer,
      #"How long after Stop you are asked whether you are up, such as "5m"; "0s": never."#),
    SettingKey(
      "late", \.late, .duration(),
      "How late it may still ring, for example after a suspend; later, it is missed."),
    SettingKey(
      "upcoming", \.upcoming, .duration(),
      #"How long before the ring a quiet notification lets you skip it; "0s": none."#),
    SettingKey("wake", \.wake, .flag, "Whether the machine is woken from suspend."),
    SettingKey(
      "before", \.before, .duration(), unless: .timer,
      """
      How long before the ring the commands of on_before run, such as "10m"; \
      "0s": never.
      """),
    SettingKey(
      "on_before", \.onBefore, .commands, unless: .timer,
      "A command that runs that long before the ring: a list of words, or a list of such lists."),
    SettingKey(
      "bedtime", \.bedtime, .bedtime, unless: .timer,
      """
      How long before the ring a quiet notification says that it is time to sleep, \
      such as "8h"; "0s": never.
      """),
    SettingKey(
      "on_ring", \.onRing, .commands,
      "A command that runs when it rings: a list of words, or a list of such lists."),
    SettingKey(
      "on_stop", \.onStop, .commands,
      "A command that runs when the ring is over: a list of words, or a list of such lists."),
  ]
}

extension AgentSettings {
  static let keys: [SettingKey<AgentSettings>] = [
    SettingKey(
      "clock", \.clock, .word,
      #"How times are shown: "12h", "24h", or "auto", which follows the desktop and the locale."#),
    SettingKey(
      "on_close", \.onClose, .word,
      """
      What closing the notification does: "stop", "snooze", "ring" (go on ringing), \
      or "auto" (only its x stops).
      """),
    SettingKey(
      "device", \.devices, .names,
      "An ALSA device, or a list of them in the order in which they are tried."),
    SettingKey(
      "mixer", \.mixer, .word,
      #"While an alarm rings, "raise" the output to mixer_floor, or "leave" it."#),
    SettingKey("mixer_floor", \.mixerFloor, .percent, "Percent, 0 to 100."),
    SettingKey("pause_media", \.pauseMedia, .flag, "Whether a ring pauses media players."),
    SettingKey("countdown", \.countdown, .flag, "Whether running timers show a notification."),
    SettingKey(
      "tray", \.tray, .flag,
      "Whether the panel has a symbol while something is ringing or running."),
    SettingKey(
      "wake_ahead", \.wakeAhead, .duration(),
      "How long before the ring a suspended machine is woken."),
    SettingKey(
      "lock_screen", \.lockScreen, .word,
      #"What GNOME's lock screen shows of a notification: its "details", or only a "count"."#),
  ]
}

extension EntryReader {
  /// Reads the ring settings of a table. If a key of `[defaults]` has a wrong value, the key's
  /// value in `inForce` is kept.
  mutating func ringSettings(
    of owner: RingOwner, over base: RingSettings, _ sounds: KnownNames,
    keeping inForce: RingSettings = RingSettings()
  ) -> RingSettings {
    var ring = base
    for key in RingSettings.keys {
      key.read(&self, into: &ring, of: owner, keeping: inForce, sounds)
    }
    warnOfNoVolume(ring.volume)
    return ring
  }

  mutating func agentSettings(
    _ sounds: KnownNames, keeping inForce: AgentSettings
  ) -> AgentSettings {
    var agent = AgentSettings()
    for key in AgentSettings.keys {
      key.read(&self, into: &agent, of: nil, keeping: inForce, sounds)
    }
    return agent
  }
}
