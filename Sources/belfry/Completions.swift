// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words that a shell offers after Tab: ids, labels, cities, sounds. They come from the config
// and Belfry's other files, and the agent is not called. Errors in the files are ignored. Words
// with characters that have a meaning in a shell are left out. `BashCompletions` also keeps bash
// from evaluating a word.

import ArgumentParser
import Cities
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

nonisolated extension CompletionKind {
  static let alarms = live { view in view.configuration.alarms.map(\.id) }

  static let timers = live { view in view.state.timers.map(\.id) }

  static let rings = live { view in
    view.configuration.alarms.map(\.id) + view.state.timers.map(\.id)
  }

  /// The names of presets, and some durations.
  static let presets = live { view in
    view.configuration.timers.map(\.name) + ["5m", "10m", "15m", "30m", "1h"]
  }

  static let clocks = live { view in view.configuration.clocks.map(\.name) }

  /// The names of cities that begin with the typed text, in upper or lower case. The offered words
  /// repeat the typed letters as they are, because a shell compares them exactly.
  static let cities = CompletionKind.custom { line, index, typed in
    // fish does not always pass the word under the cursor, so take this word from the line.
    let typed = typed.isEmpty && line.indices.contains(index) ? line[index] : typed
    guard !typed.isEmpty else { return [] }
    let locations = MainActor.assumeIsolated { Locations(config: config(namedIn: line)) }
    let cities = Disk.here { disk in
      CityFile(locations, on: disk).search(typed, count: 20, on: disk)
    }
    return (cities ?? []).map(\.name)
      .filter { $0.lowercased().hasPrefix(typed.lowercased()) && OutsideText.isPlain($0) }
      .map { typed + $0.dropFirst(typed.count) }
  }

  static let groups = live { view in Set(view.configuration.alarms.compactMap(\.group)).sorted() }

  static let pauses = live { view in view.configuration.pauses.indices.map { String($0 + 1) } }

  static let pausedDays = CompletionKind.list(["today", "tomorrow", "3d", "until"])

  static let sounds = live { view in
    Disk.here { SoundLibrary(view.locations).ringtones(on: $0).map(\.name) }
  }

  static let zones = live { _ in ZoneFiles().names }

  static let days = CompletionKind.list(
    ["weekdays", "weekends", "daily", "mon", "tue", "wed", "thu", "fri", "sat", "sun"])

  /// Examples of intervals at which an alarm repeats. They have no spaces, because bash would split
  /// `2 weeks` into two words.
  static let intervals = CompletionKind.list(["2days", "2weeks", "1month", "3months", "1year"])

  /// Examples of durations. Users may type others.
  static let lengths = CompletionKind.list(["5m", "10m", "15m", "30m", "1h"])

  static let configFile = CompletionKind.file(extensions: ["toml"])

  struct View {
    var locations: Locations
    var configuration: Configuration
    @MainActor var state: State { Disk.here { StateFile.read(locations.state, on: $0).state } }
  }

  private static func live(_ words: @escaping @Sendable @MainActor (View) -> [String]) -> Self {
    .custom { line, _, _ in
      MainActor.assumeIsolated {
        let locations = Locations(config: config(namedIn: line))
        let configuration = Disk.here { disk in
          ConfigFile.readInForce(name: "", sounds: SoundLibrary(locations), on: disk).configuration
        }
        let view = View(locations: locations, configuration: configuration)
        return words(view).filter(OutsideText.isPlain)
      }
    }
  }

  /// Returns the value of `--config` on a command line that may not be complete.
  private static func config(namedIn line: [String]) -> String? {
    if let joined = line.last(where: { $0.hasPrefix("--config=") }) {
      return String(joined.dropFirst("--config=".count))
    }
    guard let option = line.lastIndex(of: "--config"), option + 1 < line.count else { return nil }
    return line[option + 1].isEmpty ? nil : line[option + 1]
  }
}

enum BashCompletions {
  /// Returns the completion script of ArgumentParser for bash, changed so that bash does not
  /// evaluate the offered words: `compgen -W`, which the script uses, runs a `$(command)` in a
  /// word. The words that begin with the typed text are copied from the lines instead.
  static func safe(_ script: String) -> String {
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.flatMap { $0 == "    local completion" ? [$0] + copying : [$0] }
      .joined(separator: "\n")
  }

  private static let copying: [Substring] = """
        if [[ "${1}" = -W ]]; then
            while IFS='' read -r completion; do
                [[ -n "${completion}" && "${completion}" = "${cur}"* ]] && COMPREPLY+=("${completion}")
            done <<<"${2}"
            return
        fi
    """.split(separator: "\n")
}
