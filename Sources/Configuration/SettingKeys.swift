// SPDX-License-Identifier: GPL-3.0-or-later
//
// The keys that set how something rings, and those of `[agent]`: for each its name, its field, what
// it may be and what it means, in the order of the manual. The reader, the schema, edits and what
// may be typed after a command come from these tables. Next: `ValueParser.swift`.

import Scheduling

/// What settings of how it rings are read for.
enum RingOwner { case defaults, alarm, timer }

/// A key that sets one field of `Settings`.
struct SettingKey<Settings>: Sendable {
  private typealias Read =
    @Sendable (inout EntryReader, inout Settings, _ inForce: Settings, KnownNames) -> Void

  /// Who does not have this key.
  private let outsider: RingOwner?
  private let read: Read

  /// `parser` gets the sounds that are known. `meaning` is for whoever writes the key, in English:
  /// the schema is one file for everybody.
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
      A name from "belfry sounds", a path, or a path relative to this file; \
      of a list, or a folder, one.
      """),
    SettingKey(
      "device", \.devices, .names, unless: .defaults,
      "ALSA devices, or one, tried in their order before those of [agent]."),
    SettingKey("volume", \.volume, .percent, "Percent, 0 to 100."),
    SettingKey(
      "fade_in", \.fadeIn, .duration(),
      #"From silence to the volume, such as "30s"; "0s" is at once."#),
    SettingKey(
      "snooze", \.snooze, .upToThreeDurations,
      #"For how long a snooze is, or up to three lengths, each with a button; [] is none."#),
    SettingKey(
      "snoozes", \.snoozes, .count,
      "How often one ring can be snoozed by hand; 0 is as often as you like."),
    SettingKey(
      "ring_for", \.ringFor, .durationOrForever,
      #"How long it rings until it is unanswered, or "forever"."#),
    SettingKey(
      "unanswered", \.unanswered, .word,
      #""snooze" by itself, at most auto_snoozes times, or "miss" it at once."#),
    SettingKey(
      "auto_snoozes", \.autoSnoozes, .count,
      "How often it snoozes by itself before it is missed."),
    SettingKey(
      "check", \.check, .duration(), unless: .timer,
      #"How long after Stop you are asked whether you are up, such as "5m"; "0s" is not at all."#),
    SettingKey(
      "late", \.late, .duration(),
      "Found due no longer ago than this, it still rings; later, it is missed."),
    SettingKey(
      "upcoming", \.upcoming, .duration(),
      #"How long ahead a quiet notification lets you skip it; "0s" is none."#),
    SettingKey("wake", \.wake, .flag, "Whether the machine is woken from suspend."),
    SettingKey(
      "before", \.before, .duration(), unless: .timer,
      """
      How long ahead of a ring the commands of on_before run, such as "10m"; "0s" is \
      not at all.
      """),
    SettingKey(
      "on_before", \.onBefore, .commands, unless: .timer,
      "A command to run so long before it rings, as a list of words, or a list of such lists."),
    SettingKey(
      "bedtime", \.bedtime, .bedtime, unless: .timer,
      """
      How long ahead of a ring a quiet notification says that it is time to sleep, \
      such as "8h"; "0s" is not at all.
      """),
    SettingKey(
      "on_ring", \.onRing, .commands,
      "A command to run when it rings, as a list of words, or a list of such lists."),
    SettingKey(
      "on_stop", \.onStop, .commands,
      "A command to run when it is over, as a list of words, or a list of such lists."),
  ]
}

extension AgentSettings {
  static let keys: [SettingKey<AgentSettings>] = [
    SettingKey(
      "clock", \.clock, .word,
      #""12h", "24h", or "auto": as the desktop and the locale say."#),
    SettingKey(
      "on_close", \.onClose, .word,
      """
      What closing the notification does: "stop", "snooze", "ring" on, \
      or "auto": stop by its x alone.
      """),
    SettingKey(
      "device", \.devices, .names,
      "An ALSA device, or a list of them in the order in which they are tried."),
    SettingKey(
      "mixer", \.mixer, .word,
      #"While an alarm rings, "raise" the output to mixer_floor, or "leave" it."#),
    SettingKey("mixer_floor", \.mixerFloor, .percent, "Percent, 0 to 100."),
    SettingKey("pause_media", \.pauseMedia, .flag, "Whether players are paused while it rings."),
    SettingKey("countdown", \.countdown, .flag, "Whether running timers show a notification."),
    SettingKey(
      "tray", \.tray, .flag,
      "Whether a symbol is in the panel while something rings or runs."),
    SettingKey(
      "wake_ahead", \.wakeAhead, .duration(),
      "How long before the ring a suspended machine is woken."),
    SettingKey(
      "lock_screen", \.lockScreen, .word,
      #"What GNOME's lock screen shows of a notification: its "details", or a "count" alone."#),
  ]
}

extension EntryReader {
  /// How something rings. `inForce` has what stands for a wrong key of `[defaults]`.
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
