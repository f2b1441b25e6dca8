// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings in force: the stored settings until the config has been read, then the valid entries
// of the config. `Configuration.replaced(by:)` decides which settings the config replaces each time
// it is read. `ConfigSource.swift` reads the file.

import Configuration
import Files
import Language
import Notifications
import Scheduling
import System

extension Agent {
  static let configNotice = "config"

  /// How long to wait for the config when the agent starts. The agent must be ready to ring within
  /// a second.
  static let configPatience = Duration.milliseconds(500)

  func useStoredSettings() {
    guard !isConfigured else { return }
    Log.warning("\(locations.config) has not been read yet; until then, the former alarms apply")
    configure()
    beReady()
  }

  /// Puts the valid entries of the config in force. An invalid entry keeps its former settings.
  /// `reading` is nil if there is no config. `settings` are the settings to store once `reading` is
  /// in force.
  func configRead(_ reading: Reading?, _ settings: SettingsInForce) {
    report(reading ?? Reading())
    if let reading, reading.isTOML {
      self.settings = settings
      take(reading)
    } else if !isConfigured || lateState != nil {
      configure()
    }
    if reading == nil {
      Log.info(
        "there is no \(locations.config)"
          + (configuration.alarms.isEmpty ? " yet" : "; its alarms stay as they were last read"))
    }
    beReady()
    settle()
    statusChanged()
    ringSound.follow(schedule)
    ringActions.followMixer()
  }

  private func take(_ reading: Reading) {
    let before = hasConfiguration ? configuration : nil
    idsInFile = Set(reading.alarmNames.compactMap(\.self))
    (configuration, hasConfiguration) = (configuration.replaced(by: reading), true)
    let count = configuration.alarms.count
    Log.info("\(locations.config): \(count) \(count == 1 ? "alarm" : "alarms")")
    configure()
    if configuration != before { rememberSettings() }
  }

  /// Ends alarms that the user has removed by a command. An error in the config can keep alarms in
  /// force that are missing from the file, but not these.
  func removed(_ ids: [String], then done: ((FileError?) -> Void)? = nil) {
    let count = configuration.alarms.count
    configuration.alarms.removeAll { ids.contains($0.id) && !idsInFile.contains($0.id) }
    if configuration.alarms.count < count { configure() }
    apply(.removed(ids), then: done)
  }

  /// Passes the settings to the schedule. Timers work even if no config has ever been read.
  private func configure() {
    if let lateState { recall(lateState) }
    let timers = TimerSettings(
      defaults: configuration.defaults, presets: configuration.timers,
      countdown: configuration.agent.countdown)
    apply(
      .configured(
        hasConfiguration ? configuration.alarms : nil, timers: timers,
        chimes: configuration.chimes))
  }

  /// Returns unused memory to the system three seconds after the last call of this function, unless
  /// a sound is playing or prepared then.
  func settle() {
    settling = MainLoop.after(.seconds(3)) { [weak self] in
      if self?.schedule.sound == .silent { Environment.giveBackMemory() }
    }
  }

  /// Shows one notification for all errors and warnings of the config, or withdraws it if there are
  /// none. The notification names the first error or, if there is none, the first warning.
  private func report(_ reading: Reading) {
    diagnostics = reading.diagnostics
    for diagnostic in diagnostics { Log.warning("\(diagnostic)") }
    let first = diagnostics.first { $0.severity == .error } ?? diagnostics.first
    guard let first else {
      return notifier.withdraw(Self.configNotice)
    }
    let result: Message =
      hasConfiguration
      ? Message("Your previous alarms still apply.")
      : reading.isTOML
        ? Message("Settings with errors do not apply.")
        : Message("No alarm will ring until it is fixed.")
    show(Self.configNotice) { $0.configProblem(first, of: reading.diagnostics.count, result) }
  }
}
