// SPDX-License-Identifier: GPL-3.0-or-later
//
// The history on disk, read for the command line and for the bus. It is bounded, and so is what is
// read of a file that is not ours. `History.swift` writes it.

import Persistence
import Scheduling
import System

public nonisolated enum HistoryFile {
  /// The last `count` rings, the latest last, and how many lines among them say nothing; none where
  /// there is no file.
  @Blocking public static func read(
    _ path: String, last count: Int
  ) throws(FileError) -> (lines: [HistoryLine], unread: Int) {
    // A line more than the limit is there before the older half goes.
    let most = HistoryText.limit * 2
    // As much as the lines asked for take, mostly: a year is not read for the last twenty.
    var size = min(most, max(1 << 16, count * 400))
    var before = -1
    while true {
      let bytes: [UInt8]
      do throws(FileError) { bytes = try DurableFile.tail(path, atMost: size) } catch {
        if error.isMissing { return ([], 0) }
        throw error
      }
      let (lines, unread) = HistoryText.parse(bytes)
      let isAll = size == most || bytes.count == before
      if lines.count >= count || isAll { return (lines.suffix(count), unread) }
      (size, before) = (min(most, size * 4), bytes.count)
    }
  }
}
