// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings in force: the stored settings until the config has been read, then those that
// `ConfigFile.read(name:after:)` returns. `ConfigSource.swift` calls it after each save.

import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

/// The config as it applies now.
struct InForce {
  /// The settings in the form in which they are stored; if the config is gone, those that were last
  /// in force. Empty if no config has ever been read.
  var settings: SettingsInForce
  var configuration = Configuration()
  /// Whether `configuration` comes from a config file that was read by this agent or, before a
  /// restart, by an earlier one. False means that `configuration` has the defaults.
  var isKnown = false
  /// The errors and warnings about the config file as it is now.
  var diagnostics: [Diagnostic] = []
}

extension Agent {
  static let configNotice = "config"
  static let goneNotice = "config-gone"

  /// How long to wait for the config when the agent starts. The agent must be ready to ring within
  /// a second.
  static let configPatience = Duration.milliseconds(500)

  func useStoredSettings() {
    guard !readiness.isReached else { return }
    Log.warning("\(locations.config) has not been read yet; until then, the former alarms apply")
    configure()
    readiness.reach()
  }

  /// Puts the settings of `read` in force.
  func configRead(_ read: ConfigInForce) {
    report(read)
    if read.reading?.isTOML ?? read.settings.isGone {
      let before = inForce.isKnown ? inForce.settings : nil
      (inForce.settings, inForce.configuration) = (read.settings, read.configuration)
      inForce.isKnown = true
      let count = configuration.alarms.count
      Log.info("\(locations.config): \(count) \(count == 1 ? "alarm" : "alarms")")
      configure(saved: read.saved)
      if read.settings != before { storage.save(read.settings) }
    } else if !readiness.isReached || storage.late != nil {
      configure()
    }
    readiness.reach()
    trimMemoryLater()
    statusChanged()
    updateSound()
    updateVolume()
  }

  /// Passes the settings to the schedule. Timers work even if no config has ever been read.
  private func configure(saved: Instant? = nil) {
    if let late = storage.late { recall(late) }
    let timers = TimerSettings(
      defaults: configuration.defaults, presets: configuration.timers,
      countdown: configuration.agent.countdown)
    apply(
      .configured(
        inForce.isKnown ? configuration.alarms : nil, saved: saved, timers: timers,
        chimes: configuration.chimes))
  }

  /// Gives unused memory back to the system soon, unless a sound is playing or prepared then.
  func trimMemoryLater() {
    Environment.giveBackMemoryLater { [weak self] in self?.schedule.sound != .silent }
  }

  /// Shows one notification for all errors and warnings of the config, or withdraws it if there are
  /// none. The notification names the first error or, if there is none, the first warning. Another
  /// one says that the config is gone.
  private func report(_ read: ConfigInForce) {
    let lost = read.lostAlarms.count
    if lost > 0 {
      Log.warning("\(locations.config) is gone; \(lost) \(lost == 1 ? "alarm" : "alarms") lost")
      notify(Self.goneNotice) { $0.configGone(locations.config, alarms: lost) }
    } else {
      notifier.withdraw(Self.goneNotice)
      if read.reading == nil { Log.info("there is no \(locations.config)") }
    }
    let diagnostics = read.reading?.diagnostics ?? []
    inForce.diagnostics = diagnostics
    for diagnostic in diagnostics { Log.warning("\(diagnostic)") }
    let first = diagnostics.first { $0.severity == .error } ?? diagnostics.first
    guard let first else { return notifier.withdraw(Self.configNotice) }
    let result: Message =
      inForce.isKnown
      ? Message("Your previous alarms still apply.")
      : read.reading?.isTOML == true
        ? Message("Settings with errors do not apply.")
        : Message("No alarm will ring until it is fixed.")
    notify(Self.configNotice) { $0.configProblem(first, of: diagnostics.count, result) }
  }

  /// Writes the settings that were last in force to the config, if it is still gone.
  func restoreConfig() {
    let settings = inForce.settings
    Worker.once("restore") { disk in
      let result = Result { () throws(FileError) in try ConfigFile.restore(settings, on: disk) }
      Worker.onMain { [weak self] in
        if case .failure(let error) = result {
          Log.error("the config cannot be restored: \(error)")
          self?.notify(Self.goneNotice) { $0.cannotRestore(settings.config, error) }
        }
      }
    }
  }
}

extension Wording {
  fileprivate func configGone(_ path: String, alarms: Int) -> NotificationContent {
    notice(
      tr(
        "\(alarms) alarm no longer rings", plural: "\(alarms) alarms no longer ring",
        count: alarms),
      [tr("The config \(path) is gone.")], .critical, isPersistent: true, buttons: [.restore])
  }

  fileprivate func cannotRestore(_ path: String, _ error: FileError) -> NotificationContent {
    notice(
      tr("The config cannot be restored"), [tr("\(path): \(error.reason)")], .critical,
      isPersistent: true, buttons: [.restore])
  }
}

extension NotificationContent.Action {
  fileprivate static var restore: Self { Self(key: "restore", label: tr("Restore")) }
}
