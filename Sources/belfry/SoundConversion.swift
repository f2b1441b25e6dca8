// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts a sound file to Ogg Vorbis with the program ffmpeg, if libsndfile cannot read it. Rings
// never use ffmpeg: an alarm must not depend on a program that may be missing or slow.

import Doctor
import Files
import Language
import Presentation
import Sound
import System

@MainActor struct SoundConversion {
  private let path: String
  private let largest: Int

  /// How long ffmpeg may take. It converts an hour of sound in about half a minute.
  private static let limit = Duration.seconds(120)

  /// `largest` is the size in bytes that the new file may have.
  init(_ path: String, largest: Int) { (self.path, self.largest) = (path, largest) }

  /// Writes the converted sound to `target`, after a check that it can be played. Throws if the
  /// sound cannot be converted. Nothing is written then.
  func write(_ target: String) throws {
    // The name does not end like a sound, so `belfry sounds` does not list the unfinished file.
    let folder = Path.folder(of: target)
    let part = Path.join(folder, ".belfry-\(Environment.processID).part")
    try Disk.here { try DurableFile.makeFolder(folder, on: $0) }
    do {
      try convert(to: part)
      try check(part)
      try Disk.here { try DurableFile.move(part, to: target, on: $0) }
    } catch {
      // The error that ends the command matters more than a file that is left.
      Disk.here { try? DurableFile.remove(part, on: $0) }
      throw error
    }
  }

  private func convert(to part: String) throws {
    var (failure, isFailed, last): (CommandFailure?, Bool, String?) = (nil, false, nil)
    let command = Command(launch(part), limit: Self.limit) { event in
      switch event {
      case .notStarted(let error) where error.isMissing: failure = missing
      case .notStarted(let error): failure = CommandFailure("\(error)")
      case .line(let line): last = line
      case .failed: isFailed = true
      case .tookTooLong:
        failure = CommandFailure(tr("ffmpeg took too long to convert \(TerminalText.quoted(path))"))
      case .outputLimitReached: break
      case .gone: MainLoop.quit()
      }
    }
    let signals = MainLoop.onQuit {
      failure = failure ?? CommandFailure(tr("interrupted"))
      command.end()
    }
    MainLoop.run()
    withExtendedLifetime(signals) {}
    if let failure { throw failure }
    if isFailed { throw unconvertible(last) }
  }

  /// Starts ffmpeg with limits, because a damaged file could otherwise take all memory or fill the
  /// disk. The prefix `file:` and the option before it keep ffmpeg from opening an address that a
  /// file contains.
  private func launch(_ part: String) -> Launch {
    var launch = Launch([
      "ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-protocol_whitelist", "file",
      "-i", "file:" + path, "-map", "0:a:0", "-map_metadata", "-1", "-ar", "48000", "-ac", "2",
      "-c:a", "libvorbis", "-q:a", "5", "-fs", "\(largest)", "-f", "ogg", "-y", "file:" + part,
    ])
    launch.limits = Launch.Limits(
      processorTime: .seconds(300), memory: 4 << 30, fileSize: largest + (4 << 20))
    return launch
  }

  /// Throws if the converted file cannot be played, or if it was cut at its largest size.
  private func check(_ part: String) throws {
    // ffmpeg ends a file a little before the size that it was given.
    let size = Disk.here { DurableFile.size(of: part, on: $0) } ?? 0
    guard size < largest - (1 << 20) else {
      throw CommandFailure(tr("\(TerminalText.quoted(path)) is too long for a sound"))
    }
    do throws(SoundTrouble) {
      try Disk.here { disk throws(SoundTrouble) in
        try SoundCheck.requireSound(in: part, within: .seconds(5), on: disk)
      }
    } catch .file(.silent), .file(.empty) {
      throw CommandFailure(Wording.trouble(.file(.silent(path: path))))
    } catch { throw unconvertible(Wording.trouble(error)) }
  }

  private var missing: CommandFailure {
    CommandFailure(
      tr("\(TerminalText.quoted(path)) must be converted, and ffmpeg is not installed"),
      hint: tr("install the package ffmpeg, such as with: sudo apt install ffmpeg"))
  }

  private func unconvertible(_ reason: String?) -> CommandFailure {
    let reason = reason.map(TerminalText.escaped) ?? tr("no reason was given")
    return CommandFailure(tr("ffmpeg cannot convert \(TerminalText.quoted(path)): \(reason)"))
  }
}
