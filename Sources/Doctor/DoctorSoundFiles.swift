// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's checks of sound files: every sound in use must decode, and be loud enough to hear.

import Configuration
import Files
import Language
import Presentation
import Scheduling
import Sound
import System

extension Doctor {
  private var users: [String: [String]] {
    var users: [String: [String]] = [SoundLibrary.defaultName: []]
    for (id, ring) in rings {
      for name in ring.soundNames { users[name, default: []].append(id) }
    }
    return users
  }

  var rings: [(id: String, RingSettings)] {
    configuration.alarms.filter(\.enabled).map { (id: $0.id, $0.ring) }
      + configuration.timers.map { (id: $0.name, $0.ring) }
  }

  func examineSounds() {
    guard awaits(.sounds) else { return }
    let (users, library, rings) = (users, SoundLibrary(locations), rings)
    worker.perform {
      let verdicts = users.keys.sorted().map { name in
        (name, Result { () throws(SoundTrouble) in try peak(of: name, library) })
      }
      Worker.onMain { self.found(Self.sounds(verdicts, users, rings)) }
    }
  }

  /// Returns the check of the first alarm or timer that is too soft to be heard; nil if there is
  /// none. A sound that is too soft is as bad as a missing sound.
  private static func tooSoft(
    _ rings: [(id: String, RingSettings)], _ verdicts: [(String, SoundVerdict)]
  ) -> Check? {
    for (id, ring) in rings {
      // If a ring has several sounds, the softest may be chosen.
      let peak =
        verdicts.lazy.filter { ring.soundNames.contains($0.0) }.compactMap { try? $0.1.get() }.min()
        ?? 1
      func isSilent(_ fadeIn: Duration) -> Bool {
        Gain.isSilent(
          peak: peak, volume: ring.volume, fadeIn: fadeIn, within: ring.ringFor)
      }
      let name = TerminalText.quoted(id)
      if isSilent(.zero) {
        return Check(
          .sounds, .error, tr("\(name) is too soft to be heard: its volume is \(ring.volume)"),
          fix: tr("set volume in the config"))
      }
      guard let length = ring.ringFor, ring.fadeIn > length else { continue }
      return Check(
        .sounds, isSilent(ring.fadeIn) ? .error : .warning,
        tr("\(name) ends before it is loud: its fade_in is longer than its ring_for"),
        fix: tr("set fade_in in the config"))
    }
    return nil
  }

  private static func sounds(
    _ verdicts: [(String, SoundVerdict)], _ users: [String: [String]],
    _ rings: [(id: String, RingSettings)]
  ) -> Check {
    func names(_ sound: String) -> String {
      let users = users[sound] ?? []
      let shown = users.prefix(3).map { TerminalText.escaped($0) } + (users.count > 3 ? ["…"] : [])
      return users.isEmpty ? "" : " (\(Wording.list(shown)))"
    }
    let soft = tooSoft(rings, verdicts)
    if let soft, soft.state == .error { return soft }
    let troubles = verdicts.compactMap { name, verdict -> String? in
      switch verdict {
      case .success(nil): tr("There is no sound \(TerminalText.quoted(name) + names(name)).")
      case .success: nil
      case .failure(let trouble): Wording.trouble(trouble)
      }
    }
    for case .failure(.notStarted(let reason)) in verdicts.map(\.1) {
      return Check(.sounds, .error, tr("nothing plays: \(reason)"), fix: reinstall)
    }
    if !troubles.isEmpty {
      return Check(
        .sounds, .warning,
        tr("\(troubles.joined(separator: " ")) Another sound plays instead."),
        fix: tr("belfry sounds lists those that there are"))
    }
    if let soft { return soft }
    let shown = Wording.list(verdicts.map { TerminalText.escaped($0.0) })
    return Check(.sounds, .ok, tr("\(shown): decoded to the end"))
  }
}

extension RingSettings {
  fileprivate nonisolated var soundNames: [String] {
    sounds.isEmpty ? [SoundLibrary.defaultName] : sounds
  }
}

/// The largest sample of a sound that decodes, nil if there is no such sound, or why it is broken.
private typealias SoundVerdict = Result<Float?, SoundTrouble>

/// Tests the file that the player would choose: the first file called `name` that can be played.
@Blocking private func peak(
  of name: String, _ library: SoundLibrary
) throws(SoundTrouble) -> Float? {
  var failure: SoundTrouble?
  for path in library.candidates(name) {
    let files = Folder.hasFile(path) ? [path] : SoundFolder.sounds(in: path)
    // Any file of a folder may be chosen for a ring, so the softest counts.
    do throws(SoundTrouble) {
      if let softest = try peaks(of: files).min() { return softest }
    } catch { failure = failure ?? error }
  }
  if let failure { throw failure }
  return nil
}

/// Returns the largest sample of each file. If there are many files, only those that can be decoded
/// in time are included.
@Blocking private func peaks(of files: [String]) throws(SoundTrouble) -> [Float] {
  let patience = Duration.seconds(5)
  let deadline = ContinuousClock.now + patience
  var peaks: [Float] = []
  for file in files where peaks.isEmpty || ContinuousClock.now < deadline {
    peaks.append(try SoundCheck.peak(of: file, within: patience))
  }
  return peaks
}
