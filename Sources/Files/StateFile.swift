// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's memory on disk. What cannot be read is kept beside it under another name and said;
// the agent then begins anew rather than not at all.

import Language
import Persistence
import Scheduling
import System

public nonisolated enum StateFile {
  /// In bytes; Belfry never writes a larger one.
  static let limit = 64 * 1024 * 1024

  /// What is remembered at `path`, and what was wrong with it, in words.
  @Blocking public static func read(
    _ path: String, _ patience: Patience = Patience()
  ) -> (state: State, problem: Message?) {
    do throws(FileError) {
      let bytes = try patience.wait(for: path) { () throws(FileError) in
        try DurableFile.read(path, limit: limit)
      }
      let (state, problems) = StateText.parse(bytes)
      let problem = problems.first.map {
        $0.hasPlace ? Message("\(path):\($0.message)") : Message("\(path): \($0.message)")
      }
      return (state, problem)
    } catch {
      return error.isMissing ? (State(), nil) : (State(), error.message)
    }
  }

  /// The settings in force when they were last written; nil if there are none that can be read.
  @Blocking public static func settings(_ path: String) -> SettingsInForce? {
    (try? DurableFile.read(path, limit: limit)).flatMap { SettingsText.parse($0) }
  }

  /// How many bytes are written for a state like that at `path`: it is written anew beside the old.
  @Blocking public static func size(_ path: String) -> Int {
    max(4096, DurableFile.size(of: path) ?? 0)
  }

  /// Keeps what could not be read under the name that it returns: a copy of a file, in which there
  /// may be something that can be relied on; anything else itself, so that there is room for a
  /// file.
  @Blocking public static func keep(_ path: String) throws(FileError) -> String {
    let kept = path + ".unreadable"
    let bytes: [UInt8]
    do throws(FileError) { bytes = try DurableFile.read(path, limit: limit) } catch {
      try DurableFile.move(path, to: kept)
      return kept
    }
    try DurableFile.replace(kept, with: bytes)
    return kept
  }
}
