// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's checks of Belfry's own files: the config, and the folder of the stored state.

import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

extension Doctor {
  /// Checks Belfry's files, and reads the config for the other checks.
  func examineFiles() {
    let (locations, sounds) = (locations, SoundLibrary(locations))
    let read = look { ConfigFile.readInForce(name: locations.config, sounds: sounds, on: $0) }
    guard let read else { return }
    configuration = read.configuration
    found(Doctor.config(read, locations.config))
    if awaits(.pauses), let known = look({ StateFile.read(locations.state, on: $0).state }) {
      found(Doctor.pauses(configuration, known, option: Doctor.option(locations.config)))
    }
    if awaits(.state), let state = look({ Doctor.state(locations, on: $0) }) { found(state) }
  }

  /// Returns the option that a suggested command needs in order to use the config at `path`.
  private static func option(_ path: String) -> String {
    path == Locations().config ? "" : " --config \(Wording.shell(path))"
  }

  static func config(_ read: ConfigInForce, _ path: String) -> Check {
    let option = option(path)
    guard let reading = read.reading else {
      let lost = read.lostAlarms.count
      if lost > 0 {
        return Check(
          .config, .error, Wording.gone(path, alarms: lost), fix: "belfry config restore\(option)")
      }
      if !read.configuration.alarms.isEmpty {
        return Check(
          .config, .warning,
          tr("there is no \(path), and the alarms in it ring as they did before"),
          fix: "belfry list\(option)")
      }
      return Check(
        .config, .warning, tr("there is no \(path) yet: no alarm is set"),
        fix: "belfry add 07:30\(option)")
    }
    let first = reading.diagnostics.first { $0.severity == .error } ?? reading.diagnostics.first
    guard let first else {
      let count = reading.configuration.alarms.count
      return Check(
        .config, .ok,
        tr(
          "\(path): \(count) alarm, no mistakes", plural: "\(path): \(count) alarms, no mistakes",
          count: count))
    }
    let place = tr("\(first.line):\(first.column): \(first.message)")
    let names = (reading.faultyAlarms.sorted() + reading.faultyTimers.sorted())
      .map(TerminalText.quoted)
    let concernsAlarms =
      !reading.isTOML || reading.hasNamelessAlarms || !reading.faultyAlarms.isEmpty
    guard concernsAlarms || !names.isEmpty else {
      return Check(.config, .warning, place, fix: "belfry config check\(option)")
    }
    let lost =
      if !reading.isTOML { tr("none of it takes effect: \(place)") } else if names.isEmpty {
        tr("an alarm does not ring as the config says: \(place)")
      } else {
        tr(
          "\(Wording.list(names)) does not ring as the config says: \(place)",
          plural: "\(Wording.list(names)) do not ring as the config says: \(place)",
          count: names.count)
      }
    let state = concernsAlarms ? Check.State.error : .warning
    return Check(.config, state, lost, fix: "belfry config check\(option)")
  }

  /// Checks whether alarms are paused, according to the config and the stored state.
  static func pauses(
    _ configuration: Configuration, _ state: Scheduling.State, option: String
  ) -> Check {
    let (zones, now) = (Zones(), Clock.now())
    var schedule = Schedule(restoring: state)
    _ = schedule.apply(.configured(configuration.alarms), at: now, in: zones)
    let overview = Overview(
      configuration: configuration, schedule: schedule, zones: zones, now: now)
    let pauses = overview.pausesInForce
    guard !pauses.isEmpty else { return Check(.pauses, .ok, tr("no alarm is paused")) }
    let paused = Set(schedule.pausedRings(at: now.wall, in: zones).map(\.alarm.id))
    let isAll = schedule.entries.allSatisfy {
      paused.contains($0.alarm.id) || $0.nextStart == nil
    }
    let lines = overview.wording.pauses(overview).joined(separator: "; ")
    return Check(
      .pauses, .warning, isAll ? tr("nothing will ring: \(lines)") : lines,
      fix: overview.undoing(pauses).map { $0 + option })
  }

  private nonisolated static func state(_ locations: Locations, on disk: Disk) -> Check {
    let folder = locations.stateFolder
    // Check the folder first. If its disk does not answer, the file cannot be read, but is not to
    // blame.
    let problem: FileError?
    do throws(FileError) {
      problem = try Patience().wait(for: folder, on: disk) { disk in
        Folder.refusal(toKeep: StateFile.size(locations.state, on: disk), in: folder, on: disk)
      }
    } catch { problem = error }
    guard let problem else {
      guard let problem = StateFile.read(locations.state, on: disk).problem else {
        return Check(.state, .ok, folder)
      }
      return Check(
        .state, .warning, tr("the stored state cannot be read: \(problem)"),
        fix: "mv \(Wording.shell(locations.state)) "
          + Wording.shell(locations.state + ".unreadable"))
    }
    let isOfDisk = problem.isReadOnlyDisk || problem == .noAnswer(path: folder)
    let fix =
      if problem.isFull { "df -h \(Wording.shell(folder))" } else if isOfDisk {
        "findmnt -T \(Wording.shell(folder))"
      } else { "mkdir -p \(Wording.shell(folder)) && chmod u+rwx \(Wording.shell(folder))" }
    return Check(
      .state, .warning,
      tr(
        """
        \(folder) cannot be written, so a restart loses snoozes, skips and timers: \
        \(problem.reason)
        """
      ), fix: fix)
  }
}
