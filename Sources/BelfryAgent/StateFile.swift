// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's memory on disk. What cannot be read is kept beside it under another name and said;
// the agent then begins anew rather than not at all.

import Desktop
import Persistence
import Scheduling

public nonisolated enum StateFile {
  /// Larger is no state of ours: a hundred thousand alarms take 16 MB.
  static let limit = 64 * 1024 * 1024

  /// What is remembered at `path`, and what was wrong with it, in words.
  public static func read(_ path: String) -> (state: State, problem: String?) {
    do throws(FileError) {
      let bytes = try DurableFile.read(path, limit: limit)
      let (state, problems) = StateText.parse(bytes)
      return (state, problems.isEmpty ? nil : "\(path):\(problems[0])")
    } catch {
      return error.isMissing ? (State(), nil) : (State(), "\(error)")
    }
  }
}
