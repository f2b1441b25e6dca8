// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out for the agent whether the sounds that a config names can be played. The config takes
// effect at once: a file that is not known yet is checked afterwards, and if it cannot be played,
// the config is read again, and the reading reports it. Next: `SoundCheck.swift` in Sound.

import Doctor
import Files
import Presentation
import Sound
import Synchronization
import System

nonisolated final class SoundVerdicts: Sendable {
  private struct Verdict: Sendable {
    var version: FileVersion
    var problem: SoundLibrary.Problem?
  }

  /// The files that have been checked, or are being checked, by path.
  private let verdicts = Mutex<[String: Verdict]>([:])
  private let worker = Worker(name: "sounds")
  private let onProblem: @MainActor @Sendable () -> Void

  /// The number of files whose verdicts are kept.
  private static let most = 500
  /// How long one file is checked. That takes a few hundredths of a second unless the disk hangs.
  private static let patience = Duration.seconds(2)

  /// `onProblem` is called when a file has turned out to be unplayable.
  init(onProblem: @escaping @MainActor @Sendable () -> Void) { self.onProblem = onProblem }

  /// Returns `sounds` with a judge that answers at once.
  func judging(_ sounds: SoundLibrary) -> SoundLibrary {
    var sounds = sounds
    sounds.judge = { self.problem(of: $0, on: $1) }
    return sounds
  }

  /// Returns why the file at `path` cannot be played; nil if it can, or if that is not known yet.
  private func problem(of path: String, on disk: Disk) -> SoundLibrary.Problem? {
    guard let version = FileVersion(of: path, on: disk) else { return nil }
    let known = verdicts.withLock { verdicts -> Verdict? in
      if let known = verdicts[path], known.version == version { return known }
      if verdicts.count >= Self.most { verdicts = [:] }
      verdicts[path] = Verdict(version: version)
      return nil
    }
    if let known { return known.problem }
    worker.perform { self.check(path, version, on: $0) }
    return nil
  }

  private func check(_ path: String, _ version: FileVersion, on disk: Disk) {
    do throws(SoundTrouble) {
      try SoundCheck.requireSound(in: path, within: Self.patience, on: disk)
    } catch {
      guard let problem = Wording.problem(error) else { return }
      verdicts.withLock { $0[path] = Verdict(version: version, problem: problem) }
      Worker.onMain(onProblem)
    }
  }
}
