// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alarms as the files alone tell them, for commands that need no agent: the same reducer is
// asked what the agent would do, and nothing is written.

import Configuration
import Files
import Persistence
import Scheduling
import System

public struct FilesView {
  public var overview: Overview
  public var diagnostics: [Diagnostic]
  /// The ids of alarms that have an error, as far as they can be told.
  public var faultyAlarms: Set<String>
  /// Nil where there is no config; false where it could not be read at all.
  public var isReadable: Bool?

  /// Seen from now, with what the agent remembers; or from `instant`, as if all alarms had been
  /// armed then. `zone` stands in for the machine's.
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
  /// `problems` in the user's language, by reading the config that the agent reads.
  @Blocking public func translatedProblems() -> [String] {
    if problems.isEmpty { return [] }
    let sounds = SoundLibrary(Locations(config: config))
    let translated = ConfigFile.read(config, name: config, sounds: sounds)?.diagnostics
      .map { $0.description(in: tr) }
    // Whatever became of the file since, the agent has problems with it.
    return translated.flatMap { $0.isEmpty ? nil : $0 } ?? problems
  }
}
