// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether the sounds that a user names can be played, and warns at once if not. The
// program `belfry-sound` decodes the beginning of each file, as it would for a ring.

import Configuration
import Doctor
import Files
import Language
import Presentation
import Sound
import System
import TOML

nonisolated enum SoundJudge {
  /// How long one command checks sounds. Sounds that are left then are not checked; `belfry doctor`
  /// checks all of them.
  private static let total = Duration.seconds(5)
  /// How long one file is checked. That takes a few hundredths of a second unless the disk hangs.
  private static let each = Duration.seconds(2)

  /// Returns the library of sounds, which also knows whether a file can be played.
  static func library(_ locations: Locations) -> SoundLibrary {
    var sounds = SoundLibrary(locations)
    let deadline = ContinuousClock.now + total
    sounds.judge = { path, disk in
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return nil }
      do throws(SoundTrouble) {
        try SoundCheck.requireSound(in: path, within: min(left, each), on: disk)
        return nil
      } catch { return Wording.problem(error) }
    }
    return sounds
  }

  /// Prints a warning for each of the sounds that cannot be played.
  @MainActor static func warn(_ names: [String], _ sounds: SoundLibrary) {
    for name in names.unique {
      guard let problem = Disk.here({ sounds.unplayable(name, Patience(), on: $0) }) else {
        continue
      }
      Terminal.complain(complaint(tr(problem.message), hint: problem.hint))
    }
  }

  /// Returns, with the name of its entry, each problem with a sound of imported entries.
  @MainActor static func problems(
    of entries: [ConfigEditor.NewEntry], _ locations: Locations
  ) -> [(name: String, problem: SoundLibrary.Problem)] {
    let sounds = library(locations)
    return entries.compactMap { entry in
      guard let sound = entry.settings.first(where: { $0.key == "sound" })?.text else { return nil }
      let problem = Disk.here { sounds.unplayable(sound, Patience(), on: $0) }
      return problem.map { (entry.name, $0) }
    }
  }
}
