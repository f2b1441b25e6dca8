// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the shell offers after Tab: words that only the files know. It asks no agent, says nothing
// of what is wrong, and offers no word that a shell takes for more than that: bash's `compgen -W`,
// which gets these, would run what is in `$( )`.

import ArgumentParser
import Configuration
import Files
import Presentation
import Scheduling
import System

nonisolated extension CompletionKind {
  /// Ids of the alarms in the config that the line names, or the user's own.
  static let alarms = live { view in view.configuration.alarms.map(\.id) }

  /// Ids of the timers that were started and are not over.
  static let timers = live { view in view.state.timers.map(\.id) }

  /// Ids of all that may ring.
  static let rings = live { view in
    view.configuration.alarms.map(\.id) + view.state.timers.map(\.id)
  }

  /// What a timer may be started as.
  static let presets = live { view in
    view.configuration.timers.map(\.name) + ["5m", "10m", "15m", "30m", "1h"]
  }

  /// What the clocks of the config are called.
  static let clocks = live { view in view.configuration.clocks.map(\.name) }

  /// Names of cities that begin with what is typed, in the case in which it is.
  static let cities = CompletionKind.custom { line, index, typed in
    // fish does not always tell where in the word the cursor is.
    let typed = typed.isEmpty && line.indices.contains(index) ? line[index] : typed
    guard !typed.isEmpty else { return [] }
    let locations = MainActor.assumeIsolated { Locations(config: config(namedIn: line)) }
    let cities = Blocking.here { CityFile(locations).search(typed, count: 20) }
    return (cities ?? []).map(\.name)
      .filter { $0.lowercased().hasPrefix(typed.lowercased()) && $0.allSatisfy(isPlain) }
      .map { typed + $0.dropFirst(typed.count) }
  }

  /// What alarms are called together.
  static let groups = live { view in Set(view.configuration.alarms.compactMap(\.group)).sorted() }

  /// Numbers of the pauses in the config.
  static let pauses = live { view in view.configuration.pauses.indices.map { String($0 + 1) } }

  /// Ways to begin the days of a pause.
  static let pausedDays = CompletionKind.list(["today", "tomorrow", "3d", "until"])

  /// Names that `sound` and `belfry sounds play` take.
  static let sounds = live { view in
    Blocking.here { SoundLibrary(view.locations).ringtones().map(\.name) }
  }

  /// Names of the tz database.
  static let zones = live { _ in Zones.names }

  static let days = CompletionKind.list(
    ["weekdays", "weekends", "daily", "mon", "tue", "wed", "thu", "fri", "sat", "sun"])

  /// In one word: bash would offer each of several by itself.
  static let intervals = CompletionKind.list(["2days", "2weeks", "1month", "3months", "1year"])

  /// Some lengths; any other is as good.
  static let lengths = CompletionKind.list(["5m", "10m", "15m", "30m", "1h"])

  static let configFile = CompletionKind.file(extensions: ["toml"])

  struct View {
    var locations: Locations
    var configuration: Configuration
    @MainActor var state: State { Blocking.here { StateFile.read(locations.state).state } }
  }

  private static func live(_ words: @escaping @Sendable @MainActor (View) -> [String]) -> Self {
    .custom { line, _, _ in
      MainActor.assumeIsolated {
        let locations = Locations(config: config(namedIn: line))
        let configuration = Blocking.here {
          ConfigFile.configuration(locations.config, sounds: SoundLibrary(locations))
        }
        let view = View(locations: locations, configuration: configuration)
        return words(view).filter { $0.allSatisfy(isPlain) }
      }
    }
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-_.,+@%/ ".contains(character)
  }

  /// What follows `--config` on the line as it stands.
  private static func config(namedIn line: [String]) -> String? {
    if let joined = line.last(where: { $0.hasPrefix("--config=") }) {
      return String(joined.dropFirst("--config=".count))
    }
    guard let option = line.lastIndex(of: "--config"), option + 1 < line.count else { return nil }
    return line[option + 1].isEmpty ? nil : line[option + 1]
  }
}
