// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings in force: those of the state, until the config has been read, and then what is right
// in the config. What a reading replaces is decided by `Configuration.replaced(by:)`;
// `ConfigSource.swift` reads the file.

import Configuration
import Files
import Language
import Scheduling
import System

extension Agent {
  static let configNotice = "config"

  /// SPEC: armed within a second, whatever the config's disk does.
  static let configPatience = Duration.milliseconds(500)

  /// Goes by the settings of the state until the config has been read.
  func goByTheState() {
    guard !isConfigured else { return }
    Log.warning("\(locations.config) is not read yet; until then its alarms are as they were")
    configure()
    beReady()
  }

  /// Takes in what the config says now, and calls `done` then.
  func readConfig(then done: @escaping @MainActor () -> Void) { config?.read(then: done) }

  /// Takes what is right in the config, and keeps what was in force for what is wrong.
  func configRead(_ reading: Reading?) {
    tell(reading ?? Reading())
    if let reading, reading.isTOML {
      take(reading)
    } else if !isConfigured {
      configure()
    }
    if reading == nil {
      Log.info(
        "there is no \(locations.config)"
          + (configuration.alarms.isEmpty ? " yet" : "; its alarms stay as they were last read"))
    }
    beReady()
    settle()
    tellOfChange()
    ringActions?.followMixer()
  }

  private func take(_ reading: Reading) {
    let before = hasConfiguration ? configuration : nil
    (configuration, hasConfiguration) = (configuration.replaced(by: reading), true)
    let count = configuration.alarms.count
    Log.info("\(locations.config): \(count) \(count == 1 ? "alarm" : "alarms")")
    configure()
    if configuration != before { rememberSettings() }
  }

  /// Without a config that was ever read there are timers still.
  private func configure() {
    let timers = TimerSettings(
      defaults: configuration.defaults, presets: configuration.timers,
      countdown: configuration.agent.countdown)
    apply(
      .configured(
        hasConfiguration ? configuration.alarms : nil, timers: timers,
        chimes: configuration.chimes))
  }

  /// Gives back what the work just done has needed, a while after the last of it.
  func settle() {
    settling = MainLoop.after(.seconds(3)) { [weak self] in
      if self?.schedule.sound == .silent { Memory.giveBack() }
    }
  }

  /// One notification for all mistakes, withdrawn when there are none. An error comes first: a
  /// warning costs no alarm that was written as one.
  private func tell(_ reading: Reading) {
    diagnostics = reading.diagnostics
    for diagnostic in diagnostics { Log.warning("\(diagnostic)") }
    let first = diagnostics.first { $0.severity == .error } ?? diagnostics.first
    guard let first else { return untell(Self.configNotice) }
    let result: Message =
      hasConfiguration
      ? Message("Your previous alarms still apply.")
      : reading.isTOML
        ? Message("What is wrong there does not apply.")
        : Message("No alarm will ring until it is fixed.")
    tell(Self.configNotice) { $0.configProblem(first, of: reading.diagnostics.count, result) }
  }
}
