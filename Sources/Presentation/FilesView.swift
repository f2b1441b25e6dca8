// SPDX-License-Identifier: GPL-3.0-or-later
//
// Computes the state of the alarms from the config and the state file, for commands that need no
// agent. It applies the same `Schedule` as the agent, and writes nothing.

import Configuration
import Files
import Persistence
import Scheduling
import System

public struct FilesView {
  public var overview: Overview
  public var diagnostics: [Diagnostic]
  /// The ids of the alarms that have an error. An alarm whose id cannot be read is not among them.
  public var faultyAlarms: Set<String>
  /// Whether the config is valid TOML; nil if there is no config.
  public var isReadable: Bool?

  /// Computes the state of the alarms. If `instant` is nil, this is their state now, from the
  /// agent's state file. Otherwise it is their state at `instant`, as if all alarms had been added
  /// at that moment. `zone` replaces the zone of the machine.
  public init(_ locations: Locations, name: String, from instant: Instant?, zone: String?) {
    let zones = Zones(machine: zone)
    let reading = Blocking.here {
      ConfigFile.read(locations.config, name: name, sounds: SoundLibrary(locations), in: zone)
    }
    var now = Clock.now()
    var schedule = Schedule()
    if let instant {
      now.wall = instant
    } else {
      schedule = Schedule(restoring: Blocking.here { StateFile.read(locations.state) }.state)
    }
    let configuration = reading?.configuration ?? Configuration()
    _ = schedule.apply(.configured(configuration.alarms), at: now, in: zones)
    overview = Overview(
      configuration: configuration, schedule: schedule, zones: zones, now: now)
    diagnostics = reading?.diagnostics ?? []
    faultyAlarms = reading?.faultyAlarms ?? []
    isReadable = reading?.isTOML
  }
}

nonisolated extension Status.Agent {
  /// Returns `problems` in the user's language. To translate them, it reads the
  /// agent's config again.
  @Blocking public func translatedProblems() -> [String] {
    if problems.isEmpty { return [] }
    let sounds = SoundLibrary(Locations(config: config))
    let translated = ConfigFile.read(config, name: config, sounds: sounds)?.diagnostics
      .map { $0.description(in: tr) }
    // The agent may still report problems of an older version of the file. If the file has none
    // now, return the agent's problems in English.
    return translated.flatMap { $0.isEmpty ? nil : $0 } ?? problems
  }
}
